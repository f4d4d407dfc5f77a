/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Ways of transactions of memory system `hybrid`: from an L1 cache to the sharing tracker, to
 * another L1 cache or to the L2 (papers/003 section 3.5). A message with data has a header of
 * MEM_PROBE_BYTES more, which takes no time of its own. */
#include "mem/systems/hybrid/hybrid.h"

#include "engine/clock.h"

static uint32_t tracker_node(const struct hybrid *hybrid, uint32_t number, uint32_t line)
{
    return hybrid->tracker_node + trackers_bank(&hybrid->trackers, number, line);
}

/* A message of an L1 cache comes to a tracker. Returns when its bank looks at it. */
static uint64_t tell(struct hybrid_l1 *l1, uint32_t number, uint32_t line, uint32_t bytes,
                     uint64_t time_ps)
{
    struct hybrid *hybrid = l1->hybrid;
    const uint64_t there_ps = hybrid_send(hybrid, l1->node, tracker_node(hybrid, number, line),
                                          bytes, MEM_LEG_L1_TRACKER, time_ps);

    return trackers_turn(&hybrid->trackers, number, line, there_ps, hybrid_now_ps(hybrid));
}

/* ---- what the tracker lists ---- */

void hybrid_report(struct hybrid_l1 *l1, uint32_t line)
{
    struct trackers *trackers = &l1->hybrid->trackers;

    if (trackers->count != 0) {
        (void)tell(l1, trackers_number(trackers, l1->node), line, 0, hybrid_now_ps(l1->hybrid));
        trackers->counters->reports++;
        tracker_remove_sharer(trackers, l1->node, line);
    }
}

void hybrid_mark(struct hybrid_l1 *l1, const struct hybrid_transaction *transaction)
{
    struct trackers *trackers = &l1->hybrid->trackers;

    if (trackers->count != 0) {
        (void)tell(l1, trackers_number(trackers, l1->node), transaction->line, 0,
                   hybrid_now_ps(l1->hybrid));
        if (!transaction->no_tracker) {
            tracker_add_sharer(trackers, l1->node, transaction->line);
        }
    }
}

/* ---- to the L2 ---- */

/* Bytes of each sector on the way to the L2. */
static uint32_t data_of(const struct hybrid_transaction *transaction)
{
    const bool has_data =
        transaction->kind == HYBRID_STORE ||
        (transaction->kind == HYBRID_ATOMIC && transaction->request->kind != MEM_LOAD);

    return has_data ? transaction->l1->hybrid->sector_bytes : 0;
}

/* A request for each sector leaves for its bank at a time. The transaction takes effect when the
 * last one has its turn, and not before what its cache has sent ahead of it to the line. */
static void go_to_bank(struct hybrid_transaction *transaction, enum mem_leg leg, uint64_t time_ps)
{
    struct hybrid *hybrid = transaction->l1->hybrid;
    const uint32_t bytes = data_of(transaction);
    uint64_t perform_ps = inflight_table_perform_ps(&hybrid->inflight, transaction);

    for (uint32_t rest = transaction->sectors; rest != 0; rest &= rest - 1) {
        const uint32_t sector = (uint32_t)__builtin_ctz(rest);
        const uint32_t line = hybrid_sector_line(hybrid, transaction->line, sector);
        const uint64_t there_ps = hybrid_send(hybrid, transaction->from,
                                              hybrid_bank_node(hybrid, line), bytes, leg, time_ps);
        transaction->turn_ps[sector] =
            hybrid_l2_turn(&hybrid->l2, line, there_ps, hybrid_now_ps(hybrid));
        perform_ps = later(perform_ps, transaction->turn_ps[sector]);
        hybrid_l2_prefetch(&hybrid->l2, line);
    }
    transaction->perform_ps = perform_ps;
    hybrid_transaction_at(transaction, perform_ps, hybrid_bank_turn);
    __builtin_prefetch(hybrid_memory(hybrid, transaction->line));
    __builtin_prefetch(hybrid_memory(hybrid, transaction->line) + hybrid->line_bytes - 1);
}

/* ---- to another L1 cache ---- */

/* The line is sent on from an L1 cache that is listed, if that still has it. If it has what the L2
 * has not yet, it does not: who read that could read older bytes afterwards, at the L2. */
