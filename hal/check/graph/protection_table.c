/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The look at a table of protected memory. Freestanding. */
#include "check/graph/protection_table.h"

#include "sluice/layouts.h"
#include "sluice/limits.h"

bool sl_protection_is_one(uint64_t address, const struct sl_graph_limits *limits)
{
    const struct sl_protection *const table = (const struct sl_protection *)(uintptr_t)address;

    return address % SL_RANGE_GRAIN == 0 && address >= limits->heap_base &&
           address <= limits->heap_limit && sizeof(*table) <= limits->heap_limit - address &&
           table->magic == SL_PROTECTION_MAGIC && table->count <= SL_RANGES_MAX;
}
