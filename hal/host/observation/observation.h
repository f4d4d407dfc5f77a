/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Profile and timeline of a machine's runs: memory that the simulator writes them to, and the files
 * that are made of it when a run has ended (profile.file, timeline.file). Beside them is what else
 * comes out of runs:
 *
 *     callgrind.c, firmware_code.c            the profile, and the names in it (profile.h)
 *     trace.c                                 the timeline
 *     results.c, served.c                     statistics, and their file
 *     print.c, print_format.c                 what kernels print
 *
 * Depends on machine and load. What the kernels and channels of a run are called, it is told. */
#ifndef SLUICE_HOST_OBSERVE_H
#define SLUICE_HOST_OBSERVE_H

#include "host/observation/profile.h"
#include "host/observation/trace.h"
#include "host/sluice.h"

struct sl_observation {
    struct sl_profile *profile; /* NULL where none is wanted */
    struct sl_firmware_code code;
    struct sl_timeline *timeline; /* likewise */
    size_t timeline_bytes;
    struct sl_trace trace;
};

/* Makes what the configuration asks for, before QEMU is started: it inherits the descriptors in the
 * machine's memory. */
enum sl_status sl_observe_open(struct sl_observation *observation, struct sl_soc *soc);

/* The firmware is in memory: that the names are its own is checked. */
enum sl_status sl_observe_booted(const struct sl_observation *observation, struct sl_soc *soc);

/* A run has ended, and its parts have these names: the files are written. */
enum sl_status sl_observe_run(struct sl_observation *observation, struct sl_soc *soc,
                              const struct sl_trace_names *names);

/* Allowed on a zeroed object. */
void sl_observe_close(struct sl_observation *observation);

#endif
