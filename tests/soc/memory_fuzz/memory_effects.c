/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the agents' accesses do to bytes, and whether they may. */
#include "soc/memory_fuzz/memory_agents.h"

#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

#define WORD 8u

/* The queue of accesses of a compute unit to a line, of one kind and scope, that have not taken
 * effect, in order. Those of different kinds may be done in different places. */
static struct agents_access **queue_of(struct agents *agents, const struct mem_request *request)
{
    const uint64_t line =
        request->address < AGENTS_STACK
            ? (request->address - AGENTS_BASE) / SL_CACHE_LINE_BYTES
            : AGENTS_LINES + (request->address - AGENTS_STACK) / SL_CACHE_LINE_BYTES;

    return &agents->unit[request->from.index]
                .first[line][request->kind][request->atomic ? 1 + request->scope : 0];
}

static const char *name_of(const struct mem_request *request)
{
    static const char *const names[][2] = {[MEM_LOAD] = {"load", "atomic load"},
                                           [MEM_STORE] = {"store", "atomic store"},
                                           [MEM_ATOMIC] = {"update", "atomic update"}};

    return names[request->kind][request->atomic];
}

/* ---- bytes of all ---- */

static void check_load(struct agents *agents, const struct reference_event *event, uint32_t byte,
                       uint8_t value, bool is_locked)
{
    uint32_t visible;

    if (!reference_load(agents->reference, event, byte, value, &visible)) {
        agents_fail(agents,
                    "access %u of thread %u reads %02x at byte %u: overwritten, or nobody's",
                    event->number, event->thread, value, byte);
    } else if (is_locked && visible != 1) {
        agents_fail(agents, "access %u of thread %u has the lock of byte %u, and sees %u stores",
                    event->number, event->thread, byte, visible);
    }
}

static void move_bytes(struct agents *agents, const struct reference_event *event, uint8_t *line,
                       uint32_t first, uint64_t mask, bool is_store, bool is_locked)
{
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t at = (uint32_t)__builtin_ctzll(mask);
        if (is_store) {
            line[at] = reference_new_value(agents->reference, first + at);
            reference_store(agents->reference, event, first + at, line[at]);
        } else {
            check_load(agents, event, first + at, line[at], is_locked);
        }
    }
}

/* Returns what was there. Atomics on a word are in one order, whoever does them. */
static uint64_t move_word(struct agents *agents, struct reference_event *event, uint8_t *bytes,
                          struct agents_word *word, enum mem_kind kind, uint64_t operand)
{
    uint64_t old;
    uint64_t new;

    memcpy(&old, bytes, sizeof old);
    if (kind != MEM_STORE) {
        if (old != word->value && !word->is_mixed) {
            agents_fail(agents,
                        "an atomic of thread %u reads %lx at byte %u: the one before left %lx",
                        event->thread, old, word->at, word->value);
        }
        move_bytes(agents, event, bytes, word->at, 0xff, false, false);
    }
    const bool is_lock = word < agents->word + AGENTS_LOCKS;
    const bool is_taken = is_lock && kind == MEM_ATOMIC && operand != 0 && old != 0;
    if (kind != MEM_LOAD && !is_taken) {
        new = is_lock || kind == MEM_STORE ? operand : old + operand;
        word->value = new;
        if (agents->options.fault == FAULT_UPDATE && agents_random(agents, 64) == 0) {
            return old;
        }
        memcpy(bytes, &new, sizeof new);
        for (uint32_t i = 0; i < WORD; i++) {
            reference_store(agents->reference, event, word->at + i, bytes[i]);
        }
    }
    return old;
}

static void perform_shared(struct agents *agents, struct agents_access *access, uint8_t *line)
{
    const struct mem_request *request = &access->request;
    const uint32_t first = (uint32_t)(request->address - AGENTS_BASE);
    uint8_t *seen = agents->unit[request->from.index].seen + first;
    const bool is_fault = agents->options.fault == FAULT_OLD_LINE && request->kind == MEM_LOAD &&
                          !request->atomic && agents_random(agents, 64) == 0;

    if (access->word != AGENTS_NONE) {
        struct agents_word *word = &agents->word[access->word];
        if (request->kind != MEM_STORE) {
            reference_read_word(access->event, &word->published);
        }
        access->old = move_word(agents, access->event, line + word->at - first, word,
                                (enum mem_kind)request->kind, access->operand);
        if (request->kind != MEM_LOAD) {
            reference_write_word(agents->reference, access->event, &word->published, request->scope,
                                 request->release);
        }
        return;
    }
    move_bytes(agents, access->event, is_fault ? seen : line, first, request->mask[0],
               request->kind == MEM_STORE, access->is_locked);
    if (agents->options.fault == FAULT_OLD_LINE && agents_random(agents, 16) == 0) {
        memcpy(seen, line, SL_CACHE_LINE_BYTES);
    }
}

