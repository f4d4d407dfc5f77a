/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Core model `ooo`: an out-of-order core (papers/001 section 8.3 and Table 5; numbers in
 * hal/config/cores.def, where they come from in docs/know/cores.md).
 *
 * An instruction is fetched (front_end.h), renamed in order when there is a reorder buffer entry, a
 * physical register for its result, an issue queue entry and, for loads and stores, a queue entry;
 * issued some cycles after that or later, as soon as its operands, a unit and an issue slot are
 * there, whatever others wait; and complete when its result is there, which goes to dependent
 * instructions without delay. It has committed when it and all before it are complete: that is the
 * order in which effects happen, width per cycle.
 *
 * Rename learns late that something is free. An issue queue entry is left at issue, by a memory
 * instruction, which may have to be issued again, when it is complete; rename can give it away
 * `release_cycles` later, and a store queue entry as much later than the store is in the cache.
 * Reorder buffer, load queue and the register that the result replaces pass through write back and
 * commit: `retire_cycles` after commit as above.
 *
 * What is left out: wrong paths (front_end.h), mistaken memory dependences (store_queue.h), that an
 * older division that is not ready lets a younger one have the unit first, and multiplications that
 * wait for a unit which divides. */
#include "aggregator/ooo.h"

#include "sluice/config.h"
#include <stdlib.h>

static struct ooo *ooo_of(struct agg_core *core)
{
    return (struct ooo *)core;
}

static void ooo_destroy(struct agg_core *core)
{
    pipeline_destroy(&ooo_of(core)->pipeline);
    free(core);
}

static void set_limits(struct ooo *ooo, const struct sl_config *config)
{
    const int64_t *number = config->number;

    ooo->units.limits = UNITS_GUARDS |
                        (uint32_t)number[SL_CFG_CORE_WIDTH] * UNITS_ONE(UNITS_WIDTH) |
                        (uint32_t)number[SL_CFG_CORE_ALUS] * UNITS_ONE(UNITS_ALU) |
                        (uint32_t)number[SL_CFG_CORE_MULTIPLIERS] * UNITS_ONE(UNITS_MUL) |
                        (uint32_t)number[SL_CFG_CORE_LOAD_PORTS] * UNITS_ONE(UNITS_LOAD) |
                        (uint32_t)number[SL_CFG_CORE_STORE_PORTS] * UNITS_ONE(UNITS_STORE);
    for (unsigned i = 0; i < AGG_CLASS_COUNT; i++) {
        ooo->need[i] = UNITS_ONE(UNITS_WIDTH);
    }
    ooo->need[AGG_ALU] += UNITS_ONE(UNITS_ALU);
    ooo->need[AGG_BRANCH] += UNITS_ONE(UNITS_ALU);
    ooo->need[AGG_MUL] += UNITS_ONE(UNITS_MUL);
    ooo->need[AGG_DIV] += UNITS_ONE(UNITS_MUL);
    ooo->need[AGG_LOAD] += UNITS_ONE(UNITS_LOAD);
    ooo->need[AGG_STORE] += UNITS_ONE(UNITS_STORE);
    ooo->window.entries = (uint32_t)number[SL_CFG_CORE_ROB];
    ooo->registers.entries = (uint32_t)number[SL_CFG_CORE_PHYSICAL_REGISTERS] - 32;
    ooo->loads.entries = (uint32_t)number[SL_CFG_CORE_LOAD_QUEUE];
    ooo->queue.entries = (uint32_t)number[SL_CFG_CORE_ISSUE_QUEUE];
    ooo->dispatch_cycles = (uint32_t)number[SL_CFG_CORE_DISPATCH_CYCLES];
    ooo->retire_cycles = (uint32_t)number[SL_CFG_CORE_RETIRE_CYCLES];
    ooo->release_cycles = (uint32_t)number[SL_CFG_CORE_RELEASE_CYCLES];
}

static struct agg_core *ooo_create(const struct sl_config *config, struct mem_system *mem)
{
    struct ooo *ooo = calloc(1, sizeof(*ooo));

    if (ooo == NULL) {
        return NULL;
    }
    if (pipeline_init(&ooo->pipeline, &agg_core_ooo, config, mem) != 0) {
        ooo_destroy(&ooo->pipeline.base);
        return NULL;
    }
    set_limits(ooo, config);
    return &ooo->pipeline.base;
}

static void clear_ring(struct ooo_ring *ring)
{
    *ring = (struct ooo_ring){.entries = ring->entries};
}

static void ooo_begin(struct agg_core *core)
{
    struct ooo *ooo = ooo_of(core);

    pipeline_begin(&ooo->pipeline);
    ooo->rename = (struct slots){.cycle = 0};
    clear_ring(&ooo->window);
    clear_ring(&ooo->registers);
    clear_ring(&ooo->loads);
    ooo->queue = (struct ooo_issue_queue){.entries = ooo->queue.entries};
    ooo->units = (struct units){.limits = ooo->units.limits};
}

static void ring_take(struct ooo_ring *ring, uint64_t freed)
{
    ring->freed[ring->next] = freed;
    ring->next = ring->next + 1 == ring->entries ? 0 : ring->next + 1;
}

