/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* sluice run: a host program by its name or its path, with all its own options. */
#define _GNU_SOURCE 1
#include <limits.h>
#include <stdio.h>

#include "common/command.h"
#include "common/programs.h"

static error_t parse(int key, char *argument, struct argp_state *state)
{
    char ***const program = state->input;

    switch (key) {
    case 'l':
        cli_list_programs(stdout);
        *program = NULL;
        return 0;
    case ARGP_KEY_ARG:
        (void)argument;
        *program = state->argv + state->next - 1;
        state->next = state->argc; /* what follows is for the program */
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (*program != NULL) {
            argp_error(state, "which program? `sluice run --list` lists them");
        }
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"list", 'l', NULL, 0, "List Sluice's own programs", 0},
    {0},
};

static const struct argp run_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROGRAM [ARGUMENT...]",
    .doc = "Run a host program on a machine of its own: QEMU, the firmware and the accelerator "
           "start with it and end with it. PROGRAM is one of Sluice's, one in PATH, or a path. The "
           "exit status is the program's.",
};

static int run(const struct cli_command *command, int argc, char **argv)
{
    char **program = argv;
    char path[PATH_MAX];

    cli_parse(command, argc, argv, ARGP_IN_ORDER, &program);
    if (program == NULL) {
        return CLI_DONE; /* --list */
    }
    if (cli_check_program(command, program[0]) != CLI_DONE) {
        return CLI_USAGE;
    }
    (void)cli_find_program(program[0], path, sizeof path); /* as it was checked */
    return cli_become(command, path, program);
}

const struct cli_command cli_run = {
    .name = "run",
    .sentence = "run a host program",
    .example = "sluice run fib 24 --set gpu.cus=4",
    .argp = &run_argp,
    .run = run,
};
