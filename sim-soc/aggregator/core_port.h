/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A core's accesses to the memory system, in cycles of the core. Latencies are rounded up. */
#ifndef SLUICE_AGGREGATOR_CORE_PORT_H
#define SLUICE_AGGREGATOR_CORE_PORT_H

#include "aggregator/core.h"
#include "mem/mem.h"

struct agg_port {
    struct mem_system *mem;
    struct mem_requester from;
    uint64_t cycle_ps;
    uint64_t last_ps; /* the latency seen last, and what it is in cycles: spares divisions */
    uint64_t last_cycles;
    uint8_t hit_level; /* of the last access: struct mem_request */
};

/* A port for data (MEM_AGG) or for instructions (MEM_AGG_CODE). */
static inline struct agg_port agg_port_make(const struct sl_config *config, struct mem_system *mem,
                                            enum mem_requester_kind kind)
{
    return (struct agg_port){
        .mem = mem, .from = {.kind = (uint16_t)kind}, .cycle_ps = agg_cycle_ps(config)};
}

/* Makes an access at a time, the beginning of a cycle; returns its latency in cycles. */
static inline uint64_t agg_port_access_at(struct agg_port *port, uint64_t time_ps, uint64_t address,
                                          enum mem_kind kind)
{
    struct mem_request request = {
        .time_ps = time_ps,
        .address = address,
        .from = port->from,
        .kind = (uint8_t)kind,
    };
    uint64_t latency_ps = port->mem->ops->access(port->mem, &request).done_ps - request.time_ps;

    port->hit_level = request.hit_level;
    if (latency_ps != port->last_ps) {
        port->last_ps = latency_ps;
        port->last_cycles = (latency_ps + port->cycle_ps - 1) / port->cycle_ps;
    }
    return port->last_cycles;
}

/* The same in a cycle. */
static inline uint64_t agg_port_access(struct agg_port *port, uint64_t cycle, uint64_t address,
                                       enum mem_kind kind)
{
    return agg_port_access_at(port, cycle * port->cycle_ps, address, kind);
}

#endif
