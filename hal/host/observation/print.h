/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels print (hal/wave/printf.h), on the host's side. */
#ifndef SLUICE_HOST_PRINT_H
#define SLUICE_HOST_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "host/sluice.h"

/* Memory that formats and strings may be in. */
struct sl_print_memory {
    uint64_t base;
    uint64_t limit;
};

/* Writes what a record says. Arguments that are missing, strings outside the memory and conversions
 * that kernels do not have are shown as such. */
void sl_print_format(FILE *out, const struct sl_print_memory *memory, uint64_t format,
                     const uint64_t *arguments, uint64_t count);

/* Gives the program a buffer, where it prints; `variable` is the address of its pointer to one, or
 * 0. SL_OK, or SL_ERROR_USAGE with a message. */
SL_MUST_USE enum sl_status sl_print_attach(struct sl_soc *soc, uint64_t variable);

/* Takes the buffer away again. */
void sl_print_detach(struct sl_soc *soc);

/* Before a run: empties the buffer. Nothing runs. */
void sl_print_begin(struct sl_soc *soc);

/* Shows what has been printed since; at the end of a run also what was lost. */
void sl_print_show(struct sl_soc *soc, bool is_end);

#endif
