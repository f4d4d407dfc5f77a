/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of library.c: the C library's functions in each lane, with its own input. */
#include "probes/library/library.h"
#include "sluice/wave/wave.h"

SL_KERNEL void library_kernel(const struct library_input *inputs, struct library_result *results)
{
    const struct library_input *const input = &inputs[sl_global_id(0)];
    struct library_result *const result = &results[sl_global_id(0)];
    library_mathematics(result, input->x, input->y);
    library_strings(result, input->text);
}
