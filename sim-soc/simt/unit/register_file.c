/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Selections are made anew only when the mask has changed. */
#include "simt/unit/register_file.h"

const uint64_t *wave_select(struct wave *wave)
{
    uint64_t mask = wave_mask(wave);

    if (wave->select_mask != mask) {
        wave_cu(wave)->lanes->expand(wave->select, mask);
        wave->select_mask = mask;
    }
    return wave->select;
}

void wave_set(struct wave *wave, uint8_t rd, uint64_t value)
{
    wave_cu(wave)->lanes->set(wave->x[rd], value, wave_select(wave));
}

void wave_set_lanes(struct wave *wave, uint8_t rd, const uint64_t *values)
{
    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        wave->x[rd][lane] = values[lane];
    }
}

void wave_tell_result(const struct wave *wave, const struct simt_op *op, uint64_t lanes,
                      bool is_late)
{
    const struct cu *cu = wave_cu(wave);
    const struct simt_program *program = &cu->env->program;
    const struct obs_event event = {
        .time_ps = event_queue_now_ps(cu->event_queue),
        .kind = OBS_RESULT,
        .wave = wave_observed(wave),
        .result =
            {
                .pc = program->base + (uint64_t)(op - program->ops) * 2,
                .lanes = lanes,
                .value = wave->x[op->rd],
                .word = op->word,
                .rd = op->rd,
                .is_late = is_late,
            },
    };

    probe_emit(cu->env->stream, &event);
}
