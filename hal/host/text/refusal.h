/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Refusals of graphs, launches and sequences of them in words, by the columns of
 * hal/regs/codes.def. */
#ifndef SLUICE_HOST_TEXT_REFUSAL_H
#define SLUICE_HOST_TEXT_REFUSAL_H

#include "config/config.h"
#include "graph/refusal.h"

/* What a refusal is about. */
enum sl_refusal_node {
    SL_REFUSAL_OF_GRAPH,
    SL_REFUSAL_OF_CHANNEL,
    SL_REFUSAL_OF_KERNEL,
    SL_REFUSAL_OF_EDGE,
    SL_REFUSAL_OF_LAUNCH,
    SL_REFUSAL_OF_SEQUENCE,
};

enum sl_refusal_node sl_refusal_node(enum sl_refusal reason);

/* Appends the table's explanation, or the one that is given in its place unless that is NULL. The
 * configuration may be NULL. */
void sl_refusal_explain(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                        const char *explanation, char *out, size_t bytes);

#endif
