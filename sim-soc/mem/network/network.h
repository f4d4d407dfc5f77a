/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The interface of networks between caches and what is behind them. Nodes are numbered by whoever
 * makes one: L1 caches first, then sharing trackers, where there are any, and the L2's banks. A
 * message has data or nothing but its header, which is one part (flit). */
#ifndef SLUICE_MEM_NETWORK_H
#define SLUICE_MEM_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/parts/calendar.h"

struct sl_config;

struct interconnect;

struct interconnect_ops {
    const char *name;
    /* NULL when out of memory. */
    struct interconnect *(*create)(const struct sl_config *config, uint32_t nodes,
                                   const struct sim_clock *clock);
    void (*destroy)(struct interconnect *net);
    void (*reset)(struct interconnect *net);
    /* A message of `parts` parts leaves `from` at a time. Returns when all of it is at `to`. */
    uint64_t (*send)(struct interconnect *net, uint32_t from, uint32_t to, uint32_t parts,
                     uint64_t time_ps, uint64_t now_ps);
    /* The same for a header, without contention and without effect on others. */
    uint64_t (*latency)(const struct interconnect *net, uint32_t from, uint32_t to);
};

struct interconnect {
    const struct interconnect_ops *ops;
    uint32_t nodes;
    struct sim_clock clock;
    uint32_t width;      /* bytes of a part */
    uint32_t line_parts; /* of a message with a line: interconnect_create()'s */
};

extern const struct interconnect_ops interconnect_crossbar;
extern const struct interconnect_ops interconnect_torus;

/* The network of mem.network. NULL when out of memory. */
struct interconnect *interconnect_create(const struct sl_config *config, uint32_t nodes,
                                         const struct sim_clock *clock);

/* Parts of a message with so many bytes of data, or none. */
static inline uint32_t interconnect_parts(const struct interconnect *net, uint32_t bytes)
{
    return bytes == 0 ? 1 : (bytes + net->width - 1) / net->width;
}

static inline uint64_t interconnect_send(struct interconnect *net, uint32_t from, uint32_t to,
                                         bool has_line, uint64_t time_ps, uint64_t now_ps)
{
    return net->ops->send(net, from, to, has_line ? net->line_parts : 1, time_ps, now_ps);
}

#endif
