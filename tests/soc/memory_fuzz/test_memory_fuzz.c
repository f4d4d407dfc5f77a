/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory systems that hold bytes of their own, under agents that do at random what the contract
 * permits (soc/memory_fuzz/memory_agents.h), on machines whose caches are so small that everything
 * happens: what a lock protects has the values of a sequential machine; no load returns a byte that
 * happens-before has overwritten; atomics lose no update; DRAM has the last stores at the end of
 * each packet and when the system settles; every access gets one answer; counters obey their laws.
 * With an acquire, a release, an update or an invalidation lost between agents and memory, the
 * reference notices. Systems are those of mem.system, and `stale` (soc/common/stale.h), which is
 * the reference's own test. SLUICE_TEST_LONG: ten million accesses each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "sluice/config.h"
#include "sluice/mem_systems.h"
#include "soc/common/stale.h"
#include "soc/memory_fuzz/memory_agents.h"

#define SETTINGS_MAX 16u

/* Machines; of all, compute units and DRAM are those of soc/memory_fuzz/memory_agents.h. */
static const char *const machines[][SETTINGS_MAX] = {
    /* Caches of two sets, little of anything. */
    {"l1d.size=256", "l1d.ways=2", "l1d.mshrs=2", "l1d.writes=1", "agg_l1d.size=256",
     "agg_l1d.ways=2", "l2.size=512", "l2.ways=4", "l2.banks=2", "l2.mshrs=1", "scoped.walk=1"},
    /* All lines have room: what is old stays. */
    {"l1d.size=4096", "l1d.ways=4", "l1d.ports=2", "l1d.tag_cycles=1", "l2.tag_cycles=4"},
    /* One line, a narrow crossbar, two channels, odd clocks, DRAM with random delays. */
    {"l1d.size=64", "l1d.ways=1", "l1d.mshrs=1", "l1d.writes=2", "l2.size=1024", "l2.ways=8",
     "l2.banks=1", "crossbar.width=8", "dram.channels=2", "agg.clock=2500MHz", "gpu.clock=800MHz",
     "mem.jitter=100ns"},
    /* A torus, one set of all ways. */
    {"l1d.size=512", "l1d.ways=8", "l1d.mshrs=4", "l1d.writes=4", "l1d.tag_cycles=1",
     "mem.network=torus", "l2.size=1024", "l2.ways=2", "l2.banks=4"},
};

#define RARE     2 /* the one in which everything happens */
#define MACHINES (sizeof machines / sizeof machines[0])

/* What systems promise. */
struct system {
    const char *name;
    const char *setting; /* of its own, or NULL */
    const struct mem_ops *ops;
    bool has_scopes;
    bool is_transitive;
    bool counts;
};

static struct agents *create(const struct system *system, const char *const *machine, uint64_t seed,
                             enum agents_fault fault)
{
    const char *settings[SETTINGS_MAX + 4] = {NULL};
    char name[64];
    size_t count = 0;

    if (system->ops == NULL) {
        (void)snprintf(name, sizeof name, "mem.system=%s", system->name);
        settings[count++] = name;
    }
    settings[count++] = "gpu.cus=4";
    if (system->setting != NULL) {
        settings[count++] = system->setting;
    }
    for (; *machine != NULL; machine++) {
        settings[count++] = *machine;
    }
    return agents_create(&(struct agents_options){.ops = system->ops,
                                                  .settings = settings,
                                                  .has_scopes = system->has_scopes,
                                                  .is_transitive = system->is_transitive,
                                                  .fault = fault,
                                                  .seed = seed});
}

/* Where a cache has few MSHRs all of them are held at some time, and never more than there are. */
static void check_mshrs(const struct agents *agents)
{
    const uint64_t most = agents->mem->counters.l1[L1D].mshrs_max;
    const uint64_t mshrs = (uint64_t)agents->config.number[SL_CFG_L1D_MSHRS];

    if (agents->config.number[SL_CFG_MEM_SYSTEM] == SL_MEM_SYSTEM_PARTITION) {
        assert_int_equal(most, 0);
    } else if (mshrs <= 4) {
        assert_int_equal(most, mshrs);
    } else {
        assert_in_range(most, 1, mshrs);
    }
}

/* Requests of compute units that memory has counted are those that are over. */
static void check_laws(const struct agents *agents)
{
    const struct mem_counters *counters = &agents->mem->counters;
    const struct l2_counters *l2 = &counters->l2;
    /* What L1 caches send each other passes no L2: here all of that is lines. */
    const uint64_t sent = counters->tracker.hits * SL_CACHE_LINE_BYTES;
    uint64_t bytes_in = 0;
    uint64_t bytes_out = 0;

    for (unsigned kind = 0; kind < L1_KINDS; kind++) {
        const struct l1_counters *l1 = &counters->l1[kind];
        uint64_t served = 0;
        for (unsigned by = 0; by < HIT_LEVELS; by++) {
            served += l1->served[by];
        }
        assert_int_equal(served, l1->accesses);
        assert_true(l1->read_hits <= l1->served[HIT_L1]);
        assert_true(l1->read_after_write_hits <= l1->read_hits);
        bytes_in += l1->bytes_in;
        bytes_out += l1->bytes_out;
    }
    assert_int_equal(counters->l1[L1D].accesses, agents->data);
    check_mshrs(agents);
    assert_int_equal(l2->hits + l2->misses, l2->accesses);
    if (counters->wl[0].writes == 0) { /* nothing is between the L1 caches and the L2 */
        assert_int_equal(bytes_in, l2->l1_bytes_out + sent);
        assert_int_equal(bytes_out, l2->l1_bytes_in + sent);
    }
    assert_int_equal(counters->l3.hits + counters->l3.misses, counters->l3.accesses);
    assert_int_equal(l2->dram_bytes_in, counters->dram_line_bytes * counters->dram_reads);
    assert_int_equal(l2->dram_bytes_out, counters->dram_line_bytes * counters->dram_writes);
}

