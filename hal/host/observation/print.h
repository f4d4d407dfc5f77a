/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels print (hal/include/sluice/wave/printf.h), on the host's side. */
#ifndef SLUICE_HOST_PRINT_H
#define SLUICE_HOST_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice/sluice.h"

struct sl_print {
    const struct sl_config *config;
    const struct sl_layout *layout;
    struct sl_print_buffer *buffer; /* in shared memory; NULL where the program does not print */
    uint64_t shown;                 /* bytes of its records */
    FILE *stream;                   /* NULL: standard error */
};

/* Before a run: empties the program's buffer. Nothing runs. */
void sl_print_begin(struct sl_print *print, struct sl_print_buffer *buffer);

/* Shows what has been printed since; at the end of a run also what was lost. */
void sl_print_show(struct sl_print *print, bool is_end);

/* ---- what one call of sl_printf says ---- */

/* Memory that formats and strings may be in. */
struct sl_print_memory {
    uint64_t base;
    uint64_t limit;
};

/* Writes what a record says. Arguments that are missing, strings outside the memory and conversions
 * that kernels do not have are shown as such. */
void sl_print_format(FILE *out, const struct sl_print_memory *memory, uint64_t format,
                     const uint64_t *arguments, uint64_t count);

#endif
