/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* One access after the other. */
#include "soc/memory/memory_bench.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "common/fixture.h"
#include "sluice/config.h"
#include "soc/common/machine.h"
#include "soc/systems.h"

#define LONG_PS 10000000u /* until whatever a test does is done */

struct memory_bench *memory_create(const char *const *settings)
{
    struct memory_bench *bench = calloc(1, sizeof *bench);

    assert_non_null(bench);
    machine_configure(&bench->config, settings);
    bench->dram = fixture_dram_create((uint64_t)bench->config.number[SL_CFG_DRAM_SIZE]);
    event_queue_init(&bench->event_queue, sl_config_period_ps(&bench->config, SL_CFG_GPU_CLOCK));
    bench->mem = systems_create(&(struct mem_parts){.config = &bench->config,
                                                    .dram = &bench->dram,
                                                    .event_queue = &bench->event_queue,
                                                    .stream = &bench->stream});
    assert_non_null(bench->mem);
    bench->mem->ops->reset(bench->mem);
    return bench;
}

void memory_destroy(struct memory_bench *bench)
{
    bench->mem->ops->destroy(bench->mem);
    fixture_dram_destroy(&bench->dram);
    free(bench);
}

uint8_t *memory_byte(const struct memory_bench *bench, uint32_t line)
{
    return dram_at(&bench->dram, MEMORY_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES);
}

static void move(struct memory_step *step, uint8_t *place, uint32_t at)
{
    const uint8_t kind = step->request.kind;
    const uint8_t old = place[at];
    const uint8_t own = step->bytes[at];

    if (kind != MEM_LOAD) {
        place[at] = kind == MEM_STORE ? own : (uint8_t)(old + own);
    }
    if (kind != MEM_STORE) {
        step->bytes[at] = old;
    }
}

static void perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct memory_step *step = (struct memory_step *)request;

    (void)lanes;
    step->performed++;
    for (uint32_t at = 0; at < step->bench->mem->line_bytes; at++) {
        if (request->mask[at / 64] >> at % 64 & 1) {
            move(step, place->bytes, at);
        }
    }
    if (request->kind != MEM_LOAD) {
        reservation_write(place->reservations, request->address);
    }
}

static void done(struct mem_request *request, uint64_t time_ps)
{
    struct memory_step *step = (struct memory_step *)request;

    assert_int_equal(step->done_ps, MEM_PENDING);
    assert_int_equal(step->performed, step->is_sync ? 0 : 1);
    assert_true(time_ps >= event_queue_now_ps(&step->bench->event_queue) &&
                time_ps >= request->time_ps);
    step->done_ps = time_ps;
}

static const struct mem_client client = {perform, done};

static void begin(struct memory_bench *bench, struct memory_step *step, struct mem_request request,
                  bool is_sync)
{
    event_queue_run(&bench->event_queue, request.time_ps);
    step->request = request;
    step->request.client = &client;
    step->bench = bench;
    step->is_sync = is_sync;
    step->performed = 0;
    step->done_ps = MEM_PENDING;
}

void memory_begin(struct memory_bench *bench, struct memory_step *step, struct mem_request request)
{
    begin(bench, step, request, false);
    const struct mem_answer answer = bench->mem->ops->access(bench->mem, &step->request);
    assert_int_equal(answer.done_ps, MEM_PENDING);
}

void memory_begin_sync(struct memory_bench *bench, struct memory_step *step,
                       struct mem_request request)
{
    begin(bench, step, request, true);
    const uint64_t over_ps = bench->mem->ops->sync(bench->mem, &step->request);
    if (over_ps != MEM_PENDING) {
        step->done_ps = over_ps;
    }
}

uint64_t memory_finish(struct memory_bench *bench, const struct memory_step *step)
{
    const uint64_t until_ps = event_queue_now_ps(&bench->event_queue) + LONG_PS;

    while (step->done_ps == MEM_PENDING && event_queue_now_ps(&bench->event_queue) < until_ps) {
        event_queue_run(&bench->event_queue,
                        event_queue_now_ps(&bench->event_queue) + bench->event_queue.cycle_ps);
    }
    assert_int_not_equal(step->done_ps, MEM_PENDING);
    return step->done_ps - step->request.time_ps;
}

uint64_t memory_access(struct memory_bench *bench, struct memory_step *step,
                       struct mem_request request)
{
    memory_begin(bench, step, request);
    return memory_finish(bench, step);
}

uint64_t memory_sync(struct memory_bench *bench, struct memory_step *step,
                     struct mem_request request)
{
    memory_begin_sync(bench, step, request);
    return memory_finish(bench, step);
}

uint64_t memory_aggregate(struct memory_bench *bench, enum mem_kind kind, uint32_t line,
                          uint64_t time_ps, uint8_t *value)
{
    struct mem_request request = {.time_ps = time_ps,
                                  .address = MEMORY_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES,
                                  .from = {.kind = MEM_AGG},
                                  .kind = (uint8_t)kind};
    uint8_t *byte = memory_byte(bench, line);

    event_queue_run(&bench->event_queue, time_ps);
    const uint64_t done_ps = bench->mem->ops->access(bench->mem, &request).done_ps;
    if (kind == MEM_LOAD) {
        *value = *byte;
    } else {
        *byte = *value;
        if (bench->mem->ops->notify_write != NULL) {
            bench->mem->ops->notify_write(bench->mem, request.address, 1);
        }
    }
    return done_ps - time_ps;
}
