/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Identities in an NDRange (sl.id, docs/look-up/isa.md). */
#include "simt/issue/issue.h"
#include "simt/unit/register_file.h"

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
    return group->waves;
}

void identity_execute(struct wave *wave, const struct simt_op *op)
{
    const unsigned kind = op->variant;

    if (kind == SL_ID_LDS_BYTES) {
        wave_set(wave, op->rd, wave->lds_bytes);
    } else if (wave->launch.group == NULL) {
        const bool is_count = (kind >= SL_ID_GROUP_SIZE && kind < SL_ID_GROUP_WAVEFRONT) ||
                              kind == SL_ID_GROUP_WAVEFRONTS;
        wave_set(wave, op->rd, is_count);
    } else if (kind < SL_ID_GROUP) {
        const uint32_t first = wave->launch.group_wave * wave_cu(wave)->shape.lanes;
        FOR_EACH_LANE(lane, wave_mask(wave))
        {
            wave->x[op->rd][lane] = item_identity(wave, kind, first + (uint32_t)lane);
        }
    } else {
        wave_set(wave, op->rd, group_identity(wave, kind));
    }
}
