/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where the firmware starts in RAM: sets up what C needs and calls firmware_main with a0 (hart) and
 * a1 (address of the device tree) as they were at reset. */

    .section .text.start, "ax", @progbits
    .globl firmware_start
    .type firmware_start, @function
firmware_start:
    .option push
    .option norelax
    lla     gp, __global_pointer$
    .option pop
    lla     sp, firmware_stack_top
    lla     t0, trap_entry
    csrw    mtvec, t0
    lla     t0, trap_frame
    csrw    mscratch, t0
    lla     t0, firmware_bss_begin
    lla     t1, firmware_bss_end
    call    boot_clear              /* keeps a0 and a1 */
    .option push
    .option norvc
    nop /* where the functions behind are in the instruction cache is part of each figure of a run: they stay there */
    .option pop
    call    firmware_main
    /* It does not return. */
1:
    j       1b
    .size firmware_start, . - firmware_start