/* What goes into a write-combining cache comes out, but for what is overwritten or nobody's. */
static void check_settled_laws(const struct agents *agents)
{
    for (unsigned i = 0; i < MEM_WRITE_CACHES; i++) {
        const struct write_cache_counters *wl = &agents->mem->counters.wl[i];
        assert_int_equal(wl->bytes_in, wl->bytes_out + wl->bytes_combined + wl->bytes_dropped);
    }
}

/* What machines are small for. */
static uint64_t rare_events(const struct agents *agents)
{
    const struct l1_counters *l1 = &agents->mem->counters.l1[L1D];
    const uint64_t counts[] = {
        l1->replays,
        l1->evictions,
        l1->served[HIT_MERGED],
        l1->served[HIT_OTHER_L1],
        agents->mem->counters.l2.evictions,
    };
    uint64_t fewest = UINT64_MAX;

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        fewest = counts[i] < fewest ? counts[i] : fewest;
    }
    return fewest;
}

static void run_machine(const struct system *system, size_t machine, uint64_t accesses)
{
    struct agents *agents = create(system, machines[machine], 1000 + machine, FAULT_NONE);

    if (agents->mem->backdoor == NULL) {
        agents_run(agents, accesses);
        if (agents->failure[0] == '\0' && system->counts) {
            check_laws(agents);
            assert_true(machine != RARE || rare_events(agents) >= 10);
        }
        if (agents->failure[0] == '\0') {
            assert_true(agents->locked > accesses / 200);
            agents_settle(agents);
            check_settled_laws(agents);
        }
    }
    if (agents->failure[0] != '\0') {
        fail_msg("%s, machine %zu, %lu accesses: %s", system->name, machine, agents->accesses,
                 agents->failure);
    }
    agents_destroy(agents);
}

static void run(const struct system *system, uint64_t accesses)
{
    for (size_t m = 0; m < MACHINES; m++) {
        run_machine(system, m, accesses / MACHINES);
    }
}

#define HYBRID(own)                                                                                \
    {                                                                                              \
        .name = "hybrid", .setting = (own), .has_scopes = true, .is_transitive = true              \
    }

/* The systems of mem.system, but for those that are coherent; with the compute unit's bytes at a
 * release, or the wavefront's. Where the paper has no scopes, there are none. */
static const struct system systems[] = {
#define SYSTEM(ID, word, tells)                                                                    \
    {.name = #word,                                                                                \
     .has_scopes =                                                                                 \
         SL_MEM_SYSTEM_##ID == SL_MEM_SYSTEM_SCOPED || SL_MEM_SYSTEM_##ID == SL_MEM_SYSTEM_HYBRID, \
     .is_transitive = true,                                                                        \
     .counts = true},
    SL_MEM_SYSTEMS(SYSTEM)
#undef SYSTEM
        {.name = "scoped", .setting = "scoped.flush=wavefront", .has_scopes = true, .counts = true},
    HYBRID("tracker.count=0"),
    HYBRID("tracker.count=2"),
    HYBRID("tracker.sharers=1"),
    HYBRID("tracker.sets=8"),
    HYBRID("l2.line=32"),
    HYBRID("l1d.bypass=on"),
    HYBRID("l2.bypass=on"),
    HYBRID("l2.write_fetch=off"),
};

static const struct system stale = {
    .name = "stale", .ops = &mem_stale, .has_scopes = true, .is_transitive = true};

TEST(test_systems)
{
    const bool is_long = getenv("SLUICE_TEST_LONG") != NULL;

    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        run(&systems[i], is_long ? 10000000 : 100000);
    }
}

/* The reference itself, on what is as old as the contract permits. */
TEST(test_stale)
{
    run(&stale, getenv("SLUICE_TEST_LONG") != NULL ? 10000000 : 100000);
}

/* Something is wrong: it is found, where there is room for what is old. */
static void check_found(const struct system *system, enum agents_fault fault)
{
    static const char *const machine[] = {"l1d.size=4096", "l1d.ways=4", NULL};
    struct agents *agents = create(system, machine, 7, fault);

    agents_run(agents, 300000);
    if (agents->failure[0] == '\0') {
        fail_msg("%s: fault %d is not found", system->name, fault);
    }
    agents_destroy(agents);
}

TEST(test_faults)
{
    static const struct system wt = {.name = "wt", .is_transitive = true};
    static const struct system scoped = {
        .name = "scoped", .has_scopes = true, .is_transitive = true};
    static const struct system *const all[] = {&stale, &wt, &scoped};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (enum agents_fault fault = FAULT_ACQUIRE; fault <= FAULT_UPDATE; fault++) {
            /* Stores of wt leave at once; who has heard of them is too late to overtake them. */
            if (all[i] != &wt || fault != FAULT_RELEASE) {
                check_found(all[i], fault);
            }
        }
    }
}

/* A release of one wavefront's bytes is not transitive, and scopes are not those of the device. */
TEST(test_promises)
{
    static const struct system transitive = {.name = "scoped",
                                             .setting = "scoped.flush=wavefront",
                                             .has_scopes = true,
                                             .is_transitive = true};
    static const struct system unscoped = {.name = "scoped", .is_transitive = true};

    check_found(&transitive, FAULT_NONE);
    check_found(&unscoped, FAULT_NONE);
}
