/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Control flow of wavefronts: branches, jumps, calls and returns on the reconvergence stack.
 *
 * Lanes that go to different targets of an indirect call first part at the call itself, to meet
 * behind it: each group then executes the call again with one target. A return has to go where its
 * call came from; what jumps across calls (longjmp, coroutines) is a fault. */
#include "simt/control/control.h"

#include "simt/context/context.h"
#include "simt/deadlock/spin_loop.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/unit/register_file.h"

/* After a change of the stack: notes its depth. Where it was too small (`result`), it is as it was,
 * and the fault is of the instruction and its lanes. Returns `result`. */
static int check_depth(struct wave *wave, const struct simt_op *op, int result)
{
    if (result != 0) {
        wave_fault(wave, SL_FAULT_DIVERGENCE_DEPTH, wave_mask(wave), op, 0);
    } else if (wave->stack.depth > wave_cu(wave)->counters.stack_depth_max) {
        wave_cu(wave)->counters.stack_depth_max = wave->stack.depth;
    }
    return result;
}

static void diverge(struct wave *wave, const struct simt_op *op,
                    const struct stack_direction *directions, unsigned count,
                    uint32_t reconvergence)
{
    wave_cu(wave)->counters.divergent_branches++;
    if (reconvergence == PC_NONE) {
        wave_cu(wave)->counters.unreconverged_branches++;
    }
    (void)check_depth(wave, op, simt_stack_diverge(&wave->stack, directions, count, reconvergence));
}

static void jump(struct wave *wave, uint32_t target)
{
    simt_stack_top(&wave->stack)->pc = target;
    simt_stack_reconverge(&wave->stack);
}

/* Where a branch or jal goes, also when that is outside the code. */
static uint64_t direct_target(struct wave *wave, const struct simt_op *op)
{
    return wave_cu(wave)->env->program.base + simt_stack_top(&wave->stack)->pc +
           (uint64_t)op->immediate;
}

void control_branch(struct wave *wave, const struct simt_op *op)
{
    uint64_t mask = wave_mask(wave);
    uint64_t taken = op->branch(wave->x[op->rs1], wave->x[op->rs2]) & mask;
    uint32_t next = simt_stack_top(&wave->stack)->pc + op->bytes;

    wave_cu(wave)->counters.branches++;
    if (taken == 0) {
        jump(wave, next);
        return;
    }
    if (op->target == PC_NONE || op->target == PC_EXIT) {
        wave_fault(wave, SL_FAULT_FETCH, taken, op, direct_target(wave, op));
        return;
    }
    if (taken == mask) {
        spin_branch(wave, op->target);
        jump(wave, op->target);
        return;
    }
    /* The lanes that fall through go first. */
    struct stack_direction directions[] = {{taken, op->target}, {mask & ~taken, next}};
    diverge(wave, op, directions, 2, op->reconvergence);
}

static void observe_call(const struct wave *wave, uint32_t site, uint32_t callee, uint32_t back)
{
    const struct cu *cu = wave_cu(wave);

    if (probe_enabled(cu->env->stream, OBS_CALL)) {
        const uint64_t base = cu->env->program.base;
        const struct obs_event event = {
            .time_ps = event_queue_now_ps(cu->event_queue),
            .kind = OBS_CALL,
            .wave = wave_observed(wave),
            .call = {base + site, base + callee, base + back},
        };
        probe_emit(cu->env->stream, &event);
    }
}

/* The last lanes of a call have returned. */
static void observe_return(const struct wave *wave, uint32_t back)
{
    const struct cu *cu = wave_cu(wave);

    if (probe_enabled(cu->env->stream, OBS_RETURN)) {
        const struct obs_event event = {
            .time_ps = event_queue_now_ps(cu->event_queue),
            .kind = OBS_RETURN,
            .wave = wave_observed(wave),
            .address = cu->env->program.base + back,
        };
        probe_emit(cu->env->stream, &event);
    }
}

