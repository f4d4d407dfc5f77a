/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kinds of run, by the host's message that starts one. */
#ifndef SLUICE_FIRMWARE_RUNS_H
#define SLUICE_FIRMWARE_RUNS_H

#include "graph/run.h"

extern const struct run_kind run_graph;    /* SL_HOST_EXECUTE (run_graph.c) */
extern const struct run_kind run_open;     /* SL_HOST_OPEN (run_graph.c) */
extern const struct run_kind run_launch;   /* SL_HOST_LAUNCH (run_launch.c) */
extern const struct run_kind run_sequence; /* SL_HOST_SEQUENCE (run_launch.c) */
extern const struct run_kind run_trees;    /* SL_HOST_TREES (run_tasks.c) */

/* The kind of run that a message of this type starts, of enum sl_message_host_type; NULL for a type
 * that starts none. */
const struct run_kind *run_kind_of(uint32_t message_type);

#endif
