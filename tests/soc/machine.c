/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compute units without front end, for tests. */
#include "soc/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "host/liveness.h"
#include "ideal.h"

#define CYCLES_MAX 10000000u

void machine_configure(struct sl_config *config, const char *const *settings)
{
    static const char *const basic[] = {"dram.size=64MiB", "gpu.cus=1"};
    char error[512];

    ideal_config(config);
    for (size_t i = 0; i < sizeof basic / sizeof basic[0]; i++) {
        assert_int_equal(sl_config_set(config, basic[i], error, sizeof error), 0);
    }
    for (; *settings != NULL; settings++) {
        if (sl_config_set(config, *settings, error, sizeof error) != 0) {
            fail_msg("%s", error);
        }
    }
    if (sl_config_check(config, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
}

struct dram machine_dram_create(uint64_t bytes)
{
    struct dram dram = {.size = bytes};

    dram.bytes = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(dram.bytes != MAP_FAILED);
    return dram;
}

void machine_dram_destroy(struct dram *dram)
{
    munmap(dram->bytes, dram->size);
}

uint64_t machine_table_bytes(const struct asm_code *code)
{
    return asm_here(code) / 2 * (sizeof(uint32_t) + sizeof(uint64_t));
}

struct sl_program machine_place(const struct dram *dram, struct asm_code *code, uint64_t table)
{
    struct sl_function functions[ASM_FUNCTIONS];

    asm_finish(code);
    for (uint32_t i = 0; i < code->function_count; i++) {
        functions[i] = code->functions[i];
        functions[i].address += SL_KERNEL_BASE;
    }
    memcpy(dram_at(dram, SL_KERNEL_BASE), code->word, asm_here(code));
    const uint64_t live = table + 2ull * asm_here(code); /* a multiple of 8 */
    assert_int_equal(sl_reconverge(code->word, code->count, SL_KERNEL_BASE, functions,
                                   code->function_count, dram_at(dram, table)),
                     0);
    assert_int_equal(sl_liveness(code->word, code->count, SL_KERNEL_BASE, functions,
                                 code->function_count, NULL, 0, dram_at(dram, live)),
                     0);
    return (struct sl_program){
        .code = SL_KERNEL_BASE,
        .code_bytes = asm_here(code),
        .reconvergence = table,
        .global_pointer = 0x1234,
        .liveness = live,
    };
}

static void on_end(void *owner, const struct wave *wave)
{
    struct machine *m = owner;

    m->ended++;
    if (wave->number < MACHINE_WAVES) {
        struct machine_wave *end = &m->waves[wave->number];
        assert_false(end->has_ended);
        end->has_ended = true;
        end->end_cycle = m->gpu->wheel.now;
        end->cu = wave->simd->cu->number;
        end->context = wave->context;
        memcpy(end->x, wave->x, sizeof end->x);
    }
}

static void on_fault(void *owner, const struct sl_fault *fault)
{
    struct machine *m = owner;

    assert_true(m->faults < MACHINE_FAULTS);
    m->fault[m->faults++] = *fault;
}

struct machine *machine_create(const char *const *settings)
{
    struct machine *m = aligned_alloc(64, sizeof *m);

    assert_non_null(m);
    memset(m, 0, sizeof *m);
    machine_configure(&m->config, settings);
    assert_int_equal(sl_layout_compute(&m->config, &m->layout), 0);
    m->dram = machine_dram_create(m->layout.dram_bytes);
    m->next = SL_HEAP_BASE;
    m->mem = mem_create(&m->config, &m->dram);
    assert_non_null(m->mem);
    m->gpu = gpu_create(&m->config, &m->layout, &m->dram, m->mem, &m->counters);
    assert_non_null(m->gpu);
    m->gpu->listener = (struct gpu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    gpu_begin(m->gpu);
    return m;
}

void machine_destroy(struct machine *m)
{
    gpu_destroy(m->gpu);
    m->mem->ops->destroy(m->mem);
    machine_dram_destroy(&m->dram);
    free(m);
}

uint64_t machine_take(struct machine *m, uint64_t bytes)
{
    uint64_t address = m->next;

    m->next =
        (m->next + bytes + SL_CACHE_LINE_BYTES - 1) / SL_CACHE_LINE_BYTES * SL_CACHE_LINE_BYTES;
    assert_true(m->next <= m->layout.heap_limit);
    return address;
}

void *machine_at(const struct machine *m, uint64_t address)
{
    return dram_at(&m->dram, address);
}

void machine_load(struct machine *m, struct asm_code *code)
{
    uint64_t descriptor = machine_take(m, sizeof(struct sl_program));
    uint64_t table = machine_take(m, machine_table_bytes(code));

    *(struct sl_program *)machine_at(m, descriptor) = machine_place(&m->dram, code, table);
    assert_int_equal(gpu_load_program(m->gpu, descriptor), 0);
}

void machine_launch(struct machine *m, uint32_t cu, uint32_t pc, uint32_t first, uint32_t count)
{
    struct wave_launch launch = {
        .pc = pc,
        .channel = 7,
        .first = first,
        .index_mask = UINT32_MAX,
        .count = count,
        .argument_count = SL_KERNEL_ARGUMENTS,
        .kernel = 0x5eed,
        .dispatch = 99,
    };

    memcpy(launch.arguments, m->arguments, sizeof launch.arguments);
    gpu_launch(m->gpu, cu, &launch);
}

void machine_run(struct machine *m)
{
    uint64_t limit = m->gpu->wheel.now + CYCLES_MAX;

    while (m->gpu->resident > 0 && m->gpu->wheel.next <= limit) {
        gpu_run(m->gpu, m->gpu->wheel.next);
    }
    assert_int_equal(m->gpu->resident, 0);
    gpu_account(m->gpu, m->gpu->wheel.now);
}

const struct machine_wave *machine_execute(struct machine *m, struct asm_code *code, uint32_t count)
{
    uint64_t number = m->gpu->wave_count;

    assert_true(number < MACHINE_WAVES);
    machine_load(m, code);
    machine_launch(m, 0, 0, 0, count);
    machine_run(m);
    return &m->waves[number];
}
