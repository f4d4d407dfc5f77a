/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kinds of run, by the host's message that starts one. */
#ifndef SLUICE_FIRMWARE_KINDS_H
#define SLUICE_FIRMWARE_KINDS_H

#include "core/run.h"

extern const struct run_kind run_graph;    /* SL_HOST_EXECUTE (graph.c) */
extern const struct run_kind run_open;     /* SL_HOST_OPEN (graph.c) */
extern const struct run_kind run_launch;   /* SL_HOST_LAUNCH (launch.c) */
extern const struct run_kind run_sequence; /* SL_HOST_SEQUENCE (launch.c) */
extern const struct run_kind run_trees;    /* SL_HOST_TREES (trees.c) */

/* The kind of run that a message of this type starts, of enum sl_message_host_type; NULL for a type
 * that starts none. */
const struct run_kind *run_kind_of(uint32_t message_type);

#endif
