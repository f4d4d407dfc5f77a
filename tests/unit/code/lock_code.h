/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Code that takes locks, from words, for tests of its analysis. A letter with a colon names the
 * instruction behind it; the others are
 *
 *   lock, unlock, try, untry, nop, ret, trap
 *   if X         a branch to X, or on
 *   go X         a jump to X
 *   call X       a call of X by one instruction; far X: by two
 *   tail X       a jump to X by two instructions, which is none inside the function
 *   call? jump?  through a register
 *   sum          sets that register to the sum of what it holds and an address near here
 *   entry        loads that register from a table of 32-bit entries
 *   |            the next function begins
 *
 * Nothing is between instructions but spaces. */
#ifndef SLUICE_TESTS_LOCK_CODE_H
#define SLUICE_TESTS_LOCK_CODE_H

#include <stdint.h>

#include "host/driver/code/analysis.h"

#define LOCK_CODE_BASE 0x400000u

/* The code of a text, which stays as it is until the next call. */
const struct sl_code *lock_code(const char *text);

/* Offset in bytes of the instruction that a letter names; of '-', SL_RECONVERGE_NONE. */
uint32_t lock_code_at(char label);

#endif
