/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups: placing one on a compute unit, departures from it, its end.
 *
 * A group is placed as a whole or not at all. Its wavefronts start gpu.launch_cycles apart, as the
 * dispatcher launches one at a time; contexts, registers and LDS are theirs from the first one's
 * launch on. A wavefront that yields gives up its context and its registers; the group's LDS stays
 * where it is until all of its wavefronts have ended, and so does its entry: a compute unit keeps
 * track of as many groups as it has contexts. LDS is zeroed for the sake of repeatable runs; the
 * contract leaves it undefined. */
#include <string.h>

#include "check/launch/group_occupancy.h"
#include "simt/lifecycle/lifecycle.h"

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
static uint64_t lanes_of(const struct cu *cu, const struct workgroup *group, uint32_t number)
{
    const uint32_t lanes = cu->shape.lanes;
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

uint32_t cu_launch_group(struct cu *cu, const struct group_range *range, const uint32_t id[3],
                         uint32_t lds_bytes, const struct wave_launch *launch,
                         uint32_t launch_cycles)
{
    struct workgroup *group = cu_free_group(cu);
    const uint32_t numbers = sl_group_wavefronts(range->size, cu->shape.lanes);

    *group = (struct workgroup){.range = *range, .lds_bytes = lds_bytes};
    memcpy(group->id, id, sizeof(group->id));
    group->lds_base = lds_allocate(cu, lds_bytes);
    struct wave_launch one = *launch;
    one.group = group;
    for (uint32_t number = 0; number < numbers; number++) {
        one.mask = lanes_of(cu, group, number);
        if (one.mask == 0) {
            continue;
        }
        one.group_wave = number;
        one.group_slot = group->waves;
        one.delay_cycles = group->waves * launch_cycles;
        group->wave[group->waves++] = cu_launch(cu, &one);
    }
    group->present = group->waves;
    cu->counters.workgroups++;
    return group->waves;
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
        lds_release(wave_cu(wave), group->lds_base, group->lds_bytes);
        group->waves = 0;
    }
}

uint64_t wave_pc(struct wave *wave)
{
    return wave->stack.depth == 0
               ? 0
               : wave_cu(wave)->env->program.base + simt_stack_top(&wave->stack)->pc;
}

uint32_t group_depart(struct wave *wave, struct wave *stranded[GROUP_WAVES_MAX])
{
    struct workgroup *group = wave->launch.group;
    uint32_t count = 0;

    wave->waits_at_barrier = false;
    group->has_departed = true;
    group->departed_number = wave->number;
    group->departed_pc = wave_pc(wave);
    group->arrived = 0;
    for (uint32_t i = 0; i < group->waves; i++) {
        if (group->wave[i] != NULL && group->wave[i]->waits_at_barrier) {
            group->wave[i]->waits_at_barrier = false;
            stranded[count++] = group->wave[i];
        }
    }
    return count;
}
