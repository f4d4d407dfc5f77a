/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A run of packets, their aggregator, and who owns which bytes. */
#include "soc/memory_fuzz/memory_agents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "isa/isa.h"
#include "sluice/config.h"
#include "soc/common/machine.h"
#include "soc/systems.h"

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
        const uint64_t mask = agents_random_mask(agents) & agents_owned_by(agents, line, lock);
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
        const uint64_t mask = agents_random_mask(agents);
        agents_aggregate(agents, line,
                         is_store ? mask & agents_owned_by(agents, line, AGENTS_OWNER_ANY) : mask,
                         is_store, false);
    } else if (what < 14) {
        const uint32_t word = agents_random_word(agents, AGENTS_LOCKS, AGENTS_WORDS, AGENTS_NONE);
        (void)agents_aggregate_word(agents, word, kinds[agents_random(agents, 3)],
                                    agents->random >> 8);
    } else {
        agents->aggregator_lock = agents_random_word(agents, 0, AGENTS_LOCKS, AGENTS_NONE);
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
    event_queue_insert_at(&agents->event_queue, &agents->aggregator,
                          agents_now_ps(agents) + (1 + agents_random(agents, 400)) * 500);
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
            agents_begin_wave(first);
            agents_begin(first, (struct agent_plan){.sync = MEM_SYNC_PACKET,
                                                    .scope = SL_SCOPE_DEVICE,
                                                    .acquire = true});
        }
    }
    event_queue_insert_at(&agents->event_queue, &agents->aggregator, agents_now_ps(agents));
}

/* A cycle more, as long as there is something to do. */
static void run_cycle(struct agents *agents, uint64_t until_ps)
{
    if (agents->event_queue.next == EVENT_QUEUE_NEVER || agents_now_ps(agents) > until_ps) {
        agents_fail(agents, "nothing goes on, or no end");
        return;
    }
    event_queue_run(&agents->event_queue, agents_now_ps(agents) + agents->event_queue.cycle_ps);
}

#define PACKET_PS 20000000000u /* at most */

static void run_packet(struct agents *agents)
{
    const uint64_t until_ps = agents_now_ps(agents) + PACKET_PS;

    begin_packet(agents);
    while (agents->failure[0] == '\0' &&
           (!have_ended(agents) || agents->aggregator_lock != AGENTS_NONE)) {
        run_cycle(agents, until_ps);
    }
    event_queue_remove(&agents->event_queue, &agents->aggregator);
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
    const uint64_t until_ps = agents_now_ps(agents) + PACKET_PS;
    const uint64_t enough = agents->accesses + 100;

    begin_packet(agents);
    while (agents->failure[0] == '\0' && agents->accesses < enough) {
        run_cycle(agents, until_ps);
    }
    agents->mem->ops->drain(agents->mem);
    agents->is_over = true;
    agents_check_dram(agents);
    agents_check_private(agents);
    event_queue_run(&agents->event_queue, until_ps);
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
                                    .event_queue = &agents->event_queue,
                                    .stream = &agents->stream};
    const struct mem_ops *ops = agents->options.ops;

    agents->mem = ops != NULL ? ops->create(&parts) : systems_create(&parts);
    assert_non_null(agents->mem);
    assert_int_equal(agents->mem->line_bytes, SL_CACHE_LINE_BYTES);
    agents->mem->ops->reset(agents->mem);
}

struct agents *agents_create(const struct agents_options *options)
{
    struct agents *agents = calloc(1, sizeof *agents);

    assert_non_null(agents);
    agents->options = *options;
    agents->random = options->seed;
    machine_configure(&agents->config, options->settings);
    agents->dram = fixture_dram_create((uint64_t)agents->config.number[SL_CFG_DRAM_SIZE]);
    event_queue_init(&agents->event_queue, sl_config_period_ps(&agents->config, SL_CFG_GPU_CLOCK));
    create_memory(agents);
    agents->reference = reference_create(AGENTS_BYTES, options->is_transitive);
    deal_bytes(agents);
    for (uint32_t i = 0; i < AGENTS; i++) {
        agents->agent[i] = (struct agent){.agents = agents,
                                          .turn = {.run = agents_turn, .rank = EVENT_OTHER},
                                          .synced = {.run = agents_synced, .rank = EVENT_OTHER},
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
