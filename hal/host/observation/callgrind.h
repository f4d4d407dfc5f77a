/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A profile of the firmware as a file in Callgrind's format (manual of Valgrind, "Callgrind Format
 * Specification"), which callgrind_annotate and KCachegrind read. */
#ifndef SLUICE_HOST_CALLGRIND_H
#define SLUICE_HOST_CALLGRIND_H

#include <stdint.h>
#include <stdio.h>

#include "sluice/observation.h"

/* What the code at an address is in the source. Names may be NULL, where they are not known; they
 * live as long as what they are asked of. */
struct sl_source {
    const char *function;
    const char *function_file; /* of its first instruction */
    const char *file; /* of the instruction: another one where it is of an inlined function */
    int line;         /* in `file` */
};

struct sl_callgrind {
    const struct sl_profile *profile;
    uint64_t places;   /* so many are looked at, and the last one of all */
    uint64_t cycle_ps; /* of the aggregator */
    const char *command;
    void *code;
    struct sl_source (*source)(void *code, uint64_t pc);
    /* The line of function_file that it is on, or inlined into: wanted with calls only. */
    int (*outer_line)(void *code, uint64_t pc);
};

/* Writes it. Returns 0; -1 with errno where the stream took not all of it, or memory is used up. */
int sl_callgrind_write(const struct sl_callgrind *callgrind, FILE *stream);

#endif
