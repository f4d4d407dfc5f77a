/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Divergence fuzzer: random control-flow graphs (loops with breaks, switches through tables, gotos
 * into loops, calls and tail calls through tables that diverge in their target, recursion) on 64
 * lanes with different inputs. Each lane's result has to be that of the same code run alone, and
 * the instructions issued, of the wavefront and of its lanes, exactly those of immediate
 * post-dominator reconvergence (graphs_run.c). Registers that are dead (host/liveness.h) are
 * overwritten all the time. 600 graphs; 10,000 with SLUICE_TEST_LONG. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "config/config.h"
#include "fuzz/dead.h"
#include "fuzz/graphs.h"
#include "host/liveness.h"
#include "ideal.h"
#include "simt/gpu.h"

#define TABLE_ADDRESS   (SL_HEAP_BASE + 0x1000)
#define PROGRAM_ADDRESS SL_HEAP_BASE

#define OVERWRITE_CYCLES 200 /* dead registers are overwritten as often as that, or more often */

struct machine {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct counters counters;
    struct mem_system *mem;
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

static void on_fault(void *owner, const struct sl_fault *fault)
{
    ((struct machine *)owner)->fault = *fault;
}

static void set(struct machine *m, const char *setting)
{
    char error[512];
    if (sl_config_set(&m->config, setting, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

static struct machine *machine_create(const char *depth)
{
    struct machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    ideal_config(&m->config);
    set(m, "dram.size=64MiB");
    set(m, "gpu.cus=1");
    set(m, "gpu.contexts=4");
    set(m, "gpu.divergence_spill=4096");
    set(m, depth);
    assert_int_equal(sl_layout_compute(&m->config, &m->layout), 0);
    m->dram.size = m->layout.dram_bytes;
    m->dram.bytes = mmap(NULL, m->dram.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(m->dram.bytes != MAP_FAILED);
    m->mem = mem_create(&m->config, &m->dram);
    m->gpu = gpu_create(&m->config, &m->layout, &m->dram, m->mem, &m->counters);
    assert_non_null(m->gpu);
    m->gpu->listener = (struct gpu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    return m;
}

static void machine_destroy(struct machine *m)
{
    gpu_destroy(m->gpu);
    m->mem->ops->destroy(m->mem);
    munmap(m->dram.bytes, m->dram.size);
    free(m);
}

static void load(struct machine *m, const struct graph *graph)
{
    uint64_t bytes = 4ull * graph->count;
    const struct sl_read_only constants = {GRAPH_CONST_BASE, sizeof graph->constants,
                                           graph->constants};

    memcpy(dram_at(&m->dram, GRAPH_CODE_BASE), graph->code, bytes);
    memcpy(dram_at(&m->dram, GRAPH_CONST_BASE), graph->constants, sizeof graph->constants);
    memcpy(dram_at(&m->dram, GRAPH_DATA_BASE), graph->data, sizeof graph->data);
    assert_int_equal(sl_reconverge_program(graph->code, graph->count, GRAPH_CODE_BASE,
                                           graph->functions, graph->function_count, &constants, 1,
                                           dram_at(&m->dram, TABLE_ADDRESS)),
                     0);
    const uint64_t live_address = TABLE_ADDRESS + 2 * bytes; /* `bytes` is a multiple of 4 */
    assert_int_equal(sl_liveness(graph->code, graph->count, GRAPH_CODE_BASE, graph->functions,
                                 graph->function_count, &constants, 1,
                                 dram_at(&m->dram, live_address)),
                     0);
    *(struct sl_program *)dram_at(&m->dram, PROGRAM_ADDRESS) =
        (struct sl_program){.code = GRAPH_CODE_BASE,
                            .code_bytes = bytes,
                            .reconvergence = TABLE_ADDRESS,
                            .liveness = live_address};
    gpu_begin(m->gpu);
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
    memset(&m->counters, 0, sizeof m->counters);
    gpu_launch(m->gpu, 0, &launch);
    for (uint64_t cycle = 0; m->ended == 0; cycle += step) {
        assert_true(cycle < 1000000000);
        gpu_run(m->gpu, cycle);
        m->overwritten += dead_overwrite(m->gpu, 0);
    }
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
    if (m->counters.wave_instructions != expected.wave_instructions ||
        m->counters.lane_instructions != expected.lane_instructions) {
        fail_msg("seed %llu: %llu instructions of %llu lanes; the oracle has %llu of %llu",
                 (unsigned long long)seed, (unsigned long long)m->counters.wave_instructions,
                 (unsigned long long)m->counters.lane_instructions,
                 (unsigned long long)expected.wave_instructions,
                 (unsigned long long)expected.lane_instructions);
    }
    return true;
}

static void test_graphs(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
