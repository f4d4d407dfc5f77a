/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What random kernels have to compute (tests/fuzz/convergence/generate.py), and what one did. */
#ifndef SLUICE_TESTS_CONVERGENCE_EXPECTATION_H
#define SLUICE_TESTS_CONVERGENCE_EXPECTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work-items are in groups of this many, each of which is one wavefront. */
#define GROUP_ITEMS  64
#define ITEMS_MAX    256
#define MEMORY_WORDS 8 /* of each work-item */

struct expectation {
    char name[32];
    bool is_disputed;                  /* the rules differ */
    uint32_t structure[ITEMS_MAX];     /* by the rule of the source's structure */
    uint32_t postdominator[ITEMS_MAX]; /* by that of immediate post-dominators */
};

/* Of a file. */
struct expectations {
    uint32_t items; /* work-items, as many as the file has words of input */
    uint32_t input[ITEMS_MAX];
    struct expectation *kernels;
    size_t count;
};

/* Reads a file. Returns 0, or -1 with the reason in `error`. The caller frees the kernels. */
int expectations_read(struct expectations *all, const char *path, char *error, size_t bytes);

/* Prints a kernel's name and its verdict:
 *   same                        it did what both rules say
 *   structure, postdominator    it did what one of them says; the other one does not
 *   neither                     the rules differ, and it did what neither says
 *   wrong                       the rules agree, and it did something else
 * the last two with the number of work-items, and what the first of them has. Returns whether it
 * is any but `wrong`. */
bool expectation_judge(const struct expectation *expected, const uint32_t *got, uint32_t items);

#endif
