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
    lla     t0, firmware_bss_begin  /* both bounds are multiples of 8 */
    lla     t1, firmware_bss_end
1:
    bgeu    t0, t1, 2f
    sd      zero, 0(t0)
    addi    t0, t0, 8
    j       1b
2:
    call    firmware_main
    /* It does not return. */
3:
    j       3b
    .size firmware_start, . - firmware_start
