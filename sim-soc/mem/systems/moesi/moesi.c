/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `moesi`: the caches of the core paper (papers/001 Table 2 and section 7) under its
 * read-for-ownership MOESI directory.
 *
 * Each compute unit has an L1 data cache, all share one instruction cache (or have one each), the
 * aggregator has both of its own, and the front end has one where it accesses memory; behind them
 * is one inclusive L2 with the directory, in banks, and behind that DRAM, with an L3 in front of it
 * or without. The compute units' clock is also that of the L2 and the network. Everything is
 * coherent, so DRAM's bytes always are the value, and what is simulated is where a line would be
 * and when. Atomics take effect in the L1 cache, which owns the line then. What the parts leave out
 * is in their files, what it means that requests are resolved when they are handed in, in
 * mem/systems/moesi/moesi.h; docs/look-up/memory-moesi.md has the whole. */
#include "mem/systems/moesi/moesi.h"

#include <stdlib.h>

#include "engine/clock.h"
#include "mem/parts/mem_record.h"
#include "sluice/config.h"

static bool create_l1(struct moesi *moesi, uint32_t node, enum mem_requester_kind kind,
                      const struct sl_config *config)
{
    struct l1 *l1 = &moesi->l1s[node];
    const struct l1_shape shape = l1_shape_of(config, kind);

    l1->node = node;
    l1->clock = shape.is_agg ? &moesi->agg_clock : &moesi->cu_clock;
    l1->counters = &moesi->base.counters.l1[shape.kind];
    l1->tag_ps = cache_tag_cycles(kind == MEM_CU ? config->number[SL_CFG_L1D_TAG_CYCLES] : 0,
                                  (int64_t)shape.cycles) *
                 l1->clock->ps;
    l1->latency_ps = shape.cycles * l1->clock->ps;
    l1->port.shift = shape.ports_shift;
    if (!cache_create(&l1->tags, shape.sets, shape.ways) ||
        !mshrs_create(&l1->mshrs, shape.mshrs)) {
        return false;
    }
    l1->lines = calloc(cache_size(&l1->tags), sizeof(*l1->lines));
    return l1->lines != NULL && (kind != MEM_AGG || miss_causes_create(&l1->causes, config));
}

static bool create_l1s(struct moesi *moesi, const struct sl_config *config)
{
    const uint32_t *first = moesi->numbers.first;

    moesi->snoop = l1_snoop;
    moesi->numbers = l1_numbers_of(config, true);
    moesi->l1_count = l1_count(&moesi->numbers);
    moesi->l1s = calloc(moesi->l1_count, sizeof(*moesi->l1s));
    if (moesi->l1s == NULL) {
        return false;
    }
    for (unsigned kind = 0; kind < MEM_REQUESTER_KINDS; kind++) {
        for (uint32_t node = first[kind]; node < first[kind + 1]; node++) {
            if (!create_l1(moesi, node, (enum mem_requester_kind)kind, config)) {
                return false;
            }
        }
    }
    return true;
}

static bool create_l2(struct moesi *moesi, const struct sl_config *config)
{
    uint32_t ways = (uint32_t)config->number[SL_CFG_L2_WAYS];
    uint32_t sets = (uint32_t)config->number[SL_CFG_L2_SIZE] / (ways * SL_CACHE_LINE_BYTES);

    uint32_t misses = (uint32_t)config->number[SL_CFG_DIRECTORY_MSHRS];

    moesi->l2_tag_ps =
        cache_tag_cycles(config->number[SL_CFG_L2_TAG_CYCLES], config->number[SL_CFG_L2_CYCLES]) *
        moesi->cu_clock.ps;
    moesi->l2_latency_ps = (uint64_t)config->number[SL_CFG_L2_CYCLES] * moesi->cu_clock.ps;
    if (misses != 0 && !mshrs_create(&moesi->mshrs, misses)) {
        return false;
    }
    if (!banks_create(&moesi->banks, (uint32_t)config->number[SL_CFG_L2_BANKS],
                      (uint32_t)config->number[SL_CFG_L2_MSHRS]) ||
        !cache_create(&moesi->l2_tags, sets, ways)) {
        return false;
    }
    moesi->l2_lines = calloc(cache_size(&moesi->l2_tags), sizeof(*moesi->l2_lines));
    return moesi->l2_lines != NULL;
}

static bool create_parts(struct moesi *moesi, const struct sl_config *config)
{
    if (!create_l1s(moesi, config) || !create_l2(moesi, config) ||
        !dram_timing_create(&moesi->timing, config) ||
        !l3_create(&moesi->l3, config, &moesi->timing, &moesi->base.counters, true)) {
        return false;
    }
    moesi->net =
        interconnect_create(config, moesi->l1_count + moesi->banks.count, &moesi->cu_clock);
    return moesi->net != NULL;
}

static void moesi_destroy(struct mem_system *mem)
{
    struct moesi *moesi = (struct moesi *)mem;

    for (uint32_t node = 0; moesi->l1s != NULL && node < moesi->l1_count; node++) {
        cache_destroy(&moesi->l1s[node].tags);
        free(moesi->l1s[node].lines);
        free(moesi->l1s[node].causes.noted);
        free(moesi->l1s[node].mshrs.until_ps);
    }
    cache_destroy(&moesi->l2_tags);
    free(moesi->mshrs.until_ps);
    l3_destroy(&moesi->l3);
    dram_timing_destroy(&moesi->timing);
    if (moesi->net != NULL) {
        moesi->net->ops->destroy(moesi->net);
    }
    free(moesi->l2_lines);
    banks_destroy(&moesi->banks);
    free(moesi->l1s);
    free(moesi);
}

