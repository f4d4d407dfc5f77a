/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs the sequences of an image one by one (layout.h): puts the hart into the state of the
 * record, jumps to the code, answers its traps, and writes down what is left. Traps and the end
 * come without a free register: mcounteren holds x31 meanwhile, which no result has for that. */
#include "fuzz/native/layout.h"

#define FINISHER 0x100000
#define PASS     0x5555

    .macro each_register operation, base, offset
    .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
    \operation x\n, (\offset + 8 * \n)(\base)
    .endr
    .endm


/* Configuration last: QEMU flushes its TLB with that alone. */
    .macro set_pmp base, addresses, config
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    ld   t0, (\addresses + 8 * \n)(\base)
    csrw (0x3b0 + \n), t0
    .endr
    ld   t0, \config(\base)
    csrw pmpcfg0, t0
    ld   t0, (\config + 8)(\base)
    csrw pmpcfg2, t0
    .endm

    .option norelax
    .section .text
    .globl _start
_start:
    li   s0, LAYOUT_HEADER
    set_pmp s0, HEADER_PMPADDR, HEADER_PMPCFG
    j    next

/* Everything is read from memory again: a sequence leaves no register as it was. */
next:
    la   t0, handler
    csrw mtvec, t0
    li   s0, LAYOUT_HEADER
    ld   s1, HEADER_CURRENT(s0)
    ld   t0, HEADER_COUNT(s0)
    bgeu s1, t0, end
    slli s1, s1, LAYOUT_STRIDE_SHIFT
    li   s2, LAYOUT_RECORDS
    add  s2, s2, s1
    li   s3, LAYOUT_RESULTS
    add  s3, s3, s1
    li   t0, LAYOUT_SAVE
    sd   s2, 256(t0)
    sd   s3, 264(t0)
    ld   t0, RECORD_IS_CUT(s2)
    bnez t0, advance

    li   t0, LAYOUT_CODE
    li   t1, LAYOUT_CODE + LAYOUT_CODE_BYTES
1:  sd   x0, 0(t0)
    addi t0, t0, 8
    bltu t0, t1, 1b
    ld   s4, RECORD_CODE_AT(s2)
    addi t0, s2, RECORD_CODE
    addi t1, s2, RECORD_CODE + RECORD_CODE_SIZE / 2
    addi t1, t1, RECORD_CODE_SIZE / 2
    mv   t2, s4
1:  lhu  t3, 0(t0)
    sh   t3, 0(t2)
    addi t0, t0, 2
    addi t2, t2, 2
    bltu t0, t1, 1b

    li   t0, LAYOUT_FILLED
    li   t1, LAYOUT_FILLED + LAYOUT_FILLED_BYTES
    ld   t2, RECORD_FILL(s2)
    li   t3, 0x9e3779b97f4a7c15
1:  sd   t2, 0(t0)
    add  t2, t2, t3
    srli t4, t2, 29
    xor  t2, t2, t4
    addi t0, t0, 8
    bltu t0, t1, 1b
    fence.i

    csrw medeleg, x0
    csrw mideleg, x0
    csrw mcounteren, x0
    csrw mcause, x0
    csrw mtval, x0
    ld   t0, RECORD_MIE(s2)
    csrw mie, t0
    ld   t0, RECORD_MSCRATCH(s2)
    csrw mscratch, t0
    ld   t0, RECORD_MSTATUS(s2)
    csrw mstatus, t0
    csrw mepc, s4
    sc.d x0, x0, (s0)
    set_pmp s2, RECORD_PMPADDR, RECORD_PMPCFG
    mv   x31, s2
    each_register ld, x31, RECORD_X
    ld   x31, (RECORD_X + 8 * 31)(x31)
    mret

end:
    li   t0, FINISHER
    li   t1, PASS
1:  sw   t1, 0(t0)
    j    1b

    .balign 64
