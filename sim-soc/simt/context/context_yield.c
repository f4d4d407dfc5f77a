/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefront yield (papers/001 section 6 and Figure 13): a wavefront gives up its context for a
 * resource that it waits for, and gets one again when firmware says so.
 *
 * When the wavefront's memory instructions are done and its results are there, its state goes to
 * the save area at the front of its block of the wavefront state pool: a header of four cache lines
 * (identifiers, masks, fcsr), the entries of the reconvergence stack that are in hardware, and the
 * registers that its kernel uses, of all lanes. Each line takes a slot of the compute unit's port
 * to memory and its time in the memory system; when the last one is there the restart context is
 * written and the wavefront context is free. Restoring costs the same in the other direction, and
 * the wavefront issues nothing until the last line has come.
 *
 * LDS is not saved (section 6), and the wavefront is restarted on the same compute unit. That of a
 * work-group stays allocated to it; a wavefront that has LDS of its own gives it up and gets some
 * anew. At a barrier, one that has yielded has not arrived.
 *
 * With gpu.yield_saves = live, registers that no lane reads any more are left out: what the table
 * of the program says for the program counters of all entries of the reconvergence stack. Looking
 * there costs a line of memory for each, and saving waits for them. What was not saved comes back
 * as a value that is no valid address, so that an error of the table shows. */
#include <string.h>

#include "engine/clock.h"
#include "simt/context/context.h"
#include "simt/context/context_transfer.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/lifecycle/sync.h"
#include "simt/schedule/ready.h"
#include "simt/unit/pool.h"

static void saved(struct wave *wave, uint64_t cycle)
{
    event_queue_insert(wave_cu(wave)->event_queue, &wave->end, cycle);
}

/* What the device itself keeps. */
static void keep(const struct wave *wave)
{
    const struct cu *cu = wave_cu(wave);
    struct pool *pool = cu->env->pool;

    pool->yielded[wave->block] = (struct yielded){
        .launch = wave->launch,
        .number = wave->number,
        .cu = cu->number,
        .stack_depth = wave->stack.depth,
        .stack_spilled = wave->stack.spilled,
        .is_used = true,
    };
    memcpy(pool->yielded[wave->block].unlocks, wave->locks.unlocks, sizeof(wave->locks.unlocks));
    memcpy(pool_stack(pool, wave->block), wave->stack.entries,
           wave->stack.depth * sizeof(struct stack_entry));
}

/* Saves the wavefront with these registers. */
static void save(struct wave *wave, uint64_t registers, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);
    struct sl_wave_state state;
    const uint32_t stored = state_stored(&wave->stack);

    _Static_assert(sizeof(wave->fcsr) == sizeof(state.fcsr), "fcsr");
    state_describe(wave, stored, &state);
    memcpy(state.fcsr, &wave->fcsr, sizeof(wave->fcsr));
    state.saved = registers;
    transfer_begin(wave, MEM_STORE, cycle);
    transfer_bytes(wave, state_address(wave), &state, state_front_bytes(stored));
    state_move_deep(wave, stored);
    state_move_registers(wave, registers);
    keep(wave);
    wave->yield_bytes = wave->transfer.lines * cu->shape.line_bytes;
    cu->counters.yield_bytes += wave->yield_bytes;
    const uint64_t done = transfer_end(wave, saved);
    if (done != EVENT_QUEUE_NEVER) {
        saved(wave, done);
    }
}

/* ---- gpu.yield_saves = live: what some lane may still read ---- */

static void save_live(struct wave *wave, uint64_t cycle)
{
    const struct simt_program *program = &wave_cu(wave)->env->program;
    uint64_t live = 0;

    for (uint32_t i = 0; i < wave->stack.depth; i++) {
        live |= simt_program_live(program, wave->stack.entries[i].pc);
    }
    save(wave, live & state_registers(wave), later(cycle, wave->transfer.cycle));
}

