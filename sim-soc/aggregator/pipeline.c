/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Parts of the pipelined core models (pipeline.h). */
#include "aggregator/pipeline.h"

#include "sluice/config.h"
#include <string.h>

int pipeline_init(struct pipeline *pipeline, const struct agg_core_ops *ops,
                  const struct sl_config *config, struct mem_system *mem)
{
    const int64_t *number = config->number;
    uint64_t cycle_ps = agg_cycle_ps(config);
    uint64_t memory_cycles = (uint64_t)number[SL_CFG_CORE_MEMORY_CYCLES];

    pipeline->base = (struct agg_core){.ops = ops, .cycle_ps = cycle_ps};
    pipeline->width = (uint32_t)number[SL_CFG_CORE_WIDTH];
    pipeline->device_cycles = ((uint64_t)number[SL_CFG_AGG_DEVICE] + cycle_ps - 1) / cycle_ps;
    for (unsigned i = 0; i < AGG_CLASS_COUNT; i++) {
        pipeline->latency[i] = agg_class_is_memory((enum agg_class)i) ? memory_cycles : 1;
    }
    pipeline->latency[AGG_MUL] = (uint64_t)number[SL_CFG_CORE_MUL_CYCLES];
    pipeline->latency[AGG_DIV] = (uint64_t)number[SL_CFG_CORE_DIV_CYCLES];
    pipeline->multipliers = (uint32_t)number[SL_CFG_CORE_MULTIPLIERS];
    data_cache_init(&pipeline->cache, config, mem);
    store_queue_init(&pipeline->stores, config);
    pipeline->stack.cycles = pipeline->base.counters.stack;
    return front_end_init(&pipeline->front, config, mem, &pipeline->base.counters,
                          &pipeline->stack);
}

void pipeline_destroy(struct pipeline *pipeline)
{
    front_end_destroy(&pipeline->front);
}

void pipeline_begin(struct pipeline *pipeline)
{
    front_end_reset(&pipeline->front);
    data_cache_reset(&pipeline->cache);
    store_queue_reset(&pipeline->stores);
    pipeline->base.time_ps = 0;
    pipeline->base.counters = (struct agg_counters){0};
    pipeline->commit = (struct slots){.cycle = 0};
    cycle_stack_reset(&pipeline->stack);
    memset(pipeline->ready, 0, sizeof(pipeline->ready));
    pipeline->memory_begin = 0;
    pipeline->all_begin = 0;
    memset(pipeline->divided, 0, sizeof(pipeline->divided));
    pipeline->insn = (struct agg_insn){.class = AGG_ALU};
    pipeline->unfinished = false;
    pipeline->queued = false;
    pipeline->effect = 0;
    pipeline->times = (struct pipeline_times){.rename = 0};
}

void pipeline_next(struct pipeline *pipeline, const struct agg_insn *insn)
{
    if (pipeline->insn.class == AGG_BRANCH) {
        front_end_branch(&pipeline->front, &pipeline->insn, insn->pc, pipeline->times.complete);
    }
    pipeline->insn = *insn;
    pipeline->base.counters.instructions++;
    pipeline->base.counters.branches += insn->class == AGG_BRANCH;
}

/* The unit that was free first divides until then. */
static void divide(struct pipeline *pipeline, uint64_t until)
{
    uint64_t *divided = pipeline->divided;

    divided[0] = until;
    for (uint32_t i = 1; i < pipeline->multipliers; i++) {
        if (divided[i] < divided[0]) {
            uint64_t other = divided[i];
            divided[i] = divided[0];
            divided[0] = other;
        }
    }
}

bool pipeline_issued(struct pipeline *pipeline, uint64_t renamed, uint64_t issued)
{
    enum agg_class class = (enum agg_class)pipeline->insn.class;

    pipeline->times.rename = renamed;
    pipeline->times.issue = issued;
    pipeline->times.complete = issued + pipeline->latency[class];
    if (class == AGG_DIV) {
        divide(pipeline, pipeline->times.complete);
    }
    pipeline->unfinished = agg_class_is_memory(class);
    return pipeline->unfinished;
}

uint64_t pipeline_expect(struct pipeline *pipeline)
{
    const struct pipeline_times *times = &pipeline->times;
    uint64_t begins = pipeline->insn.class == AGG_ATOMIC ? times->issue : times->complete;

    const uint64_t oldest = slots_next(&pipeline->commit, begins, pipeline->width);

    cycle_stack_charge(&pipeline->stack, oldest, SL_STACK_CORE_EXECUTE);
    return pipeline_clock(pipeline, oldest);
}

