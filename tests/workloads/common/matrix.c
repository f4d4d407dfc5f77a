/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random matrices. */
#include "workloads/common/matrix.h"

void matrix_fill(float *elements, size_t count, uint64_t *state)
{
    for (size_t i = 0; i < count; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        elements[i] = (float)(int32_t)(*state >> 32) * 0x1p-31f;
    }
}