static void reset_l1(struct l1 *l1)
{
    cache_reset(&l1->tags);
    memset(l1->lines, 0, cache_size(&l1->tags) * sizeof(*l1->lines));
    calendar_reset(&l1->port, l1->clock, l1->port.shift);
    mshrs_reset(&l1->mshrs);
    miss_causes_reset(&l1->causes);
    l1->buffered = CACHE_NONE;
}

static void moesi_begin(struct mem_system *mem)
{
    struct moesi *moesi = (struct moesi *)mem;

    for (uint32_t node = 0; node < moesi->l1_count; node++) {
        reset_l1(&moesi->l1s[node]);
    }
    banks_reset(&moesi->banks, &moesi->cu_clock);
    cache_reset(&moesi->l2_tags);
    memset(moesi->l2_lines, 0, cache_size(&moesi->l2_tags) * sizeof(*moesi->l2_lines));
    memset(moesi->eviction_done_ps, 0, sizeof(moesi->eviction_done_ps));
    if (moesi->mshrs.count != 0) {
        mshrs_reset(&moesi->mshrs);
    }
    dram_timing_reset(&moesi->timing);
    l3_reset(&moesi->l3);
    moesi->net->ops->reset(moesi->net);
    memset(&moesi->coverage, 0, sizeof(moesi->coverage));
    memset(&mem->counters, 0, sizeof(mem->counters));
    mem->counters.dram_channels = moesi->timing.channels;
    mem->counters.dram_line_bytes = SL_CACHE_LINE_BYTES;
    moesi->now_ps = 0;
}

static struct mem_system *moesi_create(const struct mem_parts *parts)
{
    const struct sl_config *config = parts->config;
    struct moesi *moesi = calloc(1, sizeof(*moesi));

    if (moesi == NULL) {
        return NULL;
    }
    moesi->base = (struct mem_system){
        .ops = &mem_moesi,
        .backdoor = mem_dram_backdoor(parts->dram),
        .line_bytes = SL_CACHE_LINE_BYTES,
    };
    moesi->stream = parts->stream;
    moesi->cus = (uint32_t)config->number[SL_CFG_GPU_CUS];
    moesi->cu_clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    moesi->agg_clock = sim_clock_of(sl_config_period_ps(config, SL_CFG_AGG_CLOCK));
    if (!create_parts(moesi, config)) {
        moesi_destroy(&moesi->base);
        return NULL;
    }
    moesi_begin(&moesi->base);
    return &moesi->base;
}

static struct l1_result access_data(struct moesi *moesi, struct mem_request *request, uint32_t line)
{
    struct l1 *l1 = moesi_l1(moesi, request->from);
    enum l1_event event = request->kind == MEM_LOAD ? L1_LOAD : L1_STORE;
    struct l1_result result = l1_access(moesi, l1, line, event, request->time_ps);

    l1->counters->accesses++;
    l1->counters->served[result.served]++;
    if (request->from.kind != MEM_FRONT) {
        mem_record(&moesi->base.counters.served, moesi->stream, &moesi->cu_clock, request,
                   result.served, result.done_ps);
    }
    return result;
}

/* Whether the fetch is the aggregator's from the line that it hit last. That is served without a
 * look: nothing took the line since, and no other requester uses the port. Who takes it later waits
 * for this access as for others. */
static bool is_buffered(struct l1 *l1, const struct mem_request *request, uint32_t line)
{
    if (request->from.kind != MEM_AGG_CODE || l1->buffered == CACHE_NONE ||
        l1->tags.tag[l1->buffered] != line) {
        return false;
    }
    struct l1_line *entry = &l1->lines[l1->buffered];
    if (request->time_ps < entry->ready_ps) {
        return false;
    }
    entry->last_ps = later(entry->last_ps, request->time_ps);
    return true;
}

static struct l1_result access_code(struct moesi *moesi, struct mem_request *request, uint32_t line)
{
    struct l1 *l1 = moesi_l1(moesi, request->from);
    uint64_t time_ps = request->time_ps;
    struct l1_result result = {time_ps, time_ps + l1->latency_ps, HIT_L1};

    if (!is_buffered(l1, request, line)) {
        result = l1_access(moesi, l1, line, L1_FETCH, time_ps);
    }
    l1->counters->accesses++;
    l1->counters->served[result.served]++;
    request->hit_level = (uint8_t)(1 + result.served);
    return result;
}

static struct mem_answer moesi_access(struct mem_system *mem, struct mem_request *request)
{
    struct moesi *moesi = (struct moesi *)mem;
    uint32_t line = (uint32_t)(request->address / SL_CACHE_LINE_BYTES);

    moesi->now_ps = request->time_ps;
    struct l1_result result = request->kind == MEM_FETCH ? access_code(moesi, request, line)
                                                         : access_data(moesi, request, line);
    return (struct mem_answer){result.perform_ps, result.done_ps};
}

const struct mem_ops mem_moesi = {
    .name = "moesi",
    .create = moesi_create,
    .destroy = moesi_destroy,
    .reset = moesi_begin,
    .access = moesi_access,
};
