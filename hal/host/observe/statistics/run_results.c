/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Results of runs, one or several together, and the JSON file of them (docs/know/design.md,
 * "Statistics"): one flat object of dotted names, in the table's order, counts as integers; where
 * data accesses were served, who shares what, what kernels have cost and how long elements take
 * follow (served_json.c, host/observe/sharing/sharing_json.c, profile/kernel_sums.c,
 * channel_sums.c). */
#include "host/observe/statistics/run_results.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/energy.h"
#include "host/base/atomic_file.h"

void sl_results_accumulate(struct sl_results *results)
{
    sl_results_close(results);
    *results = (struct sl_results){.is_sum = true};
}

void sl_results_close(struct sl_results *results)
{
    sl_sharing_clear(&results->sharing);
    sl_kernel_sums_clear(&results->kernels);
    sl_channel_sums_clear(&results->channels);
}

void sl_results_begin(struct sl_results *results)
{
    if (!results->is_sum) {
        memset(results->statistics, 0, sizeof results->statistics);
        sl_results_close(results);
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

/* Whether a number can be written: JSON has no infinities and no NaN, and jansson no integers above
 * INT64_MAX. */
static bool is_sane(const uint64_t *statistics, enum sl_statistic id)
{
    return sl_statistic_table[id].kind == SL_STAT_KIND_COUNT
               ? statistics[id] <= INT64_MAX
               : isfinite(sl_statistics_real(statistics, id));
}

/* Figures of energy are of machines that papers/003 Table 4.3 has. */
static bool is_there(enum sl_statistic id, const struct sl_config *config)
{
    struct sl_energy_model model;
    return id < SL_STAT_ENERGY_L1_PJ || id > SL_STAT_ENERGY_AREA_MM2 ||
           sl_energy_model(config, &model);
}

json_t *sl_results_json(const struct sl_results *results, const struct sl_config *config,
                        char *error, size_t error_bytes)
{
    const uint64_t *const statistics = results->statistics;
    json_t *const object = json_object();
    int failed = object == NULL;
    for (int i = 0; !failed && i < SL_STAT_COUNT; i++) {
        const enum sl_statistic id = (enum sl_statistic)i;
        const struct sl_statistic_entry *const entry = &sl_statistic_table[id];
        if (!is_there(id, config)) {
            continue;
        }
        if (!is_sane(statistics, id)) {
            (void)snprintf(error, error_bytes, "statistic %s is not a sane number (0x%" PRIx64 ")",
                           entry->name, statistics[id]);
            json_decref(object);
            return NULL;
        }
        failed = json_object_set_new(object, entry->name,
                                     entry->kind == SL_STAT_KIND_COUNT
                                         ? json_integer((json_int_t)statistics[id])
                                         : json_real(sl_statistics_real(statistics, id)));
    }
    if (failed || sl_served_put(object, &results->served, config) != 0 ||
        sl_sharing_put(object, &results->sharing) != 0 ||
        sl_kernel_sums_put(object, &results->kernels) != 0 ||
        sl_channel_sums_put(object, &results->channels) != 0) {
        (void)snprintf(error, error_bytes, "out of memory");
        json_decref(object);
        return NULL;
    }
    return object;
}

enum sl_status sl_results_write(const struct sl_results *results, const struct sl_config *config,
                                const char *path, char *error, size_t error_bytes)
{
    json_t *const object = sl_results_json(results, config, error, error_bytes);
    if (object == NULL) {
        return SL_ERROR_MACHINE;
    }
    const int reason = sl_output_json(path, object, JSON_INDENT(2));
    json_decref(object);
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "cannot write statistics to '%s': %s", path,
                       strerror(reason));
        return sl_target_is_of_name(reason) ? SL_ERROR_USAGE : SL_ERROR_MACHINE;
    }
    return SL_OK;
}
