/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* L2 cache and directory of memory system `moesi`.
 *
 * The directory is inclusive, exact and blocking: its entry is part of the L2's line; it knows each
 * L1 cache that has the line, because evictions are told; the next request to a line waits until
 * the one before has data and acknowledgements and its unblock message is here. Reads that the L2
 * itself answers with a shared copy do not block: messages to a cache stay in order. A bank takes
 * one message per cycle (requests, evictions, fills). Its tags and entries are read first, in
 * l2.tag_cycles, after which go forwards, invalidations, words that the line may be written, and
 * reads of memory; data go after l2.cycles. A request that finds its line blocked waits in the bank
 * without a further slot. A miss takes one of the bank's MSHRs, and of those of all banks together
 * where they have a limit, and its victim is recalled from the L1 caches while memory, the L3 or
 * DRAM, is read; a request to a line on its way out waits. Unblock messages and evictions without
 * data have a network of their own. */
#include <assert.h>

#include "engine/clock.h"
#include "mem/systems/moesi/moesi.h"

static bool is_holder(const struct l2_line *line, uint32_t node)
{
    return line->holders[node / 64] >> node % 64 & 1;
}

static void add_holder(struct l2_line *line, uint32_t node)
{
    line->holders[node / 64] |= 1ull << node % 64;
}

static void remove_holder(struct l2_line *line, uint32_t node)
{
    line->holders[node / 64] &= ~(1ull << node % 64);
}

static void set_only_holder(struct l2_line *line, uint32_t node)
{
    for (uint32_t word = 0; word < MOESI_HOLDER_WORDS; word++) {
        line->holders[word] = 0;
    }
    add_holder(line, node);
    line->owner = (uint8_t)node;
}

static bool has_holders(const struct l2_line *line)
{
    uint64_t any = 0;

    for (uint32_t word = 0; word < MOESI_HOLDER_WORDS; word++) {
        any |= line->holders[word];
    }
    return any != 0;
}

#define FOR_EACH_HOLDER(node, line)                                                                \
    for (uint32_t word_ = 0; word_ < MOESI_HOLDER_WORDS; word_++)                                  \
        for (uint64_t rest_ = (line)->holders[word_], node;                                        \
             rest_ != 0 && (node = word_ * 64 + (uint32_t)__builtin_ctzll(rest_), true);           \
             rest_ &= rest_ - 1)

static uint64_t send(struct moesi *moesi, uint32_t from, uint32_t to, bool has_line,
                     uint64_t time_ps)
{
    return interconnect_send(moesi->net, from, to, has_line, time_ps, moesi->now_ps);
}

static uint32_t bank_of(const struct moesi *moesi, uint32_t line)
{
    return banks_number(&moesi->banks, line);
}

static uint32_t bank_node(const struct moesi *moesi, uint32_t line)
{
    return moesi->l1_count + bank_of(moesi, line);
}

/* Until when a line that the L2 replaced is on its way out. */
static uint64_t *eviction_done_ps(struct moesi *moesi, uint32_t line)
{
    return &moesi->eviction_done_ps[(line ^ line >> 12) % MOESI_LEAVING];
}

/* The transition that an event makes; counts it. */
static const struct directory_transition *take(struct moesi *moesi, enum directory_state state,
                                               enum directory_event event)
{
    const struct directory_transition *transition = &directory_table[state][event];

    assert(transition->is_possible);
    moesi->coverage.directory[state][event]++;
    return transition;
}

/* Takes a line out of the L2, and out of the L1 caches that hold it. Returns when it is gone. */
static uint64_t replace(struct moesi *moesi, uint32_t index, uint64_t time_ps)
{
    struct l2_line *victim = &moesi->l2_lines[index];
    uint32_t line = moesi->l2_tags.tag[index];
    uint32_t bank = bank_node(moesi, line);
    const struct directory_transition *transition = take(moesi, victim->state, DIRECTORY_REPLACE);
    uint64_t gone_ps = time_ps;

    if (transition->actions & ACTION_RECALL) {
        FOR_EACH_HOLDER(node, victim)
        {
            uint32_t holder = (uint32_t)node;
            uint64_t there_ps = send(moesi, bank, holder, false, time_ps);
            struct l1_answer answer = moesi->snoop(moesi, holder, line, L1_RECALL, there_ps);
            bool has_line = message_has_line(answer.message);
            gone_ps = later(gone_ps, send(moesi, holder, bank, has_line, answer.time_ps));
            if (has_line) {
                victim->is_dirty = true;
                moesi->base.counters.l2.l1_bytes_in += SL_CACHE_LINE_BYTES;
            }
        }
    }
    moesi->base.counters.l2.evictions++;
    if (victim->is_dirty) {
        moesi->base.counters.l2.write_backs++;
        moesi->base.counters.l2.dram_bytes_out += SL_CACHE_LINE_BYTES;
        moesi->base.counters.directory.bytes_in += SL_CACHE_LINE_BYTES;
        l3_write(&moesi->l3, line, gone_ps, moesi->now_ps);
    }
    victim->state = transition->next;
    uint64_t *leaving = eviction_done_ps(moesi, line);
    *leaving = later(*leaving, gone_ps);
    return gone_ps;
}

