/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups: placing one on a compute unit, identities of its work-items, its end.
 *
 * A group is placed as a whole or not at all. Its wavefronts start gpu.launch_cycles apart, as the
 * dispatcher launches one at a time; contexts, registers and LDS are theirs from the first one's
 * launch on. A wavefront that yields gives up its context and its registers; the group's LDS stays
 * where it is until all of its wavefronts have ended, and so does its entry: a compute unit keeps
 * track of as many groups as it has contexts. LDS is zeroed for the sake of repeatable runs; the
 * contract leaves it undefined. */
#include <string.h>

#include "simt/internal.h"

static struct workgroup *free_group(const struct gpu *gpu, const struct cu *cu)
{
    struct workgroup *groups = &gpu->groups[(size_t)cu->number * gpu->shape.contexts];

    for (uint32_t i = 0; i < gpu->shape.contexts; i++) {
        if (groups[i].waves == 0) {
            return &groups[i];
        }
    }
    return NULL;
}

static bool is_whole(const struct workgroup *group)
{
    for (unsigned d = 0; d < 3; d++) {
        if (group->range.grid[d] - group->id[d] * group->range.size[d] < group->range.size[d]) {
            return false;
        }
    }
    return true;
}

/* Whether a work-item of a group that is not whole lies in the grid. */
static bool is_in_grid(const struct workgroup *group, uint32_t item)
{
    uint32_t local[3];

    group_local(group, item, local);
    for (unsigned d = 0; d < 3; d++) {
        if (local[d] >= group->range.grid[d] - group->id[d] * group->range.size[d]) {
            return false;
        }
    }
    return true;
}

/* The lanes of wavefront `number` that have a work-item. */
static uint64_t lanes_of(const struct gpu *gpu, const struct workgroup *group, uint32_t number)
{
    const uint32_t lanes = gpu->shape.lanes;
    const uint32_t first = number * lanes;
    const uint32_t left = sl_group_items(group->range.size) - first;
    const uint32_t count = left < lanes ? left : lanes;
    uint64_t mask = count == LANES ? ~0ull : (1ull << count) - 1;

    if (!is_whole(group)) {
        for (uint32_t lane = 0; lane < count; lane++) {
            if (!is_in_grid(group, first + lane)) {
                mask &= ~(1ull << lane);
            }
        }
    }
    return mask;
}

uint32_t gpu_launch_group(struct gpu *gpu, uint32_t cu_number, const struct group_range *range,
                          const uint32_t id[3], uint32_t lds_bytes,
                          const struct wave_launch *launch, uint32_t launch_cycles)
{
    struct cu *cu = &gpu->cus[cu_number];
    struct workgroup *group = free_group(gpu, cu);
    const uint32_t numbers = sl_group_wavefronts(range->size, gpu->shape.lanes);

    *group = (struct workgroup){.range = *range, .lds_bytes = lds_bytes};
    memcpy(group->id, id, sizeof(group->id));
    group->lds_base = lds_allocate(gpu, cu, lds_bytes);
    struct wave_launch one = *launch;
    one.group = group;
    for (uint32_t number = 0; number < numbers; number++) {
        one.mask = lanes_of(gpu, group, number);
        if (one.mask == 0) {
            continue;
        }
        one.group_wave = number;
        one.group_slot = group->waves;
        one.delay_cycles = group->waves * launch_cycles;
        group->wave[group->waves++] = gpu_launch(gpu, cu_number, &one);
    }
    group->present = group->waves;
    gpu->counters->workgroups++;
    return group->waves;
}

bool group_has_entry(const struct gpu *gpu, const struct cu *cu)
{
    return free_group(gpu, cu) != NULL;
}

void group_wave_yielded(const struct wave *wave)
{
    wave->launch.group->wave[wave->launch.group_slot] = NULL;
}

void group_wave_restarted(struct wave *wave)
{
    wave->launch.group->wave[wave->launch.group_slot] = wave;
}

void group_wave_ended(struct wave *wave)
{
    struct workgroup *group = wave->launch.group;

    group->wave[wave->launch.group_slot] = NULL; /* the context will be another one's */
    if (--group->present == 0) {
        lds_release(wave->simd->cu, group->lds_base, group->lds_bytes);
        group->waves = 0;
    }
}

/* Identities that differ between lanes. */
static uint64_t item_identity(const struct wave *wave, unsigned kind, uint32_t item)
{
    const struct workgroup *group = wave->launch.group;
    uint32_t local[3];

    group_local(group, item, local);
    if (kind < SL_ID_LOCAL) {
        const unsigned d = kind - SL_ID_GLOBAL;
        return (uint64_t)group->id[d] * group->range.size[d] + local[d];
    }
    return local[kind - SL_ID_LOCAL];
}

/* Identities that all of a group have. */
static uint64_t group_identity(const struct wave *wave, unsigned kind)
{
    const struct workgroup *group = wave->launch.group;

    if (kind < SL_ID_GROUP_SIZE) {
        return group->id[kind - SL_ID_GROUP];
    }
    if (kind < SL_ID_GROUPS) {
        return group->range.size[kind - SL_ID_GROUP_SIZE];
    }
    if (kind < SL_ID_GRID) {
        return group->range.number[kind - SL_ID_GROUPS];
    }
    if (kind < SL_ID_GROUP_WAVEFRONT) {
        return group->range.grid[kind - SL_ID_GRID];
    }
    if (kind == SL_ID_GROUP_WAVEFRONT) {
        return wave->launch.group_wave;
    }
    return kind == SL_ID_LDS_BYTES ? group->lds_bytes : group->waves;
}

void group_identify(struct gpu *gpu, struct wave *wave, const struct simt_op *op)
{
    const unsigned kind = op->variant;

    if (wave->launch.group == NULL) {
        const bool is_count = (kind >= SL_ID_GROUP_SIZE && kind < SL_ID_GROUP_WAVEFRONT) ||
                              kind == SL_ID_GROUP_WAVEFRONTS;
        wave_set(gpu, wave, op->rd, is_count);
    } else if (kind < SL_ID_GROUP) {
        const uint32_t first = wave->launch.group_wave * gpu->shape.lanes;
        FOR_EACH_LANE(lane, wave_mask(wave))
        {
            wave->x[op->rd][lane] = item_identity(wave, kind, first + (uint32_t)lane);
        }
    } else {
        wave_set(gpu, wave, op->rd, group_identity(wave, kind));
    }
}
