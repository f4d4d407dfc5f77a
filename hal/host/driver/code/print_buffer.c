/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The buffer that a program's kernels print to (hal/include/sluice/wave/printf.h). */
#include "host/driver/code/module.h"
#include "host/driver/machine/machine.h"

enum sl_status sl_print_buffer_attach(struct sl_soc *soc, uint64_t variable,
                                      struct sl_print_buffer **out)
{
    const uint64_t bytes = (uint64_t)soc->config.number[SL_CFG_HOST_PRINT_BUFFER];
    *out = NULL;
    if (variable == 0) {
        return SL_OK;
    }
    struct sl_print_buffer *const buffer =
        sl_soc_alloc_own(soc, "the print buffer", sizeof *buffer + bytes);
    if (buffer == NULL) {
        return soc->failure; /* with sl_soc_alloc_own()'s message */
    }
    buffer->bytes = bytes;
    *(uint64_t *)(uintptr_t)variable = (uintptr_t)buffer;
    *out = buffer;
    return SL_OK;
}
