/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Programs that run cases, chosen by name on the command line, one after the other on one machine,
 * and after each a good graph (relay.h). */
#ifndef SLUICE_WORKLOADS_COMMON_CASES_H
#define SLUICE_WORKLOADS_COMMON_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "sluice/program.h"
#include "workloads/common/relay.h"

struct cases {
    const char *program;  /* in the result line */
    const char *word;     /* what a case is called in messages, and */
    const char *argument; /* as an argument: NULL: case, CASE */
    const char *doc;
    const char *kernels; /* file, with relay_kernel in it */

    /* CASES(): structs, each of which begins with the case's name. */
    const void *first;
    size_t count;
    size_t bytes;    /* of each */
    size_t sentence; /* where a struct has the text that --list shows; 0: nowhere */

    /* One case; cases_main() runs the good graph after it. *is_right is whether it was as it should
     * be, and false before. */
    enum sl_status (*run)(struct sl_soc *soc, size_t number, struct relay *good, bool *is_right);
    int exit_status; /* where all chosen cases are right */
};

/* The cases of an array: members of struct cases. */
#define CASES(array)                                                                               \
    .first = (array), .count = sizeof(array) / sizeof(array)[0], .bytes = sizeof(array)[0]

/* The program's main(). The result is the number of cases that are right, and that left the machine
 * fit for the good graph. */
int cases_main(const struct cases *cases, int argc, char **argv);

#endif
