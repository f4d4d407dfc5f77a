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
 * mem/moesi/moesi.h; docs/memory.md has the whole. */
#include "mem/moesi/moesi.h"

#include <stdlib.h>

#include "obs/stream/events.h"
#include "time/later.h"

/* The kinds of L1 caches by their requesters, where their keys begin, and the order in which these
 * follow. */
static const struct {
    enum l1_kind kind;
    enum sl_config_key keys;
    bool is_agg; /* else the clock of the compute units is theirs */
} kinds[MEM_REQUESTER_KINDS] = {
    [MEM_CU] = {L1D, SL_CFG_L1D_SIZE, false},
    [MEM_CU_CODE] = {L1I, SL_CFG_L1I_SIZE, false},
    [MEM_AGG] = {AGG_L1D, SL_CFG_AGG_L1D_SIZE, true},
    [MEM_AGG_CODE] = {AGG_L1I, SL_CFG_AGG_L1I_SIZE, true},
    [MEM_FRONT] = {FRONT_L1D, SL_CFG_FRONT_L1D_SIZE, false},
};
enum { KEY_SIZE, KEY_WAYS, KEY_CYCLES, KEY_PORTS, KEY_MSHRS };

/* Misses of the aggregator's data cache are limited by its core (agg/data_cache.h), which has seen
 * no more than its load and store queues hold, at most so many, when this cache is asked. */
#define AGG_MISSES_MAX 512u

/* The kind of requester that a cache serves. */
static enum mem_requester_kind requester_of(const struct moesi *moesi, uint32_t node)
{
    unsigned kind = MEM_REQUESTER_KINDS - 1;

    while (moesi->first[kind] > node) {
        kind--;
    }
    return (enum mem_requester_kind)kind;
}

static const struct sim_clock *clock_of(const struct moesi *moesi, enum mem_requester_kind kind)
{
    return kinds[kind].is_agg ? &moesi->agg_clock : &moesi->cu_clock;
}

static uint32_t log2_of(int64_t power)
{
    return (uint32_t)__builtin_ctzll((uint64_t)power);
}

/* Tags are read before data, in a part of the cycles; 0: in all of them. */
static uint64_t tag_ps_of(int64_t tag_cycles, int64_t cycles, const struct sim_clock *clock)
{
    return (uint64_t)(tag_cycles == 0 ? cycles : tag_cycles) * clock->ps;
}

static bool create_l1(struct moesi *moesi, uint32_t node, const struct sl_config *config)
{
    struct l1 *l1 = &moesi->l1s[node];
    enum mem_requester_kind kind = requester_of(moesi, node);
    const int64_t *keys = &config->number[kinds[kind].keys];
    uint32_t ways = (uint32_t)keys[KEY_WAYS];
    uint32_t sets = (uint32_t)keys[KEY_SIZE] / (ways * SL_CACHE_LINE_BYTES);
    uint32_t misses = kind == MEM_AGG ? AGG_MISSES_MAX : (uint32_t)keys[KEY_MSHRS];

    l1->node = node;
    l1->counters = &moesi->base.counters.l1[kinds[kind].kind];
    l1->tag_ps = tag_ps_of(kind == MEM_CU ? config->number[SL_CFG_L1D_TAG_CYCLES] : 0,
                           keys[KEY_CYCLES], clock_of(moesi, kind));
    l1->latency_ps = (uint64_t)keys[KEY_CYCLES] * clock_of(moesi, kind)->ps;
    l1->port.shift = log2_of(keys[KEY_PORTS]);
    if (!cache_create(&l1->tags, sets, ways) || !mshrs_create(&l1->mshrs, misses)) {
        return false;
    }
    l1->lines = calloc(cache_size(&l1->tags), sizeof(*l1->lines));
    return l1->lines != NULL;
}

