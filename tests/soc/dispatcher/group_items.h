/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What tests/soc/dispatcher/test_groups.c and its kernels (tests/probes/routines/groups_kernel.c)
 * agree on. */
#ifndef SLUICE_TESTS_GROUP_ITEMS_H
#define SLUICE_TESTS_GROUP_ITEMS_H

#include <stdint.h>

/* What a work-item found out about itself. */
struct groups_item {
    uint32_t global[3];
    uint32_t local[3];
    uint32_t group[3];
    uint32_t size[3];
    uint32_t count[3];
    uint32_t items[3];
    uint32_t wavefront;
    uint32_t wavefronts;
    uint32_t cu;
    uint32_t lds_bytes;
    uint32_t number; /* of the wavefront, from the start */
    uint32_t seen;   /* 3 times the runs of this work-item */
};

#endif
