/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Protocol tester: thousands of agents, spread over the requesters, load, store, fetch and add to a
 * few lines at random times, in caches of few lines, so that evictions and recalls are frequent.
 *
 * After each step: one writer or many readers, the directory exact and inclusive; in time, no
 * access takes effect while another cache has a permission against it. Values take effect in the
 * order of perform_ps: each cache has a copy, which it gets when it misses; a hit must find in it
 * what a sequential memory has. At the end every transition of the tables was taken, and the laws
 * of the counters hold. Seeds are fixed. SLUICE_TEST_LONG: ten million operations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "soc/memory/moesi_bench.h"

#define LINES   24u
#define AGENTS  4096u
#define PENDING 65536u

/* An operation that waits to take effect. */
struct operation {
    uint64_t perform_ps;
    uint64_t number;
    uint64_t value;
    uint32_t node;
    uint8_t line;
    uint8_t kind;
    bool brings_data;
    uint8_t *bytes;
};

struct tester {
    struct moesi_bench *bench;
    uint64_t random;
    uint64_t base_ps;
    uint64_t agent_free_ps[AGENTS];
    struct operation heap[PENDING]; /* by perform_ps, then number */
    uint32_t pending;
    uint64_t copy[MOESI_L1S_MAX][LINES];
    uint64_t memory[LINES];
    uint64_t performed;
};

static uint64_t next_random(struct tester *t, uint64_t range)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (t->random >> 33) % range;
}

static bool is_before(const struct operation *a, const struct operation *b)
{
    return a->perform_ps != b->perform_ps ? a->perform_ps < b->perform_ps : a->number < b->number;
}

