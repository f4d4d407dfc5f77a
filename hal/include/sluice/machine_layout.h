/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Where the regions of a machine's memory are, which its configuration decides. */
#ifndef SLUICE_MACHINE_LAYOUT_H
#define SLUICE_MACHINE_LAYOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default) /* libsluice.so has what is declared here */

struct sl_config; /* (config.h) the keys and their values */

/** @defgroup host_layout Memory map of a machine
 * @{ */

/** What the memory map derives from a configuration (docs/know/design.md, "Memory map"): bytes or
 * addresses. */
struct sl_layout {
    uint64_t dram_bytes;       /**< of DRAM */
    uint64_t dram_limit;       /**< first address behind DRAM */
    uint64_t heap_limit;       /**< first address behind the shared heap = pool_base */
    uint64_t pool_base;        /**< the wavefront state pool */
    uint64_t pool_blocks;      /**< blocks of the pool */
    uint64_t pool_block_bytes; /**< of each block; a multiple of 4096 */
    uint64_t
        stack_spill_bytes;    /**< at the save area's end: older entries of reconvergence stacks */
    uint64_t save_area_bytes; /**< in front of a block; the private segments follow */
    uint64_t top_base;        /**< the device tree */
    uint64_t window_base;     /**< the device window */
};

/** Computes the memory map. Returns 0, or -1 where the pool leaves less than 1 MiB of heap. */
int sl_layout_compute(const struct sl_config *config, struct sl_layout *layout);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