static void call_or_jump(struct wave *wave, const struct simt_op *op, uint32_t target)
{
    uint32_t back = simt_stack_top(&wave->stack)->pc + op->bytes;

    if (op->is_call) {
        wave_cu(wave)->counters.calls++;
        if (check_depth(wave, op, simt_stack_call(&wave->stack, target, back)) != 0) {
            return;
        }
        observe_call(wave, back - op->bytes, target, back);
    }
    if (op->rd != REGISTER_NOWHERE) {
        wave_set(wave, op->rd,
                 wave_cu(wave)->env->program.base + back); /* a call entry has the same lanes */
    }
    if (!op->is_call) {
        jump(wave, target);
    }
}

void control_jal(struct wave *wave, const struct simt_op *op)
{
    if (op->target == PC_NONE || op->target == PC_EXIT) {
        wave_fault(wave, SL_FAULT_FETCH, wave_mask(wave), op, direct_target(wave, op));
        return;
    }
    if (!op->is_call) {
        spin_branch(wave, op->target);
    }
    call_or_jump(wave, op, op->target);
}

static uint64_t jalr_target(struct wave *wave, const struct simt_op *op, uint64_t lane)
{
    return (wave->x[op->rs1][lane] + (uint64_t)op->immediate) & ~1ull;
}

static void return_from_call(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    uint32_t expected = simt_stack_return_pc(&wave->stack);
    uint64_t address =
        expected == PC_EXIT ? SL_LANE_EXIT_PC : wave_cu(wave)->env->program.base + expected;
    uint64_t astray = 0;

    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        astray |= (uint64_t)(jalr_target(wave, op, lane) != address) << lane;
    }
    if (astray != 0) {
        wave_fault(wave, SL_FAULT_RETURN, astray, op, jalr_target(wave, op, lowest_lane(astray)));
        return;
    }
    if (expected == PC_EXIT && wave_fault_lock_held(wave, wave_mask(wave), op)) {
        return;
    }
    uint32_t lowest = simt_stack_return_lowest(&wave->stack);
    bool goes_on = simt_stack_return(&wave->stack);
    if (expected != PC_EXIT && wave->stack.depth <= lowest + 1) {
        observe_return(wave, expected);
    }

    if (goes_on && lowest < wave->stack.spilled) {
        spill_touch(wave, lowest, cycle);
    }
    if (!goes_on) {
        wave_end(wave, cycle);
    }
}

/* Splits the active lanes by target. Returns the number of directions, or 0 after a fault. */
static unsigned split_by_target(struct wave *wave, const struct simt_op *op,
                                struct stack_direction *directions)
{
    unsigned count = 0;
    uint64_t rest = wave_mask(wave);

    while (rest != 0) {
        uint64_t address = jalr_target(wave, op, lowest_lane(rest));
        uint64_t same = 0;
        FOR_EACH_LANE(lane, rest)
        {
            same |= (uint64_t)(jalr_target(wave, op, lane) == address) << lane;
        }
        uint32_t target = simt_program_offset(&wave_cu(wave)->env->program, address);
        if (target == PC_NONE || target == PC_EXIT) {
            wave_fault(wave, SL_FAULT_FETCH, same, op, address);
            return 0;
        }
        directions[count++] = (struct stack_direction){same, target};
        rest &= ~same;
    }
    return count;
}

void control_jalr(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    if (op->is_return) {
        return_from_call(wave, op, cycle);
        return;
    }
    struct stack_direction directions[LANES];
    unsigned count = split_by_target(wave, op, directions);
    uint32_t pc = simt_stack_top(&wave->stack)->pc;

    wave_cu(wave)->counters.branches++;
    if (count == 1) {
        if (!op->is_call) {
            spin_branch(wave, directions[0].pc);
        }
        call_or_jump(wave, op, directions[0].pc);
    } else if (count > 1 && op->rd == REGISTER_NOWHERE) {
        diverge(wave, op, directions, count, op->reconvergence);
    } else if (count > 1) {
        for (unsigned i = 0; i < count; i++) {
            directions[i].pc = pc;
        }
        diverge(wave, op, directions, count, pc + op->bytes);
    }
}