static void remote_turn(struct event *event)
{
    struct hybrid_transaction *transaction = CONTAINER_OF(event, struct hybrid_transaction, event);
    struct hybrid *hybrid = transaction->l1->hybrid;
    struct hybrid_l1 *other = &hybrid->l1s[transaction->from];
    const uint64_t leave_ps = hybrid_now_ps(hybrid) + hybrid->remote_ps;
    const uint32_t index = cache_find(&other->tags, transaction->line);

    if (index == CACHE_NONE || hybrid_store_to(other->stores.first, transaction->line) != NULL) {
        hybrid->trackers.counters->lost++;
        go_to_bank(transaction, MEM_LEG_L1_L2, leave_ps);
        return;
    }
    const uint32_t bytes =
        (uint32_t)__builtin_popcount(transaction->sectors) * hybrid->sector_bytes;
    hybrid->trackers.counters->hits++;
    hybrid->base.counters.l1[L1D].supplied++;
    hybrid->base.counters.l1[L1D].bytes_out += bytes;
    memcpy(transaction->bytes, hybrid_l1_bytes(other, index), hybrid->line_bytes);
    cache_touch(&other->tags, index);
    transaction->hit_level = HIT_OTHER_L1;
    hybrid_arrive(transaction, hybrid_send(hybrid, transaction->from, transaction->l1->node, bytes,
                                           MEM_LEG_L1_L1, leave_ps));
}

static void ask(struct hybrid_transaction *transaction, uint32_t cu, uint64_t time_ps)
{
    struct hybrid *hybrid = transaction->l1->hybrid;
    const uint64_t there_ps =
        hybrid_send(hybrid, transaction->from, cu, 0, MEM_LEG_L1_TRACKER, time_ps);

    transaction->from = cu;
    hybrid_transaction_at(transaction,
                          calendar_take(&hybrid->l1s[cu].other, there_ps, hybrid_now_ps(hybrid)),
                          remote_turn);
}

/* ---- at the tracker ---- */

static void tracker_turn(struct event *event)
{
    struct hybrid_transaction *transaction = CONTAINER_OF(event, struct hybrid_transaction, event);
    struct hybrid *hybrid = transaction->l1->hybrid;
    struct trackers *trackers = &hybrid->trackers;
    const uint64_t leave_ps = hybrid_now_ps(hybrid) + trackers->latency_ps;
    uint32_t cu = TRACKER_NOBODY;

    transaction->from =
        tracker_node(hybrid, trackers_number(trackers, transaction->l1->node), transaction->line);
    if (transaction->kind == HYBRID_MISS) {
        cu = tracker_lookup(trackers, transaction->l1->node, transaction->line);
        transaction->no_tracker =
            hybrid->invalidates && inflight_table_writes(&hybrid->inflight, transaction->line);
    } else {
        hybrid_drop_entry(hybrid, transaction->line);
    }
    inflight_table_add(&hybrid->inflight, transaction);
    if (cu != TRACKER_NOBODY) {
        ask(transaction, cu, leave_ps);
    } else {
        go_to_bank(transaction, MEM_LEG_TRACKER_L2, leave_ps);
    }
}

/* What writes a line tells all trackers, and goes by its own. */
static void leave_for_tracker(struct hybrid_transaction *transaction, uint64_t time_ps)
{
    struct hybrid *hybrid = transaction->l1->hybrid;
    const uint32_t own = trackers_number(&hybrid->trackers, transaction->l1->node);
    const uint32_t bytes =
        data_of(transaction) * (uint32_t)__builtin_popcount(transaction->sectors);

    if (transaction->kind != HYBRID_MISS) {
        for (uint32_t number = 0; number < hybrid->trackers.count; number++) {
            if (number != own) {
                (void)tell(transaction->l1, number, transaction->line, 0, time_ps);
            }
        }
    }
    hybrid_transaction_at(
        transaction, tell(transaction->l1, own, transaction->line, bytes, time_ps), tracker_turn);
}

void hybrid_leave(struct hybrid_transaction *transaction, uint64_t time_ps)
{
    struct hybrid *hybrid = transaction->l1->hybrid;

    if (hybrid->trackers.count != 0) {
        leave_for_tracker(transaction, time_ps);
        return;
    }
    if (transaction->kind != HYBRID_MISS) {
        inflight_table_add(&hybrid->inflight, transaction);
    }
    transaction->from = transaction->l1->node;
    go_to_bank(transaction, MEM_LEG_L1_L2, time_ps);
}