/* The first cycle from `cycle` on in which the issue queue has an entry free. */
static uint64_t queue_room(struct ooo_issue_queue *queue, uint64_t cycle)
{
    if (queue->count == queue->entries) {
        cycle = later(cycle, queue->leaves[queue->first]);
    }
    while (queue->count > 0 && queue->leaves[queue->first] <= cycle) {
        queue->first = (queue->first + 1) % OOO_QUEUE_MAX;
        queue->count--;
    }
    return cycle;
}

/* Most times are later than all that are there. */
static void queue_insert(struct ooo_issue_queue *queue, uint64_t leaves)
{
    uint32_t at = queue->first + queue->count++;

    while (at != queue->first && queue->leaves[(at - 1) % OOO_QUEUE_MAX] > leaves) {
        queue->leaves[at % OOO_QUEUE_MAX] = queue->leaves[(at - 1) % OOO_QUEUE_MAX];
        at--;
    }
    queue->leaves[at % OOO_QUEUE_MAX] = leaves;
}

static uint64_t rename_insn(struct ooo *ooo, const struct agg_insn *insn)
{
    struct pipeline *pipeline = &ooo->pipeline;
    uint64_t earliest = front_end_fetch(&pipeline->front, insn);

    earliest = pipeline_wait(pipeline, earliest, pipeline->all_begin, SL_STACK_MEMORY_ORDER);
    earliest =
        pipeline_wait(pipeline, earliest, ooo->window.freed[ooo->window.next], SL_STACK_CORE_ROB);
    if (insn->rd != 0) {
        earliest = pipeline_wait(pipeline, earliest, ooo->registers.freed[ooo->registers.next],
                                 SL_STACK_CORE_REGISTERS);
    }
    if (insn->class == AGG_LOAD || insn->class == AGG_ATOMIC) {
        earliest = pipeline_wait(pipeline, earliest, ooo->loads.freed[ooo->loads.next],
                                 SL_STACK_CORE_LOAD_QUEUE);
    } else if (insn->class == AGG_STORE) {
        earliest = pipeline_wait(pipeline, earliest,
                                 store_queue_room(&pipeline->stores) + ooo->release_cycles,
                                 SL_STACK_CORE_STORE_QUEUE);
    }
    earliest = pipeline_wait(pipeline, earliest, queue_room(&ooo->queue, earliest),
                             SL_STACK_CORE_ISSUE_QUEUE);
    uint64_t cycle = slots_take(&ooo->rename, earliest, pipeline->width);
    front_end_renamed(&pipeline->front, cycle);
    return cycle;
}

static uint64_t issue_insn(struct ooo *ooo, const struct agg_insn *insn, uint64_t renamed)
{
    struct pipeline *pipeline = &ooo->pipeline;
    uint64_t earliest = renamed + ooo->dispatch_cycles;

    cycle_stack_charge(&pipeline->stack, earliest, SL_STACK_CORE_DISPATCH);
    uint64_t ready = pipeline_ready(pipeline, insn, earliest);
    if (pipeline_is_oldest_only(insn)) {
        return pipeline_oldest(pipeline, insn, ready);
    }
    return units_take(&ooo->units, ooo->need[insn->class], ready, renamed);
}

static void commit(struct ooo *ooo, const struct agg_access *access)
{
    struct pipeline *pipeline = &ooo->pipeline;
    const struct agg_insn *insn = &pipeline->insn;

    pipeline_commit(pipeline, access);
    uint64_t retired = pipeline->times.commit + ooo->retire_cycles;
    ring_take(&ooo->window, retired);
    if (insn->rd != 0) {
        ring_take(&ooo->registers, retired);
    }
    if (insn->class == AGG_LOAD || insn->class == AGG_ATOMIC) {
        ring_take(&ooo->loads, retired);
    }
}

/* Ends a memory instruction, whose access has come, or none will. */
static void finish_with(struct ooo *ooo, const struct agg_access *access)
{
    struct pipeline *pipeline = &ooo->pipeline;

    pipeline->unfinished = false;
    pipeline->times.complete = pipeline_perform(pipeline, access);
    queue_insert(&ooo->queue, pipeline->times.complete + ooo->release_cycles);
    commit(ooo, access);
}

static void ooo_access(struct agg_core *core, const struct agg_access *access)
{
    struct ooo *ooo = ooo_of(core);

    if (ooo->pipeline.unfinished) {
        finish_with(ooo, access);
    }
}

static void ooo_finish(struct agg_core *core)
{
    ooo_access(core, NULL);
}

static uint64_t ooo_instruction(struct agg_core *core, const struct agg_insn *insn)
{
    struct ooo *ooo = ooo_of(core);
    struct pipeline *pipeline = &ooo->pipeline;

    ooo_finish(core);
    pipeline_next(pipeline, insn);
    uint64_t renamed = rename_insn(ooo, insn);
    uint64_t issued = issue_insn(ooo, insn, renamed);
    if (pipeline_issued(pipeline, renamed, issued)) {
        return pipeline_expect(pipeline);
    }
    queue_insert(&ooo->queue, issued + ooo->release_cycles);
    commit(ooo, NULL);
    return pipeline->base.time_ps;
}

const struct agg_core_ops agg_core_ooo = {
    .name = "ooo",
    .create = ooo_create,
    .destroy = ooo_destroy,
    .begin = ooo_begin,
    .instruction = ooo_instruction,
    .access = ooo_access,
    .finish = ooo_finish,
};
