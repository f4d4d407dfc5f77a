/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Units of sizes, times and frequencies, and numbers written with the largest that divides them. */
#include "config/units.h"

#include <stdio.h>

#include "config/config_internal.h"

static const struct sl_units no_units = {.of = "", .unit_is_optional = true};
static const struct sl_units sizes = {
    "size", true, {{"B", 1}, {"KiB", 1ull << 10}, {"MiB", 1ull << 20}, {"GiB", 1ull << 30}}};
static const struct sl_units times = {
    "time",
    false,
    {{"ps", 1}, {"ns", 1000}, {"us", 1000000}, {"ms", 1000000000}, {"s", 1000000000000}}};
static const struct sl_units frequencies = {
    "frequency", false, {{"Hz", 1}, {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}}};

const struct sl_units *sl_units_of(enum sl_config_type type)
{
    switch (type) {
    case SL_CONFIG_TYPE_BYTES:
        return &sizes;
    case SL_CONFIG_TYPE_TIME:
        return &times;
    case SL_CONFIG_TYPE_FREQUENCY:
        return &frequencies;
    default:
        return &no_units;
    }
}

size_t sl_units_count(const struct sl_units *units)
{
    size_t count = 0;
    while (count < SL_UNITS_MAX && units->unit[count].name != NULL) {
        count++;
    }
    return count;
}

void sl_units_format(enum sl_config_type type, char *out, size_t bytes)
{
    const struct sl_units *units = sl_units_of(type);
    size_t count = sl_units_count(units);
    size_t length = 0;
    snprintf(out, bytes, "%s", "");
    for (size_t i = 0; i < count && length < bytes; i++) {
        const char *separator = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        length +=
            (size_t)snprintf(out + length, bytes - length, "%s%s", separator, units->unit[i].name);
    }
}

void sl_config_format_number(enum sl_config_key key, int64_t number, char *out, size_t bytes)
{
    const struct sl_units *units = sl_units_of(sl_config_table[key].type);
    size_t best = sl_units_count(units);
    if (best == 0) {
        snprintf(out, bytes, "%lld", (long long)number);
        return;
    }
    do {
        best--;
    } while (best > 0 && (number == 0 || number % (int64_t)units->unit[best].scale != 0));
    snprintf(out, bytes, "%lld %s", (long long)(number / (int64_t)units->unit[best].scale),
             units->unit[best].name);
}
