/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What transactions do at the L2 of memory system `hybrid`, and what the caches that are kept
 * coherent (the aggregator's, of instructions, the front end's) have to do with it. */
#include "mem/systems/hybrid/hybrid.h"

#include "engine/clock.h"

/* ---- lines of the L2, and of who else has them ---- */

/* Lines of 64 bytes in a line of the L2, or that it is in. */
struct span {
    uint32_t first;
    uint32_t end;
};

static struct span lines_in(const struct hybrid *hybrid, uint32_t sector_line)
{
    const uint64_t address = (uint64_t)sector_line << hybrid->sector_shift;

    return (struct span){
        (uint32_t)(address / SL_CACHE_LINE_BYTES),
        (uint32_t)((address + hybrid->sector_bytes - 1) / SL_CACHE_LINE_BYTES + 1),
    };
}

/* Lines of the L2 in a line of 64 bytes, or that it is in. */
static struct span pieces_in(const struct hybrid *hybrid, uint32_t line)
{
    const uint64_t address = (uint64_t)line * SL_CACHE_LINE_BYTES;

    return (struct span){
        (uint32_t)(address >> hybrid->sector_shift),
        (uint32_t)((address + SL_CACHE_LINE_BYTES - 1) >> hybrid->sector_shift) + 1,
    };
}

/* Returns when the home has the newest copy of a line of the L2, where a cache has that; else 0.
 * What that cache has beside it comes home, too. Left out: an L2 line of 128 bytes, of which it has
 * half, counts as whole. */
static uint64_t fetch_owned(struct hybrid *hybrid, uint32_t sector_line, uint64_t time_ps)
{
    const struct span lines = lines_in(hybrid, sector_line);
    uint64_t owned_ps = 0;

    for (uint32_t line = lines.first; line < lines.end; line++) {
        const uint64_t point_ps = coherent_caches_flush_owner(&hybrid->coherent, line, time_ps);
        const struct span sectors = pieces_in(hybrid, line);
        for (uint32_t sector = sectors.first; point_ps != 0 && sector < sectors.end; sector++) {
            if (sector != sector_line) {
                hybrid_l2_put(&hybrid->l2, sector, true, point_ps);
            }
        }
        owned_ps = later(owned_ps, point_ps);
    }
    return owned_ps;
}

/* A line of the L2 is written: copies of it go. */
static void drop_copies(struct hybrid *hybrid, uint32_t sector_line)
{
    const struct span lines = lines_in(hybrid, sector_line);

    for (uint32_t line = lines.first; line < lines.end; line++) {
        coherent_caches_invalidate(&hybrid->coherent, line);
    }
}

void hybrid_drop_entry(struct hybrid *hybrid, uint32_t line)
{
    if (hybrid->invalidates) {
        tracker_invalidate(&hybrid->trackers, line);
        inflight_table_unlist(&hybrid->inflight, line);
    }
}

/* ---- misses ---- */

/* A sector is read in its bank's turn. Returns when it is at the L1 cache that wants it. */
static uint64_t read_piece(struct hybrid *hybrid, struct hybrid_transaction *transaction,
                           uint32_t sector)
{
    const uint32_t line = hybrid_sector_line(hybrid, transaction->line, sector);
    const uint64_t turn_ps = transaction->turn_ps[sector];
    const struct hybrid_l2_access access = {
        .line = line,
        .turn_ps = turn_ps,
        .owned_ps = fetch_owned(hybrid, line, turn_ps),
        .allocates = !transaction->allocates || hybrid->l2_allocates,
    };
    enum hit_level served;
    const uint64_t ready_ps = hybrid_l2_read(&hybrid->l2, &access, &served);

    if (transaction->hit_level != HIT_DRAM) {
        transaction->hit_level = (uint8_t)served;
    }
    hybrid->base.counters.l2.l1_bytes_out += hybrid->sector_bytes;
    return hybrid_send(hybrid, hybrid_bank_node(hybrid, line), transaction->l1->node,
                       hybrid->sector_bytes, MEM_LEG_L1_L2, ready_ps);
}

