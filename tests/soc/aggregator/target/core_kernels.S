/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels with one bottleneck each. a0: iterations, a1: address of data, a2: the device window. Each loop
 * begins a cache line; its instructions are all 4 bytes long, so that a line has 16. What a loop
 * takes on each core is worked out in tests/soc/aggregator/test_agg_cores.c. */

    .option norvc

.macro kernel name
    .section .text.core_kernel_\name, "ax", @progbits
    .globl core_kernel_\name
    .type core_kernel_\name, @function
    .balign 64
core_kernel_\name:
.endm

/* The counter's end of the loop that begins at 1. */
.macro again
    addi    a0, a0, -1
    bnez    a0, 1b
    ret
.endm

/* 62 adds that each need the one before; 64 instructions, 4 lines. */
    kernel dependent_adds
1:
    .rept 62
    addi    a3, a3, 1
    .endr
    again

/* 62 adds on 11 registers in turn; 64 instructions, 4 lines. */
    kernel independent_adds
1:
    .rept 5
    .irp r, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5
    addi    \r, \r, 1
    .endr
    .endr
    .irp r, a3, a4, a5, a6, a7, t0, t1
    addi    \r, \r, 1
    .endr
    again

/* 30 multiplications that each need the one before; 32 instructions, 2 lines. */
    kernel dependent_muls
1:
    .rept 30
    mul     a3, a3, a3
    .endr
    again

/* 14 multiplications of the same; 16 instructions, 1 line. */
    kernel independent_muls
1:
    .rept 14
    mul     a5, a3, a4
    .endr
    again

/* 14 divisions of the same; 16 instructions, 1 line. */
    kernel independent_divs
    li      a3, 1000
    li      a4, 7
    .balign 64
1:
    .rept 14
    div     a5, a3, a4
    .endr
    again

/* 30 loads whose address is what the one before loaded; 32 instructions, 2 lines. */
    kernel load_chain
1:
    .rept 30
    ld      a1, 0(a1)
    .endr
    again

/* 14 loads of the same; 16 instructions, 1 line. */
    kernel loads
1:
    .rept 14
    ld      a3, 0(a1)
    .endr
    again

/* 16 stores to a line; 18 instructions, 2 lines. */
    kernel stores
1:
    .set    at, 0
    .rept 16
    sw      a0, at(a1)
    .set    at, at + 4
    .endr
    again

/* 4 calls of a function in a line of its own, with an add behind each; 10 instructions there, 2 here. */
    kernel calls
    mv      t6, ra
    .balign 64
1:
    .rept 4
    jal     ra, 2f
    addi    a3, a3, 1
    .endr
    addi    a0, a0, -1
    bnez    a0, 1b
    mv      ra, t6
    ret
    .balign 64
2:
    addi    a4, a4, 1
    ret

/* A Galois shift register of 64 bits, whose lowest bit branches; 9 instructions, one less where it is 0. */
    kernel random_branches
    li      a3, 0x123456789abcdef
    li      a4, 0xd800000000000000
    .balign 64
1:
    andi    a5, a3, 1
    srli    a3, a3, 1
    neg     a6, a5
    and     a6, a6, a4
    xor     a3, a3, a6
    beqz    a5, 2f
    addi    a7, a7, 1
2:
    again

/* 30 loads from lines of their own; 33 instructions, 3 lines. */
    kernel misses
1:
    .set    at, 0
    .rept 30
    ld      a3, at(a1)
    .set    at, at + 64
    .endr
    addi    a1, a1, 30 * 64
    again

/* 4 loads from lines of their own, each at the beginning of a line of 16 instructions of which the
 * others need no register. */
    kernel misses_apart
1:
    .set    at, 0
    .rept 3
    ld      a3, at(a1)
    .set    at, at + 64
    .rept 15
    nop
    .endr
    .endr
    ld      a3, at(a1)
    .rept 12
    nop
    .endr
    addi    a1, a1, 4 * 64
    again

/* 10 times: store, load what was stored, count it up; 32 instructions, 2 lines. */
    kernel forwarding
1:
    .rept 10
    sd      a3, 0(a1)
    ld      a3, 0(a1)
    addi    a3, a3, 1
    .endr
    again

/* 4 reads of a register, between fences as hal/aggregator does them; 14 instructions, 1 line. */
    kernel device_reads
1:
    .rept 4
    fence   iorw, iorw
    ld      a3, 0(a2)
    fence   iorw, iorw
    .endr
    again

/* What firmware does while the device works: for each of 8 channels a call that loads its tail and its
 * head, compares them, and adds up the difference; then a ring's tail. A hit is never found. */
    kernel polling
    mv      t6, ra
    .balign 64
1:
    addi    a3, a1, 64
    li      a4, 8
    li      a6, 0
2:
    call    3f
    add     a6, a6, a5
    addi    a3, a3, 64
    addi    a4, a4, -1
    bnez    a4, 2b
    sd      a6, 8(a1)
    ld      t0, 8(a1)
    bnez    t0, 4f
    addi    a0, a0, -1
    bnez    a0, 1b
4:
    mv      ra, t6
    ret
3:
    lw      t1, 0(a3)
    lw      t2, 4(a3)
    subw    a5, t1, t2
    beqz    a5, 5f
    sltu    t3, t1, t2
    add     a5, a5, t3
5:
    ret
