/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Parts of the machines of component tests. */
#include "common/fixture.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "common/check.h"
#include "common/ideal.h"
#include "common/kernel_laws.h"
#include "host/driver/code/analysis.h"
#include "sluice/config.h"
#include "soc/systems.h"

static void set(struct sl_config *config, const char *const *settings)
{
    char error[512];

    for (; settings != NULL && *settings != NULL; settings++) {
        if (sl_config_set(config, *settings, error, sizeof error) != 0) {
            fail_msg("%s", error);
        }
    }
}

void fixture_configure(struct sl_config *config, const char *const *base,
                       const char *const *settings)
{
    static const char *const memory[] = {"dram.size=64MiB", NULL};
    char error[512];

    ideal_config(config);
    set(config, memory);
    set(config, base);
    set(config, settings);
    if (sl_config_check(config, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

struct dram fixture_dram_create(uint64_t bytes)
{
    struct dram dram = {.size = bytes};

    dram.bytes = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(dram.bytes != MAP_FAILED);
    return dram;
}

void fixture_dram_destroy(const struct dram *dram)
{
    munmap(dram->bytes, dram->size);
}

/* What the compute units have around them. */
struct fixture {
    struct event_queue event_queue;
    struct activity activity;
    struct stream stream;
    struct mem_system *mem;
    struct dram dram;
    struct kernel_laws *laws; /* or NULL */
    bool has_begun;
};

static const struct mem_ops *memory_ops;

void fixture_memory(const struct mem_ops *ops)
{
    memory_ops = ops;
}

struct gpu *fixture_create(const struct sl_config *config, struct sl_layout *layout,
                           struct dram *dram)
{
    struct fixture *const fixture = calloc(1, sizeof *fixture);

    assert_non_null(fixture);
    assert_int_equal(sl_layout_compute(config, layout), 0);
    *dram = fixture_dram_create(layout->dram_bytes);
    fixture->dram = *dram;
    event_queue_init(&fixture->event_queue, sl_config_period_ps(config, SL_CFG_GPU_CLOCK));
    const struct mem_parts parts = {.config = config,
                                    .dram = &fixture->dram,
                                    .event_queue = &fixture->event_queue,
                                    .stream = &fixture->stream};
    fixture->mem = memory_ops != NULL ? memory_ops->create(&parts) : systems_create(&parts);
    assert_non_null(fixture->mem);
    struct gpu *const gpu = gpu_create(&(struct gpu_parts){
        .config = config,
        .layout = layout,
        .dram = dram,
        .mem = fixture->mem,
        .event_queue = &fixture->event_queue,
        .activity = &fixture->activity,
        .stream = &fixture->stream,
    });
    assert_non_null(gpu);
    if (getenv("SLUICE_TEST_LAWS") != NULL) {
        fixture->laws = kernel_laws_create(gpu, config);
    }
    return gpu;
}

/* Of what has begun. */
static void end_run(struct fixture *fixture)
{
    if (fixture->laws != NULL && fixture->has_begun) {
        kernel_laws_end_run(fixture->laws);
    }
    fixture->has_begun = true;
}

void fixture_destroy(struct gpu *gpu)
{
    struct fixture *const fixture = (struct fixture *)gpu->event_queue;

    if (fixture->laws != NULL) {
        end_run(fixture);
        kernel_laws_check(fixture->laws);
        kernel_laws_destroy(fixture->laws);
    }
    gpu_destroy(gpu);
    fixture->mem->ops->destroy(fixture->mem);
    fixture_dram_destroy(&fixture->dram);
    free(fixture);
}

void fixture_begin(struct gpu *gpu)
{
    end_run((struct fixture *)gpu->event_queue);
    gpu->mem->ops->reset(gpu->mem);
    event_queue_init(gpu->event_queue, gpu->event_queue->cycle_ps);
    *gpu->env.activity = (struct activity){0};
    gpu_begin(gpu);
}

void fixture_reset(struct gpu *gpu)
{
    if (gpu->mem->ops->drain != NULL) {
        gpu->mem->ops->drain(gpu->mem);
    }
    event_queue_clear(gpu->event_queue);
    gpu_reset(gpu);
}

void fixture_set_lanes(struct gpu *gpu, const struct lanes_ops *lanes)
{
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        gpu->cus[c].lanes = lanes;
    }
}

void fixture_run(struct gpu *gpu, uint64_t cycle)
{
    event_queue_run(gpu->event_queue, (cycle + 1) * gpu->event_queue->cycle_ps - 1);
}

void fixture_clear_counters(struct gpu *gpu)
{
    const struct fixture *const fixture = (struct fixture *)gpu->event_queue;

    if (fixture->laws != NULL) {
        kernel_laws_keep(fixture->laws);
    }
    gpu->mem->counters = (struct mem_counters){0};
    for (uint32_t c = 0; c < gpu->cu_count; c++) {
        gpu->cus[c].counters = (struct cu_counters){0};
    }
}

uint64_t fixture_table_bytes(uint64_t code_bytes)
{
    return code_bytes / 2 * (sizeof(uint32_t) + sizeof(uint64_t));
}

struct sl_program fixture_analyse(const struct dram *dram, const struct fixture_code *code,
                                  uint64_t table)
{
    const struct sl_code analysed = {
        .words = dram_at(dram, code->address),
        .word_count = code->bytes / sizeof *analysed.words,
        .base = code->address,
        .functions = code->functions,
        .function_count = code->function_count,
    };
    const uint64_t live = table + code->bytes / 2 * sizeof(uint32_t);

    assert_int_equal(code->bytes % sizeof *analysed.words, 0);
    assert_int_equal(live % sizeof(uint64_t), 0);
    assert_int_equal(sl_reconverge(&analysed, dram_at(dram, table)), 0);
    if (!code->has_no_joins) {
        assert_int_equal(sl_lock_joins(&analysed, dram_at(dram, table)), 0);
    }
    assert_int_equal(sl_liveness(&analysed, dram_at(dram, live)), 0);
    return (struct sl_program){
        .code = code->address,
        .code_bytes = code->bytes,
        .reconvergence = table,
        .liveness = live,
    };
}
