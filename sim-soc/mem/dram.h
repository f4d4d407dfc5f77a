/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The bytes of DRAM, as the simulator's process has them mapped. */
#ifndef SLUICE_MEM_DRAM_H
#define SLUICE_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/memory_map.h"

struct dram {
    uint8_t *bytes;
    uint64_t size;
};

/* Whether [address, address + count) is DRAM. */
static inline bool dram_holds(const struct dram *dram, uint64_t address, uint64_t count)
{
    uint64_t offset = address - SL_DRAM_BASE;
    return offset < dram->size && count <= dram->size - offset;
}

/* Where an address that DRAM holds is in this process. */
static inline void *dram_at(const struct dram *dram, uint64_t address)
{
    return dram->bytes + (address - SL_DRAM_BASE);
}

#endif
