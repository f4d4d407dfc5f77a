/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Profiles of random kernels (graphs.h) on random machines: several wavefronts at a time, some of
 * which overflow their reconvergence stacks, and resets in the middle. Whatever happens, the rows
 * add up to what the machine counts (common/kernel_laws.h), and the same runs leave the same
 * profile, byte for byte. 240 machines; 6,000 with SLUICE_TEST_LONG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "common/kernel_laws.h"
#include "fuzz/graphs.h"
#include "sluice/config.h"

#define TABLE_ADDRESS   (SL_HEAP_BASE + 0x1000)
#define PROGRAM_ADDRESS SL_HEAP_BASE

#define CUS     2
#define WAVES   6 /* of a run at most */
#define KERNELS 2
#define RUNS    3 /* on each machine */

static const char *const systems[] = {"flat", "moesi",        "nol1",   "partition",
                                      "wt",   "quickrelease", "scoped", "hybrid"};
#define SYSTEMS      (sizeof systems / sizeof systems[0])
#define WRITE_ATOMIC 4u /* the first ones: with these, there are consistency models */

/* What has happened on all machines. */
struct tally {
    uint64_t wave_instructions;
    uint64_t lines;
    uint64_t calls;
    uint64_t faults;
    uint64_t resets; /* of machines with wavefronts */
};

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct gpu *gpu;
    struct kernel_laws *laws;
    uint64_t random;
    uint32_t resident;
    struct tally tally;
};

static uint32_t below(struct machine *m, uint32_t limit)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->random >> 33) % limit;
}

static void on_end(void *owner, const struct wave *wave)
{
    (void)wave;
    ((struct machine *)owner)->resident--;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
    (void)fault;
    ((struct machine *)owner)->tally.faults++;
}

static struct machine *machine_create(uint64_t seed)
{
    static const char *const orders[] = {"rmo", "sc", "sc_wb", "tso"};
    struct machine *m = calloc(1, sizeof *m);
    char settings[5][48];
    const char *list[7] = {"gpu.cus=2"};

    assert_non_null(m);
    m->random = seed;
    (void)below(m, 2);
    (void)snprintf(settings[0], sizeof settings[0], "mem.system=%s", systems[seed % SYSTEMS]);
    (void)snprintf(settings[1], sizeof settings[1], "gpu.consistency=%s",
                   seed % SYSTEMS < WRITE_ATOMIC ? orders[below(m, 4)] : "rmo");
    (void)snprintf(settings[2], sizeof settings[2], "gpu.divergence_depth=%u", 4 + below(m, 8));
    (void)snprintf(settings[3], sizeof settings[3], "gpu.divergence_spill=%u",
                   below(m, 4) == 0 ? 16 : 4096);
    (void)snprintf(settings[4], sizeof settings[4], "gpu.memory_ops=%u", 1 + below(m, 8));
    for (unsigned i = 0; i < 5; i++) {
        list[1 + i] = settings[i];
    }
    fixture_configure(&m->config, NULL, list);
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    m->laws = kernel_laws_create(m->gpu, &m->config);
    return m;
}

static void load(struct machine *m, const struct graph *graph)
{
    const struct fixture_code code = {
        .address = GRAPH_CODE_BASE,
        .bytes = 4ull * graph->count,
        .functions = graph->functions,
        .function_count = graph->function_count,
    };

    memcpy(dram_at(&m->dram, GRAPH_CODE_BASE), graph->code, code.bytes);
    memcpy(dram_at(&m->dram, GRAPH_TABLE_BASE), graph->tables, sizeof graph->tables);
    *(struct sl_program *)dram_at(&m->dram, PROGRAM_ADDRESS) =
        fixture_analyse(&m->dram, &code, TABLE_ADDRESS);
}

/* Wavefronts that come one by one; what takes too long, or a limit that may be short, ends in a
 * reset. */
