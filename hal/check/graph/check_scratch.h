/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory that the graph check works in. */
#ifndef SLUICE_CHECK_GRAPH_CHECK_SCRATCH_H
#define SLUICE_CHECK_GRAPH_CHECK_SCRATCH_H

#include <stdbool.h>

#include "check/graph/overlap_check.h"
#include "check/graph/waiting_order.h"
#include "sluice/layouts.h"

/* About 122 KiB. Of its contents only the order means something to the caller, for a graph that may
 * run and is scheduled by level. */
struct sl_graph_scratch {
    struct sl_graph_range range[4 * SL_GRAPH_CHANNELS + SL_GRAPH_KERNELS + 7];
    uint64_t demand[SL_GRAPH_CHANNELS];
    struct sl_limit limit[SL_GRAPH_CHANNELS]; /* of one kernel, as its edges say */
    bool is_held[SL_GRAPH_CHANNELS];          /* by guards, as far as is known */
    struct sl_graph_order order;
};

#endif
