/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `hybrid` under random traffic of 16 compute units and an aggregator on few lines
 * (soc/memory_fuzz/traffic.h), on random machines, most of which are so small that everything
 * happens: no load returns what is older than its compute unit's latest store, or than the value of
 * all at its latest acquire (papers/003 section 3.2); atomics and what has a scope see the value of
 * all; a store is over when that has changed; every access gets one answer; DRAM has the newest
 * values when nothing is under way, and when the system settles; counters obey their laws. What is
 * wrong on either side is noticed, the sharing tracker without invalidation among it. Equal traffic
 * has equal statistics. SLUICE_TEST_LONG: ten million accesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "sluice/config.h"
#include "soc/memory_fuzz/traffic.h"

#define SETTINGS_MAX  40u
#define SETTING_BYTES 40u

/* ---- machines ---- */

struct settings {
    char text[SETTINGS_MAX][SETTING_BYTES];
    const char *list[SETTINGS_MAX + 1]; /* up to NULL */
    uint32_t count;
    uint64_t random;
};

static void set(struct settings *settings, const char *key, const char *value)
{
    char *text = settings->text[settings->count];

    assert_true(settings->count < SETTINGS_MAX);
    (void)snprintf(text, SETTING_BYTES, "%s=%s", key, value);
    settings->list[settings->count++] = text;
    settings->list[settings->count] = NULL;
}

static uint32_t below(struct settings *settings, uint32_t limit)
{
    settings->random = settings->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(settings->random >> 33) % limit;
}

#define VALUES_MAX 5u

/* What keys may be, whatever others are. */
static const struct {
    const char *key;
    const char *value[VALUES_MAX]; /* up to NULL */
} keys[] = {
    {"l1d.bypass", {"on", "off"}},           {"l1d.ports", {"1", "2"}},
    {"l1d.tag_cycles", {"0", "1"}},          {"l1d.mshrs", {"1", "2", "4", "32"}},
    {"l1d.writes", {"1", "2", "64"}},        {"l1d.cycles", {"4", "1", "9"}},
    {"l1d.remote_cycles", {"0", "1", "16"}}, {"l2.bypass", {"off", "on"}},
    {"l2.write_fetch", {"on", "off"}},       {"l2.mshrs", {"32", "1", "4"}},
    {"l2.tag_cycles", {"0", "4"}},           {"tracker.ways", {"8", "1", "2"}},
    {"tracker.cycles", {"4", "1", "12"}},    {"mem.network", {"crossbar", "crossbar", "torus"}},
    {"crossbar.width", {"32", "8", "64"}},   {"dram.channels", {"8", "1", "2"}},
    {"mem.jitter", {"0", "0", "100ns"}},     {"gpu.clock", {"1GHz", "800MHz"}},
    {"agg.clock", {"2GHz", "2500MHz"}},
};

/* Lines, caches of some of them or of all; trackers of one set, of few, of more than are needed. */
static const struct {
    const char *l1_line;
    const char *l2_line;
    const char *l1_size;
    const char *l1_ways;
    const char *l2_size;
} shapes[] = {
    {"128", "32", "512", "2", "1024"},  {"128", "32", "512", "1", "512"},
    {"128", "32", "4096", "4", "4096"}, {"128", "32", "128", "1", "1024"},
    {"64", "64", "256", "2", "1024"},   {"128", "64", "256", "1", "2048"},
    {"64", "32", "4096", "4", "512"},   {"128", "128", "1024", "8", "1024"},
};

