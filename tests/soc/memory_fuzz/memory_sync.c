/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How agents synchronize, in the order that memory may rely on (sim-soc/simt/ordering/ordering.h):
 * a release is told when all accesses before it are over, and handed in when that is over; an
 * acquire is told when it has its answer, and nothing follows until that is over. */
#include "soc/memory_fuzz/memory_agents.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

/* ---- memory is told ---- */

static void sync_done(struct mem_request *request, uint64_t time_ps)
{
    struct agent *agent = CONTAINER_OF(request, struct agent, sync);
    struct agents *agents = agent->agents;

    assert_false(agents->is_over);
    assert_int_equal(agents->telling, 0);
    assert_int_equal(agent->stage, STAGE_SYNCS);
    assert_false(agent->synced.queued);
    assert_true(time_ps >= agents_now_ps(agents) && time_ps >= request->time_ps);
    event_queue_insert_at(&agents->event_queue, &agent->synced, time_ps);
}

static const struct mem_client sync_client = {.complete = sync_done};

/* Whether this one is not told. */
static bool is_lost(struct agents *agents, bool acquire, bool release)
{
    const enum agents_fault fault = agents->options.fault;

    return ((fault == FAULT_ACQUIRE && acquire) || (fault == FAULT_RELEASE && release)) &&
           agents_random(agents, 8) == 0;
}

/* Tells memory; the agent's event `synced` comes when that is over. */
static void tell(struct agent *agent, bool acquire, bool release, uint64_t time_ps)
{
    struct agents *agents = agent->agents;
    const struct agent_plan *plan = &agent->plan;

    agent->stage = STAGE_SYNCS;
    agents->told++;
    if (is_lost(agents, acquire, release) && !plan->ends) {
        event_queue_insert_at(&agents->event_queue, &agent->synced, time_ps);
        return;
    }
    agent->sync = (struct mem_request){
        .time_ps = time_ps,
        .from = {MEM_CU, agent->cu},
        .scope = plan->scope,
        .sync = plan->sync,
        .acquire = acquire,
        .release = release,
        .wave = agent->wave,
        .client = &sync_client,
    };
    if (plan->ends) {
        agent->sync.address = AGENTS_STACK + (uint64_t)agent->stack * STACK_BYTES;
        agent->sync.bytes = STACK_BYTES;
    }
    agents->telling++;
    const uint64_t over_ps = agents->mem->ops->sync(agents->mem, &agent->sync);
    agents->telling--;
    if (over_ps != MEM_PENDING) {
        assert_true(over_ps >= time_ps);
        event_queue_insert_at(&agents->event_queue, &agent->synced, over_ps);
    }
}

void agents_acquire(struct agents_access *access, uint64_t time_ps)
{
    assert_ptr_equal(access->agent->atomic, access);
    tell(access->agent, true, false, time_ps);
}

/* Whether all are over that have to be before the agent goes on. */
static bool is_drained(const struct agent *agent)
{
    const struct agent_plan *plan = &agent->plan;

    if (plan->sync == MEM_SYNC_OPERATION && !plan->release) {
        return !plan->acquire || agent->pending_releases == 0;
    }
    if (plan->sync == MEM_SYNC_FENCE && !plan->release) {
        return agent->pending_reads == 0;
    }
    return agent->pending == 0;
}

static void hand_in_atomic(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const struct agent_plan *plan = &agent->plan;
    const struct agents_word *word = &agents->word[plan->word];
    const uint32_t at = word->at % SL_CACHE_LINE_BYTES;
    struct agents_access *access = agents_make(agent, (enum mem_kind)plan->kind,
                                               AGENTS_BASE + word->at - at, UINT64_C(0xff) << at);

    access->request.scope = plan->scope;
    access->request.atomic = true;
    access->request.acquire = plan->acquire;
    access->request.release = plan->release;
    access->word = plan->word;
    access->operand = plan->operand;
    agent->stage = STAGE_ACTS;
    if (agent->lock == plan->word && agent->held != 0) {
        agent->lock = AGENTS_NONE; /* this gives it back */
    } else if (plan->acquire || agent->lock == plan->word) {
        agent->atomic = access;
        agent->stage = STAGE_ATOMIC;
    }
    agents_send(access);
    if (agent->stage == STAGE_ACTS) {
        agents_wake(agent);
    }
}

