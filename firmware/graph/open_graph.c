/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The passes of an open graph: those of any graph (graph/graph_loop.h), and in each a look at the
 * host's next message. They are compiled once for all policies: what the host says comes seldom
 * beside what the device does, and so the loops of graphs that are not open stay as they are. */
#include "graph/open_graph.h"

#include "graph/graph_loop.h"

enum sl_message_agg_type open_passes(struct run *run, struct host_input *input,
                                     struct sl_message_agg *answer)
{
    host_input_begin(input, answer->sequence);
    return passes(run->scheduler, run, input, answer);
}
