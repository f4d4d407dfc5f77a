/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice doctor: what this machine has of what Sluice needs, and how to get the rest. Each check is
 * of the thing itself; the last one starts a machine. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/command.h"
#include "common/programs.h"
#include "config/install_paths.h"
#include "host/driver/machine/contracts.h"
#include "host/driver/machine/paths.h"
#include "host/driver/machine/qemu.h"
#include "host/observe/report/page.h"
#include "sluice/sluice.h"
#include "sweep/sweep.h"

#define TEXT_BYTES 1024

static const struct argp doctor_argp = {
    .doc = "Check that this machine has what Sluice needs to run and to be built, and say how to "
           "get what is missing. The exit status is 1 where something that runs need is missing.",
};

/* A finding: a text that says what was found or what to do, and whether it is good. */
struct finding {
    bool is_good;
    char text[TEXT_BYTES];
};

static void find_qemu(const struct sl_config *config, struct finding *finding)
{
    struct sl_qemu_paths paths;

    finding->is_good =
        sl_qemu_paths_find(config, &paths, finding->text, sizeof finding->text) == SL_OK &&
        sl_contracts_check(&paths, finding->text, sizeof finding->text) == SL_OK;
    if (finding->is_good) {
        (void)snprintf(finding->text, sizeof finding->text, "%s, %s", paths.qemu, paths.flash);
    }
}

/* DRAM is mapped where the device sees it: nothing else may be there. */
static void find_address_range(const struct sl_config *config, struct finding *finding)
{
    const size_t bytes = (size_t)config->number[SL_CFG_DRAM_SIZE];
    void *const wanted = (void *)(uintptr_t)SL_DRAM_BASE;
    void *const mapped =
        mmap(wanted, bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    finding->is_good = mapped == wanted;
    if (finding->is_good) {
        (void)snprintf(finding->text, sizeof finding->text, "%zu MiB at 0x%llx are free",
                       bytes >> 20, (unsigned long long)SL_DRAM_BASE);
    } else {
        (void)snprintf(finding->text, sizeof finding->text,
                       "%zu MiB at 0x%llx cannot be mapped: %s; a limit on address space (ulimit "
                       "-v) or a sanitizer may be in the way",
                       bytes >> 20, (unsigned long long)SL_DRAM_BASE, strerror(errno));
    }
    if (mapped != MAP_FAILED) {
        (void)munmap(mapped, bytes);
    }
}

static void find_machine(const struct sl_config *config, struct finding *finding)
{
    struct sl_soc *soc = NULL;

    finding->is_good = sl_soc_open(config, &soc) == SL_OK;
    (void)snprintf(finding->text, sizeof finding->text, "%s",
                   finding->is_good ? sl_soc_qemu_version(soc) : sl_soc_error(soc));
    sl_soc_close(soc);
}

/* What some commands need beside it. */
static void find_parallel(const struct sl_config *config, struct finding *finding)
{
    (void)config;
    finding->is_good = sweep_has_parallel(finding->text, sizeof finding->text);
    if (!finding->is_good) {
        (void)snprintf(
            finding->text, sizeof finding->text,
            "GNU parallel is missing, which profile, report and sweep need: install Debian's "
            "package parallel");
    }
}

static void find_pages(const struct sl_config *config, struct finding *finding)
{
    (void)config;
    finding->is_good = sl_page_check(finding->text, sizeof finding->text) == 0;
    if (finding->is_good) {
        (void)snprintf(finding->text, sizeof finding->text, "plotting library and page are there");
    }
}

static void find_slurm(const struct sl_config *config, struct finding *finding)
{
    static const char *const argv[] = {"sh", "-c", "sbatch --version 2>&1", NULL};
    char line[256];

    (void)config;
    const int status = sweep_spawn(argv, -1, line, sizeof line);
    finding->is_good = status == 0;
    if (status == 127) {
        (void)snprintf(finding->text, sizeof finding->text,
                       "sbatch is missing, which `sweep --engine slurm` needs: install Debian's "
                       "package slurm-client");
    } else {
        (void)snprintf(finding->text, sizeof finding->text, "%s%s",
                       finding->is_good ? "" : "sbatch finds no cluster: ", line);
    }
}

/* The compiler's own word, its version or what it lacks. */
static void find_compiler(const struct sl_config *config, struct finding *finding)
{
    char compiler[PATH_MAX];
    const char *const argv[] = {"sh", "-c", "exec \"$0\" --version 2>&1", compiler, NULL};

    (void)config;
    finding->is_good = sl_home_path("bin/sluice-kernel-cc", compiler, sizeof compiler) == 0 &&
                       sweep_spawn(argv, -1, finding->text, sizeof finding->text) == 0;
    finding->text[strcspn(finding->text, "\n")] = '\0';
}

/* What building needs is known to the script that sets a machine up. */
static void find_packages(const struct sl_config *config, struct finding *finding)
{
    char script[PATH_MAX];
    char command[PATH_MAX + 32];
    size_t length = 0;

    (void)config;
    finding->is_good = false;
    if (sl_path_beside_program("../../scripts/setup.sh", script, sizeof script) != 0 ||
        access(script, X_OK) != 0) {
        (void)snprintf(finding->text, sizeof finding->text,
                       "no source tree around this program, so nothing is built here");
        return;
    }
    (void)snprintf(command, sizeof command, "'%s' missing all", script);
    FILE *const pipe = popen(command, "re");
    char line[128];
    while (pipe != NULL && fgets(line, sizeof line, pipe) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        length += (size_t)snprintf(finding->text + length, sizeof finding->text - length, "%s%s",
                                   length == 0 ? "missing: " : ", ", line);
        if (length > sizeof finding->text - sizeof line) {
            break;
        }
    }
    finding->is_good = pipe != NULL && pclose(pipe) == 0 && length == 0;
    if (finding->is_good) {
        (void)snprintf(finding->text, sizeof finding->text, "all there");
    } else {
        (void)snprintf(finding->text + length, sizeof finding->text - length,
                       "; `make setup` installs it");
    }
}

static const struct {
    const char *name;
    void (*find)(const struct sl_config *config, struct finding *finding);
    bool is_needed; /* to run */
} checks[] = {
    {"QEMU and firmware", find_qemu, true},    {"address range", find_address_range, true},
    {"a machine starts", find_machine, true},  {"sweeps here", find_parallel, false},
    {"reports as pages", find_pages, false},   {"sweeps on a cluster", find_slurm, false},
    {"kernels compile", find_compiler, false}, {"packages to build", find_packages, false},
};

static int run(const struct cli_command *command, int argc, char **argv)
{
    static struct sl_config config;
    int status = CLI_DONE;

    cli_parse(command, argc, argv, 0, NULL);
    sl_config_init(&config);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        struct finding finding;
        checks[i].find(&config, &finding);
        printf("%-4s  %-19s  %s\n", finding.is_good ? "ok" : "--", checks[i].name, finding.text);
        if (!finding.is_good && checks[i].is_needed) {
            status = CLI_WRONG;
        }
    }
    return status;
}

const struct cli_command cli_doctor = {
    .name = "doctor",
    .sentence = "say what this machine lacks, and how to get it",
    .example = "sluice doctor",
    .argp = &doctor_argp,
    .run = run,
};
