/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Divergence fuzzer: random control-flow graphs (loops with breaks, switches, gotos
 * into loops, jumps through tables, calls and tail calls through tables that diverge in their
 * target, recursion) on 64 lanes with different inputs. Each lane's result has to be that of the
 * same code run alone, and the instructions issued, of the wavefront and of its lanes, exactly
 * those of immediate post-dominator reconvergence (graphs_run.c). Registers that are dead
 * (host/driver/code/analysis.h) are overwritten all the time. 600 graphs; 10,000 with
 * SLUICE_TEST_LONG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "fuzz/dead.h"
#include "fuzz/graphs.h"
#include "simt/gpu.h"
#include "sluice/config.h"

#define TABLE_ADDRESS   (SL_HEAP_BASE + 0x1000)
#define PROGRAM_ADDRESS SL_HEAP_BASE

#define OVERWRITE_CYCLES 200 /* dead registers are overwritten as often as that, or more often */

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct cu_counters counters;
    struct gpu *gpu;
    uint32_t ended;
    uint64_t overwritten; /* dead registers */
    struct sl_fault fault;
};

static void on_end(void *owner, const struct wave *wave)
{
    (void)wave;
    ((struct machine *)owner)->ended++;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
    ((struct machine *)owner)->fault = *fault;
}

static struct machine *machine_create(const char *depth)
{
    const char *const settings[] = {"gpu.cus=1", "gpu.contexts=4", "gpu.divergence_spill=4096",
                                    depth, NULL};
    struct machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    fixture_configure(&m->config, NULL, settings);
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    return m;
}

static void machine_destroy(struct machine *m)
{
    fixture_destroy(m->gpu);
    free(m);
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
    fixture_begin(m->gpu);
    assert_int_equal(gpu_load_program(m->gpu, PROGRAM_ADDRESS), 0);
}

/* Now and then, what is dead is overwritten, which lanes must not notice. */
static void run(struct machine *m, uint64_t input)
{
    const uint64_t step = 1 + input * 31 % OVERWRITE_CYCLES;
    struct wave_launch launch = {
        .index_mask = UINT32_MAX,
        .count = GRAPH_LANES,
        .argument_count = 2,
        .arguments = {input, GRAPH_RESULT_BASE},
    };

    m->ended = 0;
    m->fault.code = 0;
    fixture_clear_counters(m->gpu);
    cu_launch(&m->gpu->cus[0], &launch);
    for (uint64_t cycle = 0; m->ended == 0; cycle += step) {
        assert_true(cycle < 1000000000);
        fixture_run(m->gpu, cycle);
        m->overwritten += dead_overwrite(m->gpu, 0);
    }
    m->counters = gpu_counters(m->gpu);
}

/* Returns whether the graph was short enough to try. */
static bool one_graph(struct machine *m, uint64_t seed)
{
    static struct graph graph;
    static struct graph_outcome expected;

    graph_make(&graph, seed);
    if (!graph_run(&graph, seed * 77, &expected)) {
        return false;
    }
    load(m, &graph);
    run(m, seed * 77);
    if (m->fault.code != 0) {
        fail_msg("seed %llu: fault %u at word %llu", (unsigned long long)seed, m->fault.code,
                 (unsigned long long)(m->fault.pc - GRAPH_CODE_BASE) / 4);
    }
    if (memcmp(dram_at(&m->dram, GRAPH_RESULT_BASE), expected.result, sizeof expected.result) !=
        0) {
        fail_msg("seed %llu: a lane's result is not what the lane computes alone",
                 (unsigned long long)seed);
    }
    if (cu_wave_instructions(&m->counters) != expected.wave_instructions ||
        cu_lane_instructions(&m->counters) != expected.lane_instructions) {
        fail_msg("seed %llu: %llu instructions of %llu lanes; the oracle has %llu of %llu",
                 (unsigned long long)seed, (unsigned long long)cu_wave_instructions(&m->counters),
                 (unsigned long long)cu_lane_instructions(&m->counters),
                 (unsigned long long)expected.wave_instructions,
                 (unsigned long long)expected.lane_instructions);
    }
    return true;
}

TEST(test_graphs)
{
    static const char *depths[] = {"gpu.divergence_depth=4", "gpu.divergence_depth=9",
                                   "gpu.divergence_depth=32"};
    uint64_t graphs = getenv("SLUICE_TEST_LONG") == NULL ? 600 : 10000;
    uint64_t seed = 0;
    uint64_t spills = 0;
    uint64_t fills = 0;
    uint64_t diverged = 0;
    uint64_t unreconverged = 0;
    uint64_t overwritten = 0;

    for (unsigned d = 0; d < 3; d++) {
        struct machine *m = machine_create(depths[d]);
        for (uint64_t done = 0; done < graphs / 3 + (d == 0 ? graphs % 3 : 0); seed++) {
            done += one_graph(m, seed);
            spills += m->counters.stack_spills;
            fills += m->counters.stack_fills;
            diverged += m->counters.divergent_branches;
            unreconverged += m->counters.unreconverged_branches;
        }
        overwritten += m->overwritten;
        machine_destroy(m);
    }
    printf("# %llu graphs; %llu divergent branches, %llu without a post-dominator; %llu spills, "
           "%llu fills; %llu dead registers overwritten\n",
           (unsigned long long)graphs, (unsigned long long)diverged,
           (unsigned long long)unreconverged, (unsigned long long)spills, (unsigned long long)fills,
           (unsigned long long)overwritten);
    assert_true(seed < 2 * graphs); /* most are short enough */
    assert_true(spills > 0 && fills > 0 && unreconverged > 0);
    assert_true(unreconverged * 2 < diverged);
}