static void run(struct machine *m)
{
    const uint32_t waves = 1 + below(m, WAVES);
    const uint64_t limit = 1 + below(m, below(m, 2) == 0 ? 3000 : 60000);
    uint64_t now = 0;

    fixture_begin(m->gpu);
    assert_int_equal(gpu_load_program(m->gpu, PROGRAM_ADDRESS), 0);
    for (uint32_t i = 0; i < waves && now < limit; i++) {
        const struct wave_launch launch = {
            .index_mask = UINT32_MAX,
            .count = 1 + below(m, GRAPH_LANES),
            .argument_count = 2,
            .arguments = {below(m, UINT32_MAX), GRAPH_RESULT_BASE},
            .kernel = SL_HEAP_BASE + 64 * below(m, KERNELS),
        };
        m->resident++;
        cu_launch(&m->gpu->cus[below(m, CUS)], &launch);
        now += below(m, 100);
        fixture_run(m->gpu, now);
    }
    for (; m->resident > 0 && now < limit; now += 100) {
        fixture_run(m->gpu, now);
    }
    if (m->resident > 0) {
        fixture_reset(m->gpu);
        m->resident = 0;
        m->tally.resets++;
    }
}

/* Runs a seed's kernels on its machine, and leaves a profile that has been checked. */
static struct tally try(uint64_t seed, struct sl_kernel_profile *profile)
{
    static struct graph graph;
    struct machine *m = machine_create(seed);

    for (unsigned i = 0; i < RUNS; i++) {
        if (i > 0) {
            kernel_laws_end_run(m->laws);
        }
        if (i != 1) { /* the second one is of the same program */
            graph_make(&graph, RUNS * seed + i);
            load(m, &graph);
        }
        run(m);
    }
    kernel_laws_end_run(m->laws);
    kernel_laws_check(m->laws);
    const struct sl_kernel_profile *made = kernel_laws_profile(m->laws);
    const struct sl_kernel_cost sum = kernel_laws_sum(m->laws);
    profile->row_count = made->row_count;
    profile->call_count = made->call_count;
    profile->lost_calls = made->lost_calls;
    memcpy(profile->rows, made->rows, made->row_count * sizeof made->rows[0]);
    memcpy(profile->calls, made->calls, made->call_count * sizeof made->calls[0]);
    m->tally.wave_instructions = sum.wave_instructions;
    m->tally.lines = sum.line_accesses;
    m->tally.calls = made->call_count;
    const struct tally tally = m->tally;
    kernel_laws_destroy(m->laws);
    m->laws = NULL;
    fixture_destroy(m->gpu);
    free(m);
    return tally;
}

static void expect_same(const struct sl_kernel_profile *a, const struct sl_kernel_profile *b)
{
    assert_int_equal(a->row_count, b->row_count);
    assert_int_equal(a->call_count, b->call_count);
    assert_int_equal(a->lost_calls, b->lost_calls);
    assert_memory_equal(a->rows, b->rows, a->row_count * sizeof a->rows[0]);
    assert_memory_equal(a->calls, b->calls, a->call_count * sizeof a->calls[0]);
}

TEST(test_laws)
{
    const uint64_t machines = getenv("SLUICE_TEST_LONG") == NULL ? 240 : 6000;
    struct sl_kernel_profile *first = calloc(1, sizeof *first);
    struct sl_kernel_profile *second = calloc(1, sizeof *second);
    struct tally all = {0};

    assert_non_null(first);
    assert_non_null(second);
    for (uint64_t seed = 0; seed < machines; seed++) {
        const struct tally tally = try(seed, first);
        (void)try(seed, second);
        expect_same(first, second);
        all.wave_instructions += tally.wave_instructions;
        all.lines += tally.lines;
        all.calls += tally.calls;
        all.faults += tally.faults;
        all.resets += tally.resets;
    }
    free(first);
    free(second);
    printf("# %llu machines: %llu wave instructions, %llu lines, %llu pairs of calls, %llu faults, "
           "%llu resets\n",
           (unsigned long long)machines, (unsigned long long)all.wave_instructions,
           (unsigned long long)all.lines, (unsigned long long)all.calls,
           (unsigned long long)all.faults, (unsigned long long)all.resets);
    assert_true(all.lines > 0 && all.calls > 0);
    assert_true(all.faults > 0 && all.resets > machines / 10);
}
