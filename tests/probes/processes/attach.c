/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A machine to look at from outside: opens it and runs a small graph for each line of standard
 * input, up to a line "end" or the end of the input. In between, the firmware waits for the host. A
 * debugger can be attached (debug.gdb), the memory measured, and either process ended at a moment
 * that the reader of the output knows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/relay.h"

static error_t parse_attach(int key, char *argument, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG) {
        argp_error(state, "no argument is expected, and '%s' is one", argument);
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp attach_argp = {
    .parser = parse_attach,
    .doc = "Open a machine and run a small graph for each line of standard input, up to a line "
           "'end'. The value is the number of graphs whose result was right.",
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

static enum sl_status attach_on_sluice(struct sl_soc *soc, int *executions, int *rights)
{
    struct sl_module *module;
    struct relay relay;
    enum sl_status status = sl_app_load(soc, "wrap.elf", &module);
    if (status == SL_OK) {
        status = relay_build(&relay, module, soc, &relay_default);
    }
    if (status == SL_OK) {
        say(soc, "waiting");
    }
    while (status == SL_OK && is_asked()) {
        int is_right = 0;
        status = relay_run(&relay, &is_right);
        if (status == SL_OK) {
            (*executions)++;
            *rights += is_right;
            say(soc, "done");
        }
    }
    return status;
}

int main(int argc, char **argv)
{
    struct sl_app_options options;
    struct sl_soc *soc;
    int executions = 0;
    int rights = 0;
    int exit_status = SL_APP_WRONG;

    sl_app_parse(&attach_argp, argc, argv, NULL, &options);
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = attach_on_sluice(soc, &executions, &rights);
    }
    if (status == SL_OK) {
        sl_app_result("attach(%d) = %d", executions, rights);
        status = sl_app_report(soc, &options);
    }
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    } else if (rights == executions) {
        exit_status = SL_APP_RIGHT;
    }
    exit_status = sl_app_races(soc, exit_status);
    sl_soc_close(soc);
    return exit_status;
}
