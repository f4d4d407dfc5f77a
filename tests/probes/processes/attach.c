/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine to look at from outside: opens it and runs a small graph for each line of standard
 * input, up to a line "end" or the end of the input. In between, the firmware waits for the host. A
 * debugger can be attached (debug.gdb), the memory measured, and either process ended at a moment
 * that the reader of the output knows. */
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "workloads/common/relay.h"

struct arguments {
    int executions; /* results */
    int rights;
};

/* Says what the machine does, at once. */
static void say(const struct sl_soc *soc, const char *what)
{
    (void)printf("# %s, QEMU is process %d\n", what, sl_soc_qemu_pid(soc));
    (void)fflush(stdout);
}

/* Whether a line came that is not "end". */
static int is_asked(void)
{
    char line[64];
    return fgets(line, sizeof line, stdin) != NULL && strcmp(line, "end\n") != 0;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct relay relay;

    enum sl_status status = relay_build(&relay, sl_app_kernels(soc), soc, &relay_default);
    if (status == SL_OK) {
        say(soc, "waiting");
    }
    while (status == SL_OK && is_asked()) {
        int is_right = 0;
        status = relay_run(&relay, &is_right);
        if (status == SL_OK) {
            arguments->executions++;
            arguments->rights += is_right;
            say(soc, "done");
        }
    }
    if (status == SL_OK) {
        sl_app_result("attach(%d) = %d", arguments->executions, arguments->rights);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    return arguments->rights == arguments->executions; /* relay_run() has said what is not */
}

static const struct sl_app app = {
    .doc = "Open a machine and run a small graph for each line of standard input, up to a line "
           "'end'. The value is the number of graphs whose result was right.",
    .arguments = &(struct arguments){0},
    .kernels = "wrap.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
