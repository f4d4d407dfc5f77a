/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Results of runs, and the JSON file of them (docs/design.md, "Statistics"): one flat object of
 * dotted names, in the table's order, counts as integers; where data accesses were served follows
 * (served.c). */
#include "host/observation/results.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/observation/served.h"
#include "host/observation/statistics.h"

void sl_results_accumulate(struct sl_results *results)
{
    *results = (struct sl_results){.is_sum = true};
}

void sl_results_begin(struct sl_results *results)
{
    if (!results->is_sum) {
        memset(results->statistics, 0, sizeof results->statistics);
    }
}

void sl_results_take(struct sl_results *results, const uint64_t *statistics,
                     const struct sl_served *served)
{
    if (results->is_sum) {
        sl_statistics_add(results->statistics, statistics);
        sl_served_add(&results->served, served);
    } else {
        memcpy(results->statistics, statistics, sizeof results->statistics);
        results->served = *served;
    }
}

/* NULL, with a message, where the number cannot be written: JSON has no infinities and no NaN, and
 * jansson no integers above INT64_MAX. */
static json_t *statistic_json(const uint64_t *statistics, enum sl_statistic id, char *error,
                              size_t error_bytes)
{
    const struct sl_statistic_entry *const entry = &sl_statistic_table[id];
    const bool is_count = entry->kind == SL_STAT_KIND_COUNT;
    const double real = sl_statistics_real(statistics, id);
    if (is_count ? statistics[id] > INT64_MAX : !isfinite(real)) {
        (void)snprintf(error, error_bytes, "statistic %s is not a sane number (0x%" PRIx64 ")",
                       entry->name, statistics[id]);
        return NULL;
    }
    return is_count ? json_integer((json_int_t)statistics[id]) : json_real(real);
}

static json_t *results_json(const struct sl_results *results, const struct sl_config *config,
                            char *error, size_t error_bytes)
{
    json_t *const object = json_object();
    (void)snprintf(error, error_bytes, "out of memory");
    for (int id = 0; object != NULL && id < SL_STAT_COUNT; id++) {
        json_t *const value =
            statistic_json(results->statistics, (enum sl_statistic)id, error, error_bytes);
        if (value == NULL || json_object_set_new(object, sl_statistic_table[id].name, value) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    if (object != NULL && sl_served_put(object, &results->served, config) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

enum sl_status sl_results_write(const struct sl_results *results, const struct sl_config *config,
                                const char *path, char *error, size_t error_bytes)
{
    json_t *const object = results_json(results, config, error, error_bytes);
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
        (void)snprintf(error, error_bytes, "cannot write statistics to '%s': %s", path,
                       strerror(reason));
        return SL_ERROR_USAGE;
    }
    return SL_OK;
}
