/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/common/ndrange_machine.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "dispatcher/packet_fetch.h"
#include "sluice/registers.h"
#include "soc/common/kernel_file.h"

#define CYCLES_MAX 100000000u

static void make_rings(struct ndrange_machine *m)
{
    const uint64_t dispatches = ndrange_take(m, SL_DISPATCH_ENTRIES * sizeof *m->dispatches);
    const uint64_t completions = ndrange_take(m, SL_COMPLETION_ENTRIES * sizeof *m->completions);
    const uint64_t faults = ndrange_take(m, SL_FAULT_ENTRIES * sizeof *m->faults);
    m->dispatches = ndrange_at(m, dispatches);
    m->completions = ndrange_at(m, completions);
    m->faults = ndrange_at(m, faults);
    window_write(&m->window, SL_REG_DISPATCH_BASE, dispatches);
    window_write(&m->window, SL_REG_COMPLETION_BASE, completions);
    window_write(&m->window, SL_REG_FAULT_BASE, faults);
}

struct ndrange_machine *ndrange_create(const char *const *settings)
{
    struct ndrange_machine *m = calloc(1, sizeof *m);
    assert_non_null(m);
    fixture_configure(&m->config, NULL, settings);
    m->next = SL_HEAP_BASE;
    m->gpu = fixture_create(&m->config, &m->layout, &m->dram);
    m->window.bytes = dram_at(&m->dram, m->layout.window_base);
    assert_int_equal(dispatcher_init(&m->dispatcher, &m->config, m->gpu, &m->window), 0);
    fixture_begin(m->gpu);
    dispatcher_begin(&m->dispatcher);
    make_rings(m);
    return m;
}

void ndrange_destroy(struct ndrange_machine *m)
{
    dispatcher_destroy(&m->dispatcher);
    fixture_destroy(m->gpu);
    if (m->has_elf) {
        sl_elf_close(&m->elf);
    }
    free(m);
}

uint64_t ndrange_take(struct ndrange_machine *m, uint64_t bytes)
{
    const uint64_t address = m->next;
    m->next = (m->next + bytes + 63) / 64 * 64;
    assert_true(m->next <= m->layout.heap_limit);
    memset(ndrange_at(m, address), 0, bytes);
    return address;
}

void *ndrange_at(const struct ndrange_machine *m, uint64_t address)
{
    return dram_at(&m->dram, address);
}

static void describe(struct ndrange_machine *m, const struct sl_program *description)
{
    const uint64_t program = ndrange_take(m, sizeof *description);
    *(struct sl_program *)ndrange_at(m, program) = *description;
    assert_int_equal(gpu_load_program(m->gpu, program), 0);
}

void ndrange_assemble(struct ndrange_machine *m, const uint32_t *words, size_t count, size_t branch,
                      size_t meet)
{
    const uint64_t bytes = count * sizeof *words;
    const uint64_t table = ndrange_take(m, bytes * 2);
    uint32_t *const points = ndrange_at(m, table);
    for (size_t i = 0; i < bytes / 2; i++) {
        points[i] = SL_RECONVERGE_NONE;
    }
    if (branch < count) {
        points[2 * branch] = (uint32_t)meet * 4;
    }
    memcpy(ndrange_at(m, SL_KERNEL_BASE), words, bytes);
    const struct sl_program program = {
        .code = SL_KERNEL_BASE, .code_bytes = bytes, .reconvergence = table};
    describe(m, &program);
}

void ndrange_load(struct ndrange_machine *m, const char *file)
{
    kernel_file_open(&m->elf, file, &m->dram);
    m->has_elf = true;
    const uint64_t table = ndrange_take(m, kernel_file_table_bytes(&m->elf));
    const struct sl_program program = kernel_file_analyse(&m->elf, &m->dram, table);
    describe(m, &program);
}

uint64_t ndrange_function(const struct ndrange_machine *m, const char *name)
{
    return kernel_file_function(&m->elf, name);
}

void ndrange_dispatch(struct ndrange_machine *m, const struct ndrange_kernel *kernel,
                      const uint32_t grid[3], const uint32_t group[3], uint32_t lds_bytes)
{
    const uint64_t address = ndrange_take(m, sizeof(struct sl_kernel));
    struct sl_kernel *const shared = ndrange_at(m, address);
    struct sl_dispatch *const packet = &m->dispatches[m->tail % SL_DISPATCH_ENTRIES];
    *shared = (struct sl_kernel){
        .entry = kernel->entry,
        .argument_count = kernel->argument_count,
        .float_arguments = kernel->float_arguments,
        .registers = kernel->registers,
    };
    memcpy(shared->argument, kernel->argument, sizeof shared->argument);
    *packet = (struct sl_dispatch){
        .kernel = address,
        .id = m->tail,
        .kind = SL_DISPATCH_NDRANGE,
        .lds_bytes = lds_bytes,
    };
    memcpy(packet->grid, grid, sizeof packet->grid);
    memcpy(packet->group, group, sizeof packet->group);
    intake_doorbell(&m->dispatcher, ++m->tail);
}

uint64_t ndrange_run(struct ndrange_machine *m)
{
    uint64_t last = m->gpu->event_queue->now;
    while (m->gpu->event_queue->next != EVENT_QUEUE_NEVER) {
        last = m->gpu->event_queue->next;
        assert_true(last < CYCLES_MAX);
        fixture_run(m->gpu, last);
    }
    m->counters = gpu_counters(m->gpu);
    return last;
}

uint32_t ndrange_completions(const struct ndrange_machine *m)
{
    return (uint32_t)window_read(&m->window, SL_REG_COMPLETION_TAIL);
}

uint32_t ndrange_faults(const struct ndrange_machine *m)
{
    return (uint32_t)window_read(&m->window, SL_REG_FAULT_TAIL);
}
