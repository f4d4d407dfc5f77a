/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `quickrelease`: making one, the contract of memory systems, and what has to do with
 * all levels: synchronization, the aggregator's stores, stacks of wavefronts that end, the end of a
 * run. */
#include "mem/systems/quickrelease/quickrelease.h"

#include "engine/clock.h"
#include "isa/isa.h"
#include "sluice/config.h"

/* ---- accesses ---- */

static struct mem_answer quickrelease_access(struct mem_system *mem, struct mem_request *request)
{
    struct quickrelease *qr = quickrelease_of(mem);

    if (request->from.kind == MEM_CU) {
        access_queue_push(&qr->l1s[request->from.index].accesses, request);
        return (struct mem_answer){MEM_PENDING, MEM_PENDING};
    }
    enum hit_level served;
    const struct mem_answer answer = coherent_caches_access(&qr->coherent, request, &served);
    request->hit_level = (uint8_t)(1 + served);
    if (request->from.kind == MEM_AGG) {
        qr_record(qr, request, served, answer.done_ps);
    }
    return answer;
}

/* Caches for reads that have the line lose it at once: an acquire would not. Dirty bytes stay. */
static void quickrelease_written(struct mem_system *mem, uint64_t address, uint32_t bytes)
{
    struct quickrelease *qr = quickrelease_of(mem);
    const uint32_t last = (uint32_t)((address + bytes - 1) / LINE_BYTES);

    for (uint32_t line = (uint32_t)(address / LINE_BYTES); line <= last; line++) {
        qr_l2_drop(qr, line);
        qr_drop_shared(qr, line);
    }
}

/* ---- stacks of wavefronts that have ended ---- */

/* Bytes on their way to a cache that are nobody's any more are dropped there. */
static void forget_under_way(struct transaction *transaction, uint64_t first_line, uint64_t lines,
                             struct write_cache_counters *counters)
{
    for (; transaction != NULL; transaction = transaction->next) {
        if (transaction->kind == TRANSACTION_WRITE && transaction->line - first_line < lines) {
            counters->bytes_in += line_bytes_count(transaction->mask);
            counters->bytes_dropped += line_bytes_count(transaction->mask);
            transaction->mask = 0;
        }
    }
}

static void forget(struct quickrelease *qr, const struct mem_request *request)
{
    const uint64_t first = request->address / LINE_BYTES;
    const uint64_t lines = request->bytes / LINE_BYTES;
    struct qr_l1 *l1 = &qr->l1s[request->from.index];

    write_cache_forget(&l1->wl1, first, lines);
    forget_under_way(l1->writes.first, first, lines, qr->wl2.counters);
    write_cache_forget(&qr->wl2, first, lines);
    forget_under_way(qr->writes.first, first, lines, qr->wl3.counters);
    write_cache_forget(&qr->wl3, first, lines);
}

/* ---- synchronization ---- */

/* Where nothing has been written since the latest marker came, that one will do. */
static uint64_t release(struct qr_l1 *l1, struct mem_request *request)
{
    if (l1->marked != l1->wl1.tail || l1->wl1.by_wavefront) {
        l1->marked = l1->wl1.tail;
        l1->markers_sent++;
        write_cache_mark(&l1->wl1, request, request->time_ps);
        return MEM_PENDING;
    }
    if (l1->markers_sent == l1->markers_done) {
        return request->time_ps;
    }
    request->priv.number = l1->markers_sent;
    request_queue_put(&l1->coalesced_releases, request);
    return MEM_PENDING;
}

static uint64_t quickrelease_sync(struct mem_system *mem, struct mem_request *request)
{
    struct quickrelease *qr = quickrelease_of(mem);

    if (request->from.kind != MEM_CU) {
        return request->time_ps;
    }
    note_sync(&mem->counters.sync, request);
    if (request->bytes != 0) {
        forget(qr, request);
    }
    if (!request->release || request->scope == SL_SCOPE_WAVEFRONT) {
        return request->time_ps;
    }
    return release(&qr->l1s[request->from.index], request);
}

/* ---- the end of a run ---- */

