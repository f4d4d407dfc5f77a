/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Execution of one wavefront instruction: computes, or hands over to control flow, cross-lane
 * operations or the load/store unit. */
#include "simt/context/context.h"
#include "simt/control/control.h"
#include "simt/float/float.h"
#include "simt/issue/issue.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/lifecycle/sync.h"
#include "simt/locks/locks.h"
#include "simt/lsu/lsu.h"
#include "simt/ordering/ordering.h"
#include "simt/schedule/ready.h"
#include "simt/unit/busy_wait.h"
#include "simt/unit/register_file.h"

/* The longest that sl.pause stands back (docs/look-up/isa.md). */
#define PAUSE_CYCLES_MAX 4096u

static void set_ready(const struct cu *cu, struct wave *wave, const struct simt_op *op,
                      uint64_t cycle)
{
    if (op->rd != REGISTER_NOWHERE) {
        wave->ready_cycle[op->rd] = cycle + cu->shape.timing.of[op->class].latency;
    }
}

/* Flags are there with the result. */
static void set_flags_ready(const struct cu *cu, struct wave *wave, const struct simt_op *op,
                            uint64_t cycle)
{
    uint64_t ready = cycle + cu->shape.timing.of[op->class].latency;

    if (wave->ready_cycle[REGISTER_FCSR] < ready) {
        wave->ready_cycle[REGISTER_FCSR] = ready;
    }
}

static void compute(const struct cu *cu, struct wave *wave, const struct simt_op *op)
{
    uint64_t *d = wave->x[op->rd];
    const uint64_t *a = wave->x[op->rs1];
    const uint64_t *b = wave->x[op->rs2];

    if (wave_mask(wave) == cu->shape.full_mask) {
        op->alu(d, a, b, op->immediate);
    } else {
        op->alu_masked(d, a, b, op->immediate, wave_select(wave));
    }
}

/* pause stands back for as long as the configuration says, sl.pause for as many cycles as the
 * lowest active lane asks for. */
static uint64_t pause_cycles(const struct cu *cu, const struct wave *wave, const struct simt_op *op)
{
    if (op->id == SL_INSN_PAUSE) {
        return cu->shape.pause_cycles;
    }
    uint64_t cycles = wave->x[op->rs1][lowest_lane(wave_mask(wave))];
    return cycles < PAUSE_CYCLES_MAX ? cycles : PAUSE_CYCLES_MAX;
}

/* It issued when the memory instructions were done that it is behind. */
static void execute_fence(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    const struct sync_kind fence = {
        .sync = MEM_SYNC_FENCE,
        .scope = op->scope,
        .acquire = op->acquire,
        .release = op->release,
    };

    wave_synchronize_and_stall(wave, &fence, cycle);
    wave_next(wave, op);
}

void execute(struct wave *wave, const struct simt_op *op, uint64_t cycle)
{
    struct cu *cu = wave_cu(wave);

    switch ((enum sl_insn_class)op->class) {
    case SL_CLASS_ALU:
    case SL_CLASS_MUL:
    case SL_CLASS_DIV:
        compute(cu, wave, op);
        set_ready(cu, wave, op, cycle);
        wave_next(wave, op);
        break;
    case SL_CLASS_FP32:
    case SL_CLASS_FP64:
    case SL_CLASS_FPDIV:
    case SL_CLASS_FPSQRT:
        wave->has_float = true;
        if (float_execute(wave, op)) {
            set_ready(cu, wave, op, cycle);
            set_flags_ready(cu, wave, op, cycle);
            wave_next(wave, op);
        }
        break;
    case SL_CLASS_CSR:
        csr_execute(wave, op);
        set_ready(cu, wave, op, cycle);
        wave_next(wave, op);
        break;
    case SL_CLASS_CROSS:
        cross_execute(wave, op);
        set_ready(cu, wave, op, cycle);
        wave_next(wave, op);
        break;
    case SL_CLASS_BRANCH:
        control_branch(wave, op);
        break;
    case SL_CLASS_JUMP:
        set_ready(cu, wave, op, cycle);
        if (op->id == SL_INSN_JAL) {
            control_jal(wave, op);
        } else {
            control_jalr(wave, op, cycle);
        }
        break;
    case SL_CLASS_LOAD:
    case SL_CLASS_STORE:
    case SL_CLASS_AMO:
        lsu_issue(wave, op, cycle);
        break;
    case SL_CLASS_FENCE:
        execute_fence(wave, op, cycle);
        break;
    case SL_CLASS_PAUSE:
        waits_pause(cu, wave, simt_stack_top(&wave->stack)->pc);
        if (op->id == SL_INSN_SL_PAUSE_TURN && wave->publish_wait_since == 0) {
            wave->publish_wait_since = cycle;
        }
        order_gate(wave, cycle + pause_cycles(cu, wave, op), SL_STALL_PAUSE);
        ready_stamp(wave);
        wave_next(wave, op);
        break;
    case SL_CLASS_BARRIER:
        barrier_execute(wave, op, cycle);
        break;
    case SL_CLASS_YIELD:
        yield_execute(wave, op, cycle);
        break;
    case SL_CLASS_TRAP:
        wave_fault(wave, SL_FAULT_TRAP, wave_mask(wave), op, 0);
        break;
    case SL_CLASS_LOCK:
        lock_execute(wave, op, cycle);
        break;
    case SL_CLASS_ILLEGAL:
    case SL_CLASS_COUNT:
        wave_fault(wave, SL_FAULT_ILLEGAL_INSTRUCTION, wave_mask(wave), op, 0);
        break;
    }
}
