/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Matrices of the programs that multiply them. */
#ifndef SLUICE_WORKLOADS_COMMON_MATRIX_H
#define SLUICE_WORKLOADS_COMMON_MATRIX_H

#include <stddef.h>
#include <stdint.h>

/* Random multiples of 2^-31 from -1 to 1; *state goes on. */
void matrix_fill(float *elements, size_t count, uint64_t *state);

#endif
