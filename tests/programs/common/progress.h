/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Waiting for a graph or a launch with something to look at. */
#ifndef SLUICE_PROGRAMS_PROGRESS_H
#define SLUICE_PROGRAMS_PROGRESS_H

#include "sluice/sluice.h"

/* Waits for the graph's end; NULL for a launch. Where standard error is a terminal and the run
 * takes longer than a second, a line there shows simulated time, elements done and wall time; it is
 * cleared at the end. */
SL_MUST_USE enum sl_status progress_wait(struct sl_soc *soc, struct sl_graph_builder *graph);

#endif
