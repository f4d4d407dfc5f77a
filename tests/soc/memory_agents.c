/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What agents do, at random, in the order that memory may rely on: a release is told when all
 * accesses before it are over, and handed in when that is over; an acquire is told when it has its
 * answer, and nothing follows until that is over. */
#include "soc/memory_agents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/fixture.h"
#include "isa/isa.h"
#include "soc/machine.h"
#include "soc/systems.h"

#define OWNER_WORD 0xfeu

uint32_t agents_random(struct agents *agents, uint32_t limit)
{
    agents->random = agents->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((agents->random >> 33) % limit);
}

void agents_fail(struct agents *agents, const char *format, ...)
{
    va_list arguments;

    if (agents->failure[0] == '\0') {
        va_start(arguments, format);
        (void)vsnprintf(agents->failure, sizeof agents->failure, format, arguments);
        va_end(arguments);
    }
}

static uint64_t now_ps(const struct agents *agents)
{
    return wheel_now_ps(&agents->wheel);
}

/* Mostly at once. */
static uint64_t pause_ps(struct agents *agents)
{
    static const uint32_t cycles[] = {1, 1, 1, 1, 4, 4, 40, 400};

    return agents->wheel.cycle_ps * (agents_random(agents, cycles[agents_random(agents, 8)]) + 1);
}

static void wake(struct agent *agent)
{
    if (!agent->turn.queued) {
        wheel_insert_at(&agent->agents->wheel, &agent->turn,
                        now_ps(agent->agents) + pause_ps(agent->agents));
    }
}

static struct agents_unit *unit_of(struct agent *agent)
{
    return &agent->agents->unit[agent->cu];
}

/* ---- accesses ---- */

static void access_over(struct event *event);

static struct agents_access *make_access(struct agent *agent, enum mem_kind kind, uint64_t address,
                                         uint64_t mask)
{
    struct agents *agents = agent->agents;
    struct agents_access *access = agents->free;

    if (access == NULL) {
        access = calloc(1, sizeof *access);
        assert_non_null(access);
        access->made = agents->made;
        agents->made = access;
    } else {
        agents->free = access->next;
    }
    *access = (struct agents_access){
        .made = access->made,
        .request = {.address = address,
                    .from = {MEM_CU, agent->cu},
                    .kind = (uint8_t)kind,
                    .scope = SL_SCOPE_WAVEFRONT,
                    .lines = 1,
                    .operations = 1,
                    .wave = agent->wave,
                    .lanes = agents->random | 1,
                    .mask = {mask},
                    .client = &agents_data_client},
        .agent = agent,
        .over = {.run = access_over, .rank = EVENT_OTHER},
        .word = AGENTS_NONE,
        .reads = kind != MEM_STORE,
    };
    return access;
}

static void hand_in(struct agents_access *access)
{
    struct agent *agent = access->agent;

    agent->pending++;
    agent->pending_reads += access->reads;
    agent->pending_releases += access->request.release;
    agents_hand_in(access);
}

/* Bytes of a line, from which those of an owner can be taken: one word, some, most, all. */
static uint64_t random_mask(struct agents *agents)
{
    const uint64_t some = (uint64_t)agents_random(agents, 1u << 31) << 33 ^
                          (uint64_t)agents_random(agents, 1u << 31) << 11 ^ agents->random >> 40;

    switch (agents_random(agents, 4)) {
    case 0:
        return UINT64_C(0xf) << 4 * agents_random(agents, 16);
    case 1:
        return some & some << 7;
    case 2:
        return some | UINT64_C(1) << agents_random(agents, 64);
    default:
        return UINT64_MAX;
    }
}

static uint64_t owned_by(const struct agents *agents, uint32_t line, uint32_t owner)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < SL_CACHE_LINE_BYTES; i++) {
        mask |= (uint64_t)(agents->owner[line * SL_CACHE_LINE_BYTES + i] == owner) << i;
    }
    return mask;
}