/* An access to the data cache: the wait for an MSHR, then what the access itself is. */
static uint64_t access_cache(struct pipeline *pipeline, uint64_t cycle, uint64_t address,
                             enum mem_kind kind)
{
    const uint64_t done = data_cache_access(&pipeline->cache, cycle, address, kind);

    cycle_stack_charge(&pipeline->stack, cycle, SL_STACK_CORE_EXECUTE);
    cycle_stack_charge(&pipeline->stack, pipeline->cache.begun, SL_STACK_MEMORY_MSHR);
    cycle_stack_charge(&pipeline->stack, done, cycle_stack_data(kind, pipeline->cache.hit_level));
    return done;
}

static uint64_t load(struct pipeline *pipeline, uint64_t address)
{
    uint64_t cycle = pipeline->times.issue + pipeline->latency[AGG_LOAD];

    pipeline->base.counters.loads++;
    cycle_stack_charge(&pipeline->stack, cycle, SL_STACK_CORE_EXECUTE);
    const enum store_queue_answer answer =
        store_queue_load(&pipeline->stores, address, pipeline->insn.access_bytes, &cycle);
    cycle_stack_charge(&pipeline->stack, cycle, SL_STACK_MEMORY_FORWARD);
    if (answer == STORE_QUEUE_FORWARDED) {
        pipeline->base.counters.forwarded_loads++;
        return cycle;
    }
    return access_cache(pipeline, cycle, address, MEM_LOAD);
}

static uint64_t store(struct pipeline *pipeline, uint64_t address)
{
    uint64_t cycle = pipeline->times.issue + pipeline->latency[AGG_STORE];

    pipeline->base.counters.stores++;
    if (pipeline->cache.mshrs == 0) {
        return access_cache(pipeline, cycle, address, MEM_STORE);
    }
    pipeline->queued = true;
    return cycle;
}

uint64_t pipeline_perform(struct pipeline *pipeline, const struct agg_access *access)
{
    enum agg_class class = (enum agg_class)pipeline->insn.class;

    if (access != NULL && access->is_device) {
        const uint64_t done = pipeline->effect + pipeline->device_cycles;
        pipeline->base.counters.device_accesses++;
        cycle_stack_charge(&pipeline->stack, done, SL_STACK_MEMORY_DEVICE);
        return done;
    }
    if (class == AGG_ATOMIC) {
        uint64_t address = access != NULL ? access->address : SL_DRAM_BASE;
        pipeline->base.counters.stores++;
        return access_cache(pipeline, pipeline->effect + pipeline->latency[class], address,
                            MEM_ATOMIC);
    }
    if (access == NULL) {
        return pipeline->times.issue + pipeline->latency[class];
    }
    return class == AGG_LOAD ? load(pipeline, access->address) : store(pipeline, access->address);
}

/* From its commit on a store goes to the cache. */
static void leave_queue(struct pipeline *pipeline, uint64_t address)
{
    const struct pipeline_times *times = &pipeline->times;

    if (pipeline->queued) {
        store_queue_store(&pipeline->stores, &pipeline->cache, address, pipeline->insn.access_bytes,
                          times->complete, times->commit);
        pipeline->queued = false;
    } else {
        store_queue_skip(&pipeline->stores, times->commit);
    }
}

void pipeline_commit(struct pipeline *pipeline, const struct agg_access *access)
{
    const struct agg_insn *insn = &pipeline->insn;
    struct pipeline_times *times = &pipeline->times;

    const uint64_t before = pipeline->commit.cycle;
    times->commit = slots_take(&pipeline->commit, times->complete, pipeline->width);
    if (times->commit != before) {
        cycle_stack_charge(&pipeline->stack, times->commit, SL_STACK_CORE_EXECUTE);
        cycle_stack_commit(&pipeline->stack);
    }
    if (insn->class == AGG_STORE) {
        leave_queue(pipeline, access != NULL ? access->address : 0);
    }
    times->freed = pipeline->stores.empty;
    pipeline_clock(pipeline, times->commit);
    if (insn->rd != 0) {
        pipeline->ready[insn->rd] = times->complete;
    }
    if (insn->order & AGG_ORDER_MEMORY) {
        pipeline->memory_begin = times->commit;
    }
    if (insn->order & AGG_ORDER_ALL) {
        pipeline->all_begin = times->commit;
    }
}
