/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of the memory map that depends on the configuration: the end of DRAM and what is below
 * it.
 *
 * From the top down: device window and device tree, the wavefront state pool, the shared heap.
 * A block of the pool is the save area of a wavefront (papers/001 section 7: program counters,
 * masks, all registers, live and dead) and the private segments of its lanes. */
#include <assert.h>

#include "sluice/config.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"

#define PAGE_BYTES       4096ull /* program counters, masks, stack in hardware; and alignment */
#define REGISTERS        64ull   /* 32 integer and 32 floating-point registers of each lane */
#define REGISTER_BYTES   8ull
#define POOL_ALIGNMENT   SL_KIB(64)
#define HEAP_LEAST       SL_MIB(1)
#define BELOW_HEAP_BYTES (SL_HEAP_BASE - SL_DRAM_BASE)

static_assert(SL_DRAM_BYTES_MIN > BELOW_HEAP_BYTES + HEAP_LEAST + SL_TOP_BYTES,
              "the smallest DRAM holds what has a fixed place");

int sl_layout_compute(const struct sl_config *config, struct sl_layout *layout)
{
    uint64_t lanes = (uint64_t)config->number[SL_CFG_GPU_LANES];
    uint64_t stack_bytes = (uint64_t)config->number[SL_CFG_GPU_STACK];
    uint64_t blocks = (uint64_t)config->number[SL_CFG_POOL_BLOCKS];
    if (blocks == 0) {
        blocks = (uint64_t)config->number[SL_CFG_GPU_CUS] *
                 (uint64_t)config->number[SL_CFG_GPU_CONTEXTS];
    }

    layout->dram_bytes = (uint64_t)config->number[SL_CFG_DRAM_SIZE];
    layout->dram_limit = SL_DRAM_BASE + layout->dram_bytes;
    layout->top_base = layout->dram_limit - SL_TOP_BYTES;
    layout->window_base = layout->dram_limit - SL_WINDOW_BYTES;

    /* What a yield saves of the stack in hardware is in the first page; where it does not fit
     * there, it goes behind what has been spilled. */
    uint64_t depth = (uint64_t)config->number[SL_CFG_GPU_DIVERGENCE_DEPTH];
    uint64_t spill_bytes = ((uint64_t)config->number[SL_CFG_GPU_DIVERGENCE_SPILL] +
                            (depth > SL_DUMP_STACK_ENTRIES ? depth : 0)) *
                           SL_STACK_ENTRY_BYTES;
    layout->stack_spill_bytes =
        (spill_bytes + SL_CACHE_LINE_BYTES - 1) / SL_CACHE_LINE_BYTES * SL_CACHE_LINE_BYTES;
    layout->save_area_bytes =
        PAGE_BYTES + lanes * REGISTERS * REGISTER_BYTES + layout->stack_spill_bytes;
    uint64_t block_bytes = layout->save_area_bytes + lanes * stack_bytes;
    layout->pool_block_bytes = (block_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    layout->pool_blocks = blocks;

    uint64_t pool_bytes = blocks * layout->pool_block_bytes;
    uint64_t fixed_bytes = BELOW_HEAP_BYTES + SL_TOP_BYTES;
    if (layout->dram_bytes < fixed_bytes || pool_bytes > layout->dram_bytes - fixed_bytes) {
        layout->pool_base = SL_HEAP_BASE;
        layout->heap_limit = SL_HEAP_BASE;
        return -1;
    }
    layout->pool_base = (layout->top_base - pool_bytes) / POOL_ALIGNMENT * POOL_ALIGNMENT;
    layout->heap_limit = layout->pool_base;
    return layout->heap_limit < SL_HEAP_BASE + HEAP_LEAST ? -1 : 0;
}
