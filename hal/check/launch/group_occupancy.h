/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How much work fits on a compute unit: contexts, registers and LDS.
 *
 * Host library, firmware and device count in the same way, so that what one accepts the others do
 * too. Contexts are spread evenly over the SIMD units; a wavefront takes its registers from the
 * register file of the one that it is on. */
#ifndef SLUICE_CHECK_LAUNCH_GROUP_OCCUPANCY_H
#define SLUICE_CHECK_LAUNCH_GROUP_OCCUPANCY_H

#include <stdint.h>

#include "sluice/limits.h"

/* A compute unit. */
struct sl_cu_shape {
    uint32_t lanes; /* of a wavefront */
    uint32_t simds;
    uint32_t contexts;
    uint32_t registers; /* of each SIMD unit, each of 64 bits for all lanes */
    uint32_t lds_bytes;
};

/* Contexts of a SIMD unit. */
static inline uint32_t sl_simd_contexts(const struct sl_cu_shape *cu, uint32_t simd)
{
    return cu->contexts / cu->simds + (simd < cu->contexts % cu->simds);
}

/* Wavefronts of `demand` registers each that `registers` are enough for, at most `contexts`. */
static inline uint32_t sl_simd_wavefronts(uint32_t contexts, uint32_t registers, uint32_t demand)
{
    const uint32_t most = demand == 0 ? contexts : registers / demand;
    return most < contexts ? most : contexts;
}

/* Wavefronts of `demand` registers each that an empty compute unit holds. */
static inline uint32_t sl_cu_wavefronts(const struct sl_cu_shape *cu, uint32_t demand)
{
    uint32_t count = 0;
    for (uint32_t simd = 0; simd < cu->simds; simd++) {
        count += sl_simd_wavefronts(sl_simd_contexts(cu, simd), cu->registers, demand);
    }
    return count;
}

/* LDS that a work-group takes: whole granules. */
static inline uint32_t sl_lds_taken(uint32_t bytes)
{
    return (bytes + SL_LDS_GRANULE - 1) / SL_LDS_GRANULE * SL_LDS_GRANULE;
}

/* Work-items of a work-group whose dimensions are in range. */
static inline uint32_t sl_group_items(const uint32_t group[3])
{
    return group[0] * group[1] * group[2];
}

/* Wavefronts of a whole work-group. */
static inline uint32_t sl_group_wavefronts(const uint32_t group[3], uint32_t lanes)
{
    return (sl_group_items(group) + lanes - 1) / lanes;
}

/* Work-groups of `wavefronts` wavefronts, of `demand` registers each, and `lds_bytes` of LDS that
 * an empty compute unit holds. */
static inline uint32_t sl_cu_groups(const struct sl_cu_shape *cu, uint32_t wavefronts,
                                    uint32_t demand, uint32_t lds_bytes)
{
    const uint32_t groups = sl_cu_wavefronts(cu, demand) / wavefronts;
    const uint32_t with_lds = lds_bytes == 0 ? groups : cu->lds_bytes / sl_lds_taken(lds_bytes);
    return groups < with_lds ? groups : with_lds;
}

/* Number of work-groups in one dimension. */
static inline uint32_t sl_groups_of(uint32_t grid, uint32_t group)
{
    return grid / group + (grid % group != 0);
}

#endif
