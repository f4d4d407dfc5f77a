/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machine mode only: a return to another mode is not modelled. A trap and a return clear the
 * reservation. */
#include "native/hart_trap.h"

bool trap_take(struct hart *hart, enum trap_cause cause, uint64_t value)
{
    struct hart_csrs *const csr = &hart->csr;
    csr->mcause = cause;
    csr->mepc = hart->pc;
    csr->mtval = value;
    const uint64_t enabled = csr->mstatus & MSTATUS_MIE;
    csr->mstatus &= ~(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPV);
    csr->mstatus |= (enabled != 0 ? MSTATUS_MPIE : 0) | MSTATUS_MPP;
    hart->reservation = HART_NO_RESERVATION;
    hart->pc = csr->mtvec & ~3ull;
    return false;
}

bool trap_illegal(struct hart *hart)
{
    return trap_take(hart, TRAP_ILLEGAL, hart->word);
}

bool trap_check_interrupts(struct hart *hart)
{
    const bool is_taken =
        (hart->csr.mstatus & MSTATUS_MIE) != 0 && (hart->csr.mie & TRAP_PENDING) != 0;
    return !is_taken || hart_stop_foreign(hart, "the timer's interrupt, enabled here,");
}

bool trap_return(struct hart *hart)
{
    struct hart_csrs *const csr = &hart->csr;
    if ((csr->mstatus & MSTATUS_MPP) != MSTATUS_MPP) {
        return hart_stop_foreign(hart, "a return to supervisor or user mode");
    }
    if ((csr->mstatus & MSTATUS_MPV) != 0) {
        return hart_stop_foreign(hart, "a return to a virtual machine");
    }
    if (csr->mepc % 2 != 0) {
        return hart_stop_foreign(hart, "a return to an odd address");
    }
    const uint64_t enabled = csr->mstatus & MSTATUS_MPIE;
    csr->mstatus &= ~(MSTATUS_MIE | MSTATUS_MPP);
    csr->mstatus |= (enabled != 0 ? MSTATUS_MIE : 0) | MSTATUS_MPIE;
    hart->reservation = HART_NO_RESERVATION;
    if (trap_check_interrupts(hart)) {
        hart->pc = csr->mepc;
    }
    return false;
}