/* Bytes go to DRAM, through all write caches from a level on. */
static void settle_bytes(struct quickrelease *qr, unsigned level, uint32_t line,
                         const uint8_t *bytes, uint64_t mask, bool carries_none)
{
    struct write_cache_counters *wl = qr->base.counters.wl;

    for (; level < MEM_WRITE_CACHES; level++) {
        wl[level].bytes_in += line_bytes_count(mask);
        wl[level].bytes_out += line_bytes_count(mask);
    }
    if (!carries_none) {
        line_bytes_merge(qr_memory(qr, line), bytes, mask);
    }
}

static void settle_cache(struct quickrelease *qr, unsigned level, const struct write_cache *cache)
{
    for (uint32_t index = 0; index < cache_size(&cache->tags); index++) {
        const struct write_line *line = &cache->lines[index];
        if (line->mask != 0) {
            qr->base.counters.wl[level].bytes_out += line_bytes_count(line->mask);
            settle_bytes(qr, level + 1, cache->tags.tag[index], write_cache_bytes(cache, index),
                         line->mask, line->timing_only);
        }
    }
}

/* To a cache of a level. */
static void settle_under_way(struct quickrelease *qr, unsigned level,
                             const struct transaction *transaction)
{
    for (; transaction != NULL; transaction = transaction->next) {
        if (transaction->kind == TRANSACTION_WRITE) {
            settle_bytes(qr, level, transaction->line, transaction->bytes, transaction->mask,
                         transaction->timing_only);
        }
    }
}

static void reset(struct quickrelease *qr)
{
    for (uint32_t cu = 0; cu < qr->cus; cu++) {
        qr_l1_reset(&qr->l1s[cu]);
    }
    transactions_reset(&qr->transactions, qr->event_queue);
    qr_l2_reset(qr);
    qr_directory_reset(qr);
}

/* What is nearest to DRAM is oldest. */
static void quickrelease_settle(struct mem_system *mem)
{
    struct quickrelease *qr = quickrelease_of(mem);

    settle_cache(qr, 2, &qr->wl3);
    settle_under_way(qr, 2, qr->writes.first);
    settle_cache(qr, 1, &qr->wl2);
    for (uint32_t cu = 0; cu < qr->cus; cu++) {
        settle_under_way(qr, 1, qr->l1s[cu].writes.first);
        settle_cache(qr, 0, &qr->l1s[cu].wl1);
    }
    reset(qr);
}

/* ---- what a requester would see ---- */

static void see_dirty(const struct write_cache *cache, uint32_t line, uint8_t *bytes)
{
    const uint32_t index = write_cache_find(cache, line);

    if (index != CACHE_NONE) {
        line_bytes_merge(bytes, write_cache_bytes(cache, index), cache->lines[index].mask);
    }
}

static void see_line(const struct quickrelease *qr, const struct qr_l1 *l1, uint32_t line,
                     uint8_t *bytes)
{
    const uint32_t index = cache_find(&l1->tags, line);
    const uint32_t way = cache_find(&qr->tags, line);

    if (index != CACHE_NONE && !l1->lines[index].fill.is_in_flight) {
        memcpy(bytes, l1->bytes + (size_t)index * LINE_BYTES, LINE_BYTES);
    } else if (way != CACHE_NONE && !qr->lines[way].is_under_way && !qr->lines[way].is_code) {
        memcpy(bytes, qr->bytes + (size_t)way * LINE_BYTES, LINE_BYTES);
        see_dirty(&qr->wl2, line, bytes);
    } else {
        see_dirty(&qr->wl3, line, bytes);
        see_dirty(&qr->wl2, line, bytes);
    }
    see_dirty(&l1->wl1, line, bytes);
}

static void quickrelease_peek(const struct mem_system *mem, struct mem_requester from,
                              uint64_t address, void *bytes, size_t count)
{
    const struct quickrelease *qr = (const struct quickrelease *)mem;

    for (size_t i = 0; i < count; i++) {
        const uint32_t line = (uint32_t)((address + i) / LINE_BYTES);
        uint8_t seen[LINE_BYTES];
        memcpy(seen, qr_memory(qr, line), LINE_BYTES);
        if (from.kind == MEM_CU) {
            see_line(qr, &qr->l1s[from.index], line, seen);
        }
        ((uint8_t *)bytes)[i] = seen[(address + i) % LINE_BYTES];
    }
}