/* A load of whatever bytes, or a store to bytes of an owner. */
static void access_shared(struct agent *agent, uint32_t owner)
{
    struct agents *agents = agent->agents;
    const uint32_t line = agents_random(agents, AGENTS_LINES);
    const uint64_t address = AGENTS_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES;
    const uint64_t owned = owned_by(agents, line, owner);
    const bool is_store = agents_random(agents, 5) < 2;
    const bool is_locked = owner != AGENTS_OWNER_ANY;
    uint64_t mask = random_mask(agents);

    mask = is_store || is_locked ? mask & owned : mask;
    if (mask != 0) {
        struct agents_access *access =
            make_access(agent, is_store ? MEM_STORE : MEM_LOAD, address, mask);
        access->is_locked = is_locked;
        hand_in(access);
    }
}

/* Some instructions touch stacks and shared memory at once. */
static void access_private(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const uint64_t address = AGENTS_STACK + (uint64_t)agent->stack * STACK_BYTES +
                             (uint64_t)agents_random(agents, STACK_LINES) * SL_CACHE_LINE_BYTES;
    const uint32_t what = agents_random(agents, 16);
    const enum mem_kind kind = what < 7 ? MEM_LOAD : what < 15 ? MEM_STORE : MEM_ATOMIC;
    const uint64_t mask = random_mask(agents) | 1;
    struct agents_access *access = make_access(agent, kind, address, mask);

    access->request.space = agents_random(agents, 8) == 0 ? MEM_SHARED : MEM_PRIVATE;
    access->request.atomic = kind == MEM_ATOMIC;
    hand_in(access);
}

/* What the hardware keeps of a wavefront: its bytes are in DRAM at once. */
static void access_saved(struct agent *agent, bool is_store)
{
    struct agents *agents = agent->agents;
    const uint64_t address = AGENTS_SAVE + (uint64_t)agent->slot * SL_CACHE_LINE_BYTES;
    struct agents_access *access =
        make_access(agent, is_store ? MEM_STORE : MEM_LOAD, address, UINT64_MAX);

    if (is_store) {
        memset(agents->saved[agent->slot], (int)agents_random(agents, 256), SL_CACHE_LINE_BYTES);
        memcpy(dram_at(&agents->dram, address), agents->saved[agent->slot], SL_CACHE_LINE_BYTES);
    }
    access->request.space = MEM_SAVE;
    access->request.client = &agents_plain_client;
    hand_in(access);
}

static void fetch(struct agent *agent)
{
    const uint64_t line = agents_random(agent->agents, 16);
    struct agents_access *access =
        make_access(agent, MEM_FETCH, AGENTS_CODE + line * SL_CACHE_LINE_BYTES, 0);

    access->request.from.kind = MEM_CU_CODE;
    access->request.client = &agents_plain_client;
    hand_in(access);
}

/* ---- synchronization ---- */

static void sync_done(struct mem_request *request, uint64_t time_ps)
{
    struct agent *agent = CONTAINER_OF(request, struct agent, sync);
    struct agents *agents = agent->agents;

    assert_false(agents->is_over);
    assert_int_equal(agents->telling, 0);
    assert_int_equal(agent->stage, STAGE_SYNCS);
    assert_false(agent->synced.queued);
    assert_true(time_ps >= now_ps(agents) && time_ps >= request->time_ps);
    wheel_insert_at(&agents->wheel, &agent->synced, time_ps);
}

static const struct mem_client sync_client = {.done = sync_done};

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
        wheel_insert_at(&agents->wheel, &agent->synced, time_ps);
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
        wheel_insert_at(&agents->wheel, &agent->synced, over_ps);
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
    struct agents_access *access = make_access(agent, (enum mem_kind)plan->kind,
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
    hand_in(access);
    if (agent->stage == STAGE_ACTS) {
        wake(agent);
    }
}

static bool begin_end(struct agent *agent)
{
    struct agents_unit *unit = unit_of(agent);
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
        tell(agent, false, begin_end(agent), now_ps(agents));
        release_barrier(agents, cu);
        return;
    }
    tell(agent, plan->sync != MEM_SYNC_OPERATION && plan->acquire, plan->release,
         now_ps(agents) + agents_random(agents, 3) * agents->wheel.cycle_ps);
}

static void begin_plan(struct agent *agent, struct agent_plan plan)
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
            tell(agent, true, false, now_ps(agents));
        }
    }
    unit->barrier = (struct reference_order){0};
    unit->arrived = 0;
    unit->wants_barrier = false;
}

