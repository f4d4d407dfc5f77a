/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What observers are told of accesses. */
#include "simt/memory/memory.h"

/* Lanes that access one kind of place. */
static void tell(const struct effect *effect, enum mem_space space, uint64_t lanes)
{
    const struct mem_op *memory = effect->memory;
    const struct simt_op *op = memory->op;
    const struct simt_program *program = &effect->cu->env->program;

    if (lanes == 0) {
        return;
    }
    const struct mem_request request = send_request(memory, 0);
    const struct obs_event event = {
        .time_ps = wheel_now_ps(effect->cu->wheel),
        .kind = OBS_ACCESS,
        .wave = wave_observed(memory->wave),
        .access =
            {
                .from = request.from,
                .kind = request.kind,
                .space = (uint8_t)space,
                .scope = op->scope,
                .bytes = op->access_bytes,
                .acquire = op->acquire,
                .release = op->release,
                .writes = op->writes,
                .place = memory->place,
                .pc = program->base + (uint64_t)(op - program->ops) * 2,
                .lanes = lanes,
                .address = memory->address,
                .value = op->class == SL_CLASS_STORE ? memory->value : NULL,
            },
    };
    stream_tell(effect->cu->env->stream, &event);
}

void perform_observe(const struct effect *effect)
{
    const uint64_t lds = effect->memory->lds_lanes;
    const uint64_t stacks = effect->memory->private_lanes;

    tell(effect, MEM_LDS, effect->lanes & lds);
    tell(effect, MEM_PRIVATE, effect->lanes & stacks);
    tell(effect, MEM_SHARED, effect->lanes & ~(lds | stacks));
}