/* When a miss finds an MSHR free. */
static uint64_t mshr_ps(const struct moesi *moesi, const struct bank *bank)
{
    const uint64_t own_ps = mshrs_free_ps(&bank->mshrs);

    return moesi->mshrs.count == 0 ? own_ps : later(own_ps, mshrs_free_ps(&moesi->mshrs));
}

/* Reads a line from memory into the L2, its miss being known at a time. Returns its index; *time_ps
 * becomes when the line is there. */
static uint32_t fill(struct moesi *moesi, uint32_t line, uint64_t *time_ps)
{
    struct bank *bank = banks_of(&moesi->banks, line);
    uint32_t index = cache_victim(&moesi->l2_tags, line);
    struct l2_line *entry = &moesi->l2_lines[index];
    uint64_t start_ps =
        later(later(*time_ps, *eviction_done_ps(moesi, line)), mshr_ps(moesi, bank));
    uint64_t gone_ps = start_ps;

    if (entry->state != DIRECTORY_N) {
        gone_ps = replace(moesi, index, later(start_ps, entry->blocked_until_ps));
    }
    uint64_t data_ps = l3_read(&moesi->l3, line, start_ps, moesi->now_ps, NULL);
    moesi->base.counters.l2.dram_bytes_in += SL_CACHE_LINE_BYTES;
    moesi->base.counters.directory.bytes_out += SL_CACHE_LINE_BYTES;
    *time_ps = calendar_take(&bank->port, later(data_ps, gone_ps), moesi->now_ps);
    mshrs_take(&bank->mshrs, *time_ps);
    if (moesi->mshrs.count != 0) {
        mshrs_take(&moesi->mshrs, *time_ps);
    }
    *entry = (struct l2_line){.state = DIRECTORY_N, .owner = MOESI_NO_OWNER};
    moesi->l2_tags.tag[index] = line;
    return index;
}

static enum directory_event request_event(enum message message)
{
    switch (message) {
    case MESSAGE_GETS:
        return DIRECTORY_GETS;
    case MESSAGE_FETCH:
        return DIRECTORY_FETCH;
    case MESSAGE_GETX:
        return DIRECTORY_GETX;
    default:
        assert(message == MESSAGE_UPGRADE);
        return DIRECTORY_UPGRADE;
    }
}

/* A request as it goes through the directory. */
struct request {
    struct moesi *moesi;
    uint32_t node;
    uint32_t bank; /* its node */
    uint32_t line;
    enum directory_event event;
    struct l2_line *entry;
    uint64_t time_ps;  /* the directory sends its messages without data */
    uint64_t data_ps;  /* and those with */
    uint64_t ready_ps; /* all that the requester waits for is there */
};

/* Has the owner send the line to the requester. Returns what it is to the directory. */
static enum directory_event forward(struct request *request)
{
    struct moesi *moesi = request->moesi;
    uint32_t owner = request->entry->owner;
    enum l1_event event = request->event == DIRECTORY_GETX ? L1_FORWARD_GETX : L1_FORWARD_GETS;
    uint64_t there_ps = send(moesi, request->bank, owner, false, request->time_ps);
    struct l1_answer answer = moesi->snoop(moesi, owner, request->line, event, there_ps);

    request->ready_ps = send(moesi, owner, request->node, true, answer.time_ps);
    if (event == L1_FORWARD_GETX) {
        remove_holder(request->entry, owner);
    }
    return answer.message == MESSAGE_DATA_DIRTY ? DIRECTORY_OWNER_DIRTY : DIRECTORY_OWNER_CLEAN;
}

/* Invalidates all holders but the requester. */
static void invalidate(struct request *request)
{
    struct moesi *moesi = request->moesi;

    FOR_EACH_HOLDER(node, request->entry)
    {
        uint32_t holder = (uint32_t)node;
        if (holder == request->node) {
            continue;
        }
        uint64_t there_ps = send(moesi, request->bank, holder, false, request->time_ps);
        struct l1_answer answer =
            moesi->snoop(moesi, holder, request->line, L1_INVALIDATE, there_ps);
        uint64_t ack_ps = send(moesi, holder, request->node, false, answer.time_ps);
        request->ready_ps = later(request->ready_ps, ack_ps);
    }
}

/* Sends what the requester gets from the L2 itself: data, or word that it may write. Behind the
 * invalidations, whose acknowledgements take longer. */
static void answer_from_l2(struct request *request, bool has_line)
{
    struct moesi *moesi = request->moesi;
    uint64_t time_ps = has_line ? request->data_ps : request->time_ps;
    uint64_t there_ps = send(moesi, request->bank, request->node, has_line, time_ps);

    request->ready_ps = later(request->ready_ps, there_ps);
    if (has_line) {
        moesi->base.counters.l2.l1_bytes_out += SL_CACHE_LINE_BYTES;
    }
}

