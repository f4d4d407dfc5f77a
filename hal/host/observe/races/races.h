/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Races that the simulator has found (recordings/races.h), of all runs: merged by pairs of source
 * lines and their kernels, whichever of the two came first; as text, and as JSON
 * (docs/do/find-races.md).
 */
#ifndef SLUICE_HOST_OBSERVE_RACES_H
#define SLUICE_HOST_OBSERVE_RACES_H

#include <stdbool.h>

#include "host/driver/code/module.h"
#include "host/observe/trace/timeline.h"
#include "recordings/races.h"
#include "sluice/sluice.h"

/* Where a side is in the program. */
struct sl_race_place {
    struct sl_code_place code;
    char *kernel; /* its name; NULL of the aggregator */
};

/* A pair of source lines, with the first race between them. */
struct sl_race_pair {
    struct sl_race race; /* its count is that of all */
    struct sl_race_place earlier;
    struct sl_race_place later;
    uint64_t run; /* in which that was, from 1 */
};

struct sl_race_list {
    struct sl_races *shared; /* NULL where none are looked for */
    struct sl_race_pair *pairs;
    size_t count;
    size_t capacity;
    uint64_t runs;
    uint64_t lost;      /* races of pairs of instructions for which there was no room */
    bool out_of_memory; /* the simulator has not looked for all */
};

/* A run has ended; these are its names. Returns 0, or -1 when out of memory. */
int sl_races_take(struct sl_race_list *list, const struct sl_module *module,
                  const struct sl_trace_names *names);

/* Tells of them, as sl_soc_tell_races(). */
void sl_races_tell(const struct sl_race_list *list, const struct sl_config *config, sl_line_fn line,
                   void *user);

/* Writes them to a file as JSON. Returns 0, or -1 with errno. */
int sl_races_write(const struct sl_race_list *list, const struct sl_config *config,
                   const char *path);

void sl_races_close(struct sl_race_list *list);

/* ---- words for both ---- */

/* "wavefront", "work-group", "device", "system" */
const char *sl_race_scope(unsigned scope);

/* "load", "store", "atomic" */
const char *sl_race_operation(const struct sl_race_side *side);

/* The model that is checked, as debug.races has it. */
const char *sl_race_model(const struct sl_config *config);

/* Whether memory goes stale without synchronization. */
bool sl_race_is_stale(const struct sl_config *config);

#endif
