/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches: registers by the kernel ABI (docs/look-up/isa.md), the first entry of the reconvergence
 * stack, LDS, a block of the pool. */
#include <string.h>

#include "simt/lifecycle/lifecycle.h"
#include "simt/lifecycle/sync.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/schedule/stall.h"
#include "simt/unit/busy_wait.h"
#include "simt/unit/pool.h"

#define FIRST_ARGUMENT 10 /* a0 is x10, fa0 is f10 */

static void fill(uint64_t *vector, uint64_t value)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        vector[lane] = value;
    }
}

/* Zeroes what may be other than zero: registers that no instruction of the program names stay so
 * from one launch of a context to the next. */
static void clear_registers(const struct simt_program *program, struct wave *wave)
{
    const uint64_t integers = (1ull << SL_F_REGISTERS) - 1;
    uint64_t named = program->named;

    if (wave->program != program->number) {
        wave->program = program->number;
        named = ~0ull;
    }
    FOR_EACH_LANE(r, wave->has_float ? named : named & integers)
    {
        memset(wave->x[r], 0, sizeof(wave->x[r]));
    }
    wave->has_float = false;
}

/* Constant arguments, by RISC-V's calling convention: integers from register `a` of a0 to a7 on,
 * floating-point ones from fa0 on. An f register that no instruction of the program names stays
 * zero, since the next launch would not clear it. */
static void set_arguments(const struct cu *cu, struct wave *wave, uint32_t a)
{
    const struct wave_launch *launch = &wave->launch;
    uint32_t fa = SL_F_REGISTERS + FIRST_ARGUMENT;

    for (uint32_t i = 0; i < launch->argument_count; i++) {
        if ((launch->float_arguments >> i & 1) == 0) {
            fill(wave->x[FIRST_ARGUMENT + a++], launch->arguments[i]);
            continue;
        }
        if ((cu->env->program.named >> fa & 1) != 0) {
            fill(wave->x[fa], launch->arguments[i]);
            wave->has_float = true;
        }
        fa++;
    }
}

/* Channel and index before the arguments, or the arguments alone. */
static void set_registers(const struct cu *cu, struct wave *wave)
{
    const struct wave_launch *launch = &wave->launch;

    clear_registers(&cu->env->program, wave);
    wave->fcsr = (struct fcsr){0};
    fill(wave->x[1], SL_LANE_EXIT_PC);
    fill(wave->x[2], SL_PRIVATE_BASE + cu->shape.stack_bytes);
    fill(wave->x[3], cu->env->program.global_pointer);
    fill(wave->x[4], cu->env->graph);
    if (launch->group != NULL) {
        set_arguments(cu, wave, 0);
        return;
    }
    fill(wave->x[10], launch->channel);
    for (unsigned lane = 0; lane < launch->count; lane++) {
        wave->x[11][lane] = (launch->first + lane) & launch->index_mask;
    }
    set_arguments(cu, wave, 2);
}

/* Its group's LDS, or its own. */
static void take_lds(struct wave *wave)
{
    const struct workgroup *group = wave->launch.group;

    wave->lds_bytes = wave->launch.lds_bytes;
    if (group != NULL) {
        wave->lds_base = group->lds_base;
        wave->lds_bytes = group->lds_bytes;
    } else if (wave->lds_bytes != 0) {
        wave->lds_base = lds_allocate(wave_cu(wave), wave->lds_bytes);
    }
}

void wave_begin(struct wave *wave, const struct wave_launch *launch, uint64_t gate_cycle,
                enum sl_stall gate)
{
    struct cu *cu = wave_cu(wave);

    activity_enter(cu->env->activity, cu->event_queue->now);
    wave->state = WAVE_RUNNING;
    wave->launch = *launch;
    take_lds(wave);
    wave->issue_not_before = gate_cycle;
    stall_begin(wave, cu->event_queue->now, gate);
    wave->publish_wait_since = 0;
    wave->pending_holds = 0;
    wave->waits_at_barrier = false;
    wave->awaits_packet = false;
    wave->fetched_line = PC_NONE;
    waits_end(wave);
    wave->spin = (struct wave_spin){.pc = PC_NONE};
    wave->monitor = NULL;
    if (wave->locks.is_used) {
        memset(&wave->locks, 0, offsetof(struct wave_locks, op));
    }
    wave->instructions = 0;
    wave->lane_instructions = 0;
    order_begin(wave);
    memset(wave->ready_cycle, 0, sizeof(wave->ready_cycle));
    cu->resident++;
    wave->simd->resident++;
}

void wave_observe_begin(const struct wave *wave, enum obs_kind kind)
{
    const struct cu *cu = wave_cu(wave);

    if (probe_enabled(cu->env->stream, kind)) {
        const struct obs_event event = {
            .time_ps = event_queue_now_ps(cu->event_queue),
            .kind = kind,
            .wave = wave_observed(wave),
            .life = {wave_lanes(wave), wave->launch.first, wave->lds_base, wave->lds_bytes}};
        probe_emit(cu->env->stream, &event);
    }
}

/* The acquire of the wavefront's packet is over, for all of its wavefronts here. */
static void packet_acquired(struct wave *first, uint64_t cycle)
{
    struct cu *cu = wave_cu(first);

    wave_packet(first)->acquired_cycle = cycle;
    for (uint32_t k = 0; k < cu->shape.contexts; k++) {
        struct wave *wave = &cu->waves[k];
        if (wave->state != WAVE_FREE && wave->awaits_packet &&
            wave->launch.slot == first->launch.slot) {
            wave->awaits_packet = false;
            wave->pending_holds--;
            order_gate(wave, cycle, SL_STALL_PACKET);
            ready_wake(wave);
        }
    }
}

/* Memory is told of the launch: the packet's first wavefront here acquires for all of them. */
static void synchronize(struct wave *wave, uint64_t cycle)
{
    static const struct sync_kind first = {MEM_SYNC_PACKET, SL_SCOPE_DEVICE, .acquire = true};
    static const struct sync_kind other = {.sync = MEM_SYNC_LAUNCH, .scope = SL_SCOPE_DEVICE};
    struct cu_packet *packet = wave_packet(wave);

    if (packet->waves++ == 0) {
        packet->acquired_cycle = wave_synchronize(wave, &first, cycle, packet_acquired);
    } else {
        wave_synchronize_and_stall(wave, &other, cycle);
    }
    if (packet->acquired_cycle == EVENT_QUEUE_NEVER) {
        wave->awaits_packet = true;
        wave->pending_holds++;
    } else {
        order_gate(wave, packet->acquired_cycle, SL_STALL_PACKET);
    }
}

struct wave *cu_launch(struct cu *cu, const struct wave_launch *launch)
{
    struct wave *wave = cu_take_context(cu, launch->registers);
    uint64_t cycle = cu->event_queue->now;

    wave_begin(wave, launch, cycle + 1 + launch->delay_cycles, SL_STALL_PACKET);
    pool_take(cu->env->pool, wave);
    wave_observe_begin(wave, OBS_LAUNCH);
    set_registers(cu, wave);
    uint64_t first_lanes = launch->count == LANES ? ~0ull : (1ull << launch->count) - 1;
    simt_stack_begin(&wave->stack, launch->pc, launch->group != NULL ? launch->mask : first_lanes);

    cu->counters.wavefronts++;
    ready_stamp(wave);
    synchronize(wave, cycle);
    ready_schedule(wave, cycle);
    return wave;
}
