/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Zicsr, and the instructions of machine mode. */
#include <unistd.h>

#include "native/csr.h"
#include "native/execute_insn.h"
#include "native/hart_trap.h"

enum funct3 { WRITE = 1, SET = 2, CLEAR = 3, IMMEDIATE = 4 };

static bool refuse(struct hart *hart, enum csr_result result)
{
    return result == CSR_ILLEGAL ? trap_illegal(hart)
                                 : hart_stop_foreign(hart, "this CSR, or what is written to it,");
}

static uint64_t new_value(unsigned how, uint64_t old, uint64_t operand)
{
    return how == WRITE ? operand : how == SET ? old | operand : old & ~operand;
}

/* A CSR is read but by a write whose rd is x0, and written but by a set or clear of no bit: as QEMU
 * does it, where the value counts, not whether rs1 is x0. */
bool execute_csr(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    const unsigned funct3 = insn->word >> 12 & 7;
    const unsigned how = funct3 & CLEAR;
    const uint64_t operand = (funct3 & IMMEDIATE) != 0 ? insn->rs1 : hart->x[insn->rs1];
    const bool is_written = how == WRITE || operand != 0;
    uint64_t old = 0;
    if (how != WRITE || insn->rd != 0) {
        const enum csr_result result = csr_read(hart, insn->number, &old);
        if (result == CSR_ILLEGAL || (result != CSR_DONE && !is_written)) {
            return refuse(hart, result);
        }
    }
    if (is_written) {
        const enum csr_result result = csr_write(hart, insn->number, new_value(how, old, operand));
        if (result != CSR_DONE) {
            return refuse(hart, result);
        }
    }
    hart_write(hart, insn->rd, old);
    return trap_check_interrupts(hart);
}

bool execute_ecall(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return trap_take(hart, TRAP_ECALL, 0);
}

bool execute_ebreak(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return trap_take(hart, TRAP_BREAKPOINT, 0);
}

bool execute_mret(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return trap_return(hart);
}

/* Nothing but the timer, which is pending, can wake the hart. */
bool execute_wfi(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    if ((hart->csr.mie & TRAP_PENDING) == 0) {
        (void)pause(); /* a signal ends the process, or sends it back here */
        return false;
    }
    return true;
}

bool execute_illegal(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return trap_illegal(hart);
}

bool execute_foreign(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return hart_stop_foreign(hart, "this instruction");
}

bool execute_float(struct hart *hart, const struct qemu_plugin_insn *insn)
{
    (void)insn;
    return (hart->csr.mstatus & MSTATUS_FS) != 0 ? hart_stop_foreign(hart, "floating point")
                                                 : trap_illegal(hart);
}
