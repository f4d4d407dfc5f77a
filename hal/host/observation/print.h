/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels print (hal/wave/printf.h), on the host's side. */
#ifndef SLUICE_HOST_PRINT_H
#define SLUICE_HOST_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "host/sluice.h"

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

#endif