/* ---- life ---- */

static void quickrelease_begin(struct mem_system *mem)
{
    struct quickrelease *qr = quickrelease_of(mem);

    reset(qr);
    coherent_caches_reset(&qr->coherent);
    qr->net->ops->reset(qr->net);
    mem->counters = (struct mem_counters){.dram_channels = qr->timing.channels,
                                          .dram_line_bytes = SL_CACHE_LINE_BYTES};
}

static void quickrelease_destroy(struct mem_system *mem)
{
    struct quickrelease *qr = quickrelease_of(mem);

    for (uint32_t cu = 0; qr->l1s != NULL && cu < qr->cus; cu++) {
        qr_l1_destroy(&qr->l1s[cu]);
    }
    free(qr->l1s);
    qr_l2_destroy(qr);
    qr_directory_destroy(qr);
    coherent_caches_destroy(&qr->coherent);
    transactions_destroy(&qr->transactions);
    if (qr->net != NULL) {
        qr->net->ops->destroy(qr->net);
    }
    free(qr);
}

/* The longest way of an invalidation. */
static uint64_t longest_way(const struct quickrelease *qr)
{
    uint64_t latency_ps = 0;

    for (uint32_t bank = 0; bank < qr->bank_count; bank++) {
        for (uint32_t cu = 0; cu < qr->cus; cu++) {
            latency_ps =
                later(latency_ps, qr->net->ops->latency(qr->net, qr_bank_node(qr, bank), cu));
        }
    }
    return latency_ps;
}

static bool create_parts(struct quickrelease *qr, const struct sl_config *config)
{
    /* One has come and is being served while others leave. */
    const uint32_t under_way = qr->fills + (uint32_t)config->number[SL_CFG_L1D_WRITES] + 1;

    qr->l1s = calloc(qr->cus, sizeof(*qr->l1s));
    if (qr->l1s == NULL || !transactions_create(&qr->transactions, qr->cus * under_way)) {
        return false;
    }
    for (uint32_t cu = 0; cu < qr->cus; cu++) {
        if (!qr_l1_create(&qr->l1s[cu], qr, cu, config)) {
            return false;
        }
    }
    qr->coherent.point = &qr_coherence_point;
    qr->coherent.owner = qr;
    if (!qr_l2_create(qr, config) || !qr_directory_create(qr, config) ||
        !coherent_caches_create(&qr->coherent, config, qr->cus, &qr->base.counters)) {
        return false;
    }
    qr->net =
        interconnect_create(config, qr->cus + qr->coherent.count + 2 * qr->bank_count, &qr->clock);
    qr->coherent.net = qr->net;
    return qr->net != NULL;
}

static struct mem_system *quickrelease_create(const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct quickrelease *qr = calloc(1, sizeof(*qr));

    if (qr == NULL) {
        return NULL;
    }
    qr->base = (struct mem_system){
        .ops = &mem_quickrelease, .line_bytes = LINE_BYTES, .needs_byte_masks = true};
    qr->dram = *parts->dram;
    qr->event_queue = parts->event_queue;
    qr->stream = parts->stream;
    qr->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    qr->cus = (uint32_t)config->number[SL_CFG_GPU_CUS];
    qr->fills = (uint32_t)config->number[SL_CFG_L1D_MSHRS];
    if (!create_parts(qr, config)) {
        quickrelease_destroy(&qr->base);
        return NULL;
    }
    qr->probe_ps = longest_way(qr);
    quickrelease_begin(&qr->base);
    return &qr->base;
}

const struct mem_ops mem_quickrelease = {
    .name = "quickrelease",
    .create = quickrelease_create,
    .destroy = quickrelease_destroy,
    .reset = quickrelease_begin,
    .drain = quickrelease_settle,
    .access = quickrelease_access,
    .sync = quickrelease_sync,
    .notify_write = quickrelease_written,
    .functional_read = quickrelease_peek,
};
