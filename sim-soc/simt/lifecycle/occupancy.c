/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What fits on a compute unit now: contexts, registers of the SIMD units, LDS. */
#include "check/launch/group_occupancy.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/unit/pool.h"

struct workgroup *cu_free_group(const struct cu *cu)
{
    for (uint32_t i = 0; i < cu->shape.contexts; i++) {
        if (cu->groups[i].waves == 0) {
            return &cu->groups[i];
        }
    }
    return NULL;
}

enum cu_resource cu_missing_resource(const struct cu *cu, const struct cu_demand *demand)
{
    uint32_t room = 0;

    if ((demand->is_group && cu_free_group(cu) == NULL) ||
        cu->resident + demand->waves > cu->shape.contexts ||
        demand->waves > cu->env->pool->free_count) {
        return CU_CONTEXTS;
    }
    for (uint32_t s = 0; s < cu->shape.simds && room < demand->waves; s++) {
        const struct simd *simd = &cu->simds[s];
        room += sl_simd_wavefronts(simd->slots - simd->resident, simd->free_registers,
                                   demand->registers);
    }
    if (room < demand->waves) {
        return CU_REGISTERS;
    }
    return lds_has_space(cu, demand->lds_bytes) ? CU_RESOURCE_COUNT : CU_LDS;
}

static bool has_room(const struct simd *simd, uint32_t registers)
{
    return simd->resident < simd->slots && simd->free_registers >= registers;
}

bool cu_has_room(const struct cu *cu, uint32_t registers)
{
    for (uint32_t s = 0; s < cu->shape.simds; s++) {
        if (has_room(&cu->simds[s], registers)) {
            return true;
        }
    }
    return false;
}

struct wave *cu_take_context(struct cu *cu, uint32_t registers)
{
    struct simd *best = NULL;

    for (uint32_t s = 0; s < cu->shape.simds; s++) {
        struct simd *simd = &cu->simds[s];
        if (has_room(simd, registers) && (best == NULL || simd->resident < best->resident)) {
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
