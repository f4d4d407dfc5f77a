/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The statistics of the last graph: the table, reading single ones, and the JSON file (DESIGN
 * section 8): one flat object of dotted names, in the table's order, counts as integers; where data
 * accesses were served follows (served.c). */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/machine/soc.h"
#include "host/observation/served.h"

const struct sl_statistic_entry sl_statistic_table[SL_STAT_COUNT] = {
#define SL_STATISTIC(ID, name, kind, unit, text) {name, SL_STAT_KIND_##kind, unit, text},
#include "regs/statistics.def"
#undef SL_STATISTIC
};

uint64_t sl_statistic_count(const struct sl_soc *soc, enum sl_statistic id)
{
    return soc->statistics[id];
}

double sl_statistic_real(const struct sl_soc *soc, enum sl_statistic id)
{
    if (sl_statistic_table[id].kind == SL_STAT_KIND_COUNT) {
        return (double)soc->statistics[id];
    }
    double value;
    memcpy(&value, &soc->statistics[id], sizeof value);
    return value;
}

const struct sl_served *sl_statistic_served(const struct sl_soc *soc)
{
    return &soc->served;
}

/* NULL, with a message, where the number cannot be written: JSON has no infinities and no NaN, and
 * jansson no integers above INT64_MAX. */
static json_t *statistic_json(struct sl_soc *soc, enum sl_statistic id)
{
    const struct sl_statistic_entry *const entry = &sl_statistic_table[id];
    const bool is_count = entry->kind == SL_STAT_KIND_COUNT;
    if (is_count ? soc->statistics[id] > INT64_MAX : !isfinite(sl_statistic_real(soc, id))) {
        (void)sl_soc_fail(soc, SL_ERROR_MACHINE,
                          "statistic %s is not a sane number (0x%" PRIx64 ")", entry->name,
                          soc->statistics[id]);
        return NULL;
    }
    return is_count ? json_integer((json_int_t)soc->statistics[id])
                    : json_real(sl_statistic_real(soc, id));
}

static json_t *statistics_json(struct sl_soc *soc)
{
    json_t *const object = json_object();
    (void)sl_soc_fail(soc, SL_ERROR_MACHINE, "out of memory");
    for (int id = 0; object != NULL && id < SL_STAT_COUNT; id++) {
        json_t *const value = statistic_json(soc, (enum sl_statistic)id);
        if (value == NULL || json_object_set_new(object, sl_statistic_table[id].name, value) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    if (object != NULL && sl_served_put(object, &soc->served, &soc->config) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

enum sl_status sl_soc_write_statistics(struct sl_soc *soc, const char *path)
{
    json_t *const object = statistics_json(soc);
    if (object == NULL) {
        return SL_ERROR_MACHINE;
    }
    FILE *const file = fopen(path, "we");
    const bool is_written =
        file != NULL && json_dumpf(object, file, JSON_INDENT(2)) == 0 && fputc('\n', file) != EOF;
    int reason = is_written ? 0 : errno;
    if (file != NULL && fclose(file) != 0 && reason == 0) {
        reason = errno;
    }
    json_decref(object);
    if (reason != 0 || !is_written) {
        return sl_soc_fail(soc, SL_ERROR_USAGE, "cannot write statistics to '%s': %s", path,
                           strerror(reason));
    }
    return SL_OK;
}