/* ---- a wavefront's own ---- */

/* Only its own wavefront has business in a private segment. It knows the bytes that it has stored,
 * and the others not. */
static void expect_private(struct agents *agents, struct agents_access *access)
{
    struct agent *agent = access->agent;
    const uint64_t offset =
        access->request.address - AGENTS_STACK - (uint64_t)agent->stack * STACK_BYTES;
    uint64_t *known = &agent->stack_known[offset / SL_CACHE_LINE_BYTES];
    uint8_t *bytes = agent->stack_bytes + offset;

    access->number = ++agent->stack_accesses;
    access->known = *known & access->request.mask[0];
    memcpy(access->expected, bytes, SL_CACHE_LINE_BYTES);
    if (access->request.kind == MEM_LOAD) {
        return;
    }
    *known |= access->request.mask[0];
    for (uint64_t mask = access->request.mask[0]; mask != 0; mask &= mask - 1) {
        bytes[__builtin_ctzll(mask)] = (uint8_t)agents_random(agents, 256);
    }
    memcpy(access->stored, bytes, SL_CACHE_LINE_BYTES);
}

static void perform_private(struct agents *agents, const struct agents_access *access,
                            uint8_t *line)
{
    struct agent *agent = access->agent;
    const uint64_t offset =
        access->request.address - AGENTS_STACK - (uint64_t)agent->stack * STACK_BYTES;

    for (uint64_t mask = access->request.mask[0]; mask != 0; mask &= mask - 1) {
        const uint32_t at = (uint32_t)__builtin_ctzll(mask);
        if (access->request.kind != MEM_STORE && (access->known >> at & 1) != 0 &&
            line[at] != access->expected[at]) {
            agents_fail(agents,
                        "wavefront %lu reads %02x at byte %lx of its private segments, not %02x",
                        agent->wave, line[at], access->request.address + at, access->expected[at]);
        }
        if (access->request.kind != MEM_LOAD) {
            struct agent_byte *byte = &agent->stored[offset + at];
            line[at] = access->stored[at];
            if (byte->number < access->number) {
                *byte = (struct agent_byte){access->number, line[at]};
            }
        }
    }
}

/* ---- the client ---- */

static void perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct agents_access *access = (struct agents_access *)request;
    struct agents *agents = access->agent->agents;
    struct agents_access **queue = queue_of(agents, request);

    assert_false(agents->is_over);
    assert_false(access->is_performed);
    if (*queue != access) {
        fail_msg("a %s of wavefront %lu (%lx) overtakes a %s of wavefront %lu at line %lx",
                 name_of(request), access->agent->wave, request->mask[0],
                 name_of(&(*queue)->request), (*queue)->agent->wave, request->address);
    }
    assert_true(lanes == request->lanes);
    assert_non_null(place->reservations);
    assert_true(event_queue_now_ps(&agents->event_queue) >= request->time_ps);
    access->is_performed = true;
    *queue = access->next;
    if (request->address < AGENTS_STACK) {
        perform_shared(agents, access, place->bytes);
    } else {
        perform_private(agents, access, place->bytes);
    }
}

static void done(struct mem_request *request, uint64_t time_ps)
{
    struct agents_access *access = (struct agents_access *)request;
    struct agents *agents = access->agent->agents;

    assert_false(agents->is_over);
    assert_int_equal(agents->telling, 0);
    assert_true(access->is_performed);
    assert_false(access->over.queued);
    assert_true(time_ps >= event_queue_now_ps(&agents->event_queue) && time_ps >= request->time_ps);
    if (request->acquire) {
        agents_acquire(access, time_ps);
    } else {
        event_queue_insert_at(&agents->event_queue, &access->over, time_ps);
    }
}

const struct mem_client agents_data_client = {.apply = perform, .complete = done};
const struct mem_client agents_plain_client = {.complete = done};

void agents_hand_in(struct agents_access *access)
{
    struct agents *agents = access->agent->agents;
    struct mem_request *request = &access->request;
    struct agents_unit *unit = &agents->unit[request->from.index];
    const bool moves = request->client == &agents_data_client;

    request->time_ps = event_queue_now_ps(&agents->event_queue) +
                       (agents_random(agents, 4) == 0 ? agents_random(agents, 4) : 0) *
                           agents->event_queue.cycle_ps;
    request->time_ps = request->time_ps < unit->last_ps ? unit->last_ps : request->time_ps;
    unit->last_ps = request->time_ps;
    access->is_performed = !moves;
    access->next = NULL;
    if (moves) {
        struct agents_access **end = queue_of(agents, request);
        while (*end != NULL) {
            end = &(*end)->next;
        }
        *end = access;
    }
    if (moves && request->address < AGENTS_STACK) {
        access->event = reference_access(agents->reference, access->agent->thread);
    } else if (moves) {
        expect_private(agents, access);
    }
    agents->accesses++;
    agents->data += request->kind != MEM_FETCH;
    agents->telling++;
    const struct mem_answer answer = agents->mem->ops->access(agents->mem, request);
    agents->telling--;
    if (answer.done_ps != MEM_PENDING) {
        assert_int_equal(request->kind, MEM_FETCH); /* all others pend */
        assert_true(answer.perform_ps >= request->time_ps && answer.done_ps >= answer.perform_ps);
        event_queue_insert_at(&agents->event_queue, &access->over, answer.done_ps);
    }
}