static bool create_l2(struct moesi *moesi, const struct sl_config *config)
{
    uint32_t ways = (uint32_t)config->number[SL_CFG_L2_WAYS];
    uint32_t sets = (uint32_t)config->number[SL_CFG_L2_SIZE] / (ways * SL_CACHE_LINE_BYTES);

    uint32_t misses = (uint32_t)config->number[SL_CFG_DIRECTORY_MSHRS];

    moesi->l2_tag_ps = tag_ps_of(config->number[SL_CFG_L2_TAG_CYCLES],
                                 config->number[SL_CFG_L2_CYCLES], &moesi->cu_clock);
    moesi->l2_latency_ps = (uint64_t)config->number[SL_CFG_L2_CYCLES] * moesi->cu_clock.ps;
    if (misses != 0 && !mshrs_create(&moesi->mshrs, misses)) {
        return false;
    }
    moesi->bank_count = (uint32_t)config->number[SL_CFG_L2_BANKS];
    moesi->banks = calloc(moesi->bank_count, sizeof(*moesi->banks));
    if (moesi->banks == NULL || !cache_create(&moesi->l2_tags, sets, ways)) {
        return false;
    }
    for (uint32_t bank = 0; bank < moesi->bank_count; bank++) {
        if (!mshrs_create(&moesi->banks[bank].mshrs, (uint32_t)config->number[SL_CFG_L2_MSHRS])) {
            return false;
        }
    }
    moesi->l2_lines = calloc(cache_size(&moesi->l2_tags), sizeof(*moesi->l2_lines));
    return moesi->l2_lines != NULL;
}

/* Compute units have a data cache each, and share their instruction cache or have one each; the
 * front end has one where it accesses memory at all. */
static void number_l1s(struct moesi *moesi, const struct sl_config *config)
{
    const bool is_shared = config->number[SL_CFG_L1I_SHARED] == SL_L1I_SHARED_ON;
    const bool has_front = config->number[SL_CFG_FRONT_MEMORY] == SL_FRONT_MEMORY_COHERENT;
    const uint32_t counts[MEM_REQUESTER_KINDS] = {
        [MEM_CU] = moesi->cus,
        [MEM_CU_CODE] = is_shared ? 1 : moesi->cus,
        [MEM_AGG] = 1,
        [MEM_AGG_CODE] = 1,
        [MEM_FRONT] = has_front ? 1 : 0,
    };

    moesi->l1_count = 0;
    for (unsigned kind = 0; kind < MEM_REQUESTER_KINDS; kind++) {
        moesi->first[kind] = moesi->l1_count;
        moesi->own[kind] = kind == MEM_CU_CODE && is_shared ? 0 : UINT32_MAX;
        moesi->l1_count += counts[kind];
    }
}

static bool create_parts(struct moesi *moesi, const struct sl_config *config)
{
    static const struct interconnect_ops *const networks[] = {
        [SL_MEM_NETWORK_CROSSBAR] = &interconnect_crossbar,
        [SL_MEM_NETWORK_TORUS] = &interconnect_torus,
    };

    number_l1s(moesi, config);
    moesi->l1s = calloc(moesi->l1_count, sizeof(*moesi->l1s));
    if (moesi->l1s == NULL) {
        return false;
    }
    for (uint32_t node = 0; node < moesi->l1_count; node++) {
        if (!create_l1(moesi, node, config)) {
            return false;
        }
    }
    if (!create_l2(moesi, config) || !dram_timing_create(&moesi->timing, config) ||
        !l3_create(&moesi->l3, config, &moesi->timing, &moesi->base.counters, true)) {
        return false;
    }
    moesi->net = networks[config->number[SL_CFG_MEM_NETWORK]]->create(
        config, moesi->l1_count + moesi->bank_count, &moesi->cu_clock);
    return moesi->net != NULL;
}

static void moesi_destroy(struct mem_system *mem)
{
    struct moesi *moesi = (struct moesi *)mem;

    for (uint32_t node = 0; moesi->l1s != NULL && node < moesi->l1_count; node++) {
        cache_destroy(&moesi->l1s[node].tags);
        free(moesi->l1s[node].lines);
        free(moesi->l1s[node].mshrs.until_ps);
    }
    for (uint32_t bank = 0; moesi->banks != NULL && bank < moesi->bank_count; bank++) {
        free(moesi->banks[bank].mshrs.until_ps);
    }
    cache_destroy(&moesi->l2_tags);
    free(moesi->mshrs.until_ps);
    l3_destroy(&moesi->l3);
    dram_timing_destroy(&moesi->timing);
    if (moesi->net != NULL) {
        moesi->net->ops->destroy(moesi->net);
    }
    free(moesi->l2_lines);
    free(moesi->banks);
    free(moesi->l1s);
    free(moesi);
}

static void reset_l1(const struct moesi *moesi, struct l1 *l1)
{
    cache_reset(&l1->tags);
    memset(l1->lines, 0, cache_size(&l1->tags) * sizeof(*l1->lines));
    calendar_reset(&l1->port, clock_of(moesi, requester_of(moesi, l1->node)), l1->port.shift);
    mshrs_reset(&l1->mshrs);
    l1->buffered = CACHE_NONE;
}

