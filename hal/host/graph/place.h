/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Placing a graph in shared memory. */
#ifndef SLUICE_HOST_PLACE_H
#define SLUICE_HOST_PLACE_H

#include "host/graph/nodes.h"

/* Places a graph whose nodes are known in shared memory and fills it in. On failure everything is
 * freed again, and the machine object has the message. */
enum sl_status sl_graph_place(struct sl_graph_builder *graph);

/* Frees what sl_graph_place() allocated. */
void sl_graph_unplace(struct sl_graph_builder *graph);

#endif