/* ---- the aggregator: at once, in DRAM ---- */

/* Its core is ahead, and behind by one reorder window. */
static void tell_aggregator(struct agents *agents, uint64_t address, uint32_t bytes,
                            enum mem_kind kind)
{
    struct mem_request request = {
        .time_ps = event_queue_now_ps(&agents->event_queue) + agents_random(agents, 64) * 500,
        .address = address,
        .from = {.kind = MEM_AGG},
        .kind = (uint8_t)kind,
    };

    agents->telling++;
    const struct mem_answer answer = agents->mem->ops->access(agents->mem, &request);
    assert_true(answer.perform_ps >= request.time_ps && answer.done_ps >= answer.perform_ps);
    assert_int_not_equal(answer.done_ps, MEM_PENDING);
    if (kind != MEM_LOAD) {
        reservation_write(&agents->mem->reservations, address);
        if (agents->mem->ops->notify_write != NULL) {
            agents->mem->ops->notify_write(agents->mem, address, bytes);
        }
    }
    agents->telling--;
    agents->accesses++;
}

/* All accesses of one instruction of a core are within eight bytes. */
void agents_aggregate(struct agents *agents, uint32_t line, uint64_t mask, bool is_store,
                      bool is_locked)
{
    for (uint32_t at = 0; at < SL_CACHE_LINE_BYTES; at += WORD) {
        const uint32_t first = line * SL_CACHE_LINE_BYTES + at;
        uint8_t *bytes = dram_at(&agents->dram, AGENTS_BASE + first);
        if ((mask >> at & 0xff) != 0) {
            const struct reference_event *event =
                reference_access(agents->reference, agents->aggregator_thread);
            move_bytes(agents, event, bytes, first, mask >> at & 0xff, is_store, is_locked);
            tell_aggregator(agents, AGENTS_BASE + first, WORD, is_store ? MEM_STORE : MEM_LOAD);
        }
    }
}

uint64_t agents_aggregate_word(struct agents *agents, uint32_t number, enum mem_kind kind,
                               uint64_t operand)
{
    struct agents_word *word = &agents->word[number];
    struct reference_event *event = reference_access(agents->reference, agents->aggregator_thread);
    uint8_t *bytes = dram_at(&agents->dram, AGENTS_BASE + word->at);

    reference_read_word(event, &word->published);
    const uint64_t old = move_word(agents, event, bytes, word, kind, operand);
    if (kind != MEM_LOAD) {
        reference_write_word(agents->reference, event, &word->published, word->scope, true);
    }
    if (kind != MEM_STORE) {
        reference_over(agents->reference, event, word->scope, true);
    }
    tell_aggregator(agents, AGENTS_BASE + word->at, WORD, kind);
    return old;
}

/* ---- DRAM ---- */

void agents_check_dram(struct agents *agents)
{
    const uint8_t *bytes = dram_at(&agents->dram, AGENTS_BASE);

    for (uint32_t at = 0; at < AGENTS_BYTES; at++) {
        if (!reference_may_remain(agents->reference, at, bytes[at])) {
            agents_fail(agents, "DRAM has %02x at byte %u: overwritten, or nobody's", bytes[at],
                        at);
        }
    }
    for (uint32_t slot = 0; slot < AGENTS; slot++) {
        const void *saved = dram_at(&agents->dram, AGENTS_SAVE + slot * SL_CACHE_LINE_BYTES);
        if (memcmp(saved, agents->saved[slot], SL_CACHE_LINE_BYTES) != 0) {
            agents_fail(agents, "the bytes of save area %u have changed", slot);
        }
    }
}

void agents_check_private(struct agents *agents)
{
    for (uint32_t i = 0; i < AGENTS; i++) {
        const struct agent *agent = &agents->agent[i];
        for (uint32_t at = 0; agent->stack != AGENTS_NONE && at < STACK_BYTES; at++) {
            const struct agent_byte *stored = &agent->stored[at];
            const uint8_t *byte =
                dram_at(&agents->dram, AGENTS_STACK + agent->stack * STACK_BYTES + at);
            if (stored->number != 0 && *byte != stored->value) {
                agents_fail(agents,
                            "DRAM has %02x in the private segment of wavefront %lu, not %02x",
                            *byte, agent->wave, stored->value);
            }
        }
    }
}
