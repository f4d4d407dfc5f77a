/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Refusals of graphs, launches and sequences of them in words (hal/contract/codes.def). */
#ifndef SLUICE_HOST_DRIVER_GRAPH_REFUSAL_TEXT_H
#define SLUICE_HOST_DRIVER_GRAPH_REFUSAL_TEXT_H

#include <stddef.h>

#include "check/graph/refusal.h"
#include "sluice/config.h"

/* What a refusal is about. */
enum sl_refusal_node {
    SL_REFUSAL_OF_GRAPH,
    SL_REFUSAL_OF_CHANNEL,
    SL_REFUSAL_OF_KERNEL,
    SL_REFUSAL_OF_EDGE,
    SL_REFUSAL_OF_GUARD,
    SL_REFUSAL_OF_LAUNCH,
    SL_REFUSAL_OF_SEQUENCE,
    SL_REFUSAL_OF_TREES,
};
enum sl_refusal_node sl_refusal_node(enum sl_refusal reason);

/* Appends the table's explanation, or the one that is given in its place unless that is NULL. The
 * configuration may be NULL. */
void sl_refusal_explain(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                        const char *explanation, char *out, size_t bytes);

#endif