static void arrive(struct agent *agent)
{
    struct agents_unit *unit = unit_of(agent);

    reference_arrive(agent->agents->reference, agent->thread, &unit->barrier);
    agent->stage = STAGE_BARRIER;
    unit->arrived++;
    release_barrier(agent->agents, agent->cu);
}

/* ---- wavefronts ---- */

static void begin_wave(struct agent *agent)
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
    unit_of(agent)->live++;
}

static void launch(struct agent *agent)
{
    begin_wave(agent);
    begin_plan(agent, (struct agent_plan){.sync = MEM_SYNC_LAUNCH, .scope = SL_SCOPE_DEVICE});
}

static void end_wave(struct agent *agent)
{
    struct agents *agents = agent->agents;

    agents->free_stack[agents->free_stacks++] = agent->stack;
    agent->stack = AGENTS_NONE;
    agent->stage = STAGE_ENDED;
    if (unit_of(agent)->live > 0 && reference_threads_left(agents->reference) > AGENTS &&
        agents_random(agents, 2) == 0) {
        launch(agent);
    }
}

/* Its state is saved; it goes on elsewhere, if that can be. */
static void yield(struct agent *agent)
{
    access_saved(agent, true);
    begin_plan(agent, (struct agent_plan){
                          .sync = MEM_SYNC_RESTART, .scope = SL_SCOPE_DEVICE, .acquire = true});
}

static void move(struct agent *agent)
{
    struct agents *agents = agent->agents;
    struct agents_unit *from = unit_of(agent);
    const uint16_t cu = (uint16_t)agents_random(agents, AGENTS_CUS);
    struct agents_unit *to = &agents->unit[cu];

    if (agents->options.is_transitive && from->live > 1 && !from->wants_barrier && to->live > 0 &&
        !to->wants_barrier) {
        from->live--;
        to->live++;
        agent->cu = cu;
    }
}

/* ---- what is over ---- */

static void goes_on(struct agent *agent)
{
    agent->stage = STAGE_ACTS;
    wake(agent);
}

