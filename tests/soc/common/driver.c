/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A whole machine whose firmware is the test. */
#include "soc/common/driver.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"

#define AWAIT_PS 2000000000ull

/* Words of the instructions that the test stands for. */
#define WORD_ADD   0x00c58533u
#define WORD_STORE 0x00a5b423u

static void on_wait(void *owner, uint32_t seen)
{
    struct driver *d = owner;

    d->waits++;
    d->wait_seen = seen;
    driver_mailbox(d)->host_tail = d->wait_answer;
}

static void on_wake(void *owner)
{
    ((struct driver *)owner)->wakes++;
}

static void on_exit_request(void *owner, int status)
{
    struct driver *d = owner;

    d->exits++;
    d->exit_status = status;
}

static uint64_t on_pc(void *owner)
{
    (void)owner;
    return DRIVER_PC;
}

static double on_clock(void *owner)
{
    return ((struct driver *)owner)->wall += 1;
}

struct driver *driver_create(const char *const *settings)
{
    struct driver *d = calloc(1, sizeof *d);

    assert_non_null(d);
    machine_configure(&d->config, settings);
    assert_int_equal(sl_layout_compute(&d->config, &d->layout), 0);
    d->dram = fixture_dram_create(d->layout.dram_bytes);
    d->next = SL_HEAP_BASE;
    struct soc_host host = {.owner = d,
                            .wait = on_wait,
                            .wake = on_wake,
                            .exit = on_exit_request,
                            .hang = on_exit_request,
                            .pc = on_pc,
                            .clock = on_clock};
    d->soc = soc_create(&d->config, &d->layout, &d->dram, &host);
    assert_non_null(d->soc);
    soc_show_registers(d->soc, &d->config);
    d->packets_base = driver_take(d, SL_DISPATCH_ENTRIES * sizeof(struct sl_dispatch));
    d->completions_base = driver_take(d, SL_COMPLETION_ENTRIES * sizeof(struct sl_completion));
    d->faults_base = driver_take(d, SL_FAULT_ENTRIES * sizeof(struct sl_fault));
    d->packets = driver_at(d, d->packets_base);
    d->completions = driver_at(d, d->completions_base);
    d->faults = driver_at(d, d->faults_base);
    return d;
}

void driver_destroy(struct driver *d)
{
    soc_destroy(d->soc);
    fixture_dram_destroy(&d->dram);
    free(d);
}

uint64_t driver_take(struct driver *d, uint64_t bytes)
{
    uint64_t address = d->next;

    d->next =
        (d->next + bytes + SL_CACHE_LINE_BYTES - 1) / SL_CACHE_LINE_BYTES * SL_CACHE_LINE_BYTES;
    assert_true(d->next <= d->layout.heap_limit);
    return address;
}

void *driver_at(const struct driver *d, uint64_t address)
{
    return dram_at(&d->dram, address);
}

struct sl_mailbox *driver_mailbox(const struct driver *d)
{
    return driver_at(d, SL_MAILBOX_BASE);
}

static void execute(struct driver *d, uint32_t word)
{
    struct agg_insn insn = agg_insn_decode(SL_FIRMWARE_BASE, word);
    soc_instruction(d->soc, &insn);
}

void driver_store_memory(struct driver *d, uint64_t address, uint64_t value)
{
    execute(d, WORD_STORE);
    memcpy(driver_at(d, address), &value, sizeof value);
    soc_access(d->soc, address, sizeof value, true);
}

void driver_store(struct driver *d, enum sl_register reg, uint64_t value)
{
    driver_store_memory(d, d->layout.window_base + reg, value);
}

uint64_t driver_read(const struct driver *d, enum sl_register reg)
{
    uint64_t value;

    memcpy(&value, driver_at(d, d->layout.window_base + reg), sizeof value);
    return value;
}

void driver_idle(struct driver *d, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        execute(d, WORD_ADD);
    }
}

void driver_idle_until(struct driver *d, uint64_t time_ps)
{
    assert_true(d->soc->running);
    while (d->soc->running && d->soc->core->time_ps < time_ps) {
        driver_idle(d, 1);
    }
}

void driver_await(struct driver *d, enum sl_register reg, uint64_t value)
{
    uint64_t limit = d->soc->core->time_ps + AWAIT_PS;

    while (driver_read(d, reg) != value) {
        if (d->soc->core->time_ps > limit) {
            fail_msg("register %#x stays at %lu and does not reach %lu", reg, driver_read(d, reg),
                     value);
        }
        driver_idle(d, 1);
    }
}

