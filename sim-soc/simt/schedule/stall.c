/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Finding what a wavefront has waited for. */
#include "simt/schedule/stall.h"

#include "simt/ordering/ordering.h"

uint64_t stall_pc(const struct wave *wave)
{
    const struct simt_program *program = &wave_cu(wave)->env->program;
    const struct simt_stack *stack = &wave->stack;
    uint32_t pc = wave->stall.issued_pc != PC_NONE ? wave->stall.issued_pc : wave->launch.pc;

    if (wave->state == WAVE_RUNNING && stack->depth > 0 &&
        stack->entries[stack->depth - 1].pc < program->bytes) {
        pc = stack->entries[stack->depth - 1].pc;
    }
    return program->base + pc;
}

void stall_tell(struct wave *wave, enum sl_stall stall, uint64_t cycle)
{
    const struct cu *cu = wave_cu(wave);

    if (cycle <= wave->stall.told_cycle) {
        return;
    }
    struct obs_event event; /* told with each instruction: what others have in it is not zeroed */
    event.time_ps = cycle * cu->shape.cycle_ps;
    event.kind = OBS_WAIT;
    event.wave = wave_observed(wave);
    event.wait = (struct obs_wait){stall_pc(wave), cycle - wave->stall.told_cycle, (uint8_t)stall};
    wave->stall.told_cycle = cycle;
    probe_emit(cu->env->stream, &event);
}

/* ---- what ends last ---- */

/* Something that holds an instruction back up to a cycle. */
struct cause {
    uint64_t cycle;
    enum sl_stall stall;
};

/* Of two that end together, the first one that is looked at counts. */
static void look_at(struct cause *latest, uint64_t cycle, enum sl_stall stall)
{
    if (cycle > latest->cycle) {
        *latest = (struct cause){cycle, stall};
    }
}

static void look_at_register(struct cause *latest, const struct wave *wave, unsigned r)
{
    look_at(latest, wave->ready_cycle[r], (enum sl_stall)wave->stall.result[r]);
}

/* The order of memory instructions, as order_ready() has it. */
static void look_at_order(struct cause *latest, const struct wave *wave, const struct simt_op *op)
{
    if (op->access_bytes != 0) {
        look_at(latest, wave->memory_slot[wave->next_memory_slot], SL_STALL_MEMORY_QUEUE);
    }
    look_at(latest, order_ready(wave, op), SL_STALL_ORDER);
}

static struct cause find_cause(const struct wave *wave, const struct simt_op *op)
{
    const struct wave_stall *stall = &wave->stall;
    struct cause latest = {0, SL_STALL_NO_SLOT};

    if (op != NULL) {
        look_at_register(&latest, wave, op->rs1);
        look_at_register(&latest, wave, op->rs2);
        look_at_register(&latest, wave, op->rs3);
        look_at_register(&latest, wave, op->rd);
        look_at_order(&latest, wave, op);
    }
    look_at(&latest, wave->issue_not_before, (enum sl_stall)stall->gate);
    look_at(&latest, stall->held_cycle, (enum sl_stall)stall->held);
    return latest;
}

/* What it does in the channels' routines counts as a whole: in sl_enq from its first sl.pause.turn
 * to the store that publishes (wave->turn_cycle), in sl_talloc from when it knows that it has lost
 * a race to when it knows that it has won one, or returns. */
static enum sl_stall find_routine(const struct wave *wave)
{
    return wave->publish_wait_since != 0 ? SL_STALL_PUBLICATION
           : wave->stall.tries_again     ? SL_STALL_TALLOC_RETRY
                                         : SL_STALL_COUNT;
}

static void tell_all(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    const enum sl_stall routine = find_routine(wave);

    if (wave->stall.told_cycle >= cycle) {
        return;
    }
    if (routine != SL_STALL_COUNT) {
        stall_tell(wave, routine, cycle);
        return;
    }
    const struct cause cause = find_cause(wave, op);
    stall_tell(wave, cause.stall, cause.cycle < cycle ? cause.cycle : cycle);
    stall_tell(wave, SL_STALL_NO_SLOT, cycle);
}