static void fence_over(struct agent *agent)
{
    const struct agent_plan *plan = &agent->plan;

    reference_fence(agent->agents->reference, agent->thread, plan->scope, plan->acquire,
                    plan->release);
    if (plan->unlocks) {
        begin_plan(agent, (struct agent_plan){.sync = MEM_SYNC_OPERATION,
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

static void synced_event(struct event *event)
{
    struct agent *agent = CONTAINER_OF(event, struct agent, synced);

    if (agent->agents->is_over) {
        return;
    }
    switch (agent->plan.sync) {
    case MEM_SYNC_OPERATION:
        if (agent->atomic != NULL) {
            access_over(&agent->atomic->over);
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
        access_saved(agent, false);
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
            begin_plan(agent, (struct agent_plan){
                                  .sync = MEM_SYNC_FENCE, .scope = plan.scope, .acquire = true});
            return;
        }
    }
    goes_on(agent);
}

static void access_over(struct event *event)
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
        wake(agent);
    }
    access->next = agents->free;
    agents->free = access;
}

/* ---- choices ---- */

/* A word among some that the agent may use, in the scope that is its own. */
static uint32_t random_word(struct agents *agents, uint32_t first, uint32_t end, uint32_t cu)
{
    for (;;) {
        const uint32_t i = first + agents_random(agents, end - first);
        const struct agents_word *word = &agents->word[i];
        if (!agents->options.has_scopes || word->scope != SL_SCOPE_WORKGROUP || word->cu == cu) {
            return i;
        }
    }
}

static void begin_atomic(struct agent *agent)
{
    static const enum mem_kind kinds[] = {MEM_LOAD, MEM_STORE, MEM_ATOMIC};
    struct agents *agents = agent->agents;
    const uint32_t word = random_word(agents, AGENTS_LOCKS, AGENTS_WORDS, agent->cu);
    const enum mem_kind kind = kinds[agents_random(agents, 3)];

    begin_plan(agent, (struct agent_plan){.sync = MEM_SYNC_OPERATION,
                                          .kind = (uint8_t)kind,
                                          .scope = agents->word[word].scope,
                                          .acquire = kind != MEM_STORE && agents_random(agents, 2),
                                          .release = kind != MEM_LOAD && agents_random(agents, 2),
                                          .word = word,
                                          .operand = agents->random >> 8});
}

static void begin_fence(struct agent *agent)
{
    const uint32_t which = 1 + agents_random(agent->agents, 3);

    begin_plan(agent, (struct agent_plan){
                          .sync = MEM_SYNC_FENCE,
                          .scope = (uint8_t)(SL_SCOPE_WORKGROUP + agents_random(agent->agents, 3)),
                          .acquire = (which & 1) != 0,
                          .release = (which & 2) != 0});
}

static void take_lock(struct agent *agent)
{
    struct agents *agents = agent->agents;

    begin_plan(agent, (struct agent_plan){.sync = MEM_SYNC_OPERATION,
                                          .kind = MEM_ATOMIC,
                                          .scope = agents->word[agent->lock].scope,
                                          .acquire = agents_random(agents, 4) != 0,
                                          .word = agent->lock,
                                          .operand = 1});
}

static void give_lock(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const bool fences = agents_random(agents, 4) == 0;

    begin_plan(agent, (struct agent_plan){.sync = fences ? MEM_SYNC_FENCE : MEM_SYNC_OPERATION,
                                          .kind = agents_random(agents, 2) ? MEM_STORE : MEM_ATOMIC,
                                          .scope = agents->word[agent->lock].scope,
                                          .release = true,
                                          .unlocks = fences,
                                          .word = agent->lock});
}

/* With a lock, or on the way to one. */
static void act_locked(struct agent *agent)
{
    if (agent->held == 0) {
        take_lock(agent);
    } else if (agent->held > 1) {
        agent->held--;
        access_shared(agent, agents_random(agent->agents, 4) != 0 ? agent->lock : AGENTS_OWNER_ANY);
        wake(agent);
    } else {
        give_lock(agent);
    }
}

static void act_freely(struct agent *agent)
{
    struct agents *agents = agent->agents;
    const uint32_t what = agents_random(agents, 256);

    agent->left--;
    if (what < 140) {
        access_shared(agent, AGENTS_OWNER_ANY);
    } else if (what < 180) {
        access_private(agent);
    } else if (what < 184) {
        access_saved(agent, agents_random(agents, 2) == 0);
    } else if (what < 188) {
        fetch(agent);
    } else if (what < 216) {
        begin_atomic(agent);
        return;
    } else if (what < 238) {
        agent->lock = random_word(agents, 0, AGENTS_LOCKS, agent->cu);
        agent->held = 0;
    } else if (what < 250) {
        begin_fence(agent);
        return;
    } else if (what < 252) {
        unit_of(agent)->wants_barrier = true;
    } else {
        begin_plan(agent, (struct agent_plan){
                              .sync = MEM_SYNC_YIELD, .scope = SL_SCOPE_DEVICE, .release = true});
        return;
    }
    wake(agent);
}

static void act(struct agent *agent)
{
    if (agent->pending >= AGENTS_PENDING) {
        return; /* it is woken when one is over */
    }
    if (agent->lock != AGENTS_NONE) {
        act_locked(agent);
    } else if (unit_of(agent)->wants_barrier) {
        begin_plan(agent, (struct agent_plan){.sync = MEM_SYNC_BARRIER,
                                              .scope = SL_SCOPE_WORKGROUP,
                                              .release = true});
    } else if (agent->left == 0) {
        begin_plan(agent, (struct agent_plan){
                              .sync = MEM_SYNC_END, .scope = SL_SCOPE_DEVICE, .ends = true});
    } else {
        act_freely(agent);
    }
}

static void turn_event(struct event *event)
{
    struct agent *agent = CONTAINER_OF(event, struct agent, turn);

    if (agent->agents->is_over) {
        return;
    }
    if (agent->stage == STAGE_ACTS) {
        act(agent);
    } else if (agent->stage == STAGE_DRAINS) {
        if (agent->plan.sync == MEM_SYNC_RESTART && agent->pending == 0) {
            move(agent);
        }
        proceed(agent);
    }
}

/* ---- the aggregator ---- */

static void aggregate_locked(struct agents *agents)
{
    const uint32_t lock = agents->aggregator_lock;
    const uint32_t line = agents_random(agents, AGENTS_LINES);

    if (agents->aggregator_held == 0) {
        if (agents_aggregate_word(agents, lock, MEM_ATOMIC, 1) == 0) {
            agents->aggregator_held = 2 + agents_random(agents, 4);
            agents->locked++;
        }
    } else if (--agents->aggregator_held > 0) {
        const uint64_t mask = random_mask(agents) & owned_by(agents, line, lock);
        agents_aggregate(agents, line, mask, agents_random(agents, 2) == 0, true);
    } else {
        (void)agents_aggregate_word(agents, lock, MEM_STORE, 0);
        agents->aggregator_lock = AGENTS_NONE;
    }
}

static void aggregate(struct agents *agents)
{
    static const enum mem_kind kinds[] = {MEM_LOAD, MEM_STORE, MEM_ATOMIC};
    const uint32_t line = agents_random(agents, AGENTS_LINES);
    const uint32_t what = agents_random(agents, 16);

    if (what < 9) {
        const bool is_store = what < 3;
        const uint64_t mask = random_mask(agents);
        agents_aggregate(agents, line,
                         is_store ? mask & owned_by(agents, line, AGENTS_OWNER_ANY) : mask,
                         is_store, false);
    } else if (what < 14) {
        const uint32_t word = random_word(agents, AGENTS_LOCKS, AGENTS_WORDS, AGENTS_NONE);
        (void)agents_aggregate_word(agents, word, kinds[agents_random(agents, 3)],
                                    agents->random >> 8);
    } else {
        agents->aggregator_lock = random_word(agents, 0, AGENTS_LOCKS, AGENTS_NONE);
        agents->aggregator_held = 0;
    }
}

static bool have_ended(const struct agents *agents)
{
    for (uint32_t i = 0; i < AGENTS; i++) {
        if (agents->agent[i].stage != STAGE_ENDED) {
            return false;
        }
    }
    return true;
}

static void aggregator_event(struct event *event)
{
    struct agents *agents = CONTAINER_OF(event, struct agents, aggregator);

    if (agents->is_over) {
        return;
    }
    if (agents->aggregator_lock != AGENTS_NONE) {
        aggregate_locked(agents);
    } else if (!have_ended(agents)) {
        aggregate(agents);
    } else {
        return;
    }
    wheel_insert_at(&agents->wheel, &agents->aggregator,
                    now_ps(agents) + (1 + agents_random(agents, 400)) * 500);
}

/* ---- packets ---- */

static void begin_packet(struct agents *agents)
{
    const uint32_t idle = agents_random(agents, 2 * AGENTS_CUS);

    agents->aggregator_thread = reference_thread(agents->reference);
    for (uint32_t i = 0; i < AGENTS_WORDS; i++) {
        agents->word[i].published = (struct reference_order){0};
    }
    for (uint16_t cu = 0; cu < AGENTS_CUS; cu++) {
        assert_int_equal(agents->unit[cu].arrived, 0);
        agents->unit[cu].wants_barrier = false;
        for (uint32_t i = 0; i < AGENTS_WAVES; i++) {
            agents->agent[cu * AGENTS_WAVES + i].cu = cu;
        }
        if (cu != idle) {
            struct agent *first = &agents->agent[cu * AGENTS_WAVES];
            begin_wave(first);
            begin_plan(first, (struct agent_plan){.sync = MEM_SYNC_PACKET,
                                                  .scope = SL_SCOPE_DEVICE,
                                                  .acquire = true});
        }
    }
    wheel_insert_at(&agents->wheel, &agents->aggregator, now_ps(agents));
}

/* A cycle more, as long as there is something to do. */
static void run_cycle(struct agents *agents, uint64_t until_ps)
{
    if (agents->wheel.next == WHEEL_NEVER || now_ps(agents) > until_ps) {
        agents_fail(agents, "nothing goes on, or no end");
        return;
    }
    wheel_run(&agents->wheel, now_ps(agents) + agents->wheel.cycle_ps);
}

#define PACKET_PS 20000000000u /* at most */

static void run_packet(struct agents *agents)
{
    const uint64_t until_ps = now_ps(agents) + PACKET_PS;

    begin_packet(agents);
    while (agents->failure[0] == '\0' &&
           (!have_ended(agents) || agents->aggregator_lock != AGENTS_NONE)) {
        run_cycle(agents, until_ps);
    }
    wheel_remove(&agents->wheel, &agents->aggregator);
    agents_check_dram(agents);
    reference_next_phase(agents->reference, dram_at(&agents->dram, AGENTS_BASE));
}

void agents_run(struct agents *agents, uint64_t accesses)
{
    while (agents->accesses < accesses && agents->failure[0] == '\0') {
        run_packet(agents);
    }
}

void agents_settle(struct agents *agents)
{
    const uint64_t until_ps = now_ps(agents) + PACKET_PS;
    const uint64_t enough = agents->accesses + 100;

    begin_packet(agents);
    while (agents->failure[0] == '\0' && agents->accesses < enough) {
        run_cycle(agents, until_ps);
    }
    agents->mem->ops->settle(agents->mem);
    agents->is_over = true;
    agents_check_dram(agents);
    agents_check_private(agents);
    wheel_run(&agents->wheel, until_ps);
}

/* ---- life ---- */

/* Words are anywhere; a lock has some of all other bytes. */
static void deal_bytes(struct agents *agents)
{
    for (uint32_t at = 0; at < AGENTS_BYTES; at++) {
        agents->owner[at] = agents_random(agents, 3) == 0
                                ? (uint8_t)agents_random(agents, AGENTS_LOCKS)
                                : AGENTS_OWNER_ANY;
    }
    for (uint32_t i = 0; i < AGENTS_WORDS; i++) {
        struct agents_word *word = &agents->word[i];
        do {
            word->at = agents_random(agents, AGENTS_BYTES / 8) * 8;
        } while (agents->owner[word->at] == OWNER_WORD);
        word->is_mixed = i >= AGENTS_MIXED;
        memset(&agents->owner[word->at], word->is_mixed ? AGENTS_OWNER_ANY : OWNER_WORD, 8);
        word->cu = (uint16_t)(i / 2 % AGENTS_CUS);
        word->scope = i % 2 == 0  ? SL_SCOPE_WORKGROUP
                      : i % 8 < 4 ? SL_SCOPE_DEVICE
                                  : SL_SCOPE_SYSTEM;
    }
}

static void create_memory(struct agents *agents)
{
    const struct mem_parts parts = {.config = &agents->config,
                                    .dram = &agents->dram,
                                    .wheel = &agents->wheel,
                                    .stream = &agents->stream};
    const struct mem_ops *ops = agents->options.ops;

    agents->mem = ops != NULL ? ops->create(&parts) : systems_create(&parts);
    assert_non_null(agents->mem);
    assert_int_equal(agents->mem->line_bytes, SL_CACHE_LINE_BYTES);
    agents->mem->ops->begin(agents->mem);
}

struct agents *agents_create(const struct agents_options *options)
{
    struct agents *agents = calloc(1, sizeof *agents);

    assert_non_null(agents);
    agents->options = *options;
    agents->random = options->seed;
    machine_configure(&agents->config, options->settings);
    agents->dram = fixture_dram_create((uint64_t)agents->config.number[SL_CFG_DRAM_SIZE]);
    wheel_init(&agents->wheel,
               1000000000000ull / (uint64_t)agents->config.number[SL_CFG_GPU_CLOCK]);
    create_memory(agents);
    agents->reference = reference_create(AGENTS_BYTES, options->is_transitive);
    deal_bytes(agents);
    for (uint32_t i = 0; i < AGENTS; i++) {
        agents->agent[i] = (struct agent){.agents = agents,
                                          .turn = {.run = turn_event, .rank = EVENT_OTHER},
                                          .synced = {.run = synced_event, .rank = EVENT_OTHER},
                                          .slot = i,
                                          .stack = AGENTS_NONE};
    }
    for (uint32_t i = 0; i < AGENTS_STACKS; i++) {
        agents->free_stack[agents->free_stacks++] = i;
    }
    agents->aggregator = (struct event){.run = aggregator_event, .rank = EVENT_OTHER};
    agents->aggregator_lock = AGENTS_NONE;
    return agents;
}

void agents_destroy(struct agents *agents)
{
    agents->mem->ops->destroy(agents->mem);
    reference_destroy(agents->reference);
    fixture_dram_destroy(&agents->dram);
    while (agents->made != NULL) {
        struct agents_access *next = agents->made->made;
        free(agents->made);
        agents->made = next;
    }
    free(agents);
}
