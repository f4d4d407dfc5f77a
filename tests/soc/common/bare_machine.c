/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Compute units without firmware: memory, code, launches. */
#include "soc/common/bare_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "soc/common/kernel_file.h"

void *bare_at(const struct bare_machine *m, uint64_t address)
{
    return dram_at(&m->dram, address);
}

uint64_t bare_take(struct bare_machine *m, uint64_t bytes, uint64_t align)
{
    uint64_t address = (m->next + align - 1) / align * align;
    m->next = address + bytes;
    assert_true(m->next <= m->layout.heap_limit);
    memset(bare_at(m, address), 0, bytes);
    return address;
}

static void on_end(void *owner, const struct wave *wave)
{
    struct bare_machine *m = owner;
    m->waves_ended++;
    m->end_cycle[wave->number % 256] = m->gpu->event_queue->now;
}

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    struct bare_machine *m = owner;
    if (m->faults++ == 0) {
        m->fault = *fault;
        gpu_dump_fault(m->gpu, wave, (enum sl_fault_code)fault->code);
    }
}

struct bare_machine *bare_create(const char *const *settings)
{
    static const char *const one_cu[] = {"gpu.cus=1", NULL};
    struct bare_machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    fixture_configure(&m->config, one_cu, settings);
    m->next = SL_HEAP_BASE;
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->gpu->env.listener =
        (struct cu_listener){.owner = m, .wave_ended = on_end, .faulted = on_fault};
    fixture_begin(m->gpu);
    return m;
}

void bare_destroy(struct bare_machine *m)
{
    fixture_destroy(m->gpu);
    if (m->has_elf) {
        sl_elf_close(&m->elf);
    }
    free(m);
}

static void load_program(struct bare_machine *m, const struct sl_program *description)
{
    uint64_t program = bare_take(m, sizeof *description, 64);
    *(struct sl_program *)bare_at(m, program) = *description;
    assert_int_equal(gpu_load_program(m->gpu, program), 0);
}

void bare_load_words(struct bare_machine *m, const uint32_t *words, uint32_t count)
{
    uint64_t table = bare_take(m, count * 8ull, 64);
    memset(bare_at(m, table), 0xff, count * 8ull);
    memcpy(bare_at(m, SL_KERNEL_BASE), words, count * 4ull);
    const struct sl_program program = {
        .code = SL_KERNEL_BASE, .code_bytes = count * 4ull, .reconvergence = table};
    load_program(m, &program);
}

void bare_load_kernels(struct bare_machine *m, const char *file)
{
    kernel_file_open(&m->elf, file, &m->dram);
    m->has_elf = true;
    uint64_t table = bare_take(m, kernel_file_table_bytes(&m->elf), 64);
    const struct sl_program program = kernel_file_analyse(&m->elf, &m->dram, table);
    load_program(m, &program);
}

void bare_launch(struct bare_machine *m, uint32_t cu, const char *kernel, uint32_t lanes,
                 uint64_t argument0, uint64_t argument1)
{
    struct wave_launch launch = {
        .pc = kernel != NULL ? kernel_file_entry(&m->elf, kernel) : 0,
        .index_mask = UINT32_MAX,
        .count = lanes,
        .argument_count = 2,
        .arguments = {argument0, argument1},
    };
    m->waves_launched++;
    cu_launch(&m->gpu->cus[cu], &launch);
}

void bare_run(struct bare_machine *m, uint64_t limit)
{
    uint64_t start = m->gpu->event_queue->now;
    while (m->waves_ended < m->waves_launched) {
        uint64_t next = m->gpu->event_queue->next;
        if (next > start + limit) {
            fail_msg("%u of %u wavefronts have ended after %llu cycles", m->waves_ended,
                     m->waves_launched, (unsigned long long)limit);
        }
        fixture_run(m->gpu, next);
    }
    m->counters = gpu_counters(m->gpu);
}