static enum hit_level served_by(unsigned actions)
{
    if (actions & ACTION_FILL) {
        return HIT_DRAM;
    }
    if (actions & ACTION_FORWARD) {
        return HIT_OTHER_L1;
    }
    return actions & ACTION_DATA ? HIT_L2 : HIT_UPGRADE;
}

/* Does what the table says and notes the new holders. */
static void carry_out(struct request *request, const struct directory_transition *transition)
{
    struct moesi *moesi = request->moesi;
    struct l2_line *entry = request->entry;

    entry->state = transition->next;
    if (transition->actions & ACTION_FORWARD) {
        enum directory_event owner = forward(request);
        if (transition->grant == L1_SHARED) {
            entry->state = take(moesi, entry->state, owner)->next;
        }
    }
    if (transition->actions & ACTION_INVALIDATE) {
        invalidate(request);
    }
    if (!(transition->actions & ACTION_FORWARD)) {
        answer_from_l2(request, transition->actions & ACTION_DATA);
    }
    if (transition->grant != L1_SHARED) {
        set_only_holder(entry, request->node);
    } else {
        add_holder(entry, request->node);
        if (entry->state == DIRECTORY_S) {
            entry->owner = MOESI_NO_OWNER;
        }
    }
    bool blocks = transition->grant != L1_SHARED || transition->actions & ACTION_FORWARD;
    entry->blocked_until_ps =
        blocks
            ? request->ready_ps + moesi->net->ops->latency(moesi->net, request->node, request->bank)
            : request->data_ps;
}

struct directory_answer directory_request(struct moesi *moesi, uint32_t node, uint32_t line,
                                          enum message message, uint64_t time_ps)
{
    struct request request = {.moesi = moesi,
                              .node = node,
                              .bank = bank_node(moesi, line),
                              .line = line,
                              .event = request_event(message)};
    uint64_t there_ps = send(moesi, node, request.bank, false, time_ps);
    uint64_t slot_ps = calendar_take(&banks_of(&moesi->banks, line)->port, there_ps, moesi->now_ps);
    uint32_t index = cache_find(&moesi->l2_tags, line);
    enum directory_state state = DIRECTORY_N;

    moesi->base.counters.l2.accesses++;
    if (index != CACHE_NONE) {
        moesi->base.counters.l2.hits++;
        state = moesi->l2_lines[index].state;
        uint64_t start_ps = later(slot_ps, moesi->l2_lines[index].blocked_until_ps);
        request.time_ps = start_ps + moesi->l2_tag_ps;
        request.data_ps = start_ps + moesi->l2_latency_ps;
    } else {
        moesi->base.counters.l2.misses++;
        request.time_ps = slot_ps + moesi->l2_tag_ps;
        index = fill(moesi, line, &request.time_ps);
        request.data_ps = request.time_ps;
    }
    cache_touch(&moesi->l2_tags, index);
    request.entry = &moesi->l2_lines[index];
    assert(message == MESSAGE_UPGRADE || !is_holder(request.entry, node));
    const struct directory_transition *transition = take(moesi, state, request.event);
    carry_out(&request, transition);
    return (struct directory_answer){request.ready_ps, index, transition->grant,
                                     served_by(transition->actions)};
}

static enum directory_event put_event(enum message message, bool is_last)
{
    switch (message) {
    case MESSAGE_PUTS:
        return is_last ? DIRECTORY_PUTS_LAST : DIRECTORY_PUTS;
    case MESSAGE_PUTE:
        return DIRECTORY_PUTE;
    case MESSAGE_PUTO:
        return is_last ? DIRECTORY_PUTO_LAST : DIRECTORY_PUTO;
    default:
        assert(message == MESSAGE_PUTM);
        return DIRECTORY_PUTM;
    }
}

void directory_put(struct moesi *moesi, uint32_t node, uint32_t l2_index, enum message message,
                   uint64_t time_ps)
{
    uint32_t line = moesi->l2_tags.tag[l2_index];
    struct l2_line *entry = &moesi->l2_lines[l2_index];
    uint32_t bank = bank_node(moesi, line);
    uint64_t there_ps = message_has_line(message)
                            ? send(moesi, node, bank, true, time_ps)
                            : time_ps + moesi->net->ops->latency(moesi->net, node, bank);
    uint64_t slot_ps = calendar_take(&banks_of(&moesi->banks, line)->port, there_ps, moesi->now_ps);

    assert(is_holder(entry, node));
    remove_holder(entry, node);
    const struct directory_transition *transition =
        take(moesi, entry->state, put_event(message, !has_holders(entry)));
    if (transition->actions & ACTION_TAKE) {
        entry->is_dirty = true;
        moesi->base.counters.l2.l1_bytes_in += SL_CACHE_LINE_BYTES;
    }
    if (entry->owner == node) {
        entry->owner = MOESI_NO_OWNER;
    }
    entry->state = transition->next;
    entry->blocked_until_ps = later(entry->blocked_until_ps, slot_ps);
}