static void moesi_begin(struct mem_system *mem)
{
    struct moesi *moesi = (struct moesi *)mem;

    for (uint32_t node = 0; node < moesi->l1_count; node++) {
        reset_l1(moesi, &moesi->l1s[node]);
    }
    for (uint32_t bank = 0; bank < moesi->bank_count; bank++) {
        calendar_reset(&moesi->banks[bank].port, &moesi->cu_clock, 0);
        mshrs_reset(&moesi->banks[bank].mshrs);
    }
    cache_reset(&moesi->l2_tags);
    memset(moesi->l2_lines, 0, cache_size(&moesi->l2_tags) * sizeof(*moesi->l2_lines));
    memset(moesi->leaving_ps, 0, sizeof(moesi->leaving_ps));
    if (moesi->mshrs.count != 0) {
        mshrs_reset(&moesi->mshrs);
    }
    dram_timing_reset(&moesi->timing);
    l3_reset(&moesi->l3);
    moesi->net->ops->reset(moesi->net);
    memset(&moesi->coverage, 0, sizeof(moesi->coverage));
    memset(&mem->counters, 0, sizeof(mem->counters));
    mem->counters.dram_channels = moesi->timing.channels;
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
        .origin = mem_dram_origin(parts->dram),
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

/* Bins of sluice/served.h. */
static uint32_t latency_bin(const struct moesi *moesi, uint64_t latency_ps)
{
    uint64_t cycles = sim_clock_before(&moesi->cu_clock, latency_ps);
    uint32_t bin = cycles == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(cycles);

    return bin < SL_LATENCY_BINS ? bin : SL_LATENCY_BINS - 1;
}

_Static_assert((int)MEM_LOAD == SL_SERVED_KIND_LOADS && (int)MEM_STORE == SL_SERVED_KIND_STORES &&
                   (int)MEM_ATOMIC == SL_SERVED_KIND_ATOMICS,
               "kinds of data accesses have one order");

/* The one place that every data access passes with all that is known of it: who made it, what it is
 * and where, where it was served, and how long it took. */
static void note_data(struct moesi *moesi, const struct mem_request *request,
                      const struct l1_result *result)
{
    struct sl_served *served = &moesi->base.counters.served;
    bool is_agg = request->from.kind == MEM_AGG;
    enum sl_served_side side = is_agg ? SL_SERVED_AGG : SL_SERVED_CUS;
    uint32_t row = is_agg ? SL_SERVED_AGGREGATOR : request->from.index;

    served->by_requester[row][mem_kind_counted(request->kind)][result->served]++;
    if (request->kind == MEM_LOAD) {
        served->load_latency[side][latency_bin(moesi, result->done_ps - request->time_ps)]++;
    }
    if (stream_wants(moesi->stream, OBS_SERVED)) {
        const struct obs_event event = {
            .time_ps = request->time_ps,
            .kind = OBS_SERVED,
            .served = {request->from, request->address, (uint8_t)mem_kind_counted(request->kind),
                       (uint8_t)result->served},
        };
        stream_tell(moesi->stream, &event);
    }
}

static struct l1_result access_data(struct moesi *moesi, const struct mem_request *request,
                                    uint32_t line)
{
    struct l1 *l1 = moesi_l1(moesi, request->from);
    enum l1_event event = request->kind == MEM_LOAD ? L1_LOAD : L1_STORE;
    struct l1_result result = l1_access(moesi, l1, line, event, request->time_ps);

    l1->counters->accesses++;
    l1->counters->served[result.served]++;
    if (request->from.kind != MEM_FRONT) {
        note_data(moesi, request, &result);
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

static struct l1_result access_code(struct moesi *moesi, const struct mem_request *request,
                                    uint32_t line)
{
    struct l1 *l1 = moesi_l1(moesi, request->from);
    uint64_t time_ps = request->time_ps;
    struct l1_result result = {time_ps, time_ps + l1->latency_ps, SERVED_L1};

    if (!is_buffered(l1, request, line)) {
        result = l1_access(moesi, l1, line, L1_FETCH, time_ps);
    }
    l1->counters->accesses++;
    l1->counters->served[result.served]++;
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
    .begin = moesi_begin,
    .access = moesi_access,
};
