/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compute units without front end, for tests. */
#include "soc/common/machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "sluice/config.h"

#define CYCLES_MAX 10000000u

void machine_configure(struct sl_config *config, const char *const *settings)
{
    static const char *const base[] = {"gpu.cus=1", NULL};

    fixture_configure(config, base, settings);
}

uint64_t machine_table_bytes(const struct asm_code *code)
{
    return fixture_table_bytes(asm_here(code));
}

struct sl_program machine_place(const struct sl_config *config, const struct dram *dram,
                                struct asm_code *code, uint64_t table)
{
    struct sl_function functions[ASM_FUNCTIONS];

    asm_finish(code);
    for (uint32_t i = 0; i < code->function_count; i++) {
        functions[i] = code->functions[i];
        functions[i].address += SL_KERNEL_BASE;
    }
    memcpy(dram_at(dram, SL_KERNEL_BASE), code->word, asm_here(code));
    const struct fixture_code description = {
        .address = SL_KERNEL_BASE,
        .bytes = asm_here(code),
        .functions = functions,
        .function_count = code->function_count,
        .has_no_joins = config->number[SL_CFG_LOCK_STACK] == SL_LOCK_STACK_THESIS,
    };
    struct sl_program program = fixture_analyse(dram, &description, table);
    program.global_pointer = 0x1234;
    return program;
}

static void on_end(void *owner, const struct wave *wave)
{
    struct machine *m = owner;

    m->ended++;
    if (wave->number < MACHINE_WAVES) {
        struct machine_wave *end = &m->waves[wave->number];
        assert_false(end->has_ended);
        end->has_ended = true;
        end->end_cycle = m->gpu->event_queue->now;
        end->cu = wave->simd->cu->number;
        end->context = wave->context;
        memcpy(end->x, wave->x, sizeof end->x);
    }
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
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
    m->next = SL_HEAP_BASE;
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->mem = m->gpu->mem;
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    fixture_begin(m->gpu);
    return m;
}

void machine_destroy(struct machine *m)
{
    fixture_destroy(m->gpu);
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

    *(struct sl_program *)machine_at(m, descriptor) =
        machine_place(&m->config, &m->dram, code, table);
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
    cu_launch(&m->gpu->cus[cu], &launch);
}

void machine_run(struct machine *m)
{
    uint64_t limit = m->gpu->event_queue->now + CYCLES_MAX;

    while (m->gpu->env.activity->resident > 0 && m->gpu->event_queue->next <= limit) {
        fixture_run(m->gpu, m->gpu->event_queue->next);
    }
    assert_int_equal(m->gpu->env.activity->resident, 0);
    activity_account(m->gpu->env.activity, m->gpu->event_queue->now);
    m->counters = gpu_counters(m->gpu);
}

const struct machine_wave *machine_execute(struct machine *m, struct asm_code *code, uint32_t count)
{
    uint64_t number = m->gpu->pool.wave_count;

    assert_true(number < MACHINE_WAVES);
    machine_load(m, code);
    machine_launch(m, 0, 0, 0, count);
    machine_run(m);
    return &m->waves[number];
}
