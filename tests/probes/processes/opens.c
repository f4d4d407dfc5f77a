/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Opens that fail, each N times: machines whose configuration, parts, files or descriptors are not
 * there, and files of kernels that are none. What they leave is counted: open descriptors, threads,
 * mappings, bytes of memory, child processes. AddressSanitizer, which finds such in the unit tests,
 * is where a machine's memory has to be. The working folder has a file `text`, a flash image
 * `damaged`, and nothing called `none`. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "sluice/program.h"

#define DESCRIPTORS 40 /* more than a machine needs */
#define SETTINGS    12
#define ALL_FILES                                                                                  \
    "debug.uart=uart", "debug.control=control", "profile.file=profile",                            \
        "kernel_profile.file=kernels", "timeline.file=timeline", "report.file=report.json",        \
        "trace.file=trace"

struct machine_case {
    const char *settings[SETTINGS];
    enum sl_status status;
};

static const struct machine_case machine_cases[] = {
    {{ALL_FILES}, SL_OK},
    {{ALL_FILES, "races.file=races"}, SL_ERROR_USAGE},
    {{ALL_FILES, "sample.file=none/file", "sample.interval=1000"}, SL_ERROR_USAGE},
    {{ALL_FILES, "races.file=none/file", "debug.races=drf"}, SL_ERROR_USAGE},
    {{ALL_FILES, "profile.firmware=none"}, SL_ERROR_USAGE},
    {{ALL_FILES, "profile.firmware=text"}, SL_ERROR_USAGE},
    {{ALL_FILES, "report.file=none/file"}, SL_ERROR_USAGE},
    {{ALL_FILES, "trace.file=none/file"}, SL_ERROR_USAGE},
    {{ALL_FILES, "timeline.file=none/file"}, SL_ERROR_USAGE},
    {{ALL_FILES, "debug.control=none/socket"}, SL_ERROR_USAGE},
    {{ALL_FILES, "debug.control=text"}, SL_ERROR_USAGE},
    {{ALL_FILES, "debug.uart=none/file"}, SL_ERROR_USAGE},
    {{ALL_FILES, "host.plugin=none"}, SL_ERROR_USAGE},
    {{ALL_FILES, "profile.file=", "report.file=", "host.flash=none"}, SL_ERROR_USAGE},
    {{ALL_FILES, "profile.file=", "report.file=", "host.flash=damaged"}, SL_ERROR_MACHINE},
    {{ALL_FILES, "host.engine=qemu", "host.qemu=none"}, SL_ERROR_USAGE},
    {{ALL_FILES, "host.engine=qemu", "host.qemu=true"}, SL_ERROR_USAGE},
};

/* What a process has. */
enum { DESCRIPTOR_COUNT, THREAD_COUNT, MAPPING_COUNT, BYTE_COUNT, COUNTS };
static const char *const count_names[COUNTS] = {"descriptors", "threads", "mappings",
                                                "bytes of memory"};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000, .bytes = sizeof(uint32_t)},
    {0},
};

