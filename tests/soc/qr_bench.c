/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `quickrelease` alone: accesses, laws. */
#include "soc/qr_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "common/fixture.h"
#include "isa/isa.h"
#include "soc/machine.h"
#include "soc/systems.h"

/* Longer than anything here takes. */
#define PATIENCE_PS 10000000u

struct qr_bench *qr_bench_create(const char *const *settings)
{
    static const char *const usual[] = {"mem.system=quickrelease", "gpu.cus=2",
                                        "l1d.tag_cycles=1",        "l1d.cycles=5",
                                        "l2.tag_cycles=4",         "l2.cycles=20"};
    struct qr_bench *bench = calloc(1, sizeof *bench);
    const char *all[32] = {NULL};
    size_t count = sizeof usual / sizeof usual[0];

    assert_non_null(bench);
    memcpy(all, usual, sizeof usual);
    for (; *settings != NULL; settings++) {
        all[count++] = *settings;
    }
    machine_configure(&bench->config, all);
    bench->dram = fixture_dram_create((uint64_t)bench->config.number[SL_CFG_DRAM_SIZE]);
    wheel_init(&bench->wheel, sl_config_period_ps(&bench->config, SL_CFG_GPU_CLOCK));
    bench->mem = systems_create(&(struct mem_parts){.config = &bench->config,
                                                    .dram = &bench->dram,
                                                    .wheel = &bench->wheel,
                                                    .stream = &bench->stream});
    assert_non_null(bench->mem);
    bench->qr = (struct quickrelease *)bench->mem;
    return bench;
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

void qr_bench_destroy(struct qr_bench *bench)
{
    bench->mem->ops->settle(bench->mem);
    check_laws(&bench->mem->counters);
    bench->mem->ops->destroy(bench->mem);
    fixture_dram_destroy(&bench->dram);
    free(bench);
}

/* ---- accesses ---- */

static void perform(struct mem_request *request, const struct mem_place *place, uint64_t lanes)
{
    struct qr_access *access = CONTAINER_OF(request, struct qr_access, request);

    (void)lanes;
    access->performed++;
    for (uint64_t rest = request->mask[0]; rest != 0; rest &= rest - 1) {
        const unsigned at = (unsigned)__builtin_ctzll(rest);
        if (request->kind == MEM_STORE) {
            place->bytes[at] = access->bytes[0];
        } else if (request->kind == MEM_ATOMIC) {
            place->bytes[at] = (uint8_t)(place->bytes[at] + access->bytes[0]);
        } else {
            access->bytes[at] = place->bytes[at];
        }
    }
    if (request->kind != MEM_LOAD) {
        reservation_write(place->reservations, request->address);
    }
}

static void done(struct mem_request *request, uint64_t time_ps)
{
    struct qr_access *access = CONTAINER_OF(request, struct qr_access, request);

    assert_int_equal(access->done_ps, MEM_PENDING);
    assert_int_equal(access->performed, request->sync == MEM_SYNC_FENCE ? 0 : 1);
    access->done_ps = time_ps;
}

static const struct mem_client client = {.perform = perform, .done = done};

static void init(struct qr_access *access, uint32_t cu, uint64_t time_ps)
{
    *access = (struct qr_access){.request = {.time_ps = time_ps,
                                             .from = {MEM_CU, (uint16_t)cu},
                                             .scope = SL_SCOPE_DEVICE,
                                             .client = &client},
                                 .done_ps = MEM_PENDING};
}

static void hand_in(struct qr_bench *bench, struct qr_access *access)
{
    wheel_run(&bench->wheel, access->request.time_ps);
    const struct mem_answer answer = bench->mem->ops->access(bench->mem, &access->request);
    assert_int_equal(answer.done_ps, MEM_PENDING);
}

void qr_hand_in(struct qr_bench *bench, struct qr_access *access, uint32_t cu, enum mem_kind kind,
                uint32_t at, uint32_t count, uint8_t value, uint64_t time_ps)
{
    init(access, cu, time_ps);
    access->request.kind = (uint8_t)kind;
    access->request.address = QR_BASE + (at & ~(SL_CACHE_LINE_BYTES - 1u));
    mem_request_touch(&access->request, QR_BASE + at, count);
    access->bytes[0] = value;
    hand_in(bench, access);
}

void qr_hand_in_atomic(struct qr_bench *bench, struct qr_access *access, uint32_t cu,
                       enum mem_kind kind, uint32_t at, uint8_t value, uint64_t time_ps)
{
    init(access, cu, time_ps);
    access->request.kind = (uint8_t)kind;
    access->request.address = QR_BASE + (at & ~(SL_CACHE_LINE_BYTES - 1u));
    access->request.atomic = true;
    mem_request_touch(&access->request, QR_BASE + at, 1);
    access->bytes[0] = value;
    hand_in(bench, access);
}

void qr_hand_in_release(struct qr_bench *bench, struct qr_access *access, uint32_t cu,
                        uint64_t wave, uint64_t time_ps)
{
    init(access, cu, time_ps);
    access->request.sync = MEM_SYNC_FENCE;
    access->request.release = true;
    access->request.wave = wave;
    wheel_run(&bench->wheel, time_ps);
    access->done_ps = bench->mem->ops->sync(bench->mem, &access->request);
}

uint64_t qr_latency(struct qr_bench *bench, struct qr_access *access)
{
    const uint64_t limit_ps = access->request.time_ps + PATIENCE_PS;

    for (uint64_t time_ps = access->request.time_ps;
         access->done_ps == MEM_PENDING && time_ps < limit_ps; time_ps += 1000) {
        wheel_run(&bench->wheel, time_ps);
    }
    assert_int_not_equal(access->done_ps, MEM_PENDING);
    return access->done_ps - access->request.time_ps;
}

static uint8_t finish_load(struct qr_bench *bench, struct qr_access *access, uint32_t at,
                           uint64_t *latency_ps)
{
    const uint64_t taken_ps = qr_latency(bench, access);

    if (latency_ps != NULL) {
        *latency_ps = taken_ps;
    }
    return access->bytes[at % SL_CACHE_LINE_BYTES];
}

uint8_t qr_load(struct qr_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                uint64_t *latency_ps)
{
    struct qr_access access;

    qr_hand_in(bench, &access, cu, MEM_LOAD, at, 1, 0, time_ps);
    return finish_load(bench, &access, at, latency_ps);
}

uint8_t qr_load_acquire(struct qr_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                        uint64_t *latency_ps)
{
    struct qr_access access;

    qr_hand_in_atomic(bench, &access, cu, MEM_LOAD, at, 0, time_ps);
    return finish_load(bench, &access, at, latency_ps);
}

uint64_t qr_store(struct qr_bench *bench, uint32_t cu, uint32_t at, uint8_t value, uint64_t time_ps)
{
    struct qr_access access;

    qr_hand_in(bench, &access, cu, MEM_STORE, at, 1, value, time_ps);
    return qr_latency(bench, &access);
}

uint64_t qr_release(struct qr_bench *bench, uint32_t cu, uint64_t time_ps)
{
    struct qr_access access;

    qr_hand_in_release(bench, &access, cu, 0, time_ps);
    return qr_latency(bench, &access);
}

void qr_written(struct qr_bench *bench, uint32_t at, uint8_t value, uint64_t time_ps)
{
    wheel_run(&bench->wheel, time_ps);
    *qr_bench_memory(bench, at) = value;
    bench->mem->ops->written(bench->mem, QR_BASE + at, 1);
}
