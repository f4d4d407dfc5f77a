/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine that is to outlive its QEMU: does what lines of standard input say, and goes on where
 * one fails. In between, whoever writes the lines ends, stops and kills QEMU.
 *
 *     good N FILE    a new graph computes fib(N), and its statistics go to the file
 *     kept           one that was prepared, and filled, before the first line computes fib(10), and
 *                    memory that was written then is as it was
 *     long           a new graph begins to compute for half a minute
 *     again          the machine is closed, and another one opened
 *
 * The kernels are those of workloads/fib/fib.c. */
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/fibonacci.h"

#define WIDTH      65536
#define LONG_WIDTH 4194304
#define LONG_N     35
#define KEPT_N     10
#define KEPT_WORDS 4096
#define FAN_OUT    2

/* workloads/fib/fib_kernel.c has the same. */
struct fib_element {
    int32_t value;
};

struct fib_graph {
    struct sl_graph_builder *graph;
    uint64_t *result;
    uint32_t n;
};

struct machine {
    struct sl_soc *soc;
    struct sl_module *module;
    struct fib_graph kept;
    uint64_t *words;
};

static void destroy(struct machine *machine, struct fib_graph *fib)
{
    sl_graph_destroy(fib->graph);
    sl_free(machine->soc, fib->result);
    *fib = (struct fib_graph){.graph = NULL};
}

/* A graph that is prepared and filled. */
static enum sl_status create(struct machine *machine, uint32_t n, uint32_t width,
                             struct fib_graph *fib)
{
    const struct sl_channel_options options = {.name = "fib", .flags = SL_CHANNEL_NARROW};
    enum sl_status status = sl_graph_create(machine->module, &fib->graph);

    fib->n = n;
    fib->result = status == SL_OK ? sl_alloc(machine->soc, sizeof *fib->result, 0) : NULL;
    if (fib->result == NULL) {
        return status == SL_OK ? SL_ERROR_USAGE : status;
    }
    const int channel = sl_graph_channel(fib->graph, sizeof(struct fib_element), width, &options);
    const int kernel = sl_graph_kernel(fib->graph, "fib_kernel");
    sl_graph_argument(fib->graph, kernel, 2, (uint64_t)channel);
    sl_graph_argument(fib->graph, kernel, 3, (uintptr_t)fib->result);
    sl_graph_connect(fib->graph, channel, kernel);
    sl_graph_output(fib->graph, kernel, channel, FAN_OUT);
    struct fib_element *const element = sl_graph_talloc(fib->graph, channel, 1);
    if (element == NULL) {
        return SL_ERROR_USAGE;
    }
    element->value = (int32_t)n;
    return sl_graph_enq(fib->graph, channel, element, 1);
}

static void say(const struct machine *machine, const char *what)
{
    (void)printf("# %s, QEMU is process %d\n", what, sl_soc_qemu_pid(machine->soc));
    (void)fflush(stdout);
}

/* Executes it, waits, and says how it went. Returns whether the result was right. */
static bool compute(struct machine *machine, const struct fib_graph *fib)
{
    enum sl_status status = sl_graph_execute(fib->graph);

    if (status == SL_OK) {
        say(machine, "computes");
        status = sl_soc_wait(machine->soc, -1);
    }
    if (status != SL_OK) {
        (void)printf("# status %d: %s\n", (int)status, sl_soc_error(machine->soc));
        (void)fflush(stdout);
        return false;
    }
    const bool is_right = *fib->result == fibonacci(fib->n);
    say(machine, is_right ? "right" : "wrong");
    return is_right;
}

static bool do_new(struct machine *machine, uint32_t n, uint32_t width, const char *path)
{
    struct fib_graph fib = {.graph = NULL};
    bool is_right = create(machine, n, width, &fib) == SL_OK && compute(machine, &fib);

    if (is_right && path != NULL) {
        is_right = sl_soc_write_statistics(machine->soc, path) == SL_OK;
    }
    destroy(machine, &fib);
    return is_right;
}

static uint64_t word_at(uint32_t i)
{
    return (i + 1) * 0x9e3779b97f4a7c15u;
}

static bool do_kept(struct machine *machine)
{
    bool is_right = compute(machine, &machine->kept);

    for (uint32_t i = 0; i < KEPT_WORDS; i++) {
        is_right = is_right && machine->words[i] == word_at(i);
    }
    return is_right;
}

static enum sl_status open_machine(struct machine *machine, const struct sl_config *config)
{
    *machine = (struct machine){.soc = NULL};
    enum sl_status status = sl_soc_open(config, &machine->soc);
    if (status == SL_OK) {
        status = sl_app_load(machine->soc, "fib.elf", &machine->module);
    }
    if (status == SL_OK) {
        status = create(machine, KEPT_N, WIDTH, &machine->kept);
    }
    if (status != SL_OK) {
        return status;
    }
    machine->words = sl_app_alloc(machine->soc, KEPT_WORDS * sizeof *machine->words, 0);
    for (uint32_t i = 0; i < KEPT_WORDS; i++) {
        machine->words[i] = word_at(i);
    }
    say(machine, "waiting");
    return SL_OK;
}

/* Does what a line says. Returns whether it was a graph, with a result that is right. */
static bool follow(struct machine *machine, const char *line)
{
    uint32_t n = 0;
    char path[256];

    if (sscanf(line, "good %" SCNu32 " %255s", &n, path) == 2) {
        return do_new(machine, n, WIDTH, path);
    }
    if (strcmp(line, "kept\n") == 0) {
        return do_kept(machine);
    }
    return strcmp(line, "long\n") == 0 && do_new(machine, LONG_N, LONG_WIDTH, NULL);
}

int main(int argc, char **argv)
{
    static const struct sl_app app = {
        .doc = "Do what lines of standard input say: 'good N FILE', 'kept', 'long' or 'again'. The "
               "value is the number of graphs whose result was right."};
    struct sl_app_options options;
    struct machine machine;
    char line[512];
    int rights = 0;

    sl_app_read(&app, argc, argv, &options);
    enum sl_status status = open_machine(&machine, &options.config);
    while (status == SL_OK && fgets(line, sizeof line, stdin) != NULL &&
           strcmp(line, "end\n") != 0) {
        if (strcmp(line, "again\n") == 0) {
            sl_soc_close(machine.soc);
            status = open_machine(&machine, &options.config);
        } else {
            rights += follow(&machine, line) ? 1 : 0;
        }
    }
    const int exit_status = status == SL_OK ? SL_APP_RIGHT : sl_app_error(machine.soc, status);
    if (status == SL_OK) {
        sl_app_result("restart() = %d", rights);
    }
    sl_soc_close(machine.soc);
    return exit_status;
}
