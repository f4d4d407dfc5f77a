/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The way back of a wavefront that has yielded: its state comes from the save area, in the time
 * that its lines take, and the wavefront issues nothing before. */
#include <string.h>

#include "simt/context/context.h"
#include "simt/context/context_transfer.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/lifecycle/sync.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/unit/pool.h"

/* What was not saved has it in all bytes, registers and LDS: no valid address, so that an error of
 * the table of live registers shows, and a kernel that relies on its LDS. */
#define LOST_BYTE 0xa5

static void restore(struct wave *wave, uint64_t cycle)
{
    const uint32_t stored = state_stored(&wave->stack);
    const uint64_t registers = state_registers(wave);
    struct sl_wave_state state;

    transfer_begin(wave, MEM_LOAD, cycle);
    transfer_bytes(wave, state_address(wave), &state, state_front_bytes(stored));
    memcpy(&wave->fcsr, state.fcsr, sizeof(wave->fcsr));
    state_move_deep(wave, stored);
    memset(wave->x, 0, sizeof(wave->x));
    FOR_EACH_LANE(r, registers & ~state.saved)
    {
        memset(wave->x[r], LOST_BYTE, sizeof(wave->x[0]));
    }
    wave->program = wave_cu(wave)->env->program.number;
    wave->has_float = registers >> SL_F_REGISTERS != 0;
    state_move_registers(wave, state.saved & registers);
}

/* The last line has come in this cycle. */
static void go_on(struct wave *wave, uint64_t cycle)
{
    order_gate(wave, cycle, SL_STALL_YIELD);
    if (simt_stack_is_unbalanced(&wave->stack)) {
        spill_balance(wave, cycle);
    }
}

static void go_on_later(struct wave *wave, uint64_t cycle)
{
    wave->pending_holds--;
    go_on(wave, cycle);
    ready_wake(wave);
}

void restart_wave(struct cu *cu, uint32_t block)
{
    static const struct sync_kind kind = {MEM_SYNC_RESTART, SL_SCOPE_DEVICE, .acquire = true};
    struct pool *pool = cu->env->pool;
    struct yielded *yielded = &pool->yielded[block];
    struct wave *wave = cu_take_context(cu, yielded->launch.registers);
    uint64_t cycle = cu->event_queue->now;

    wave_begin(wave, &yielded->launch, cycle + 1, SL_STALL_YIELD);
    wave->number = yielded->number;
    pool_assign(pool, wave, block);
    if (wave->launch.lds_bytes != 0) {
        memset(cu->lds + wave->lds_base, LOST_BYTE, wave->launch.lds_bytes);
    }
    wave_observe_begin(wave, OBS_RESTART);
    wave->stack.depth = yielded->stack_depth;
    wave->stack.spilled = yielded->stack_spilled;
    memcpy(wave->stack.entries, pool_stack(pool, block),
           yielded->stack_depth * sizeof(struct stack_entry));
    memcpy(wave->locks.unlocks, yielded->unlocks, sizeof(wave->locks.unlocks));
    wave->locks.is_used = true;
    yielded->is_used = false;
    if (wave->launch.group != NULL) {
        group_wave_restarted(wave);
    }
    wave_synchronize_and_stall(wave, &kind, cycle);
    restore(wave, cycle + 1);
    const uint64_t done = transfer_end(wave, go_on_later);
    if (done == EVENT_QUEUE_NEVER) {
        wave->pending_holds++;
    } else {
        go_on(wave, done);
    }
    cu->counters.restarts++;
    ready_stamp(wave);
    ready_schedule(wave, cycle);
}