static void read_line(struct hybrid *hybrid, struct hybrid_transaction *transaction)
{
    uint64_t there_ps = 0;

    transaction->hit_level = HIT_L2;
    for (uint32_t rest = transaction->sectors; rest != 0; rest &= rest - 1) {
        there_ps = later(there_ps, read_piece(hybrid, transaction, (uint32_t)__builtin_ctz(rest)));
    }
    memcpy(transaction->bytes, hybrid_memory(hybrid, transaction->line), hybrid->line_bytes);
    hybrid_arrive(transaction, there_ps);
}

/* ---- stores ---- */

/* The bytes of a sector in a mask of a line's. */
static void piece_mask(const struct hybrid *hybrid, const uint64_t mask[2], uint32_t sector,
                       uint64_t bits[HYBRID_L2_WORDS])
{
    const uint32_t at = sector * hybrid->sector_bytes;

    bits[0] = mask[at / 64] >> at % 64 & hybrid->l2.all_bytes[0];
    bits[1] = mask[1] & hybrid->l2.all_bytes[1];
}

/* Returns when the sector is written. */
static uint64_t write_piece(struct hybrid *hybrid, const struct hybrid_transaction *transaction,
                            uint32_t sector)
{
    const uint32_t line = hybrid_sector_line(hybrid, transaction->line, sector);
    const uint64_t turn_ps = transaction->turn_ps[sector];
    const struct hybrid_l2_access access = {
        .line = line, .turn_ps = turn_ps, .owned_ps = fetch_owned(hybrid, line, turn_ps)};
    uint64_t bits[HYBRID_L2_WORDS];

    piece_mask(hybrid, transaction->mask, sector, bits);
    drop_copies(hybrid, line);
    hybrid->base.counters.l2.l1_bytes_in += hybrid->sector_bytes;
    return hybrid_l2_write(&hybrid->l2, &access, bits);
}

static void write_line(struct hybrid *hybrid, struct hybrid_transaction *transaction)
{
    const struct interconnect *net = hybrid->net;
    uint64_t written_ps = transaction->perform_ps;
    uint32_t line = 0;

    for (uint32_t rest = transaction->sectors; rest != 0; rest &= rest - 1) {
        const uint32_t sector = (uint32_t)__builtin_ctz(rest);
        line = hybrid_sector_line(hybrid, transaction->line, sector);
        written_ps = later(written_ps, write_piece(hybrid, transaction, sector));
    }
    hybrid_write_memory(hybrid, transaction);
    inflight_table_remove(&hybrid->inflight, transaction);
    hybrid->base.counters.network_bytes[MEM_LEG_L1_L2] += MEM_PROBE_BYTES;
    hybrid->l1_ops->stored(
        transaction,
        written_ps + net->ops->latency(net, hybrid_bank_node(hybrid, line), transaction->l1->node));
}

/* ---- coherent operations ---- */

/* Which of the lanes' operations on a line are on which of its sectors is not said: they share them
 * evenly. */
static uint32_t operations_on(const struct hybrid_transaction *transaction, uint32_t sector)
{
    const uint32_t all = transaction->request->operations;
    const uint32_t sectors = (uint32_t)__builtin_popcount(transaction->sectors);
    const uint32_t before =
        (uint32_t)__builtin_popcount(transaction->sectors & ((1u << sector) - 1));
    const uint32_t share = all / sectors + (before < all % sectors);

    return share == 0 ? 1 : share;
}

