/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* L1 caches of memory system `moesi`: accesses of their requester, and what the directory asks.
 *
 * An access takes a slot of the port. It is a hit where the line's state permits it, takes effect
 * in that cycle and is done after the cache's latency. On a line whose data are still under way it
 * is merged with that miss. Else it is a miss: it takes a way and an MSHR, its request leaves when
 * the tags are read, and it takes effect and is done when data and acknowledgements are there.
 * Where no MSHR is free, or every line of the set is still under way, it waits, and is replayed
 * through the port. Messages of the directory take a slot of the port, and are answered after the
 * latency or, without data, when the tags are read. Left out: fills take no slot; the buffer of
 * victims is never full; a store to an E line that another requester has taken, but whose forward
 * is not here yet, misses. */
#include <assert.h>

#include "engine/clock.h"
#include "mem/systems/moesi/moesi.h"

/* In a state that permits the access. */
static struct l1_result serve(struct l1 *l1, uint32_t index, enum l1_event event,
                              enum l1_state state, uint64_t start_ps)
{
    struct l1_line *line = &l1->lines[index];
    struct l1_result result = {start_ps, start_ps + l1->latency_ps, HIT_L1};

    if (line->ready_ps > start_ps) {
        result.perform_ps = line->ready_ps;
        result.done_ps = later(result.done_ps, line->ready_ps);
        result.served = HIT_MERGED;
    } else if (event == L1_LOAD) {
        l1->counters->read_hits++;
        l1->counters->read_after_write_hits += state == L1_M || state == L1_O;
    }
    line->last_ps = later(line->last_ps, result.perform_ps);
    cache_touch(&l1->tags, index);
    return result;
}

/* Makes room for a line at a time. Returns the index of its way; *time_ps becomes when the line
 * that was there is over. */
static uint32_t allocate(struct moesi *moesi, struct l1 *l1, uint32_t line, uint64_t *time_ps)
{
    uint32_t index = cache_victim(&l1->tags, line);
    struct l1_line *victim = &l1->lines[index];

    if (victim->state != L1_I) {
        const struct l1_transition *transition = &l1_table[victim->state][L1_EVICT];
        moesi->coverage.l1[victim->state][L1_EVICT]++;
        *time_ps = later(*time_ps, victim->last_ps);
        l1->counters->evictions++;
        miss_causes_note(&l1->causes, l1->tags.tag[index], MISS_CAPACITY);
        if (message_has_line(transition->message)) {
            l1->counters->write_backs++;
            l1->counters->bytes_out += SL_CACHE_LINE_BYTES;
        }
        assert(moesi->l2_tags.tag[victim->l2_index] == l1->tags.tag[index]);
        directory_put(moesi, l1->node, victim->l2_index, transition->message, *time_ps);
    }
    *victim = (struct l1_line){.state = L1_I};
    l1->buffered = CACHE_NONE;
    l1->tags.tag[index] = line;
    return index;
}

/* Lets a miss wait until `free_ps`, if that is later, and then come again. */
static uint64_t replay(struct moesi *moesi, struct l1 *l1, uint64_t time_ps, uint64_t free_ps)
{
    if (free_ps <= time_ps) {
        return time_ps;
    }
    l1->counters->replays++;
    return calendar_take(&l1->port, free_ps, moesi->now_ps);
}

/* A line that is there, but without the permission, keeps its way. */
static struct l1_result miss(struct moesi *moesi, struct l1 *l1, uint32_t line, uint32_t index,
                             enum l1_event event, uint64_t start_ps)
{
    const uint64_t noncoherent_ps = replay(moesi, l1, start_ps, mshrs_free_ps(&l1->mshrs));
    uint64_t time_ps = noncoherent_ps;

    if (index == CACHE_NONE) {
        uint64_t free_ps = time_ps;
        index = allocate(moesi, l1, line, &free_ps);
        time_ps = replay(moesi, l1, time_ps, free_ps);
    } else {
        time_ps = replay(moesi, l1, time_ps, l1->lines[index].ready_ps);
    }
    struct l1_line *entry = &l1->lines[index];
    const struct l1_transition *asks = &l1_table[entry->state][event];
    moesi->coverage.l1[entry->state][event]++;
    struct directory_answer answer =
        directory_request(moesi, l1->node, line, asks->message, time_ps + l1->tag_ps);

