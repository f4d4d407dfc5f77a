/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels print (hal/include/sluice/wave/printf.h), on the host's side. */
#ifndef SLUICE_HOST_OBSERVE_PRINT_H
#define SLUICE_HOST_OBSERVE_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sluice/sluice.h"

/* Memory that formats and strings may be in: what kernels may read, so that printing shows nothing
 * else. */
struct sl_print_memory {
    uint64_t base;
    uint64_t limit;
    const struct sl_protection *table; /* of that, what this opens; NULL: all */
};

struct sl_print {
    const struct sl_config *config; /* says how large the buffer is */
    struct sl_print_buffer *buffer; /* in shared memory; NULL where the program does not print */
    struct sl_print_memory memory;
    uint64_t shown;   /* bytes of its records */
    uint64_t written; /* bytes of text, of the run */
    bool is_cut;      /* these are all that are wanted: the rest is left out */
    FILE *stream;     /* NULL: standard error */
};

/* Before a run: empties the program's buffer. Nothing runs. */
void sl_print_begin(struct sl_print *print, struct sl_print_buffer *buffer,
                    const struct sl_print_memory *memory);

/* Shows what has been printed since; at the end of a run also what was lost. */
void sl_print_show(struct sl_print *print, bool is_end);

/* ---- what one call of sl_printf says ---- */

/* Writes what a record says. Arguments that are missing, strings outside the memory and conversions
 * that kernels do not have are shown as such; of formats and strings at most SL_PRINT_TEXT_BYTES,
 * widths and precisions are at most 9999. Lanes may write to all of it meanwhile. Ends early where
 * the stream has more than `most` bytes. */
#define SL_PRINT_TEXT_BYTES 65536u
void sl_print_format(FILE *out, const struct sl_print_memory *memory, uint64_t format,
                     const uint64_t *arguments, uint64_t count, uint64_t most);

/* Writes text, its control characters and bytes that are no UTF-8 as \xNN, but for newline and tab:
 * at most `most` bytes, and of characters none in part. Returns how many; *done: bytes of the text
 * that they are. */
uint64_t sl_print_escape(FILE *out, const char *text, size_t bytes, uint64_t most, size_t *done);

#endif
