/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The matrices of strassen.c and trees_matmul.c, in the order of strassen_task.h: made, and their
 * product checked.
 *
 * The order in which products of blocks are added is the machine's, so that the product is compared
 * with one in doubles, within the error that rounding can make. */
#ifndef SLUICE_WORKLOADS_STRASSEN_MATRICES_H
#define SLUICE_WORKLOADS_STRASSEN_MATRICES_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/sluice.h"
#include "workloads/strassen/strassen_task.h"

#define STRASSEN_N_MAX 512

struct strassen_matrices {
    uint32_t n;
    uint32_t group; /* blocks of a group */
    float *left;    /* in shared memory, behind it the right one and the product */
    float *right;
    float *product;
};

/* The parser's part for the argument N, a power of two from 16 to 512: as sl_app_n(). */
error_t strassen_n(int key, const char *argument, const struct argp_state *state, uint32_t *n);

/* In shared memory: two of random numbers that start from `seed`, and a product of zeros. */
SL_MUST_USE enum sl_status strassen_matrices_make(struct sl_soc *soc, uint32_t n, uint32_t group,
                                                  uint64_t seed, struct strassen_matrices *out);

/* The whole product. */
struct strassen_task strassen_root(const struct strassen_matrices *matrices);

/* Of all elements of the product. */
double strassen_matrices_sum(const struct strassen_matrices *matrices);

/* The error that an element of eight products may have, of whose terms the magnitudes add up to
 * this. */
double strassen_bound(uint32_t n, double magnitude);

/* Whether all elements are within a bound; names the program and the first one that is not. */
bool strassen_is_within(const struct strassen_matrices *matrices, const char *program,
                        double (*bound)(uint32_t n, double magnitude));

#endif