static bool begin_end(struct agent *agent)
{
    struct agents_unit *unit = agents_unit_of(agent);
    const bool is_last = --unit->live == 0;

    agent->plan.sync = is_last ? MEM_SYNC_PACKET : MEM_SYNC_END;
    return is_last;
}

static void release_barrier(struct agents *agents, uint32_t cu);

static void proceed(struct agent *agent)
{
    struct agent_plan *plan = &agent->plan;
    struct agents *agents = agent->agents;

    if (!is_drained(agent)) {
        agent->stage = STAGE_DRAINS;
        return;
    }
    if (plan->sync == MEM_SYNC_OPERATION && !plan->release) {
        hand_in_atomic(agent);
        return;
    }
    if (plan->ends) {
        const uint16_t cu = agent->cu;
        tell(agent, false, begin_end(agent), agents_now_ps(agents));
        release_barrier(agents, cu);
        return;
    }
    tell(agent, plan->sync != MEM_SYNC_OPERATION && plan->acquire, plan->release,
         agents_now_ps(agents) + agents_random(agents, 3) * agents->event_queue.cycle_ps);
}

void agents_begin(struct agent *agent, struct agent_plan plan)
{
    agent->plan = plan;
    proceed(agent);
}

/* ---- barriers ---- */

/* All wavefronts of the compute unit are there. */
static void release_barrier(struct agents *agents, uint32_t cu)
{
    struct agents_unit *unit = &agents->unit[cu];

    if (unit->arrived == 0 || unit->arrived < unit->live) {
        return;
    }
    for (uint32_t i = 0; i < AGENTS; i++) {
        struct agent *agent = &agents->agent[i];
        if (agent->cu == cu && agent->stage == STAGE_BARRIER) {
            reference_leave(agents->reference, agent->thread, &unit->barrier);
            agent->plan = (struct agent_plan){
                .sync = MEM_SYNC_BARRIER, .scope = SL_SCOPE_WORKGROUP, .acquire = true};
            tell(agent, true, false, agents_now_ps(agents));
        }
    }
    unit->barrier = (struct reference_order){0};
    unit->arrived = 0;
    unit->wants_barrier = false;
}

static void arrive(struct agent *agent)
{
    struct agents_unit *unit = agents_unit_of(agent);

    reference_arrive(agent->agents->reference, agent->thread, &unit->barrier);
    agent->stage = STAGE_BARRIER;
    unit->arrived++;
    release_barrier(agent->agents, agent->cu);
}

/* ---- wavefronts ---- */

void agents_begin_wave(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const uint32_t from = agents_random(agents, agents->free_stacks);

    agent->thread = reference_thread(agents->reference);
    agent->wave = ++agents->waves;
    agent->stack = agents->free_stack[from];
    agents->free_stack[from] = agents->free_stack[--agents->free_stacks];
    agent->stack_accesses = 0;
    memset(agent->stack_known, 0, sizeof agent->stack_known);
    memset(agent->stored, 0, sizeof agent->stored);
    agent->left = 8 + agents_random(agents, 40);
    agent->lock = AGENTS_NONE;
    agents_unit_of(agent)->live++;
}

static void launch(struct agent *agent)
{
    agents_begin_wave(agent);
    agents_begin(agent, (struct agent_plan){.sync = MEM_SYNC_LAUNCH, .scope = SL_SCOPE_DEVICE});
}

static void end_wave(struct agent *agent)
{
    struct agents *agents = agent->agents;

    agents->free_stack[agents->free_stacks++] = agent->stack;
    agent->stack = AGENTS_NONE;
    agent->stage = STAGE_ENDED;
    if (agents_unit_of(agent)->live > 0 && reference_threads_left(agents->reference) > AGENTS &&
        agents_random(agents, 2) == 0) {
        launch(agent);
    }
}

