/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernel of mttop_nn.c share. */
#ifndef SLUICE_WORKLOADS_NN_MTTOP_NN_H
#define SLUICE_WORKLOADS_NN_MTTOP_NN_H

#include <stdint.h>

#include "workloads/common/place.h"

#define NEAREST_MAX 64

/* A record's key is its distance and, where distances are equal, its number: the bits of floats
 * that are not negative compare as they do. */
struct search {
    struct place *records;
    float *distances;
    struct place point;
    uint32_t n;
    uint32_t count; /* records to find, n at most */
    _Alignas(
        64) uint64_t nearest[NEAREST_MAX]; /* keys, the least first; at first larger than any */
};

#endif
