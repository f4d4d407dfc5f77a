/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches over a single dimension, or two: many as one run. */
#ifndef SLUICE_WORKLOADS_COMMON_LAUNCHES_H
#define SLUICE_WORKLOADS_COMMON_LAUNCHES_H

#include <stdint.h>

#include "sluice/sluice.h"

/* Launches that are noted first, and then run as a sequence. Where `word` is not NULL, those from
 * `first` to `last` repeat while it is not 0, as sl_launch_sequence() says. */
struct launches {
    struct sl_soc *soc;
    struct sl_module *module;
    unsigned first;
    unsigned last;
    const uint32_t *word;
    unsigned count;
    struct sl_launch_step steps[SL_SEQUENCE_LAUNCHES];
};

/* Notes a launch, as of sl_app_launch(). There is room for SL_SEQUENCE_LAUNCHES. */
void launches_add(struct launches *launches, const char *kernel, uint32_t items, uint32_t group,
                  uint32_t lds_bytes, const uint64_t *arguments, unsigned count);

/* The same with arguments that are not all integers or addresses: SL_VALUES(). */
void launches_add_values(struct launches *launches, const char *kernel, uint32_t items,
                         uint32_t group, uint32_t lds_bytes, const struct sl_value *values,
                         unsigned count);

/* The same two over two dimensions, in work-groups of exactly that size. */
void launches_add_plane(struct launches *launches, const char *kernel, const uint32_t items[2],
                        const uint32_t group[2], uint32_t lds_bytes, const uint64_t *arguments,
                        unsigned count);
void launches_add_plane_values(struct launches *launches, const char *kernel,
                               const uint32_t items[2], const uint32_t group[2], uint32_t lds_bytes,
                               const struct sl_value *values, unsigned count);

/* Runs what was noted, and waits for its end. */
SL_MUST_USE enum sl_status launches_run(const struct launches *launches);

/* The same with a run for each launch, none of them more than once. Statistics are those of all
 * together. */
SL_MUST_USE enum sl_status launches_run_each(const struct launches *launches);

#endif