handler:
    csrw mcounteren, x31
    li   x31, LAYOUT_SAVE
    each_register sd, x31, 0
    ld   s0, 256(x31)
    ld   s1, 264(x31)
    csrr t0, mcause
    csrr t1, mepc
    csrr t2, mtval
    csrr t3, mstatus
    ld   s2, RESULT_TRAPS(s1)
    li   t4, TRAP_LIMIT
    bltu s2, t4, 1f
    li   t1, LAYOUT_DONE
    j    resume
1:  slli t4, s2, TRAP_SHIFT
    add  t4, t4, s1
    sd   t0, (RESULT_TRAP + 0)(t4)
    sd   t1, (RESULT_TRAP + 8)(t4)
    sd   t2, (RESULT_TRAP + 16)(t4)
    sd   t3, (RESULT_TRAP + 24)(t4)
    addi s2, s2, 1
    sd   s2, RESULT_TRAPS(s1)

    /* A fetch that failed, or code elsewhere: there is no next instruction. */
    li   t4, 1
    beq  t0, t4, land
    li   t4, LAYOUT_CODE
    sub  t4, t1, t4
    li   t5, LAYOUT_CODE_BYTES
    bgeu t4, t5, land
    la   t4, unreadable
    csrrw t4, mtvec, t4
    lhu  t5, 0(t1)
known:
    csrw mtvec, t4
    andi t5, t5, 3
    addi t1, t1, 2
    addi t5, t5, -3
    bnez t5, resume
    addi t1, t1, 2
    j    resume
land:
    ld   t1, RECORD_LANDING(s0)
resume:
    csrw mepc, t1
    csrw mstatus, t3
    each_register ld, x31, 0
    csrr x31, mcounteren
    mret

/* Code that may be executed and not read counts as four bytes long. */
    .balign 64
unreadable:
    li   t5, 3
    j    known

    .org LAYOUT_DONE - LAYOUT_DRIVER
done:
    csrw mcounteren, x31
    li   x31, LAYOUT_SAVE
    ld   x31, 264(x31)
    each_register sd, x31, RESULT_X
    mv   s1, x31
    csrr t0, mcounteren
    sd   t0, (RESULT_X + 8 * 31)(s1)
    .set at, RESULT_CSR
    .irp n, 0x300,0x302,0x303,0x304,0x305,0x340,0x341,0x342,0x343,0x344,0x3a0,0x3a2,0x3b0,0x3b1,0x3b2,0x3b3,0x3b4,0x3b5,0x3b6,0x3b7,0x3b8,0x3b9,0x3ba,0x3bb,0x3bc,0x3bd,0x3be,0x3bf,0x301
    csrr t0, \n
    sd   t0, at(s1)
    .set at, at + 8
    .endr
    csrw mie, x0

    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    csrw (0x3b0 + \n), x0
    .endr
    csrw pmpcfg0, x0
    csrw pmpcfg2, x0

    li   t4, 0
    li   t0, LAYOUT_FILLED
    li   t1, LAYOUT_FILLED + LAYOUT_FILLED_BYTES
    jal  checksum
    li   t0, LAYOUT_CODE
    li   t1, LAYOUT_CODE + LAYOUT_CODE_BYTES
    jal  checksum
    sd   t4, RESULT_CHECKSUM(s1)
    li   t0, 1
    sd   t0, RESULT_HAS_RUN(s1)
advance:
    li   s0, LAYOUT_HEADER
    ld   t0, HEADER_CURRENT(s0)
    addi t0, t0, 1
    sd   t0, HEADER_CURRENT(s0)
    j    next

/* Of t0 to t1, added to t4. */
checksum:
    ld   t2, 0(t0)
    xor  t4, t4, t2
    slli t3, t4, 13
    srli t4, t4, 51
    or   t4, t4, t3
    add  t4, t4, t2
    addi t0, t0, 8
    bltu t0, t1, checksum
    ret
