/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Exceptions and the return from them. There are no interrupts. */
#ifndef SLUICE_NATIVE_HART_TRAP_H
#define SLUICE_NATIVE_HART_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "native/hart.h"

/* Causes (RISC-V Privileged ISA, table of mcause). */
enum trap_cause {
    TRAP_FETCH_FAULT = 1,
    TRAP_ILLEGAL = 2,
    TRAP_BREAKPOINT = 3,
    TRAP_LOAD_MISALIGNED = 4,
    TRAP_LOAD_FAULT = 5,
    TRAP_STORE_FAULT = 7,
    TRAP_ECALL = 11,
};

/* Fields of mstatus. */
#define MSTATUS_MIE  (1ull << 3)
#define MSTATUS_MPIE (1ull << 7)
#define MSTATUS_MPP  (3ull << 11)
#define MSTATUS_FS   (3ull << 13)
#define MSTATUS_MPRV (1ull << 17)
#define MSTATUS_MPV  (1ull << 39)

/* Enters the handler from the instruction at hart->pc; `value` is mtval. Returns false. */
bool trap_take(struct hart *hart, enum trap_cause cause, uint64_t value);

/* The executing instruction is illegal. Returns false. */
bool trap_illegal(struct hart *hart);

/* mret: goes on at mepc. Returns false. */
bool trap_return(struct hart *hart);

/* What would be pending in mip and enabled in mie, and whether it would be taken now: stops then,
 * and returns false. */
bool trap_check_interrupts(struct hart *hart);

/* mip: the timer's interrupt is pending from reset on. */
#define TRAP_PENDING 0x80ull

#endif