/* Looks up what is live at each entry of the reconvergence stack. */
static void look_up(struct wave *wave, uint64_t cycle)
{
    const struct simt_program *program = &wave_cu(wave)->env->program;

    transfer_begin(wave, MEM_LOAD, later(cycle, wave->transfer.cycle));
    for (uint32_t i = 0; i < wave->stack.depth; i++) {
        const uint32_t pc = wave->stack.entries[i].pc;
        if (program->live_table != 0 && pc < program->bytes) {
            transfer_lines(wave, program->live_table + pc / 2 * sizeof(uint64_t), sizeof(uint64_t));
        }
    }
    const uint64_t done = transfer_end(wave, save_live);
    if (done != EVENT_QUEUE_NEVER) {
        save_live(wave, done);
    }
}

/* Reads entries that have been spilled first. */
static void find_live(struct wave *wave, uint64_t cycle)
{
    transfer_begin(wave, MEM_LOAD, cycle);
    for (uint32_t i = 0; i < wave->stack.spilled; i += STACK_LINE_ENTRIES) {
        transfer_lines(wave, state_deep_line(wave, i), SL_CACHE_LINE_BYTES);
    }
    const uint64_t done = transfer_end(wave, look_up);
    if (done != EVENT_QUEUE_NEVER) {
        look_up(wave, done);
    }
}

/* ---- the instruction ---- */

/* When the results of all instructions so far are there. */
static uint64_t results_cycle(const struct wave *wave, uint64_t cycle)
{
    for (unsigned r = 0; r < SCOREBOARD_REGISTERS; r++) {
        cycle = later(cycle, wave->ready_cycle[r]);
    }
    return cycle;
}

/* What the wavefront wrote is where others see it. */
static void begin_to_save(struct wave *wave, uint64_t cycle)
{
    if (wave_cu(wave)->shape.saves_live) {
        find_live(wave, cycle);
    } else {
        save(wave, state_registers(wave), cycle);
    }
}

static void observe(const struct wave *wave)
{
    const struct cu *cu = wave_cu(wave);

    if (probe_enabled(cu->env->stream, OBS_YIELD)) {
        const struct obs_event event = {.time_ps = event_queue_now_ps(cu->event_queue),
                                        .kind = OBS_YIELD,
                                        .wave = wave_observed(wave),
                                        .yield = {wave->yield_resource, wave->yield_demand}};
        probe_emit(cu->env->stream, &event);
    }
}

void yield_execute(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    static const struct sync_kind kind = {MEM_SYNC_YIELD, SL_SCOPE_DEVICE, .release = true};
    struct cu *cu = wave_cu(wave);
    const struct cu_listener *listener = &cu->env->listener;
    const unsigned lane = lowest_lane(wave_mask(wave));
    const uint64_t issued = cycle + cu->shape.timing.of[SL_CLASS_YIELD].issue;

    if (listener->takes_yields != NULL && !listener->takes_yields(listener->owner)) {
        wave_fault(wave, SL_FAULT_YIELD, wave_mask(wave), op, 0);
        return;
    }
    if (wave_fault_lock_held(wave, simt_stack_live(&wave->stack), op)) {
        return;
    }
    wave->yield_resource = wave->x[op->rs1][lane];
    wave->yield_demand = wave->x[op->rs2][lane];
    wave_next(wave, op);
    cu->counters.yields++;
    observe(wave);
    wave->state = WAVE_YIELDING;
    ready_stop(wave);
    const uint64_t over = wave_synchronize(wave, &kind, results_cycle(wave, issued), begin_to_save);
    if (over != EVENT_QUEUE_NEVER) {
        begin_to_save(wave, over);
    }
}

void yield_release(struct wave *wave)
{
    if (wave->launch.group != NULL) {
        group_wave_yielded(wave);
    }
    wave_release(wave, wave_cu(wave)->event_queue->now);
}