/* Returns when the answer is at the L1 cache. */
static uint64_t operate_on_piece(struct hybrid *hybrid, struct hybrid_transaction *transaction,
                                 uint32_t sector)
{
    const struct mem_request *request = transaction->request;
    const bool changes = request->kind != MEM_LOAD && !request->wrote_nothing;
    const uint32_t line = hybrid_sector_line(hybrid, transaction->line, sector);
    const struct hybrid_l2_access access = {
        .line = line,
        .turn_ps = transaction->turn_ps[sector],
        .owned_ps = fetch_owned(hybrid, line, transaction->turn_ps[sector]),
    };
    struct l2_counters *counters = &hybrid->base.counters.l2;
    const uint32_t bytes = request->kind == MEM_STORE ? 0 : hybrid->sector_bytes;
    enum hit_level served;
    const uint64_t ready_ps = hybrid_l2_operate(
        &hybrid->l2, &access, operations_on(transaction, sector), changes, &served);

    if (changes) {
        drop_copies(hybrid, line);
    }
    if (transaction->hit_level != HIT_DRAM) {
        transaction->hit_level = (uint8_t)served;
    }
    counters->l1_bytes_in += request->kind == MEM_LOAD ? 0 : hybrid->sector_bytes;
    counters->l1_bytes_out += bytes;
    return hybrid_send(hybrid, hybrid_bank_node(hybrid, line), transaction->l1->node, bytes,
                       MEM_LEG_L1_L2, ready_ps);
}

static void operate(struct hybrid *hybrid, struct hybrid_transaction *transaction)
{
    struct mem_request *request = transaction->request;
    struct mem_place place = {hybrid_memory(hybrid, transaction->line), &hybrid->base.reservations};
    uint64_t there_ps = 0;

    if (request->client->apply != NULL) {
        request->client->apply(request, &place, request->lanes);
    }
    transaction->hit_level = HIT_L2;
    for (uint32_t rest = transaction->sectors; rest != 0; rest &= rest - 1) {
        const uint32_t sector = (uint32_t)__builtin_ctz(rest);
        there_ps = later(there_ps, operate_on_piece(hybrid, transaction, sector));
    }
    inflight_table_remove(&hybrid->inflight, transaction);
    hybrid_transaction_at(transaction, there_ps, hybrid->l1_ops->answered);
}

void hybrid_bank_turn(struct event *event)
{
    struct hybrid_transaction *transaction = CONTAINER_OF(event, struct hybrid_transaction, event);
    struct hybrid *hybrid = transaction->l1->hybrid;

    hybrid->l2.now_ps = hybrid_now_ps(hybrid);
    switch ((enum hybrid_transaction_kind)transaction->kind) {
    case HYBRID_MISS:
        read_line(hybrid, transaction);
        break;
    case HYBRID_STORE:
        write_line(hybrid, transaction);
        break;
    case HYBRID_ATOMIC:
        operate(hybrid, transaction);
        break;
    }
}

/* ---- the aggregator's coherent operations ---- */

/* A message of the aggregator, which takes part of the network's time, leaves a node. */
static uint64_t send(struct hybrid *hybrid, uint32_t from, uint32_t to, bool has_data,
                     uint64_t time_ps, uint64_t now_ps)
{
    const uint32_t parts = interconnect_parts(hybrid->net, has_data ? hybrid->sector_bytes : 0);

    return hybrid->net->ops->send(hybrid->net, from, to, parts, time_ps, now_ps);
}

/* It passes the first tracker, and tells all. Returns when it leaves; *from is where. */
static uint64_t pass_trackers(struct hybrid *hybrid, uint32_t line, bool has_data, uint32_t *from,
                              uint64_t time_ps, uint64_t now_ps)
{
    struct trackers *trackers = &hybrid->trackers;
    uint64_t leave_ps = time_ps;

    for (uint32_t number = trackers->count; number-- > 0;) {
        const uint32_t node = hybrid->tracker_node + trackers_bank(trackers, number, line);
        const uint64_t there_ps =
            send(hybrid, *from, node, has_data && number == 0, time_ps, now_ps);
        leave_ps = trackers_turn(trackers, number, line, there_ps, now_ps) + trackers->latency_ps;
        if (number == 0) {
            *from = node;
        }
    }
    hybrid_drop_entry(hybrid, line);
    return leave_ps;
}

