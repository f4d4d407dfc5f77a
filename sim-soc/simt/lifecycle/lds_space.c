/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Space in a compute unit's LDS: granules, first fit. */
#include <string.h>

#include "check/launch/group_occupancy.h"
#include "simt/lifecycle/lifecycle.h"

static uint32_t granules(uint32_t bytes)
{
    return sl_lds_taken(bytes) / SL_LDS_GRANULE;
}

static bool is_taken(const struct cu *cu, uint32_t granule)
{
    return (cu->lds_taken[granule / 64] >> granule % 64 & 1) != 0;
}

/* The first of `count` free granules in a row, or that of the end where there are none. */
static uint32_t find_space(const struct cu *cu, uint32_t count)
{
    const uint32_t end = cu->shape.lds_bytes / SL_LDS_GRANULE;
    uint32_t run = 0;

    for (uint32_t at = 0; at < end && run < count; at++) {
        run = is_taken(cu, at) ? 0 : run + 1;
        if (run == count) {
            return at + 1 - count;
        }
    }
    return count == 0 ? 0 : end;
}

bool lds_has_space(const struct cu *cu, uint32_t bytes)
{
    const uint32_t count = granules(bytes);
    return count == 0 || find_space(cu, count) < cu->shape.lds_bytes / SL_LDS_GRANULE;
}

uint32_t lds_allocate(struct cu *cu, uint32_t bytes)
{
    const uint32_t count = granules(bytes);
    const uint32_t first = find_space(cu, count);

    for (uint32_t at = first; at < first + count; at++) {
        cu->lds_taken[at / 64] |= 1ull << at % 64;
    }
    const uint32_t base = first * SL_LDS_GRANULE;
    memset(cu->lds + base, 0, (size_t)count * SL_LDS_GRANULE);
    return base;
}

void lds_release(struct cu *cu, uint32_t base, uint32_t bytes)
{
    const uint32_t first = base / SL_LDS_GRANULE;

    for (uint32_t at = first; at < first + granules(bytes); at++) {
        cu->lds_taken[at / 64] &= ~(1ull << at % 64);
    }
}
