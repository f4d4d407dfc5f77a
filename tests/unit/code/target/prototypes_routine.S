/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A routine whose prototype the assembler does not know. */
    .text
    .globl routine
    .type routine, @function
routine:
    ret
    .size routine, . - routine