/* Its state is saved; it goes on elsewhere, if that can be. */
static void yield(struct agent *agent)
{
    agents_access_saved(agent, true);
    agents_begin(agent, (struct agent_plan){
                            .sync = MEM_SYNC_RESTART, .scope = SL_SCOPE_DEVICE, .acquire = true});
}

static void move(struct agent *agent)
{
    struct agents *agents = agent->agents;
    struct agents_unit *from = agents_unit_of(agent);
    const uint16_t cu = (uint16_t)agents_random(agents, AGENTS_CUS);
    struct agents_unit *to = &agents->unit[cu];

    if (agents->options.is_transitive && from->live > 1 && !from->wants_barrier && to->live > 0 &&
        !to->wants_barrier) {
        from->live--;
        to->live++;
        agent->cu = cu;
    }
}

void agents_proceed(struct agent *agent)
{
    if (agent->plan.sync == MEM_SYNC_RESTART && agent->pending == 0) {
        move(agent);
    }
    proceed(agent);
}

/* ---- what is over ---- */

static void goes_on(struct agent *agent)
{
    agent->stage = STAGE_ACTS;
    agents_wake(agent);
}

static void fence_over(struct agent *agent)
{
    const struct agent_plan *plan = &agent->plan;

    reference_fence(agent->agents->reference, agent->thread, plan->scope, plan->acquire,
                    plan->release);
    if (plan->unlocks) {
        agents_begin(agent, (struct agent_plan){.sync = MEM_SYNC_OPERATION,
                                                .kind = MEM_STORE,
                                                .scope = plan->scope,
                                                .word = agent->lock});
        return;
    }
    goes_on(agent);
}

static void launch_others(struct agent *first)
{
    struct agents *agents = first->agents;

    for (uint32_t i = first->slot + 1; i < (first->cu + 1) * AGENTS_WAVES; i++) {
        launch(&agents->agent[i]);
    }
}

void agents_synced(struct event *event)
{
    struct agent *agent = CONTAINER_OF(event, struct agent, synced);

    if (agent->agents->is_over) {
        return;
    }
    switch (agent->plan.sync) {
    case MEM_SYNC_OPERATION:
        if (agent->atomic != NULL) {
            agents_access_over(&agent->atomic->over);
        } else {
            hand_in_atomic(agent);
        }
        return;
    case MEM_SYNC_FENCE:
        fence_over(agent);
        return;
    case MEM_SYNC_BARRIER:
        if (agent->plan.release) {
            arrive(agent);
        } else {
            goes_on(agent);
        }
        return;
    case MEM_SYNC_YIELD:
        yield(agent);
        return;
    case MEM_SYNC_RESTART:
        agents_access_saved(agent, false);
        break;
    case MEM_SYNC_PACKET:
        if (!agent->plan.ends) {
            launch_others(agent);
            break;
        }
        end_wave(agent);
        return;
    case MEM_SYNC_END:
        end_wave(agent);
        return;
    default:
        break;
    }
    goes_on(agent);
}

/* It has the value of the atomic that it waited for. */
static void atomic_over(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const struct agents_access *access = agent->atomic;
    const struct agent_plan plan = agent->plan;

    agent->atomic = NULL;
    if (agent->lock == plan.word && access->old == 0) {
        agent->held = 2 + agents_random(agents, 6);
        agents->locked++;
        if (!plan.acquire) {
            agents_begin(agent, (struct agent_plan){
                                    .sync = MEM_SYNC_FENCE, .scope = plan.scope, .acquire = true});
            return;
        }
    }
    goes_on(agent);
}

void agents_access_over(struct event *event)
{
    struct agents_access *access = CONTAINER_OF(event, struct agents_access, over);
    struct agent *agent = access->agent;
    struct agents *agents = agent->agents;

    if (agents->is_over) {
        return;
    }
    agents->ended++;
    agent->pending--;
    agent->pending_reads -= access->reads;
    agent->pending_releases -= access->request.release;
    if (access->word != AGENTS_NONE && access->reads) {
        reference_over(agents->reference, access->event, access->request.scope,
                       access->request.acquire);
    }
    if (agent->atomic == access) {
        atomic_over(agent);
    } else {
        agents_wake(agent);
    }
    access->next = agents->free;
    agents->free = access;
}
