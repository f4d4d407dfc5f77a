/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Core model `simple`: not pipelined, one instruction at a time (papers/001 section 8.3).
 *
 * An instruction is fetched, takes effect, executes, and then waits for its memory access. Nothing
 * overlaps, stores neither, but for the first cycle of execution, which is the last one of the
 * fetch: the keys simple.* say how many follow. Latencies are rounded up to whole cycles. An AMO,
 * LR or SC is charged one access, whatever callbacks come for it: they differ between versions of
 * QEMU. */
#include <stdlib.h>

#include "aggregator/core.h"
#include "aggregator/core_port.h"
#include "aggregator/cycle_stack.h"
#include "engine/clock.h"
#include "sluice/config.h"

struct simple {
    struct agg_core base;
    struct agg_port data;
    struct agg_port code;
    uint64_t class_cycles[AGG_CLASS_COUNT];
    uint64_t device_cycles;
    bool atomic_due; /* the instruction is an atomic whose one access is not charged yet */
    bool is_atomic;
};

static struct agg_core *simple_create(const struct sl_config *config, struct mem_system *mem)
{
    static const enum sl_config_key keys[AGG_CLASS_COUNT] = {
        [AGG_ALU] = SL_CFG_SIMPLE_ALU_CYCLES,       [AGG_MUL] = SL_CFG_SIMPLE_MUL_CYCLES,
        [AGG_DIV] = SL_CFG_SIMPLE_DIV_CYCLES,       [AGG_BRANCH] = SL_CFG_SIMPLE_BRANCH_CYCLES,
        [AGG_LOAD] = SL_CFG_SIMPLE_MEMORY_CYCLES,   [AGG_STORE] = SL_CFG_SIMPLE_MEMORY_CYCLES,
        [AGG_ATOMIC] = SL_CFG_SIMPLE_MEMORY_CYCLES, [AGG_SYSTEM] = SL_CFG_SIMPLE_SYSTEM_CYCLES,
    };
    struct simple *simple = calloc(1, sizeof(*simple));

    if (simple == NULL) {
        return NULL;
    }
    simple->base.ops = &agg_core_simple;
    simple->base.cycle_ps = agg_cycle_ps(config);
    simple->data = agg_port_make(config, mem, MEM_AGG);
    simple->code = agg_port_make(config, mem, MEM_AGG_CODE);
    for (unsigned i = 0; i < AGG_CLASS_COUNT; i++) {
        simple->class_cycles[i] = (uint64_t)config->number[keys[i]];
    }
    const uint64_t cycle_ps = simple->base.cycle_ps;
    simple->device_cycles = ((uint64_t)config->number[SL_CFG_AGG_DEVICE] + cycle_ps - 1) / cycle_ps;
    return &simple->base;
}

static void simple_destroy(struct agg_core *core)
{
    free(core);
}

static void simple_begin(struct agg_core *core)
{
    struct simple *simple = (struct simple *)core;

    core->time_ps = 0;
    core->counters = (struct agg_counters){0};
    simple->atomic_due = false;
    simple->is_atomic = false;
}

/* So many cycles go to this. */
static void pass(struct simple *simple, uint64_t cycles, enum sl_stack_class what)
{
    simple->base.counters.stack[what] += cycles;
    simple->base.time_ps += cycles * simple->base.cycle_ps;
}

/* Fetches an instruction, which takes a cycle at least: the last one of them is the first of its
 * execution, and retires. */
static void fetch(struct simple *simple, uint64_t pc)
{
    struct agg_core *core = &simple->base;
    uint64_t cycles = later(agg_port_access_at(&simple->code, core->time_ps, pc, MEM_FETCH), 1);

    pass(simple, cycles - 1, cycle_stack_fetch(simple->code.hit_level));
    pass(simple, 1, SL_STACK_RETIRING);
    core->counters.fetches++;
}

/* Makes a data access to memory and waits for its end. */
static void charge(struct simple *simple, uint64_t address, enum mem_kind kind)
{
    struct agg_core *core = &simple->base;

    if (kind == MEM_LOAD) {
        core->counters.loads++;
    } else {
        core->counters.stores++;
    }
    simple->atomic_due = false;
    const uint64_t cycles = agg_port_access_at(&simple->data, core->time_ps, address, kind);
    pass(simple, cycles, cycle_stack_data(kind, simple->data.hit_level));
}

static void simple_finish(struct agg_core *core)
{
    struct simple *simple = (struct simple *)core;

    if (simple->atomic_due) {
        charge(simple, SL_DRAM_BASE, MEM_ATOMIC); /* no callback told its address */
    }
}

static uint64_t simple_instruction(struct agg_core *core, const struct agg_insn *insn)
{
    struct simple *simple = (struct simple *)core;

    simple_finish(core);
    simple->is_atomic = insn->class == AGG_ATOMIC;
    simple->atomic_due = simple->is_atomic;
    fetch(simple, insn->pc);
    simple->base.counters.instructions++;
    simple->base.counters.branches += insn->class == AGG_BRANCH;
    uint64_t effect_ps = core->time_ps;
    pass(simple, simple->class_cycles[insn->class], SL_STACK_CORE_EXECUTE);
    return effect_ps;
}

static void simple_access(struct agg_core *core, const struct agg_access *access)
{
    struct simple *simple = (struct simple *)core;

    if (simple->is_atomic && !simple->atomic_due) {
        return;
    }
    if (access->is_device) {
        simple->base.counters.device_accesses++;
        simple->atomic_due = false;
        pass(simple, simple->device_cycles, SL_STACK_MEMORY_DEVICE);
    } else if (simple->is_atomic) {
        charge(simple, access->address, MEM_ATOMIC);
    } else {
        charge(simple, access->address, access->is_store ? MEM_STORE : MEM_LOAD);
    }
}

const struct agg_core_ops agg_core_simple = {
    .name = "simple",
    .create = simple_create,
    .destroy = simple_destroy,
    .begin = simple_begin,
    .instruction = simple_instruction,
    .access = simple_access,
    .finish = simple_finish,
};
