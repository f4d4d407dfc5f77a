/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What runs on a machine, or ran last: a graph, a launch or a sequence of them, with its results
 * and what is observed of it.
 *
 *     soc.c                          a machine, opened and closed with all that is on it
 *     start.c, launch.c, sequence.c  runs begin
 *     wait.c                         runs end: the firmware's messages
 *     inspect.c                      the wavefront inspector
 *     figures.c                      results for the host program
 *     launch_refusal.c               why a launch is refused
 *
 * The top of the host library: depends on all other folders, and none on it. */
#ifndef SLUICE_HOST_RUN_H
#define SLUICE_HOST_RUN_H

#include "host/machine/machine.h"
#include "host/messages/messages.h"
#include "host/observation/observation.h"
#include "host/observation/print.h"
#include "host/observation/results.h"
#include "host/sluice.h"

struct sl_run {
    uint32_t kind;               /* enum sl_message_host_type */
    uint64_t graph;              /* its address; 0 where it is none */
    struct sl_launched launched; /* where it is none */
    uint32_t sequence;           /* of the last message to the firmware */
    struct sl_launch *launch;    /* in shared memory; NULL before the first launch */
    struct sl_sequence *steps;   /* likewise; of as many launches as the last one had */
    struct sl_completion_counts counts;
    struct sl_results results;
    struct sl_print print;
    struct sl_observation observation;
};

static inline struct sl_run *sl_run_of(const struct sl_soc *soc)
{
    return sl_soc_residents(soc)->run;
}

/* Gives a machine one. NULL when out of memory. */
struct sl_run *sl_run_create(struct sl_soc *soc);

/* Takes it away again, if there is one. */
void sl_run_destroy(struct sl_soc *soc);

/* What messages about it need. */
struct sl_message_context sl_run_context(struct sl_soc *soc);

/* It has ended: writes profile and timeline, where they are wanted. */
enum sl_status sl_run_observe(struct sl_soc *soc);

#endif