static void push(struct tester *t, struct operation operation)
{
    uint32_t at = t->pending++;

    assert_true(t->pending <= PENDING);
    while (at > 0 && is_before(&operation, &t->heap[(at - 1) / 2])) {
        t->heap[at] = t->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    t->heap[at] = operation;
}

static struct operation pop(struct tester *t)
{
    struct operation top = t->heap[0];
    struct operation last = t->heap[--t->pending];
    uint32_t at = 0;

    for (uint32_t child = 1; child < t->pending; child = 2 * at + 1) {
        child += child + 1 < t->pending && is_before(&t->heap[child + 1], &t->heap[child]);
        if (!is_before(&t->heap[child], &last)) {
            break;
        }
        t->heap[at] = t->heap[child];
        at = child;
    }
    t->heap[at] = last;
    return top;
}

/* Lets an operation take effect, on the bytes that the response gave and on the copies. */
static void perform(struct tester *t, const struct operation *operation)
{
    uint64_t *copy = &t->copy[operation->node][operation->line];
    uint64_t *memory = &t->memory[operation->line];
    uint64_t seen;

    memcpy(&seen, operation->bytes, sizeof seen);
    assert_int_equal(seen, *memory);
    if (operation->brings_data) {
        *copy = *memory;
    }
    if (*copy != *memory) {
        fail_msg("operation %lu: cache %u hits line %u, whose copy is stale", operation->number,
                 operation->node, operation->line);
    }
    if (operation->kind == MEM_STORE) {
        *memory = operation->value;
    } else if (operation->kind == MEM_ATOMIC) {
        *memory += operation->value;
    }
    *copy = *memory;
    memcpy(operation->bytes, memory, sizeof *memory);
    t->performed++;
}

static void perform_until(struct tester *t, uint64_t time_ps)
{
    while (t->pending > 0 && t->heap[0].perform_ps < time_ps) {
        struct operation operation = pop(t);
        perform(t, &operation);
    }
}

static bool may(enum l1_state state, bool writes)
{
    return writes ? state == L1_E || state == L1_M : state != L1_I;
}

/* One writer or many readers at perform_ps, by permissions in time. A cache that hits in a state
 * that a later transaction took away does so before that reaches it; who has the permission then
 * takes effect later. */
static void check_in_time(const struct tester *t, uint32_t node, uint64_t address, bool writes,
                          uint64_t perform_ps)
{
    const struct l1_line *own = bench_l1_line(t->bench, node, address);
    assert_non_null(own);
    bool is_old = !may(own->state, writes);

    if (is_old) {
        assert_true(may(own->old_state, writes) && perform_ps < own->until_ps);
    }
    for (uint32_t other = 0; other < t->bench->moesi->l1_count; other++) {
        const struct l1_line *line = bench_l1_line(t->bench, other, address);
        if (other == node || line == NULL) {
            continue;
        }
        bool conflicts = writes ? line->state != L1_I : may(line->state, true);
        if (conflicts) {
            assert_true(is_old && line->ready_ps > perform_ps);
        } else if (!is_old && may(line->old_state, !writes)) {
            assert_true(line->until_ps <= perform_ps);
        }
    }
}

static enum mem_kind random_kind(struct tester *t, bool fetches)
{
    uint64_t kind = next_random(t, 16);

    if (kind < 8) {
        return MEM_LOAD;
    }
    if (kind < 12) {
        return MEM_STORE;
    }
    return kind < 14 || !fetches ? MEM_ATOMIC : MEM_FETCH;
}

/* One agent makes one access. Up to 64 cycles ahead of the others, as the lines of one instruction.
 */
static void step(struct tester *t, uint64_t number, bool fetches)
{
    const struct moesi *moesi = t->bench->moesi;
    uint32_t agent = (uint32_t)next_random(t, AGENTS);
    uint32_t requester = agent % (bench_aggregator(t->bench) + 1);
    uint32_t line = (uint32_t)(next_random(t, 4) == 0 ? 0 : next_random(t, LINES));
    uint64_t address = BENCH_BASE + line * (uint64_t)SL_CACHE_LINE_BYTES;
    uint64_t time_ps = t->base_ps + next_random(t, number % 8 == 0 ? 1024 : 128) * 500;
    enum mem_kind kind = random_kind(t, fetches);

    t->base_ps += next_random(t, 100) == 0 ? 20000000 : next_random(t, 60) * 1000;
    if (t->agent_free_ps[agent] > time_ps) {
        time_ps = t->agent_free_ps[agent];
    }
    uint32_t node = bench_l1(t->bench, requester, kind)->node;
    uint64_t bytes_in = moesi->l1s[node].counters->bytes_in;
    struct mem_answer response = bench_access(t->bench, requester, kind, address, time_ps);
    t->agent_free_ps[agent] = response.done_ps;
    check_in_time(t, node, address, kind == MEM_STORE || kind == MEM_ATOMIC, response.perform_ps);
    push(t, (struct operation){
                .perform_ps = response.perform_ps,
                .number = number,
                .value = number * 0x9e3779b97f4a7c15u,
                .node = node,
                .line = (uint8_t)line,
                .kind = (uint8_t)kind,
                .brings_data = moesi->l1s[node].counters->bytes_in != bytes_in,
                .bytes = moesi->base.backdoor + address,
            });
    bench_check_line(t->bench, address);
}

static struct protocol_coverage coverage;

static void add_coverage(const struct protocol_coverage *more)
{
    for (unsigned s = 0; s < L1_STATES; s++) {
        for (unsigned e = 0; e < L1_EVENTS; e++) {
            coverage.l1[s][e] += more->l1[s][e];
        }
    }
    for (unsigned s = 0; s < DIRECTORY_STATES; s++) {
        for (unsigned e = 0; e < DIRECTORY_EVENTS; e++) {
            coverage.directory[s][e] += more->directory[s][e];
        }
    }
}

/* Operations may be issued ahead of base_ps, never behind it. */
static void run(const char *const *settings, uint64_t seed, uint64_t operations, bool checks_all)
{
    struct tester *t = calloc(1, sizeof *t);

    assert_non_null(t);
    t->bench = bench_create(settings);
    t->random = seed;
    for (uint64_t i = 0; i < operations; i++) {
        step(t, i, true);
        perform_until(t, t->base_ps);
        if (checks_all || i % 256 == 0) {
            bench_check_all(t->bench);
        }
    }
    perform_until(t, UINT64_MAX);
    assert_int_equal(t->performed, operations);
    bench_check_all(t->bench);
    bench_check_laws(t->bench);
    add_coverage(&t->bench->moesi->coverage);
    bench_destroy(t->bench);
    free(t);
}

static const char *const machines[][14] = {
    /* Few CUs, caches of two sets, an L2 with less room than the lines need. */
    {"gpu.cus=4", "l1d.size=256", "l1d.ways=2", "l1i.size=256", "l1i.ways=2", "agg_l1d.size=256",
     "agg_l1d.ways=2", "agg_l1i.size=256", "agg_l1i.ways=2", "l2.size=1024", "l2.ways=8",
     "l2.banks=2", NULL},
    /* All CUs, room in the L2: sharing without recalls. */
    {"gpu.cus=64", "gpu.contexts=4", "l1d.size=256", "l1d.ways=2", "l1i.size=512", "l1i.ways=4",
     "l2.banks=4", NULL},
    /* All CUs, an L2 of one set, few MSHRs, a narrow torus. */
    {"gpu.cus=64", "gpu.contexts=4", "l1d.mshrs=1", "agg_l1i.mshrs=1", "l2.size=1024", "l2.ways=16",
     "l2.banks=1", "l2.mshrs=2", "mem.network=torus", NULL},
    /* Direct-mapped caches, a narrow crossbar, two channels, odd clocks, DRAM with random delays.
     */
    {"gpu.cus=8", "l1d.size=128", "l1d.ways=1", "agg_l1d.size=64", "agg_l1d.ways=1", "l2.size=512",
     "l2.ways=4", "l2.banks=2", "crossbar.width=8", "dram.channels=2", "agg.clock=2500MHz",
     "gpu.clock=800MHz", "mem.jitter=100ns", NULL},
    /* Tags before data, an L3 that is full soon, two MSHRs for both banks. */
    {"gpu.cus=4", "l1d.size=256", "l1d.ways=2", "l1d.tag_cycles=1", "l2.size=1024", "l2.ways=8",
     "l2.banks=2", "l2.tag_cycles=4", "l3.size=2KiB", "l3.ways=4", "l3.banks=2",
     "directory.mshrs=2", NULL},
};

#define MACHINES (sizeof machines / sizeof machines[0])

TEST(test_agents)
{
    bool is_long = getenv("SLUICE_TEST_LONG") != NULL;

    for (size_t m = 0; m < MACHINES; m++) {
        run(machines[m], 1000 + m, 20000, true);
        run(machines[m], 2000 + m, is_long ? 2500000 : 60000, false);
    }
}

/* Runs after test_agents. */
TEST(test_coverage)
{
    unsigned missing = 0;

    for (unsigned s = 0; s < L1_STATES; s++) {
        for (unsigned e = 0; e < L1_EVENTS; e++) {
            if (l1_table[s][e].message != MESSAGE_IMPOSSIBLE) {
                printf("# L1 %s %-13s %10lu\n", l1_state_names[s], l1_event_names[e],
                       coverage.l1[s][e]);
                missing += coverage.l1[s][e] == 0;
            } else {
                assert_int_equal(coverage.l1[s][e], 0);
            }
        }
    }
    for (unsigned s = 0; s < DIRECTORY_STATES; s++) {
        for (unsigned e = 0; e < DIRECTORY_EVENTS; e++) {
            if (directory_table[s][e].is_possible) {
                printf("# directory %s %-13s %10lu\n", directory_state_names[s],
                       directory_event_names[e], coverage.directory[s][e]);
                missing += coverage.directory[s][e] == 0;
            } else {
                assert_int_equal(coverage.directory[s][e], 0);
            }
        }
    }
    assert_int_equal(missing, 0);
}

/* Dirty data never get lost: a cache that gives up M or O sends them along, or hands the duty on to
 * a cache that writes next. What takes a line from M to a shared state leaves it owned. */
TEST(test_dirty_data_are_kept)
{
    for (unsigned e = 0; e < L1_EVENTS; e++) {
        for (enum l1_state s = L1_O; s <= L1_M; s++) {
            const struct l1_transition *transition = &l1_table[s][e];
            if (transition->message == MESSAGE_IMPOSSIBLE || e == L1_INVALIDATE) {
                continue; /* INVALIDATE reaches an owner only for an upgrade: its next state is M */
            }
            assert_true(transition->next != L1_S && transition->next != L1_E);
            assert_true(transition->next != L1_I || message_has_line(transition->message));
        }
    }
    for (unsigned s = 0; s < DIRECTORY_STATES; s++) {
        for (unsigned e = DIRECTORY_PUTO; e <= DIRECTORY_PUTM; e++) {
            const struct directory_transition *transition = &directory_table[s][e];
            assert_true(!transition->is_possible || transition->actions & ACTION_TAKE);
        }
    }
}
