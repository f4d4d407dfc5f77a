/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * Addresses and sizes of a machine's memory regions, which depend on its configuration. */
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

/** The part of the memory map that depends on the configuration (docs/know/design.md, "Memory
 * map"): bytes or addresses. */
struct sl_layout {
    uint64_t dram_bytes;        /**< size of DRAM */
    uint64_t dram_limit;        /**< first address after DRAM */
    uint64_t heap_limit;        /**< first address after the shared heap = pool_base */
    uint64_t pool_base;         /**< start of the wavefront state pool */
    uint64_t pool_blocks;       /**< blocks in the pool */
    uint64_t pool_block_bytes;  /**< size of a block; a multiple of 4096 */
    uint64_t stack_spill_bytes; /**< old reconvergence stack entries, at the save area's end */
    uint64_t save_area_bytes;   /**< at a block's start; private segments follow */
    uint64_t top_base;          /**< start of the device tree */
    uint64_t window_base;       /**< start of the device window */
};

/** Computes the memory map. Returns 0, or -1 if the pool leaves less than 1 MiB of heap. */
int sl_layout_compute(const struct sl_config *config, struct sl_layout *layout);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
