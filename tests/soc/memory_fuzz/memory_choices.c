/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What wavefronts do next, at random. */
#include "soc/memory_fuzz/memory_agents.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

/* Mostly at once. */
static uint64_t pause_ps(struct agents *agents)
{
    static const uint32_t cycles[] = {1, 1, 1, 1, 4, 4, 40, 400};

    return agents->event_queue.cycle_ps *
           (agents_random(agents, cycles[agents_random(agents, 8)]) + 1);
}

void agents_wake(struct agent *agent)
{
    if (!agent->turn.queued) {
        event_queue_insert_at(&agent->agents->event_queue, &agent->turn,
                              agents_now_ps(agent->agents) + pause_ps(agent->agents));
    }
}

/* A word among some that the agent may use, in the scope that is its own. */
uint32_t agents_random_word(struct agents *agents, uint32_t first, uint32_t end, uint32_t cu)
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
    const uint32_t word = agents_random_word(agents, AGENTS_LOCKS, AGENTS_WORDS, agent->cu);
    const enum mem_kind kind = kinds[agents_random(agents, 3)];

    agents_begin(agent,
                 (struct agent_plan){.sync = MEM_SYNC_OPERATION,
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

    agents_begin(agent, (struct agent_plan){.sync = MEM_SYNC_FENCE,
                                            .scope = (uint8_t)(SL_SCOPE_WORKGROUP +
                                                               agents_random(agent->agents, 3)),
                                            .acquire = (which & 1) != 0,
                                            .release = (which & 2) != 0});
}

static void take_lock(struct agent *agent)
{
    struct agents *agents = agent->agents;

    agents_begin(agent, (struct agent_plan){.sync = MEM_SYNC_OPERATION,
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

    agents_begin(agent,
                 (struct agent_plan){.sync = fences ? MEM_SYNC_FENCE : MEM_SYNC_OPERATION,
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
        agents_access_shared(agent,
                             agents_random(agent->agents, 4) != 0 ? agent->lock : AGENTS_OWNER_ANY);
        agents_wake(agent);
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
        agents_access_shared(agent, AGENTS_OWNER_ANY);
    } else if (what < 180) {
        agents_access_private(agent);
    } else if (what < 184) {
        agents_access_saved(agent, agents_random(agents, 2) == 0);
    } else if (what < 188) {
        agents_fetch(agent);
    } else if (what < 216) {
        begin_atomic(agent);
        return;
    } else if (what < 238) {
        agent->lock = agents_random_word(agents, 0, AGENTS_LOCKS, agent->cu);
        agent->held = 0;
    } else if (what < 250) {
        begin_fence(agent);
        return;
    } else if (what < 252) {
        agents_unit_of(agent)->wants_barrier = true;
    } else {
        agents_begin(agent, (struct agent_plan){
                                .sync = MEM_SYNC_YIELD, .scope = SL_SCOPE_DEVICE, .release = true});
        return;
    }
    agents_wake(agent);
}

static void act(struct agent *agent)
{
    if (agent->pending >= AGENTS_PENDING) {
        return; /* it is woken when one is over */
    }
    if (agent->lock != AGENTS_NONE) {
        act_locked(agent);
    } else if (agents_unit_of(agent)->wants_barrier) {
        agents_begin(agent, (struct agent_plan){.sync = MEM_SYNC_BARRIER,
                                                .scope = SL_SCOPE_WORKGROUP,
                                                .release = true});
    } else if (agent->left == 0) {
        agents_begin(agent, (struct agent_plan){
                                .sync = MEM_SYNC_END, .scope = SL_SCOPE_DEVICE, .ends = true});
    } else {
        act_freely(agent);
    }
}

void agents_turn(struct event *event)
{
    struct agent *agent = CONTAINER_OF(event, struct agent, turn);

    if (agent->agents->is_over) {
        return;
    }
    if (agent->stage == STAGE_ACTS) {
        act(agent);
    } else if (agent->stage == STAGE_DRAINS) {
        agents_proceed(agent);
    }
}
