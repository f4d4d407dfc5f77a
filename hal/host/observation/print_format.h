/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What one call of sl_printf (hal/wave/printf.h) says. */
#ifndef SLUICE_HOST_PRINT_FORMAT_H
#define SLUICE_HOST_PRINT_FORMAT_H

#include <stdint.h>
#include <stdio.h>

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