struct mem_answer hybrid_aggregate(struct hybrid *hybrid, struct mem_request *request)
{
    struct coherent_caches *coherent = &hybrid->coherent;
    const struct coherent_cache *cache =
        &coherent->cache[l1_number(&coherent->numbers, request->from)];
    const uint32_t line = (uint32_t)(request->address >> hybrid->sector_shift);
    const uint32_t bank = hybrid_bank_node(hybrid, line);
    const bool writes = request->kind != MEM_LOAD;
    const uint64_t now_ps = request->time_ps;
    uint32_t from = cache->node;
    const uint64_t leave_ps = pass_trackers(hybrid, hybrid_line_of(hybrid, request), writes, &from,
                                            now_ps + cache->latency_ps, now_ps);
    const uint64_t there_ps = send(hybrid, from, bank, writes, leave_ps, now_ps);
    struct hybrid_l2_access access = {
        .line = line, .turn_ps = hybrid_l2_turn(&hybrid->l2, line, there_ps, now_ps)};
    enum hit_level served;

    access.owned_ps = fetch_owned(hybrid, line, access.turn_ps);
    if (writes) {
        drop_copies(hybrid, line);
    }
    const uint64_t ready_ps = hybrid_l2_operate(&hybrid->l2, &access, 1, writes, &served);
    const uint64_t done_ps =
        send(hybrid, bank, cache->node, request->kind != MEM_STORE, ready_ps, now_ps);
    cache->counters->accesses++;
    cache->counters->served[served]++;
    hybrid_record(hybrid, request, served, done_ps);
    return (struct mem_answer){access.turn_ps, done_ps};
}

/* ---- the coherent caches' home ---- */

static uint64_t point_read(void *owner, uint32_t line, enum coherent_use use, uint64_t time_ps,
                           enum hit_level *served)
{
    struct hybrid *hybrid = owner;
    const struct span sectors = pieces_in(hybrid, line);
    uint64_t ready_ps = 0;

    *served = HIT_L2;
    for (uint32_t sector = sectors.first; sector < sectors.end; sector++) {
        const struct hybrid_l2_access access = {
            .line = sector,
            .turn_ps = hybrid_l2_turn(&hybrid->l2, sector, time_ps, hybrid->coherent.now_ps),
            .allocates = true,
        };
        enum hit_level by;
        ready_ps = later(ready_ps, hybrid_l2_read(&hybrid->l2, &access, &by));
        *served = by != HIT_L2 ? by : *served;
        if (use == COHERENT_EXCLUSIVE) {
            hybrid_l2_drop(&hybrid->l2, sector);
        }
    }
    return ready_ps;
}

static void point_write(void *owner, uint32_t line, uint64_t time_ps)
{
    struct hybrid *hybrid = owner;
    const struct span sectors = pieces_in(hybrid, line);

    for (uint32_t sector = sectors.first; sector < sectors.end; sector++) {
        hybrid_l2_put(&hybrid->l2, sector, true,
                      hybrid_l2_turn(&hybrid->l2, sector, time_ps, hybrid->coherent.now_ps));
    }
}

static void point_claim(void *owner, uint32_t line, uint64_t time_ps)
{
    struct hybrid *hybrid = owner;
    const struct span sectors = pieces_in(hybrid, line);

    for (uint32_t sector = sectors.first; sector < sectors.end; sector++) {
        (void)hybrid_l2_turn(&hybrid->l2, sector, time_ps, hybrid->coherent.now_ps);
        hybrid_l2_drop(&hybrid->l2, sector);
    }
}

static uint32_t point_node(void *owner, uint32_t line, enum coherent_use use)
{
    const struct hybrid *hybrid = owner;

    (void)use;
    return hybrid_bank_node(hybrid, pieces_in(hybrid, line).first);
}

const struct coherence_point hybrid_coherence_point = {point_read, point_write, point_claim,
                                                       point_node};