static uint64_t entries_of(const char *folder)
{
    DIR *const entries = opendir(folder);
    uint64_t count = 0;
    while (entries != NULL && readdir(entries) != NULL) {
        count++;
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    return count;
}

static uint64_t lines_of(const char *path)
{
    FILE *const file = fopen(path, "re");
    uint64_t count = 0;
    for (int c = 0; file != NULL && (c = getc(file)) != EOF;) {
        count += c == '\n';
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return count;
}

static void take_counts(uint64_t *counts)
{
    const struct mallinfo2 memory = mallinfo2();
    counts[DESCRIPTOR_COUNT] = entries_of("/proc/self/fd");
    counts[THREAD_COUNT] = entries_of("/proc/self/task");
    counts[MAPPING_COUNT] = lines_of("/proc/self/maps");
    counts[BYTE_COUNT] = memory.uordblks + memory.hblkhd;
}

/* Does something, and then `n` times more. Whether it was right each time, and the process has
 * fewer more of anything than one for each time: what the first one leaves is kept for later ones.
 */
static bool is_right_often(const char *what, uint32_t n, bool (*once)(const void *of),
                           const void *of)
{
    uint64_t before[COUNTS];
    uint64_t now[COUNTS];
    bool is_right = once(of);
    take_counts(before);
    for (uint32_t i = 0; i < n; i++) {
        is_right = once(of) && is_right;
    }
    take_counts(now);
    for (unsigned i = 0; i < COUNTS; i++) {
        if (now[i] >= before[i] + n) {
            (void)fprintf(stderr, "opens: %s: %" PRIu64 " %s, and %" PRIu64 " after %u times\n",
                          what, before[i], count_names[i], now[i], n);
            is_right = false;
        }
    }
    return is_right;
}

/* Where no machine is open. */
static bool leaves_no_child(const char *what)
{
    const bool is_right = waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
    if (!is_right) {
        (void)fprintf(stderr, "opens: %s: a child process is left\n", what);
    }
    return is_right;
}

static bool is_wanted(const char *what, enum sl_status status, enum sl_status wanted,
                      const struct sl_soc *soc)
{
    if (status != wanted) {
        (void)fprintf(stderr, "opens: %s: status %d, wanted %d: %s\n", what, (int)status,
                      (int)wanted, sl_soc_error(soc));
    }
    return status == wanted;
}

/* ---- machines ---- */

static const char *last_setting(const struct machine_case *of)
{
    unsigned i = 0;
    while (i + 1 < SETTINGS && of->settings[i + 1] != NULL) {
        i++;
    }
    return of->settings[i];
}

struct opening {
    const struct sl_config *config;
    const struct machine_case *of;
};

static bool open_machine(const void *argument)
{
    const struct opening *const opening = argument;
    const struct machine_case *const of = opening->of;
    struct sl_config changed = *opening->config;
    struct sl_soc *soc;
    char error[512];
    for (unsigned i = 0; i < SETTINGS && of->settings[i] != NULL; i++) {
        if (sl_config_set(&changed, of->settings[i], error, sizeof error) != 0) {
            (void)fprintf(stderr, "opens: %s\n", error);
            return false;
        }
    }
    const bool is_right = is_wanted(last_setting(of), sl_soc_open(&changed, &soc), of->status, soc);
    sl_soc_close(soc);
    return is_right;
}

static bool open_machines(const struct sl_config *config, const struct machine_case *of, uint32_t n)
{
    const struct opening opening = {config, of};
    return is_right_often(last_setting(of), n, open_machine, &opening);
}

/* With one descriptor more in each turn, up to what a machine needs. */
static bool open_with_few(const void *config)
{
    struct rlimit whole;
    enum sl_status status = SL_ERROR_MACHINE;
    bool is_right = getrlimit(RLIMIT_NOFILE, &whole) == 0;
    const uint64_t first = entries_of("/proc/self/fd") - 3; /* . and .., and that of the folder */
    for (uint64_t count = first; status != SL_OK && count < first + DESCRIPTORS; count++) {
        struct sl_soc *soc;
        const struct rlimit few = {count, whole.rlim_max};
        is_right = is_right && setrlimit(RLIMIT_NOFILE, &few) == 0;
        status = sl_soc_open(config, &soc);
        is_right = is_right &&
                   (status == SL_OK || is_wanted("few descriptors", status, SL_ERROR_MACHINE, soc));
        sl_soc_close(soc);
    }
    return setrlimit(RLIMIT_NOFILE, &whole) == 0 && is_right && status == SL_OK;
}

/* ---- kernels, on a machine that is open ---- */

static const char *const no_kernels[] = {"none", ".", "text", "/dev/null", "/proc/self/exe"};

struct loading {
    struct sl_soc *soc;
    const char *path;
};

static bool load_nothing(const void *argument)
{
    const struct loading *const loading = argument;
    struct sl_module *module;
    return is_wanted(loading->path, sl_module_load(loading->soc, loading->path, &module),
                     SL_ERROR_USAGE, loading->soc);
}

struct preparing {
    struct sl_soc *soc;
    struct sl_module *module;
};

/* A graph that is not complete, and a kernel that is not there. */
static bool prepare_nothing(const void *argument)
{
    const struct preparing *const preparing = argument;
    struct sl_graph_builder *graph;
    if (!is_wanted("graph", sl_graph_create(preparing->module, &graph), SL_OK, preparing->soc)) {
        return false;
    }
    const bool is_right =
        sl_graph_kernel(graph, "no_kernel") < 0 &&
        is_wanted("graph", sl_graph_prepare(graph), SL_ERROR_USAGE, preparing->soc);
    sl_graph_destroy(graph);
    return is_right;
}

static bool open_another(const struct sl_config *config, uint32_t n)
{
    const struct machine_case another = {{"host.print_limit=1MiB"}, SL_ERROR_USAGE};
    return open_machines(config, &another, n);
}

static uint32_t load_all(const struct sl_config *config, uint32_t n)
{
    struct sl_soc *soc;
    struct preparing preparing;
    uint32_t rights = 0;
    if (!is_wanted("a machine", sl_soc_open(config, &soc), SL_OK, soc)) {
        sl_soc_close(soc);
        return 0;
    }
    for (unsigned i = 0; i < sizeof no_kernels / sizeof no_kernels[0]; i++) {
        const struct loading loading = {soc, no_kernels[i]};
        rights += is_right_often(no_kernels[i], n, load_nothing, &loading);
    }
    rights += open_another(config, n);
    preparing.soc = soc;
    rights += is_wanted("fib.elf", sl_app_load(soc, "fib.elf", &preparing.module), SL_OK, soc) &&
              is_right_often("graph", n, prepare_nothing, &preparing);
    sl_soc_close(soc);
    return leaves_no_child("a machine") ? rights : 0;
}

int main(int argc, char **argv)
{
    const uint32_t machines = sizeof machine_cases / sizeof machine_cases[0];
    const uint32_t ways = machines + sizeof no_kernels / sizeof no_kernels[0] + 3;
    uint32_t n = 0;
    const struct sl_app app = {.doc = "Open machines and files of kernels in ways that fail, N "
                                      "times each. The value is the number of ways that leave "
                                      "nothing behind.",
                               .table = table,
                               .arguments = &n};
    struct sl_app_options options;
    uint32_t rights = 0;

    sl_app_read(&app, argc, argv, &options);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1); /* for the children of what is ended */
    for (uint32_t i = 0; i < machines; i++) {
        rights += open_machines(&options.config, &machine_cases[i], n) &&
                  leaves_no_child(last_setting(&machine_cases[i]));
    }
    rights += is_right_often("few descriptors", n, open_with_few, &options.config) &&
              leaves_no_child("few descriptors");
    rights += load_all(&options.config, n);
    sl_app_result("opens(%" PRIu32 ") = %" PRIu32, n, rights);
    return rights == ways ? SL_APP_RIGHT : SL_APP_WRONG;
}
