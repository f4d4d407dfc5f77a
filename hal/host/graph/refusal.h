/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Why a graph is refused, in words. */
#ifndef SLUICE_HOST_REFUSAL_H
#define SLUICE_HOST_REFUSAL_H

#include "graph/refusal.h"
#include "host/sluice.h"

/* "channel 0 'fib': width 100 is not a power of two from 64 to 16777216; 128 would be one".
 * Configuration and graph may be NULL: numbers stand for names then. */
void sl_graph_refusal_text(const struct sl_config *config, const struct sl_graph_builder *graph,
                           const struct sl_graph_refusal *refusal, char *out, size_t bytes);

#endif
