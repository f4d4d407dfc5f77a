/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Units of sizes, times and frequencies. */
#ifndef SLUICE_UNITS_H
#define SLUICE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sluice/config.h"

#define SL_UNITS_MAX 5

struct sl_units {
    const char *of;        /* what they measure, for messages */
    bool unit_is_optional; /* a bare number is in the smallest unit */
    struct {
        const char *name;
        uint64_t scale;   /* in the smallest unit */
    } unit[SL_UNITS_MAX]; /* from the smallest up; the rest has no name */
};

/* The units of a type: none for numbers, choices and texts. */
const struct sl_units *sl_units_of(enum sl_config_type type);
size_t sl_units_count(const struct sl_units *units);

/* Writes them as "ps, ns, us, ms or s"; nothing for a type without. */
void sl_units_format(enum sl_config_type type, char *out, size_t bytes);

#endif
