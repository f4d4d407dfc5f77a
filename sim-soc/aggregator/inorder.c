/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Core model `inorder`: a pipeline that issues in program order; as a table of numbers a 2-stage
 * microcontroller or a classic 5-stage pipeline (hal/config/cores.def).
 *
 * An instruction is fetched (front_end.h) and issued when its operands are there and, for a
 * division, the divider. Results go to dependent instructions without delay. With MSHRs, accesses
 * to memory go on behind the pipeline: a load is waited for by what needs its value, a store is in
 * the store queue. Where no MSHR is free the pipeline stands; without any it does until each access
 * is over: the cache blocks. A device access always blocks. What is left out: limits on units and
 * write ports (a wider core issues any mix), waiting to write a register that an older load has
 * still to write, and wrong paths. */
#include <stdlib.h>

#include "aggregator/pipeline.h"

struct inorder {
    struct pipeline pipeline;
    struct slots issue;
};

static struct inorder *inorder_of(struct agg_core *core)
{
    return (struct inorder *)core;
}

static void inorder_destroy(struct agg_core *core)
{
    pipeline_destroy(&inorder_of(core)->pipeline);
    free(core);
}

static struct agg_core *inorder_create(const struct sl_config *config, struct mem_system *mem)
{
    struct inorder *inorder = calloc(1, sizeof(*inorder));

    if (inorder == NULL) {
        return NULL;
    }
    if (pipeline_init(&inorder->pipeline, &agg_core_inorder, config, mem) != 0) {
        inorder_destroy(&inorder->pipeline.base);
        return NULL;
    }
    return &inorder->pipeline.base;
}

static void inorder_begin(struct agg_core *core)
{
    struct inorder *inorder = inorder_of(core);

    pipeline_begin(&inorder->pipeline);
    inorder->issue = (struct slots){.cycle = 0};
}

static uint64_t issue_insn(struct inorder *inorder, const struct agg_insn *insn)
{
    struct pipeline *pipeline = &inorder->pipeline;
    uint64_t earliest = front_end_fetch(&pipeline->front, insn);

    earliest = pipeline_wait(pipeline, earliest, pipeline->all_begin, SL_STACK_MEMORY_ORDER);
    earliest = pipeline_ready(pipeline, insn, earliest);
    if (insn->class == AGG_STORE) {
        earliest = pipeline_wait(pipeline, earliest, store_queue_room(&pipeline->stores),
                                 SL_STACK_CORE_STORE_QUEUE);
    }
    if (pipeline_is_oldest_only(insn)) {
        earliest = pipeline_oldest(pipeline, insn, earliest);
    }
    uint64_t cycle = slots_take(&inorder->issue, earliest, pipeline->width);
    cycle_stack_charge(&pipeline->stack, cycle, SL_STACK_CORE_DISPATCH);
    front_end_renamed(&pipeline->front, cycle);
    return cycle;
}

/* Ends a memory instruction, whose access has come, or none will. */
static void finish_with(struct inorder *inorder, const struct agg_access *access)
{
    struct pipeline *pipeline = &inorder->pipeline;
    bool is_device = access != NULL && access->is_device;

    pipeline->unfinished = false;
    pipeline->cache.begun = 0;
    pipeline->times.complete = pipeline_perform(pipeline, access);
    slots_delay(&inorder->issue, is_device || pipeline->cache.mshrs == 0 ? pipeline->times.complete
                                                                         : pipeline->cache.begun);
    pipeline_commit(pipeline, access);
}

static void inorder_access(struct agg_core *core, const struct agg_access *access)
{
    struct inorder *inorder = inorder_of(core);

    if (inorder->pipeline.unfinished) {
        finish_with(inorder, access);
    }
}

static void inorder_finish(struct agg_core *core)
{
    inorder_access(core, NULL);
}

static uint64_t inorder_instruction(struct agg_core *core, const struct agg_insn *insn)
{
    struct inorder *inorder = inorder_of(core);
    struct pipeline *pipeline = &inorder->pipeline;

    inorder_finish(core);
    pipeline_next(pipeline, insn);
    uint64_t issued = issue_insn(inorder, insn);
    if (pipeline_issued(pipeline, issued, issued)) {
        return pipeline_expect(pipeline);
    }
    pipeline_commit(pipeline, NULL);
    return pipeline->base.time_ps;
}

const struct agg_core_ops agg_core_inorder = {
    .name = "inorder",
    .create = inorder_create,
    .destroy = inorder_destroy,
    .begin = inorder_begin,
    .instruction = inorder_instruction,
    .access = inorder_access,
    .finish = inorder_finish,
};
