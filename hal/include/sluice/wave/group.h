/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * NDRange kernels: identities of work-items, the LDS of work-groups, and the barrier
 * (docs/look-up/isa.md). Also the LDS of wavefronts that a channel launches.
 *
 * An NDRange kernel gets its constant arguments from a0 (or fa0) on. A dimension is a constant: 0,
 * 1 or 2 for x, y or z. In kernels that a channel launches, ids are 0, and sizes and counts are 1.
 */
#ifndef SLUICE_WAVE_GROUP_H
#define SLUICE_WAVE_GROUP_H

#include <stdint.h>

#include "sluice/wave/lanes.h"

/** @defgroup kernel_ndrange NDRange kernels
 * @{ */

/** Places a static variable in the LDS of the work-group: one variable for all its work-items,
 * without an initial value and undefined when the group starts. All such variables of a program
 * take space from the LDS of each of its NDRange kernels. In a graph's kernel with LDS
 * (sl_graph_lds()), the variable belongs to the wavefront: one for all its lanes, undefined at its
 * start and after a yield. @hideinitializer */
#define SL_LDS __attribute__((section(".bss.lds")))

/* Positions and sizes in a dimension (sl.id; `first` is the kind for x). */
#define SL_WAVE_ITEM_ID(name, first)                                                               \
    static inline __attribute__((always_inline)) uint32_t sl_##name(int dimension)                 \
    {                                                                                              \
        unsigned long value;                                                                       \
        if (dimension == 0) {                                                                      \
            __asm__(".insn r 0x0b, 0, 0, %0, x0, x%1" : "=r"(value) : "i"(first));                 \
        } else if (dimension == 1) {                                                               \
            __asm__(".insn r 0x0b, 0, 0, %0, x0, x%1" : "=r"(value) : "i"(first + 1));             \
        } else {                                                                                   \
            __asm__(".insn r 0x0b, 0, 0, %0, x0, x%1" : "=r"(value) : "i"(first + 2));             \
        }                                                                                          \
        return (uint32_t)value;                                                                    \
    }

SL_WAVE_ITEM_ID(global_id, 6)    /**< position of the work-item in the grid */
SL_WAVE_ITEM_ID(local_id, 9)     /**< position of the work-item in its work-group */
SL_WAVE_ITEM_ID(group_id, 12)    /**< number of the work-group */
SL_WAVE_ITEM_ID(group_size, 15)  /**< work-items of a whole work-group; the last may have fewer */
SL_WAVE_ITEM_ID(group_count, 18) /**< number of work-groups */
SL_WAVE_ITEM_ID(grid_size, 21)   /**< work-items of the grid */
#undef SL_WAVE_ITEM_ID

/** Work-items of this work-group in a dimension. Fewer than sl_group_size() in the last work-group
 * if the grid is not a multiple of that size. */
static inline __attribute__((always_inline)) uint32_t sl_group_items(int dimension)
{
    const uint32_t size = sl_group_size(dimension);
    const uint32_t left = sl_grid_size(dimension) - sl_group_id(dimension) * size;
    return left < size ? left : size;
}

/* Numbers of the wavefront's work-group. */
#define SL_WAVE_GROUP_ID(name, kind)                                                               \
    static inline uint32_t sl_##name(void)                                                         \
    {                                                                                              \
        unsigned long value;                                                                       \
        __asm__(".insn r 0x0b, 0, 0, %0, x0, x" #kind : "=r"(value));                              \
        return (uint32_t)value;                                                                    \
    }

SL_WAVE_GROUP_ID(group_wavefront_id, 24)    /**< number of this wavefront in its work-group */
SL_WAVE_GROUP_ID(group_wavefront_count, 25) /**< wavefronts of the work-group */
SL_WAVE_GROUP_ID(lds_bytes, 26) /**< bytes of LDS of the work-group, or of a channel's wavefront */
#undef SL_WAVE_GROUP_ID

/** The LDS that the launch, or sl_graph_lds(), adds to the program's variables. Aligned to 16
 * bytes. */
static inline void *sl_lds_dynamic(void)
{
    extern char __lds_end[];
    return __lds_end;
}

/** Waits until all wavefronts of the work-group have reached the barrier. Orders their accesses at
 * work-group scope: stores before it are visible to the group's loads after it. All live lanes of a
 * wavefront must execute it together, and all wavefronts of the group the same barrier; anything
 * else is a fault. */
static inline __attribute__((always_inline)) void sl_barrier(void)
{
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 7, x0, x0, x0" : : SL_WAVE_HERE : "memory");
}

/** @} */

#endif