    const struct l1_transition *granted = &l1_table[entry->state][answer.grant];
    assert(granted->message == MESSAGE_NONE);
    moesi->coverage.l1[entry->state][answer.grant]++;
    *entry = (struct l1_line){.state = granted->next,
                              .ready_ps = answer.ready_ps,
                              .last_ps = later(entry->last_ps, answer.ready_ps),
                              .l2_index = answer.l2_index};
    if (answer.grant != L1_UPGRADED) {
        l1->counters->bytes_in += SL_CACHE_LINE_BYTES;
        l1->counters->bytes_in_data += SL_CACHE_LINE_BYTES;
        l1->counters->causes[miss_causes_of(&l1->causes, line, answer.served)]++;
    }
    mshrs_take(&l1->mshrs, answer.ready_ps);
    l1->counters->mshrs_max = mshrs_most_held(&l1->mshrs, noncoherent_ps, l1->counters->mshrs_max);
    cache_touch(&l1->tags, index);
    return (struct l1_result){answer.ready_ps, answer.ready_ps, answer.served};
}

/* Whether the state that a transaction has taken away still holds and permits the access. */
static bool old_state_serves(const struct l1_line *line, enum l1_event event, uint64_t start_ps)
{
    const struct l1_transition *old = &l1_table[line->old_state][event];

    return line->until_ps > later(start_ps, line->ready_ps) && old->message == MESSAGE_NONE &&
           old->next == line->old_state;
}

struct l1_result l1_access(struct moesi *moesi, struct l1 *l1, uint32_t line, enum l1_event event,
                           uint64_t time_ps)
{
    uint64_t start_ps = calendar_take(&l1->port, time_ps, moesi->now_ps);
    uint32_t index = cache_find(&l1->tags, line);

    if (index != CACHE_NONE) {
        struct l1_line *entry = &l1->lines[index];
        const struct l1_transition *transition = &l1_table[entry->state][event];
        if (transition->message == MESSAGE_NONE) {
            moesi->coverage.l1[entry->state][event]++;
            entry->state = transition->next;
            struct l1_result result = serve(l1, index, event, entry->state, start_ps);
            l1->buffered = result.served == HIT_L1 ? index : CACHE_NONE;
            return result;
        }
        if (old_state_serves(entry, event, start_ps)) {
            moesi->coverage.l1[entry->old_state][event]++;
            return serve(l1, index, event, entry->old_state, start_ps);
        }
    }
    return miss(moesi, l1, line, index, event, start_ps);
}

static void count_snoop(struct l1_counters *counters, enum l1_event event, enum message answer)
{
    counters->bytes_in_probes += MEM_PROBE_BYTES;
    if (event == L1_RECALL) {
        counters->recalls++;
        counters->write_backs += message_has_line(answer);
    } else {
        counters->supplied += message_has_line(answer);
        counters->invalidations += event != L1_FORWARD_GETS;
    }
    if (message_has_line(answer)) {
        counters->bytes_out += SL_CACHE_LINE_BYTES;
    }
}

struct l1_answer l1_snoop(struct moesi *moesi, uint32_t node, uint32_t line, enum l1_event event,
                          uint64_t time_ps)
{
    struct l1 *l1 = &moesi->l1s[node];
    uint32_t index = cache_find(&l1->tags, line);
    assert(index != CACHE_NONE);
    struct l1_line *entry = &l1->lines[index];
    const struct l1_transition *transition = &l1_table[entry->state][event];
    assert(transition->message != MESSAGE_IMPOSSIBLE);
    uint64_t slot_ps = calendar_take(&l1->port, time_ps, moesi->now_ps);
    uint64_t until_ps = later(slot_ps, entry->last_ps);

    moesi->coverage.l1[entry->state][event]++;
    count_snoop(l1->counters, event, transition->message);
    if (transition->next != entry->state) {
        entry->old_state = entry->state;
        entry->until_ps = until_ps;
        entry->state = transition->next;
    }
    if (transition->next == L1_I) {
        miss_causes_note(&l1->causes, line, event == L1_RECALL ? MISS_RECALL : MISS_COHERENCE);
        cache_demote(&l1->tags, index);
        l1->buffered = CACHE_NONE;
    }
    const uint64_t look_ps = message_has_line(transition->message) ? l1->latency_ps : l1->tag_ps;
    return (struct l1_answer){until_ps + look_ps, transition->message};
}
