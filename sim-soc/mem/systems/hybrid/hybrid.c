/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid`: making one, and the contract of memory systems. */
#include "mem/systems/hybrid/hybrid.h"

#include <stdlib.h>

#include "engine/clock.h"
#include "isa/isa.h"
#include "sluice/config.h"

/* ---- accesses ---- */

/* The part of memory that is the aggregator's alone, which its caches may keep. */
static bool is_firmwares(uint64_t address)
{
    return address - SL_FIRMWARE_BASE < SL_FIRMWARE_BYTES;
}

/* A load contends for lines where its instruction touches as many as there are for each wavefront,
 * or more (papers/003 section 3.3). */
static bool contends(const struct hybrid_l1 *l1, const struct mem_request *request)
{
    return request->kind == MEM_LOAD && !request->atomic && request->lines >= l1->bypass_threshold;
}

/* What the front end touches comes as a line of the L1 caches; its own cache has lines of 64 bytes,
 * each an access. */
static struct mem_answer front_access(struct hybrid *hybrid, struct mem_request *request)
{
    struct mem_answer answer = {request->time_ps, request->time_ps};

    for (unsigned half = 0; half < 2; half++) {
        if (request->mask[half] != 0) {
            struct mem_request part = *request;
            enum hit_level served;
            part.address += half * SL_CACHE_LINE_BYTES;
            const struct mem_answer one = coherent_caches_access(&hybrid->coherent, &part, &served);
            answer.perform_ps = later(answer.perform_ps, one.perform_ps);
            answer.done_ps = later(answer.done_ps, one.done_ps);
        }
    }
    if (request->kind == MEM_STORE) {
        hybrid_drop_entry(hybrid, hybrid_line_of(hybrid, request));
    }
    return answer;
}

static struct mem_answer hybrid_access(struct mem_system *mem, struct mem_request *request)
{
    struct hybrid *hybrid = hybrid_of(mem);

    if (request->from.kind == MEM_CU) {
        struct hybrid_l1 *l1 = &hybrid->l1s[request->from.index];
        request->priv.number = contends(l1, request);
        access_queue_push(&l1->accesses, request);
        return (struct mem_answer){MEM_PENDING, MEM_PENDING};
    }
    if (request->from.kind == MEM_AGG && !is_firmwares(request->address)) {
        return hybrid_aggregate(hybrid, request);
    }
    if (request->from.kind == MEM_FRONT) {
        return front_access(hybrid, request);
    }
    enum hit_level served;
    const struct mem_answer answer = coherent_caches_access(&hybrid->coherent, request, &served);
    request->hit_level = (uint8_t)(1 + served);
    if (request->from.kind == MEM_AGG) {
        hybrid_record(hybrid, request, served, answer.done_ps);
    }
    return answer;
}

static void hybrid_written(struct mem_system *mem, uint64_t address, uint32_t bytes)
{
    struct hybrid *hybrid = hybrid_of(mem);
    const uint32_t last = (uint32_t)((address + bytes - 1) >> hybrid->line_shift);

    if (is_firmwares(address)) { /* no compute unit has it */
        return;
    }
    for (uint32_t line = (uint32_t)(address >> hybrid->line_shift); line <= last; line++) {
        hybrid_drop_entry(hybrid, line);
    }
}

/* ---- synchronization ---- */

/* What it says of how many wavefronts are resident. */
static int32_t waves_more(const struct mem_request *request)
{
    switch ((enum mem_sync)request->sync) {
    case MEM_SYNC_LAUNCH:
    case MEM_SYNC_RESTART:
        return 1;
    case MEM_SYNC_END:
    case MEM_SYNC_YIELD:
        return -1;
    case MEM_SYNC_PACKET:
        return request->acquire ? 1 : -1;
    default:
        return 0;
    }
}

/* A packet is over, as a launch is one (papers/003 section 3.2: global synchronization): all
 * L1 caches and the trackers are emptied. */
static void end_packet(struct hybrid *hybrid)
{
    tracker_clear(&hybrid->trackers);
    for (uint32_t cu = 0; cu < hybrid->cus; cu++) {
        hybrid_l1_empty(&hybrid->l1s[cu]);
    }
}

/* A release has nothing to wait for: stores are done when they have taken effect at the L2, and
 * whoever releases has waited for its own. An acquire of the device's scope or beyond empties the
 * L1 cache of its compute unit, in no time. */
static uint64_t hybrid_sync(struct mem_system *mem, struct mem_request *request)
{
    struct hybrid *hybrid = hybrid_of(mem);

    if (request->from.kind == MEM_FRONT && request->sync == MEM_SYNC_STEP) {
        end_packet(hybrid);
    }
    if (request->from.kind != MEM_CU) {
        return request->time_ps;
    }
    struct hybrid_l1 *l1 = &hybrid->l1s[request->from.index];
    const bool is_wide =
        request->scope != SL_SCOPE_WAVEFRONT && request->scope != SL_SCOPE_WORKGROUP;
    note_sync(&mem->counters.sync, request);
    hybrid_l1_reside(l1, waves_more(request));
    if (request->acquire && is_wide) {
        hybrid_l1_empty(l1);
    }
    return request->time_ps;
}

/* ---- the end of a run, and what is seen from outside ---- */

static void reset(struct hybrid *hybrid)
{
    hybrid->free_transactions = NULL;
    for (uint32_t i = hybrid->transaction_count; i > 0; i--) {
        struct hybrid_transaction *transaction = &hybrid->transactions[i - 1];
        event_queue_remove(hybrid->event_queue, &transaction->event);
        transaction->next = hybrid->free_transactions;
        hybrid->free_transactions = transaction;
    }
    memset(&hybrid->inflight, 0, sizeof(hybrid->inflight));
    for (uint32_t cu = 0; cu < hybrid->cus; cu++) {
        hybrid_l1_reset(&hybrid->l1s[cu]);
    }
    trackers_reset(&hybrid->trackers);
}

static void hybrid_settle(struct mem_system *mem)
{
    struct hybrid *hybrid = hybrid_of(mem);

    for (uint32_t cu = 0; cu < hybrid->cus; cu++) {
        for (const struct hybrid_transaction *transaction = hybrid->l1s[cu].stores.first;
             transaction != NULL; transaction = transaction->next) {
            hybrid_write_memory(hybrid, transaction);
        }
    }
    reset(hybrid);
}

/* A line as a load of the compute unit would see it that came to the L2 behind its stores. */
static void see_line(const struct hybrid *hybrid, const struct hybrid_l1 *l1, uint32_t line,
                     uint8_t bytes[MEM_LINE_MAX])
{
    const uint32_t index = cache_find(&l1->tags, line);

    if (index != CACHE_NONE) {
        memcpy(bytes, hybrid_l1_bytes(l1, index), hybrid->line_bytes);
        return;
    }
    for (const struct hybrid_transaction *transaction = hybrid_store_to(l1->stores.first, line);
         transaction != NULL; transaction = hybrid_store_to(transaction->next, line)) {
        if (!transaction->timing_only) {
            hybrid_merge(bytes, transaction->bytes, transaction->mask);
        }
    }
}

static void hybrid_peek(const struct mem_system *mem, struct mem_requester from, uint64_t address,
                        void *bytes, size_t count)
{
    const struct hybrid *hybrid = (const struct hybrid *)mem;

    for (size_t i = 0; i < count; i++) {
        const uint32_t line = (uint32_t)((address + i) >> hybrid->line_shift);
        uint8_t seen[MEM_LINE_MAX];
        memcpy(seen, hybrid_memory(hybrid, line), hybrid->line_bytes);
        if (from.kind == MEM_CU) {
            see_line(hybrid, &hybrid->l1s[from.index], line, seen);
        }
        ((uint8_t *)bytes)[i] = seen[(address + i) % hybrid->line_bytes];
    }
}

/* ---- life ---- */

static void hybrid_begin(struct mem_system *mem)
{
    struct hybrid *hybrid = hybrid_of(mem);

    reset(hybrid);
    hybrid_l2_reset(&hybrid->l2);
    coherent_caches_reset(&hybrid->coherent);
    hybrid->net->ops->reset(hybrid->net);
    mem->counters = (struct mem_counters){.dram_channels = hybrid->l2.timing.channels,
                                          .dram_line_bytes = hybrid->sector_bytes};
}

static void hybrid_destroy(struct mem_system *mem)
{
    struct hybrid *hybrid = hybrid_of(mem);

    for (uint32_t cu = 0; hybrid->l1s != NULL && cu < hybrid->cus; cu++) {
        hybrid_l1_destroy(&hybrid->l1s[cu]);
    }
    free(hybrid->l1s);
    free(hybrid->transactions);
    trackers_destroy(&hybrid->trackers);
    hybrid_l2_destroy(&hybrid->l2);
    coherent_caches_destroy(&hybrid->coherent);
    if (hybrid->net != NULL) {
        hybrid->net->ops->destroy(hybrid->net);
    }
    free(hybrid);
}

static bool create_l1s(struct hybrid *hybrid, const struct sl_config *config)
{
    /* One has come and is being served while others leave. */
    hybrid->transaction_count = hybrid->cus * (hybrid->misses + hybrid->stores + 1);
    hybrid->transactions = aligned_alloc(alignof(struct hybrid_transaction),
                                         hybrid->transaction_count * sizeof(*hybrid->transactions));
    hybrid->l1_ops = &hybrid_l1_ops;
    hybrid->l1s = calloc(hybrid->cus, sizeof(*hybrid->l1s));
    if (hybrid->transactions == NULL || hybrid->l1s == NULL) {
        return false;
    }
    memset(hybrid->transactions, 0, hybrid->transaction_count * sizeof(*hybrid->transactions));
    for (uint32_t cu = 0; cu < hybrid->cus; cu++) {
        if (!hybrid_l1_create(&hybrid->l1s[cu], hybrid, cu, config)) {
            return false;
        }
    }
    return true;
}

static bool create_parts(struct hybrid *hybrid, const struct sl_config *config)
{
    hybrid->coherent.point = &hybrid_coherence_point;
    hybrid->coherent.owner = hybrid;
    if (!create_l1s(hybrid, config) ||
        !trackers_create(&hybrid->trackers, config, &hybrid->base.counters.tracker) ||
        !hybrid_l2_create(&hybrid->l2, config, &hybrid->base.counters) ||
        !coherent_caches_create(&hybrid->coherent, config, hybrid->cus, &hybrid->base.counters)) {
        return false;
    }
    hybrid->tracker_node = hybrid->cus + hybrid->coherent.count;
    hybrid->bank_node = hybrid->tracker_node + hybrid->trackers.count * hybrid->trackers.banks;
    hybrid->net =
        interconnect_create(config, hybrid->bank_node + hybrid->l2.banks.count, &hybrid->clock);
    hybrid->coherent.net = hybrid->net;
    return hybrid->net != NULL;
}

/* What the configuration says. */
static void set_shape(struct hybrid *hybrid, const struct sl_config *config)
{
    const int64_t *number = config->number;
    const int64_t cycles = number[SL_CFG_L1D_CYCLES];
    const uint64_t remote_cycles = (uint64_t)number[SL_CFG_L1D_REMOTE_CYCLES];

    hybrid->cus = (uint32_t)number[SL_CFG_GPU_CUS];
    hybrid->line_bytes = (uint32_t)number[SL_CFG_L1D_LINE];
    hybrid->line_shift = (uint32_t)__builtin_ctz(hybrid->line_bytes);
    hybrid->sector_bytes = (uint32_t)number[SL_CFG_L2_LINE];
    hybrid->sector_shift = (uint32_t)__builtin_ctz(hybrid->sector_bytes);
    hybrid->all_sectors = (1u << (hybrid->line_bytes / hybrid->sector_bytes)) - 1;
    hybrid->l1_lines = (uint32_t)number[SL_CFG_L1D_SIZE] / hybrid->line_bytes;
    hybrid->misses = (uint32_t)number[SL_CFG_L1D_MSHRS];
    hybrid->stores = (uint32_t)number[SL_CFG_L1D_WRITES];
    hybrid->hit_ps = (uint64_t)cycles * hybrid->clock.ps;
    hybrid->tag_ps = cache_tag_cycles(number[SL_CFG_L1D_TAG_CYCLES], cycles) * hybrid->clock.ps;
    hybrid->remote_ps = remote_cycles == 0 ? hybrid->hit_ps : remote_cycles * hybrid->clock.ps;
    hybrid->bypasses = number[SL_CFG_L1D_BYPASS] == SL_L1D_BYPASS_ON;
    hybrid->l2_allocates = number[SL_CFG_L2_BYPASS] == SL_L2_BYPASS_OFF;
    hybrid->invalidates = number[SL_CFG_TRACKER_INVALIDATE] == SL_TRACKER_INVALIDATE_WRITE;
}

static struct mem_system *hybrid_create(const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct hybrid *hybrid = calloc(1, sizeof(*hybrid));

    if (hybrid == NULL) {
        return NULL;
    }
    hybrid->dram = *parts->dram;
    hybrid->event_queue = parts->event_queue;
    hybrid->stream = parts->stream;
    hybrid->clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    set_shape(hybrid, config);
    hybrid->base = (struct mem_system){
        .ops = &mem_hybrid, .line_bytes = hybrid->line_bytes, .needs_byte_masks = true};
    if (!create_parts(hybrid, config)) {
        hybrid_destroy(&hybrid->base);
        return NULL;
    }
    hybrid_begin(&hybrid->base);
    return &hybrid->base;
}

const struct mem_ops mem_hybrid = {
    .name = "hybrid",
    .create = hybrid_create,
    .destroy = hybrid_destroy,
    .reset = hybrid_begin,
    .drain = hybrid_settle,
    .access = hybrid_access,
    .sync = hybrid_sync,
    .notify_write = hybrid_written,
    .functional_read = hybrid_peek,
};
