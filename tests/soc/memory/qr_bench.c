/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `quickrelease` alone: accesses, laws. */
#include "soc/memory/qr_bench.h"

#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"

struct memory_bench *qr_bench_create(const char *const *settings)
{
    static const char *const usual[] = {"mem.system=quickrelease", "gpu.cus=2",
                                        "l1d.tag_cycles=1",        "l1d.cycles=5",
                                        "l2.tag_cycles=4",         "l2.cycles=20"};
    const char *all[32] = {NULL};
    size_t count = sizeof usual / sizeof usual[0];

    memcpy(all, usual, sizeof usual);
    for (; *settings != NULL; settings++) {
        assert_true(count < 31);
        all[count++] = *settings;
    }
    return memory_create(all);
}

/* What comes into a level is what leaves the one above, and leaves it again. */
static void check_laws(const struct mem_counters *counters)
{
    const struct write_cache_counters *wl = counters->wl;

    for (unsigned level = 0; level < MEM_WRITE_CACHES; level++) {
        assert_int_equal(wl[level].bytes_in,
                         wl[level].bytes_out + wl[level].bytes_combined + wl[level].bytes_dropped);
        if (level > 0) {
            assert_int_equal(wl[level].bytes_in, wl[level - 1].bytes_out);
        }
        assert_true(wl[level].read_hits + wl[level].partial <= wl[level].reads);
    }
    assert_int_equal(counters->l2.hits + counters->l2.misses, counters->l2.accesses);
    assert_int_equal(counters->l2.dram_bytes_in, SL_CACHE_LINE_BYTES * counters->dram_reads);
    assert_int_equal(counters->l2.dram_bytes_out, SL_CACHE_LINE_BYTES * counters->dram_writes);
}

void qr_bench_destroy(struct memory_bench *bench)
{
    bench->mem->ops->drain(bench->mem);
    check_laws(&bench->mem->counters);
    memory_destroy(bench);
}

/* ---- accesses ---- */

static struct mem_request request(uint32_t cu, enum mem_kind kind, uint32_t at, uint32_t count,
                                  uint64_t time_ps)
{
    struct mem_request request = {
        .time_ps = time_ps,
        .address = MEMORY_BASE + (at & ~(SL_CACHE_LINE_BYTES - 1u)),
        .from = {MEM_CU, (uint16_t)cu},
        .kind = (uint8_t)kind,
        .scope = SL_SCOPE_DEVICE,
    };

    mem_request_touch(&request, MEMORY_BASE + at, count);
    return request;
}

void qr_hand_in(struct memory_bench *bench, struct memory_step *step, uint32_t cu,
                enum mem_kind kind, uint32_t at, uint32_t count, uint8_t value, uint64_t time_ps)
{
    memset(step->bytes, value, sizeof step->bytes);
    memory_begin(bench, step, request(cu, kind, at, count, time_ps));
}

void qr_hand_in_atomic(struct memory_bench *bench, struct memory_step *step, uint32_t cu,
                       enum mem_kind kind, uint32_t at, uint8_t value, uint64_t time_ps)
{
    struct mem_request atomic = request(cu, kind, at, 1, time_ps);

    atomic.atomic = true;
    memset(step->bytes, value, sizeof step->bytes);
    memory_begin(bench, step, atomic);
}

void qr_hand_in_release(struct memory_bench *bench, struct memory_step *step, uint32_t cu,
                        uint64_t wave, uint64_t time_ps)
{
    memory_begin_sync(bench, step,
                      (struct mem_request){.time_ps = time_ps,
                                           .from = {MEM_CU, (uint16_t)cu},
                                           .scope = SL_SCOPE_DEVICE,
                                           .sync = MEM_SYNC_FENCE,
                                           .release = true,
                                           .wave = wave});
}

static uint8_t finish_load(struct memory_bench *bench, const struct memory_step *step, uint32_t at,
                           uint64_t *latency_ps)
{
    const uint64_t taken_ps = memory_finish(bench, step);

    if (latency_ps != NULL) {
        *latency_ps = taken_ps;
    }
    return step->bytes[at % SL_CACHE_LINE_BYTES];
}

uint8_t qr_load(struct memory_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                uint64_t *latency_ps)
{
    struct memory_step step;

    qr_hand_in(bench, &step, cu, MEM_LOAD, at, 1, 0, time_ps);
    return finish_load(bench, &step, at, latency_ps);
}

uint8_t qr_load_acquire(struct memory_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                        uint64_t *latency_ps)
{
    struct memory_step step;

    qr_hand_in_atomic(bench, &step, cu, MEM_LOAD, at, 0, time_ps);
    return finish_load(bench, &step, at, latency_ps);
}

uint64_t qr_store(struct memory_bench *bench, uint32_t cu, uint32_t at, uint8_t value,
                  uint64_t time_ps)
{
    struct memory_step step;

    qr_hand_in(bench, &step, cu, MEM_STORE, at, 1, value, time_ps);
    return memory_finish(bench, &step);
}

uint64_t qr_release(struct memory_bench *bench, uint32_t cu, uint64_t time_ps)
{
    struct memory_step step;

    qr_hand_in_release(bench, &step, cu, 0, time_ps);
    return memory_finish(bench, &step);
}

void qr_written(struct memory_bench *bench, uint32_t at, uint8_t value, uint64_t time_ps)
{
    event_queue_run(&bench->event_queue, time_ps);
    *qr_bench_memory(bench, at) = value;
    bench->mem->ops->notify_write(bench->mem, MEMORY_BASE + at, 1);
}
