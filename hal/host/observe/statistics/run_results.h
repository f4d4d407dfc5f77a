/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the last run measured, or several runs together: statistics, and where data accesses were
 * served. */
#ifndef SLUICE_HOST_OBSERVE_STATISTICS_RUN_RESULTS_H
#define SLUICE_HOST_OBSERVE_STATISTICS_RUN_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/base/run_statistics.h"
#include "host/observe/profile/kernel_profile.h"
#include "host/observe/sharing/sharing.h"
#include "host/observe/statistics/channel_sums.h"
#include "sluice/sluice.h"

struct sl_results {
    bool is_sum;                        /* of all runs since sl_results_accumulate() */
    uint64_t statistics[SL_STAT_COUNT]; /* of the last run, or of all since then */
    struct sl_served served;            /* likewise */
    struct sl_sharing_list sharing;     /* likewise; empty where nobody looked (mem.sharing) */
    struct sl_kernel_sums kernels;      /* likewise (kernel_profile.file) */
    struct sl_channel_sums channels;    /* likewise (latency.measure) */
};

/* From here on they are those of all runs together; what was there is forgotten. */
void sl_results_accumulate(struct sl_results *results);

/* A run begins; another one has ended with these. */
void sl_results_begin(struct sl_results *results);
void sl_results_take(struct sl_results *results, const uint64_t *statistics,
                     const struct sl_served *served);

/* Gives back what they hold. */
void sl_results_close(struct sl_results *results);

/* All of them as one flat JSON object. NULL with a message. */
json_t *sl_results_json(const struct sl_results *results, const struct sl_config *config,
                        char *error, size_t error_bytes);

/* Writes them as one flat JSON object. SL_OK, or a status with a message. */
enum sl_status sl_results_write(const struct sl_results *results, const struct sl_config *config,
                                const char *path, char *error, size_t error_bytes);

/* ---- where data accesses were served ---- */

/* Adds another run's figures to some. */
void sl_served_add(struct sl_served *served, const struct sl_served *run);

/* Puts the figures into an object that a machine of this configuration has: those of each requester
 * and the latencies, where its memory system tells, and with mem.matrix those by structure.
 * Returns 0, or -1 when out of memory. */
int sl_served_put(json_t *object, const struct sl_served *served, const struct sl_config *config);

#endif
