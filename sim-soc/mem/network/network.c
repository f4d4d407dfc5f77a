/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The networks that there are, by mem.network. */
#include "mem/network/network.h"

#include "sluice/config.h"
#include "sluice/memory_map.h"

static const struct interconnect_ops *const networks[] = {
    [SL_MEM_NETWORK_CROSSBAR] = &interconnect_crossbar,
    [SL_MEM_NETWORK_TORUS] = &interconnect_torus,
};

struct interconnect *interconnect_create(const struct sl_config *config, uint32_t nodes,
                                         const struct sim_clock *clock)
{
    struct interconnect *net =
        networks[config->number[SL_CFG_MEM_NETWORK]]->create(config, nodes, clock);

    if (net != NULL) {
        net->line_parts = interconnect_parts(net, SL_CACHE_LINE_BYTES);
    }
    return net;
}
