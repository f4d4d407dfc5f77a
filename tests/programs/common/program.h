/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a test program does around its own work: parse, open the machine, run, report, check. */
#ifndef SLUICE_PROGRAMS_PROGRAM_H
#define SLUICE_PROGRAMS_PROGRAM_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "programs/common/options.h"
#include "sluice/sluice.h"

struct program {
    const struct argp *argp;
    void *arguments; /* what the parser of `argp` finds in state->input */

    /* What the program's arguments ask of the machine, over what the command line says; NULL for
     * nothing. */
    void (*configure)(struct sl_config *config, const void *arguments);

    /* The whole of a run that needs no machine of sl_soc_open(), and its exit status; negative: it
     * needs one, and goes on with run(). NULL: it always does. */
    int (*run_alone)(const struct options *options, void *arguments);

    /* The program's work on an open machine: ends with report_result(). */
    enum sl_status (*run)(struct sl_soc *soc, void *arguments);

    /* Prints what the program has to say between its result and the table, unless --quiet, each
     * line with "# " in front; NULL for nothing. */
    void (*print)(const void *arguments);

    /* Whether the result is right; says on standard error what is wrong with it. */
    bool (*is_right)(const void *arguments);

    /* The wavefronts that Table 3 of the core paper counts for these arguments, 0 where it has
     * other ones; NULL for a program that it does not have. */
    uint64_t (*paper_wavefronts)(const void *arguments);
};

/* Returns the exit status (enum program_exit). */
int program_main(const struct program *program, int argc, char **argv);

/* Loads a kernel file that was built with the program, such as "fib.elf". Otherwise as
 * sl_module_load(). */
SL_MUST_USE enum sl_status program_load(struct sl_soc *soc, const char *kernels,
                                        struct sl_module **module);

#endif
