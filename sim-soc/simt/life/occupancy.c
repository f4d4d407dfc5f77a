/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What fits on a compute unit now: contexts, registers of the SIMD units, LDS. */
#include "simt/internal.h"

enum gpu_resource gpu_lacks(const struct gpu *gpu, uint32_t cu_number,
                            const struct gpu_demand *demand)
{
    const struct cu *cu = &gpu->cus[cu_number];
    uint32_t room = 0;

    if ((demand->is_group && !group_has_entry(gpu, cu)) ||
        cu->resident + demand->waves > gpu->shape.contexts ||
        demand->waves > gpu->free_block_count) {
        return GPU_CONTEXTS;
    }
    for (uint32_t s = 0; s < gpu->shape.simds && room < demand->waves; s++) {
        const struct simd *simd = &cu->simds[s];
        room += sl_simd_wavefronts(simd->slots - simd->resident, simd->free_registers,
                                   demand->registers);
    }
    if (room < demand->waves) {
        return GPU_REGISTERS;
    }
    return lds_has_space(gpu, cu, demand->lds_bytes) ? GPU_RESOURCE_COUNT : GPU_LDS;
}

struct wave *occupancy_take(struct gpu *gpu, struct cu *cu, uint32_t registers)
{
    struct simd *best = NULL;

    for (uint32_t s = 0; s < gpu->shape.simds; s++) {
        struct simd *simd = &cu->simds[s];
        if (simd->resident < simd->slots && simd->free_registers >= registers &&
            (best == NULL || simd->resident < best->resident)) {
            best = simd;
        }
    }
    if (best == NULL) {
        return NULL;
    }
    for (uint32_t slot = 0; slot < best->slots; slot++) {
        if (best->waves[slot]->state == WAVE_FREE) {
            best->free_registers -= registers;
            return best->waves[slot];
        }
    }
    return NULL;
}