/* ---- issues ---- */

static bool stores_conditionally(const struct simt_op *op)
{
    return op->id == SL_INSN_SC_W || op->id == SL_INSN_SC_D || op->id == SL_INSN_SL_SC;
}

/* Whether it has lost is set where the store takes effect (simt/lsu/lane_effects.c), and known to
 * the instruction behind, which waits for it. */
static void follow_talloc(struct wave_stall *stall, const struct simt_op *op)
{
    stall->tries_again = stall->has_lost;
    if (stores_conditionally(op) || op->is_return) {
        stall->has_lost = false;
    }
}

void stall_issue(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    const struct cu *cu = wave_cu(wave);
    struct wave_stall *stall = &wave->stall;
    const enum sl_insn_class class = op != NULL ? op->class : SL_CLASS_ILLEGAL;
    const uint64_t until = cycle + cu->shape.timing.of[class].issue;

    tell_all(wave, op, cycle);
    if (op == NULL) {
        stall_tell(wave, SL_STALL_ISSUE, until);
        return;
    }
    stall->told_cycle = until;
    stall->issued_pc = wave->stack.entries[wave->stack.depth - 1].pc;
    stall->result[op->rd] = SL_STALL_DEPENDENCY;
    follow_talloc(stall, op);
}

/* ---- ends ---- */

/* What a wavefront waits for whose next instruction does not issue any more. Of requests whose end
 * is not known it is not known either which one would have been the last. */
static enum sl_stall find_present(const struct wave *wave, const struct simt_op *op)
{
    const uint32_t pc = wave->stack.entries[wave->stack.depth - 1].pc;

    if (wave->waits_at_barrier) {
        return SL_STALL_BARRIER;
    }
    if (op != NULL && op->class == SL_CLASS_LOCK && wave->stall.issued_pc == pc) {
        return SL_STALL_LOCK;
    }
    if (wave->awaits_packet) {
        return SL_STALL_PACKET;
    }
    return wave->pending_holds != 0 ? SL_STALL_ORDER : SL_STALL_COUNT;
}

static void stop(struct wave *wave, uint64_t cycle)
{
    const struct simd *simd = wave->simd;

    if (wave->state == WAVE_RUNNING && wave->stack.depth > 0) {
        const struct simt_op *op = simd->next_op[wave->slot];
        const enum sl_stall present = find_present(wave, op);
        if (present != SL_STALL_COUNT && find_routine(wave) == SL_STALL_COUNT) {
            stall_tell(wave, present, cycle);
        } else {
            tell_all(wave, op, cycle);
        }
    } else {
        stall_tell(wave, wave->state == WAVE_YIELDING ? SL_STALL_YIELD : SL_STALL_DRAIN, cycle);
    }
}

void stall_stop(struct wave *wave, uint64_t cycle)
{
    if (stall_is_wanted(wave)) {
        stop(wave, cycle);
    }
}

uint64_t stall_leave(struct wave *wave, uint64_t cycle)
{
    stall_stop(wave, cycle);
    return wave->stall.told_cycle > cycle ? wave->stall.told_cycle - cycle : 0;
}

void stall_end_run(struct wave *wave, uint64_t cycle)
{
    const struct cu *cu = wave_cu(wave);
    const uint64_t occupied = stall_leave(wave, cycle);

    if (probe_enabled(cu->env->stream, OBS_STOP)) {
        const struct obs_event event = {
            .time_ps = cycle * cu->shape.cycle_ps,
            .kind = OBS_STOP,
            .wave = wave_observed(wave),
            .leave = {wave->instructions, wave->lane_instructions, occupied},
        };
        probe_emit(cu->env->stream, &event);
    }
    wave->stall.told_cycle = cycle;
}
