/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A litmus test as machine code of the compute units, one instruction for each operation where that
 * is possible: nothing but the test itself is between two of its accesses. */
#ifndef SLUICE_LITMUS_CODE_H
#define SLUICE_LITMUS_CODE_H

#include <stdint.h>

#include "litmus/plan.h"
#include "litmus/test.h"

/* Writes the function litmus_code of litmus_kernel.c, and returns how many words it has: always
 * fewer than LITMUS_CODE_WORDS. Thread i has the code numbers i and thread_count + i; in a
 * wavefront, lower numbers are first. */
unsigned litmus_code_make(const struct litmus_test *test, uint32_t word[LITMUS_CODE_WORDS]);

#endif