static const struct {
    const char *count;
    const char *sets;
    const char *banks;
    const char *sharers;
} trackers[] = {
    {"1", "4", "2", "0"}, {"1", "64", "8", "16"}, {"1", "1", "1", "1"},
    {"2", "8", "4", "0"}, {"2", "2", "2", "2"},   {"4", "16", "8", "4"},
    {"4", "4", "4", "1"}, {"1", "16", "4", "2"},  {"0", "1", "1", "0"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct settings *machine_of(uint64_t number)
{
    static struct settings settings;
    const size_t shape = number % COUNT(shapes);
    const size_t tracker = number % COUNT(trackers);

    settings.count = 0;
    settings.random = number;
    set(&settings, "mem.system", "hybrid");
    set(&settings, "gpu.cus", "16");
    set(&settings, "gpu.contexts", "16");
    for (size_t i = 0; i < COUNT(keys); i++) {
        uint32_t values = 0;
        while (values < VALUES_MAX && keys[i].value[values] != NULL) {
            values++;
        }
        set(&settings, keys[i].key, keys[i].value[below(&settings, values)]);
    }
    set(&settings, "l1d.line", shapes[shape].l1_line);
    set(&settings, "l2.line", shapes[shape].l2_line);
    set(&settings, "l1d.size", shapes[shape].l1_size);
    set(&settings, "l1d.ways", shapes[shape].l1_ways);
    set(&settings, "l2.size", shapes[shape].l2_size);
    set(&settings, "l2.ways", "2");
    set(&settings, "l2.banks", below(&settings, 2) == 0 ? "2" : "4");
    set(&settings, "tracker.count", trackers[tracker].count);
    set(&settings, "tracker.sets", trackers[tracker].sets);
    set(&settings, "tracker.banks", trackers[tracker].banks);
    set(&settings, "tracker.sharers", trackers[tracker].sharers);
    return &settings;
}

/* ---- laws ---- */

struct sums {
    uint64_t of[SL_SERVED_KINDS][SL_SERVED_PLACES];
    uint64_t all;
};

/* Accesses of compute units, by what they are and where they were served. */
static struct sums sums_of(const struct traffic *traffic)
{
    const struct sl_served *served = &traffic->mem->counters.served;
    struct sums sums = {0};

    for (uint32_t cu = 0; cu < TRAFFIC_CUS; cu++) {
        for (uint32_t kind = 0; kind < SL_SERVED_KINDS; kind++) {
            for (uint32_t place = 0; place < SL_SERVED_PLACES; place++) {
                const uint64_t count = served->by_requester[cu][kind][place];
                sums.of[kind][place] += count;
                sums.all += count;
            }
        }
    }
    return sums;
}

static void check_l1(const struct traffic *traffic, const struct sums *sums)
{
    const struct mem_counters *counters = &traffic->mem->counters;
    const struct l1_counters *l1 = &counters->l1[L1D];
    const int64_t *number = traffic->config.number;

    assert_int_equal(sums->all, traffic->accesses);
    assert_int_equal(l1->accesses, traffic->accesses);
    for (uint32_t place = 0; place < SL_SERVED_PLACES; place++) {
        uint64_t served = 0;
        for (uint32_t kind = 0; kind < SL_SERVED_KINDS; kind++) {
            served += sums->of[kind][place];
        }
        assert_int_equal(l1->served[place], served);
    }
    assert_int_equal(l1->served[HIT_UPGRADE], 0);
    assert_in_range(l1->mshrs_max, 1, number[SL_CFG_L1D_MSHRS]);
    assert_true(number[SL_CFG_L1D_BYPASS] == SL_L1D_BYPASS_ON || l1->bypassed == 0);
    assert_int_equal(counters->sync.stale_reads, traffic->old_loads);
    assert_true(l1->updates <= sums->of[SL_SERVED_KIND_STORES][HIT_L1]);
}

/* A load that misses and is not served by an earlier miss asks the tracker, if there is one. */
static void check_tracker(const struct traffic *traffic, const struct sums *sums)
{
    const struct mem_counters *counters = &traffic->mem->counters;
    const struct tracker_counters *tracker = &counters->tracker;
    const uint64_t *loads = sums->of[SL_SERVED_KIND_LOADS];
    const uint64_t misses =
        loads[HIT_MERGED] + loads[HIT_OTHER_L1] + loads[HIT_L2] + loads[HIT_DRAM];

    if (traffic->config.number[SL_CFG_TRACKER_COUNT] == 0) {
        static const struct tracker_counters none;
        assert_memory_equal(tracker, &none, sizeof none);
        assert_int_equal(loads[HIT_OTHER_L1], 0);
        return;
    }
    assert_int_equal(misses - traffic->coherent_loads, loads[HIT_MERGED] + tracker->lookups);
    assert_int_equal(tracker->hits, loads[HIT_OTHER_L1]);
    assert_int_equal(tracker->hits, counters->l1[L1D].supplied);
    assert_true(tracker->marks <= counters->l1[L1D].fills);
    assert_true(tracker->reports <= counters->l1[L1D].evictions);
}

static void check_l2(const struct traffic *traffic)
{
    const struct mem_counters *counters = &traffic->mem->counters;
    const struct l2_counters *l2 = &counters->l2;

    assert_int_equal(l2->hits + l2->misses, l2->accesses);
    assert_int_equal(l2->atomic_buffer_hits + l2->atomic_buffer_misses, traffic->operations);
    assert_int_equal(counters->dram_line_bytes, traffic->config.number[SL_CFG_L2_LINE]);
    assert_int_equal(l2->dram_bytes_in, counters->dram_line_bytes * counters->dram_reads);
    assert_int_equal(l2->dram_bytes_out, counters->dram_line_bytes * counters->dram_writes);
}

/* What one level sends comes to another: the L2's, and what L1 caches send each other. */
static void check_bytes(const struct traffic *traffic)
{
    const struct mem_counters *counters = &traffic->mem->counters;
    const uint64_t *leg = counters->network_bytes;
    const uint64_t supplied = counters->l1[L1D].supplied;
    const uint64_t sent = leg[MEM_LEG_L1_L1] - supplied * MEM_PROBE_BYTES;
    uint64_t in = 0;
    uint64_t out = 0;

    for (unsigned kind = 0; kind < L1_KINDS; kind++) {
        in += counters->l1[kind].bytes_in;
        out += counters->l1[kind].bytes_out;
    }
    assert_int_equal(in, counters->l2.l1_bytes_out + sent);
    assert_int_equal(out, counters->l2.l1_bytes_in + sent);
    assert_true(sent <= supplied * traffic->mem->line_bytes);
    if (counters->l1[L1D].bypassed == 0) {
        assert_int_equal(sent, supplied * traffic->mem->line_bytes);
    }
    if (traffic->config.number[SL_CFG_TRACKER_COUNT] == 0) {
        assert_int_equal(leg[MEM_LEG_L1_TRACKER] | leg[MEM_LEG_TRACKER_L2], 0);
    }
}

static void check_laws(const struct traffic *traffic)
{
    const struct sums sums = sums_of(traffic);

    check_l1(traffic, &sums);
    check_tracker(traffic, &sums);
    check_l2(traffic);
    check_bytes(traffic);
}

/* ---- runs ---- */

/* What machines are made for, of all of them. */
struct rare {
    uint64_t of[14];
};

static void add_rare(struct rare *rare, const struct traffic *traffic)
{
    const struct mem_counters *counters = &traffic->mem->counters;
    const struct tracker_counters *tracker = &counters->tracker;
    const struct l1_counters *l1 = &counters->l1[L1D];
    const uint64_t counts[] = {
        tracker->hits,      tracker->lost,          tracker->drops,
        tracker->reports,   tracker->evictions,     l1->bypassed,
        l1->updates,        l1->evictions,          l1->served[HIT_MERGED],
        l1->served[HIT_L1], counters->l2.evictions, counters->l2.atomic_buffer_hits,
        traffic->old_loads, traffic->conditional,
    };

    _Static_assert(sizeof counts == sizeof rare->of, "one for each");
    for (size_t i = 0; i < COUNT(counts); i++) {
        rare->of[i] += counts[i];
    }
}

static void check_right(const struct traffic *traffic, const struct settings *settings)
{
    char all[SETTINGS_MAX * SETTING_BYTES] = "";

    if (traffic->versions->failure[0] == '\0') {
        return;
    }
    for (uint32_t i = 0; i < settings->count; i++) {
        strcat(strcat(all, " "), settings->list[i]);
    }
    fail_msg("%lu accesses:%s: %s", traffic->accesses, all, traffic->versions->failure);
}

static void run_machine(const struct settings *settings, uint64_t seed, uint64_t accesses,
                        struct rare *rare)
{
    struct traffic *traffic =
        traffic_create(&(struct traffic_options){.settings = settings->list, .seed = seed});

    traffic_run(traffic, accesses);
    check_right(traffic, settings);
    check_laws(traffic);
    add_rare(rare, traffic);
    traffic_settle(traffic);
    check_right(traffic, settings);
    traffic_destroy(traffic);
}

static bool is_long(void)
{
    return getenv("SLUICE_TEST_LONG") != NULL;
}

TEST(test_random)
{
    const uint64_t machines = is_long() ? 144 : 36;
    const uint64_t accesses = is_long() ? 10000000 : 150000;
    struct rare rare = {0};

    for (uint64_t number = 0; number < machines; number++) {
        run_machine(machine_of(number), 1000 + number, accesses / machines + 1, &rare);
    }
    for (size_t i = 0; i < COUNT(rare.of); i++) {
        if (rare.of[i] < 20) {
            fail_msg("rare event %zu: %lu times", i, rare.of[i]);
        }
    }
}

/* Room for all lines, and a network in which headers overtake data: a load that asks its tracker
 * behind another compute unit's store is at the L2 before it, and must not be listed. */
TEST(test_overtaking)
{
    static struct settings settings;
    static const char *const values[][2] = {
        {"mem.system", "hybrid"}, {"gpu.cus", "16"}, {"gpu.contexts", "16"}, {"l1d.line", "128"},
        {"l1d.size", "4096"},     {"l1d.ways", "4"}, {"l2.line", "32"},      {"l2.size", "4096"},
        {"l2.ways", "2"},         {"l2.banks", "4"}, {"l2.bypass", "on"},    {"tracker.count", "4"},
        {"crossbar.width", "8"},
    };
    struct rare rare = {0};

    for (size_t i = 0; i < COUNT(values); i++) {
        set(&settings, values[i][0], values[i][1]);
    }
    for (uint64_t seed = 0; seed < 4; seed++) {
        run_machine(&settings, seed, is_long() ? 500000 : 25000, &rare);
    }
}

/* Something is wrong: it is found. */
static void check_found(enum traffic_fault fault, const char *setting)
{
    static const char *const base[] = {
        "mem.system=hybrid", "gpu.cus=16",    "gpu.contexts=16", "l1d.line=128",
        "l2.line=32",        "l1d.size=1024", "l1d.ways=2",
    };
    const char *settings[COUNT(base) + 2] = {NULL};

    memcpy(settings, base, sizeof base);
    settings[COUNT(base)] = setting;
    struct traffic *traffic =
        traffic_create(&(struct traffic_options){.settings = settings, .seed = 7, .fault = fault});
    traffic_run(traffic, 100000);
    if (traffic->versions->failure[0] == '\0') {
        fail_msg("fault %d (%s) is not found", fault, setting);
    }
    traffic_destroy(traffic);
}

TEST(test_faults)
{
    for (enum traffic_fault fault = TRAFFIC_UNTOLD; fault <= TRAFFIC_INCOHERENT; fault++) {
        check_found(fault, "tracker.count=1");
    }
    check_found(TRAFFIC_RIGHT, "tracker.invalidate=never");
}

/* ---- equal runs ---- */

/* All that memory counts, and what it answered. */
struct outcome {
    struct l1_counters l1[L1_KINDS];
    struct l2_counters l2;
    struct tracker_counters tracker;
    struct sync_counters sync;
    struct sl_served served;
    uint64_t network_bytes[MEM_LEGS];
    uint64_t dram[3];
    uint64_t digest;
    uint64_t end_ps;
};

static struct outcome *outcome_of(const struct traffic *traffic)
{
    const struct mem_counters *counters = &traffic->mem->counters;
    struct outcome *outcome = calloc(1, sizeof *outcome);

    assert_non_null(outcome);
    memcpy(outcome->l1, counters->l1, sizeof outcome->l1);
    memcpy(outcome->network_bytes, counters->network_bytes, sizeof outcome->network_bytes);
    outcome->l2 = counters->l2;
    outcome->tracker = counters->tracker;
    outcome->sync = counters->sync;
    outcome->served = counters->served;
    outcome->dram[0] = counters->dram_reads;
    outcome->dram[1] = counters->dram_writes;
    outcome->dram[2] = counters->dram_busy_ps;
    outcome->digest = traffic->digest;
    outcome->end_ps = traffic_now_ps(traffic);
    return outcome;
}

/* Runs a seed, and settles in the middle of a phase. */
static struct outcome *run_once(struct traffic *traffic)
{
    traffic_run(traffic, 5000);
    struct outcome *outcome = outcome_of(traffic);
    traffic_settle(traffic);
    assert_string_equal(traffic->versions->failure, "");
    return outcome;
}

/* The same traffic on a machine, on another one like it, and on the first one once more. */
TEST(test_equal)
{
    for (uint64_t number = 0; number < 4; number++) {
        const struct traffic_options options = {.settings = machine_of(100 + 5 * number)->list,
                                                .seed = 3};
        struct traffic *first = traffic_create(&options);
        struct traffic *second = traffic_create(&options);
        struct outcome *outcome = run_once(first);
        struct outcome *others[3] = {run_once(second)};
        traffic_begin(first, 4);
        others[1] = run_once(first);
        traffic_begin(first, 3);
        others[2] = run_once(first);
        assert_memory_equal(others[0], outcome, sizeof *outcome);
        assert_memory_not_equal(others[1], outcome, sizeof *outcome);
        assert_memory_equal(others[2], outcome, sizeof *outcome);
        for (size_t i = 0; i < COUNT(others); i++) {
            free(others[i]);
        }
        free(outcome);
        traffic_destroy(first);
        traffic_destroy(second);
    }
}
