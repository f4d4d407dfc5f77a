/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Trap entry: saves all registers on a stack of its own, so that a trap caused by a bad stack pointer
 * is reported too. There is no way back. */

#define TRAP_STACK_BYTES 4096
#define TRAP_FRAME_BYTES 256

    .section .bss.trap_stack, "aw", @nobits
    .balign 16
    .space  TRAP_STACK_BYTES
    .globl trap_frame
trap_frame:                         /* one doubleword for each register, x0 first */
    .space  TRAP_FRAME_BYTES

    .section .text.trap_entry, "ax", @progbits
    .balign 4
    .globl trap_entry
    .type trap_entry, @function
trap_entry:
    csrrw   sp, mscratch, sp
    sd      x0, 0(sp)
    sd      x1, 8(sp)
    .irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    sd      x\n, 8 * \n(sp)
    .endr
    csrr    t0, mscratch
    sd      t0, 16(sp)              /* sp at the trap */
    .option push
    .option norelax
    lla     gp, __global_pointer$
    .option pop
    lla     t0, trap_again
    csrw    mtvec, t0
    mv      a0, sp
    csrr    a1, mcause
    csrr    a2, mepc
    csrr    a3, mtval
    tail    trap_report
    .size trap_entry, . - trap_entry

/* A trap while the first is reported. */
    .balign 4
    .type trap_again, @function
trap_again:
    lla     sp, trap_frame
    tail    trap_report_again
    .size trap_again, . - trap_again
