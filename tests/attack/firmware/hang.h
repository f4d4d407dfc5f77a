/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The end of firmware that hangs. */
#ifndef SLUICE_TESTS_ATTACK_HANG_H
#define SLUICE_TESTS_ATTACK_HANG_H

static inline _Noreturn void hang(void)
{
    for (;;) {
        __asm__ volatile("nop"); /* not one instruction alone (SL_EXIT_REPEATED) */
    }
}

#endif
