/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The interface of aggregator core models.
 *
 * A model is driven by the instruction stream: once before each instruction, which says when it
 * takes effect, and once after each memory access. It keeps the aggregator's clock. */
#ifndef SLUICE_AGGREGATOR_CORE_H
#define SLUICE_AGGREGATOR_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "aggregator/core_counters.h"
#include "aggregator/core_insn.h"
#include "mem/mem.h"
#include "sluice/config.h"

struct agg_access {
    uint64_t address;
    bool is_store;
    bool is_device; /* a device register or another thing that is not memory: uncached */
};

struct agg_core {
    const struct agg_core_ops *ops;
    uint64_t time_ps; /* everything so far is done; a multiple of cycle_ps */
    uint64_t cycle_ps;
    struct agg_counters counters; /* of the run */
};

/* The aggregator's cycle in a configuration, in ps. */
static inline uint64_t agg_cycle_ps(const struct sl_config *config)
{
    return sl_config_period_ps(config, SL_CFG_AGG_CLOCK);
}

struct agg_core_ops {
    const char *name;
    struct agg_core *(*create)(const struct sl_config *config, struct mem_system *mem);
    void (*destroy)(struct agg_core *core);

    /* Sets the clock and the counters to zero and forgets all state. */
    void (*begin)(struct agg_core *core);

    /* An instruction comes next. Returns when it takes effect, in ps; never less than before. */
    uint64_t (*instruction)(struct agg_core *core, const struct agg_insn *insn);

    /* The instruction accessed memory or a device. */
    void (*access)(struct agg_core *core, const struct agg_access *access);

    /* No access of the last instruction comes any more. The next instruction says so too; this is
     * for readers of the counters between the two. */
    void (*finish)(struct agg_core *core);
};

extern const struct agg_core_ops agg_core_simple;
extern const struct agg_core_ops agg_core_inorder;
extern const struct agg_core_ops agg_core_ooo;

/* The core that the configuration describes (agg.core, core.model). NULL when out of memory. */
struct agg_core *agg_core_create(const struct sl_config *config, struct mem_system *mem);

#endif
