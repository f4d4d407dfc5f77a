/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Parts of the machines of component tests. */
#include "common/fixture.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <sys/mman.h>

#include "host/analysis/liveness.h"
#include "ideal.h"

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

struct gpu *fixture_create(const struct sl_config *config, struct sl_layout *layout,
                           struct dram *dram, struct counters *counters)
{
    assert_int_equal(sl_layout_compute(config, layout), 0);
    *dram = fixture_dram_create(layout->dram_bytes);
    struct mem_system *const mem = mem_create(config, dram);
    assert_non_null(mem);
    struct gpu *const gpu = gpu_create(config, layout, dram, mem, counters);
    assert_non_null(gpu);
    return gpu;
}

void fixture_destroy(struct gpu *gpu)
{
    struct mem_system *const mem = gpu->mem;
    const struct dram dram = gpu->dram;

    gpu_destroy(gpu);
    mem->ops->destroy(mem);
    fixture_dram_destroy(&dram);
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
        .constants = code->constants,
        .constant_count = code->constant_count,
    };
    const uint64_t live = table + code->bytes / 2 * sizeof(uint32_t);

    assert_int_equal(code->bytes % sizeof *analysed.words, 0);
    assert_int_equal(live % sizeof(uint64_t), 0);
    assert_int_equal(sl_reconverge(&analysed, dram_at(dram, table)), 0);
    assert_int_equal(sl_liveness(&analysed, dram_at(dram, live)), 0);
    return (struct sl_program){
        .code = code->address,
        .code_bytes = code->bytes,
        .reconvergence = table,
        .liveness = live,
    };
}
