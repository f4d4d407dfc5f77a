/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/** @file
 * NDRange kernels: who a work-item is, its work-group's LDS, and the barrier (docs/look-up/isa.md);
 * and the LDS of wavefronts that a channel launches.
 *
 * An NDRange kernel gets its constant arguments from a0 on. Dimensions are numbered 0 to 2 for x, y
 * and z and have to be constants. In kernels that a channel launches, numbers are 0 and sizes 1. */
#ifndef SLUICE_WAVE_GROUP_H
#define SLUICE_WAVE_GROUP_H

#include <stdint.h>

#include "sluice/wave/lanes.h"

/** @defgroup kernel_ndrange NDRange kernels
 * @{ */

/** A static variable marked so lies in the LDS of the work-group: one for all its work-items, whose
 * contents are undefined when the group starts. It cannot be initialised. All variables of a
 * program so marked take their space from the LDS of each of its NDRange kernels. In a kernel of a
 * graph which has LDS (sl_graph_lds), it is the wavefront's: one for all its lanes, whose contents
 * are undefined at its start and behind a yield. @hideinitializer */
#define SL_LDS __attribute__((section(".bss.lds")))

/* Places and sizes in a dimension (sl.id, with a kind for each of them from `first` on). */
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

SL_WAVE_ITEM_ID(global_id, 6)    /**< the work-item's place in the grid */
SL_WAVE_ITEM_ID(local_id, 9)     /**< its place in the work-group */
SL_WAVE_ITEM_ID(group_id, 12)    /**< the work-group's number */
SL_WAVE_ITEM_ID(group_size, 15)  /**< work-items of a whole work-group; the last may have fewer */
SL_WAVE_ITEM_ID(group_count, 18) /**< number of work-groups */
SL_WAVE_ITEM_ID(grid_size, 21)   /**< work-items of the grid */
#undef SL_WAVE_ITEM_ID

/** Work-items of this work-group: fewer than sl_group_size() where it is the last of its row and
 * the grid no multiple. */
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
SL_WAVE_GROUP_ID(lds_bytes, 26)             /**< bytes of its LDS, or of the wavefront's own */
#undef SL_WAVE_GROUP_ID

/** The LDS that the launch, or sl_graph_lds(), adds to the program's variables; a multiple of 16.
 */
static inline void *sl_lds_dynamic(void)
{
    extern char __lds_end[];
    return __lds_end;
}

/** Waits until all wavefronts of the work-group have come here, and orders their accesses: what one
 * stored before the barrier the others load behind it. All live lanes of a wavefront must execute
 * it together, and all wavefronts of the group the same one; else it is a fault. */
static inline __attribute__((always_inline)) void sl_barrier(void)
{
here:
    __asm__ volatile(SL_WAVE_SITE(0) ".insn r 0x0b, 0, 7, x0, x0, x0" : : SL_WAVE_HERE : "memory");
}

/** @} */

#endif