void driver_place(struct driver *d, struct asm_code *code)
{
    if (d->program == 0) {
        d->program = driver_take(d, sizeof(struct sl_program));
    }
    uint64_t table = driver_take(d, machine_table_bytes(code));
    *(struct sl_program *)driver_at(d, d->program) =
        machine_place(&d->config, &d->dram, code, table);
}

uint64_t driver_kernel(struct driver *d, uint32_t pc, uint64_t argument)
{
    uint64_t kernel = driver_take(d, sizeof(struct sl_kernel));

    *(struct sl_kernel *)driver_at(d, kernel) = (struct sl_kernel){
        .entry = SL_KERNEL_BASE + pc, .argument_count = 1, .argument = {argument}};
    return kernel;
}

void driver_begin(struct driver *d)
{
    driver_store(d, SL_REG_MARK, SL_MARK_BEGIN);
    driver_store(d, SL_REG_RESET, 1);
    driver_store(d, SL_REG_DISPATCH_BASE, d->packets_base);
    driver_store(d, SL_REG_COMPLETION_BASE, d->completions_base);
    driver_store(d, SL_REG_FAULT_BASE, d->faults_base);
    driver_store(d, SL_REG_PROGRAM, d->program);
    d->tail = 0;
}

static void count_records_from(struct driver *d, struct record_ring *ring, uint64_t count)
{
    ring->tail = count;
    ring->visible = count;
    driver_store(d, ring->head_register, count);
}

void driver_count_from(struct driver *d, uint64_t count)
{
    struct dispatcher *const dispatcher = &d->soc->dispatcher;

    d->tail = count;
    dispatcher->ring_tail = count;
    dispatcher->ring_head = count;
    count_records_from(d, &dispatcher->completions, count);
    count_records_from(d, &dispatcher->faults, count);
    count_records_from(d, &dispatcher->yields, count);
}

void driver_begin_yields(struct driver *d)
{
    d->yields_base = driver_take(d, SL_YIELD_ENTRIES * sizeof(struct sl_yield));
    driver_begin(d);
    driver_store(d, SL_REG_YIELD_BASE, d->yields_base);
}

const struct sl_yield *driver_yield(const struct driver *d, uint64_t number)
{
    const struct sl_yield *ring = driver_at(d, d->yields_base);
    return &ring[number % SL_YIELD_ENTRIES];
}

void driver_restart(struct driver *d, uint64_t block)
{
    driver_packet(d, block, 0, 0)->kind = SL_DISPATCH_RESTART;
    driver_bell(d);
}

const uint64_t *driver_end(struct driver *d)
{
    driver_store(d, SL_REG_MARK, SL_MARK_END);
    return driver_at(d, d->layout.window_base + SL_REG_STATISTICS);
}

struct sl_dispatch *driver_packet(struct driver *d, uint64_t kernel, uint32_t first, uint32_t count)
{
    struct sl_dispatch *packet = &d->packets[d->tail % SL_DISPATCH_ENTRIES];

    *packet = (struct sl_dispatch){
        .kernel = kernel,
        .channel = 3,
        .id = (uint32_t)d->tail++,
        .first = first,
        .count = count,
        .index_mask = UINT32_MAX,
    };
    return packet;
}

struct sl_dispatch *driver_ndrange(struct driver *d, uint64_t kernel, uint32_t groups,
                                   uint32_t items, uint32_t lds_bytes)
{
    struct sl_dispatch *packet = driver_packet(d, kernel, 0, 0);

    packet->kind = SL_DISPATCH_NDRANGE;
    packet->lds_bytes = lds_bytes;
    for (unsigned i = 0; i < 3; i++) {
        packet->grid[i] = i == 0 ? groups * items : 1;
        packet->group[i] = i == 0 ? items : 1;
    }
    return packet;
}

void driver_bell(struct driver *d)
{
    driver_store(d, SL_REG_DISPATCH_TAIL, d->tail);
}

const struct sl_completion *driver_completion(const struct driver *d, uint64_t number)
{
    return &d->completions[number % SL_COMPLETION_ENTRIES];
}

const struct sl_fault *driver_fault(const struct driver *d, uint64_t number)
{
    return &d->faults[number % SL_FAULT_ENTRIES];
}
