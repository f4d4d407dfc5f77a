/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The first instructions after reset, at the beginning of flash; the image's header follows at
 * offset 64 and is filled in by mkflash. */

    .section .boot.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    j       boot
    .size _start, . - _start

    .balign 64
    .globl boot_header
    .type boot_header, @object
boot_header:
    .zero   64
    .size boot_header, . - boot_header

/* a0: hart, a1: address of the device tree. Both go on to the firmware. */
    .type boot, @function
boot:
    lla     t0, boot_trap
    csrw    mtvec, t0
    lla     sp, firmware_stack_top
    mv      s0, a0
    mv      s1, a1
    mv      a0, a1
    call    boot_load           /* returns the firmware's entry */
    fence.i
    mv      t0, a0
    mv      a0, s0
    mv      a1, s1
    jr      t0
    .size boot, . - boot

    .balign 4
    .type boot_trap, @function
boot_trap:
    lla     sp, firmware_stack_top
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    tail    boot_trapped
    .size boot_trap, . - boot_trap
