/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels share: the elements of the channel stacks. A structure has the same
 * layout on both sides, and a pointer into shared memory is the same address. */
#ifndef THE_PROGRAM_H
#define THE_PROGRAM_H

#include <stdint.h>

#define CHILDREN 2  /* spawned by one call */
#define LEAF     16 /* values of a part that is not split any more: the first thing to try out */

/* Of a part of the values, four sums of neighbours, of at least one of them. */
struct sums {
    int64_t all;
    int64_t left;  /* the largest that begins at the part's first value */
    int64_t right; /* the largest that ends at its last one */
    int64_t best;  /* the largest of all */
};

/* A task, of the pre-spawn stack: the call's arguments, and where its result goes. */
struct task {
    const int32_t *values;
    struct sums *result;
    uint32_t count;
};

/* A continuation, of the post-sync stack: what is needed behind the sync. */
struct join {
    struct sums *result;
    struct sums part[CHILDREN]; /* the results of the children, each written by one of them */
};

#endif
