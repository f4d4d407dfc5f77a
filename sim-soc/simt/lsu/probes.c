/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What observers are told of accesses. */
#include "simt/lsu/lsu.h"

void observe_access(const struct wave *wave, const struct simt_op *op, enum obs_kind kind,
                    struct obs_access access)
{
    const struct cu *cu = wave_cu(wave);
    const struct simt_program *program = &cu->env->program;

    access.scope = op->scope;
    access.bytes = op->access_bytes;
    access.atomic = op->atomic || mem_kind_counted(access.kind) == MEM_ATOMIC;
    access.acquire = op->acquire;
    access.release = op->release;
    access.writes = op->writes;
    access.pc = program->base + (uint64_t)(op - program->ops) * 2;
    const struct obs_event event = {
        .time_ps = event_queue_now_ps(cu->event_queue),
        .kind = kind,
        .wave = wave_observed(wave),
        .access = access,
    };
    probe_emit(cu->env->stream, &event);
}

/* Lanes whose sc has failed: it has written its result. */
static uint64_t failed_lanes(const struct mem_instr *memory, uint64_t lanes)
{
    const uint16_t id = memory->op->id;
    uint64_t failed = 0;

    if (id == SL_INSN_SC_W || id == SL_INSN_SC_D || id == SL_INSN_SL_SC) {
        FOR_EACH_LANE(lane, lanes)
        {
            failed |= memory->wave->x[memory->op->rd][lane] << lane;
        }
    }
    return failed;
}

/* Lanes that access one kind of place. */
static void tell(const struct mem_instr *memory, enum obs_kind kind, enum mem_space space,
                 uint64_t lanes)
{
    const bool takes_effect = kind == OBS_ACCESS;

    if (lanes == 0) {
        return;
    }
    const struct mem_request request = send_request(memory, 0);
    const struct obs_access access = {
        .from = request.from,
        .kind = request.kind,
        .space = (uint8_t)space,
        .place = memory->program_order,
        .lanes = lanes,
        .failed = takes_effect ? failed_lanes(memory, lanes) : 0,
        .address = memory->address,
        .value = takes_effect && memory->op->class == SL_CLASS_STORE ? memory->value : NULL,
    };
    observe_access(memory->wave, memory->op, kind, access);
}

static void tell_all(const struct mem_instr *memory, enum obs_kind kind, uint64_t lanes)
{
    const uint64_t lds = memory->lds_lanes;
    const uint64_t stacks = memory->private_lanes;

    tell(memory, kind, MEM_LDS, lanes & lds);
    tell(memory, kind, MEM_PRIVATE, lanes & stacks);
    tell(memory, kind, MEM_SHARED, lanes & ~(lds | stacks));
}

void perform_observe(const struct lane_access *access)
{
    tell_all(access->memory, OBS_ACCESS, access->lanes);
}

void issue_observe(const struct mem_instr *memory)
{
    tell_all(memory, OBS_MEMORY, memory->lanes);
}
