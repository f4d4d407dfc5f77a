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

/* QEMU's virt machine has the address of the device tree there, in the data of the reset code in its mask ROM, which does
 * not run where the CPU begins here (docs/know/design.md, fact 5). */
    .equ    device_tree_pointer, 0x1020

/* The firmware gets a0: hart, a1: address of the device tree. */
    .type boot, @function
boot:
    lla     t0, boot_trap
    csrw    mtvec, t0
    lla     sp, firmware_stack_top
    csrr    s0, mhartid
    li      t0, device_tree_pointer
    ld      s1, 0(t0)
    mv      a0, s1
    call    boot_load           /* returns the firmware's entry */
    fence.i
    mv      t0, a0
    mv      a0, s0
    mv      a1, s1
    jr      t0
    .size boot, . - boot

/* Called by the firmware: clears memory from t0 to t1, multiples of 8, where that is needed. All of memory is zero when
 * QEMU starts, but for one that takes another one's place (docs/know/design.md, rule 10): that finds the word that the other
 * one has left. Uses t2 and t3. */
    .globl boot_clear
    .type boot_clear, @function
boot_clear:
    lla     t2, firmware_was_here
    ld      t3, 0(t2)
    sd      sp, 0(t2)
    beqz    t3, 2f
1:
    bgeu    t0, t1, 2f
    sd      zero, 0(t0)
    addi    t0, t0, 8
    j       1b
2:
    ret
    .size boot_clear, . - boot_clear

    .balign 4
    .type boot_trap, @function
boot_trap:
    lla     sp, firmware_stack_top
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    tail    boot_trapped
    .size boot_trap, . - boot_trap
