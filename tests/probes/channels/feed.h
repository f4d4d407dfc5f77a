/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What host program and kernels of feed.c share. */
#ifndef SLUICE_PROBES_CHANNELS_FEED_H
#define SLUICE_PROBES_CHANNELS_FEED_H

#include <stdint.h>

struct feed_element {
    uint32_t value;
    uint32_t depth; /* of the tree that it is the root of */
};

struct feed_result {
    uint64_t factor; /* by which values are multiplied */
    uint64_t sum;    /* of values */
    uint64_t elements;
};

#endif
