/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Programs that run cases, chosen by name on the command line, one after the other on one machine,
 * and after each a good graph (relay.h). */
#ifndef SLUICE_WORKLOADS_COMMON_CASES_H
#define SLUICE_WORKLOADS_COMMON_CASES_H

#include "sluice/program.h"
#include "workloads/common/relay.h"

struct cases {
    const char *program;  /* in the result line */
    const char *word;     /* what a case is called in messages */
    const char *argument; /* and as an argument */
    const char *doc;
    const char *kernels; /* file, with relay_kernel in it */
    size_t count;
    const char *(*name)(size_t number);
    const char *(*sentence)(size_t number); /* in --list, or NULL */

    /* One case, then the good graph; where both are as they should, *rights is one more. */
    enum sl_status (*run)(struct sl_soc *soc, struct sl_module *module, size_t number,
                          struct relay *good, size_t *rights);
    int exit_status; /* where all chosen cases are right */
};

/* The program's main(). The result is the number of cases that are right. */
int cases_main(const struct cases *cases, int argc, char **argv);

#endif
