/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What memory system `quickrelease` shows to whom, case by case: false sharing, reads that meet
 * invalidations, a compute unit's own atomics and loads, spinning that ends whoever writes, stacks
 * of wavefronts that have ended, FIFOs by wavefront. */
#include <stdlib.h>

#include "common/check.h"
#include "isa/isa.h"
#include "soc/memory/qr_bench.h"

#define NS(n) ((uint64_t)((n)*1000))
#define LINE  SL_CACHE_LINE_BYTES

/* Both compute units write one line, each its own bytes, and read it after both have released. */
TEST(test_false_sharing)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");

    *qr_bench_memory(b, 20) = 20;
    for (uint32_t cu = 0; cu < 2; cu++) {
        qr_load(b, cu, 20, NS(100 * cu), NULL);
        qr_store(b, cu, cu, (uint8_t)(cu + 1), NS(200 + cu));
    }
    qr_release(b, 0, NS(300));
    assert_int_equal(*qr_bench_memory(b, 0), 1);
    assert_int_equal(*qr_bench_memory(b, 1), 0);
    qr_release(b, 1, NS(400));
    for (uint32_t cu = 0; cu < 2; cu++) {
        assert_int_equal(qr_load(b, cu, 0, NS(500 + 100 * cu), NULL), 1);
        assert_int_equal(qr_load(b, cu, 1, NS(700 + 100 * cu), NULL), 2);
        assert_int_equal(qr_load(b, cu, 20, NS(900 + 100 * cu), NULL), 20);
    }
    assert_int_equal(b->mem->counters.sync.stale_reads, 0);
    qr_bench_destroy(b);
}

/* A line that is in rL1 stays as it was until a release elsewhere is over, and not longer: nobody
 * acquires. */
TEST(test_release_invalidates)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");

    assert_int_equal(qr_load(b, 1, 0, 0, NULL), 0);
    qr_store(b, 0, 0, 9, NS(100));
    assert_int_equal(qr_load(b, 1, 0, NS(200), NULL), 0);
    assert_int_equal(qr_load(b, 0, 0, NS(250), NULL), 9);
    const uint64_t over_ps = NS(300) + qr_release(b, 0, NS(300));
    assert_int_equal(qr_load(b, 1, 0, over_ps, NULL), 9);
    assert_int_equal(b->mem->counters.l1[L1D].invalidations, 1);
    /* A broadcast of 8 bytes to each compute unit. */
    assert_int_equal(b->mem->counters.l1[L1D].bytes_in_probes, 2 * MEM_PROBE_BYTES);
    qr_bench_destroy(b);
}

/* Whenever a load meets a store and release of another compute unit, its line is not kept with old
 * bytes: a load after the release reads the new one. */
TEST(test_fill_against_invalidation)
{
    unsigned old = 0;

    for (uint64_t delay = 0; delay < 80; delay++) {
        struct memory_bench *b = QR_BENCH("wl1.ways=16");
        struct memory_step load;
        struct memory_step release;
        qr_store(b, 0, 0, 9, 0);
        if (delay < 40) {
            qr_hand_in(b, &load, 1, MEM_LOAD, 0, 1, 0, NS(100 + delay));
            qr_hand_in_release(b, &release, 0, 0, NS(140));
        } else {
            qr_hand_in_release(b, &release, 0, 0, NS(140));
            qr_hand_in(b, &load, 1, MEM_LOAD, 0, 1, 0, NS(100 + delay));
        }
        (void)memory_finish(b, &load);
        (void)memory_finish(b, &release);
        old += load.bytes[0] == 0;
        assert_int_equal(qr_load(b, 1, 0, NS(400), NULL), 9);
        qr_bench_destroy(b);
    }
    assert_in_range(old, 20, 60); /* they did meet */
}

/* The same with the aggregator, whose store is at once. */
TEST(test_fill_against_aggregator)
{
    for (uint64_t delay = 1; delay < 60; delay++) {
        struct memory_bench *b = QR_BENCH("wl1.ways=16");
        struct memory_step load;
        qr_hand_in(b, &load, 1, MEM_LOAD, 0, 1, 0, NS(100));
        qr_written(b, 0, 9, NS(100 + delay));
        assert_int_equal(qr_load(b, 1, 0, NS(400), NULL), 9);
        assert_int_equal(qr_load(b, 0, 0, NS(500), NULL), 9);
        qr_bench_destroy(b);
    }
}

/* Store, atomic, load of one byte, each handed in right behind the one before; with a line that all
 * caches for reads have. */
TEST(test_own_atomic)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");
    struct memory_step store;
    struct memory_step atomic;
    struct memory_step load;
    struct memory_step last;

    qr_load(b, 0, 0, 0, NULL);
    qr_load(b, 1, 0, NS(100), NULL);
    qr_hand_in(b, &store, 0, MEM_STORE, 0, 1, 5, NS(200));
    qr_hand_in_atomic(b, &atomic, 0, MEM_ATOMIC, 0, 2, NS(201));
    qr_hand_in(b, &load, 0, MEM_LOAD, 0, 1, 0, NS(202));
    (void)memory_finish(b, &load);
    assert_int_equal(load.bytes[0], 7);
    assert_int_equal(*qr_bench_memory(b, 0), 7);
    assert_int_equal(qr_load(b, 1, 0, NS(400), NULL), 7);
    /* A store behind an atomic stays the last one. */
    qr_hand_in_atomic(b, &atomic, 0, MEM_ATOMIC, 0, 2, NS(500));
    qr_hand_in(b, &store, 0, MEM_STORE, 0, 1, 1, NS(500));
    qr_hand_in(b, &last, 0, MEM_LOAD, 0, 1, 0, NS(500));
    (void)memory_finish(b, &last);
    (void)memory_finish(b, &atomic);
    assert_int_equal(last.bytes[0], 1);
    qr_release(b, 0, NS(700));
    assert_int_equal(*qr_bench_memory(b, 0), 1);
    qr_bench_destroy(b);
}

/* An acquiring load does not see bytes that others do not: those that it wants go to DRAM first. */
TEST(test_strict_load)
{
    struct memory_bench *b = QR_BENCH("wl1.fifo=1");

    qr_store(b, 0, 0, 9, 0);
    assert_int_equal(qr_load_acquire(b, 0, 0, NS(100), NULL), 9);
    assert_int_equal(*qr_bench_memory(b, 0), 9);
    qr_store(b, 0, 0, 8, NS(200));
    qr_store(b, 0, LINE, 8, NS(300)); /* sends it to wL2 */
    assert_int_equal(*qr_bench_memory(b, 0), 9);
    assert_int_equal(qr_load_acquire(b, 1, 0, NS(400), NULL), 8);
    assert_int_equal(*qr_bench_memory(b, 0), 8);
    qr_bench_destroy(b);
}

/* Who waits for a byte to change sees it: stored by the aggregator, by the other compute unit with
 * an atomic store, by another wavefront of its own one. */
TEST(test_spinning)
{
    for (unsigned writer = 0; writer < 3; writer++) {
        struct memory_bench *b = QR_BENCH("wl1.ways=16");
        struct memory_step store;
        uint64_t time_ps = 0;
        for (; time_ps < NS(500); time_ps += NS(100)) {
            assert_int_equal(qr_load_acquire(b, 0, 0, time_ps, NULL), 0);
        }
        if (writer == 0) {
            qr_written(b, 0, 1, time_ps);
        } else if (writer == 1) {
            qr_hand_in_atomic(b, &store, 1, MEM_STORE, 0, 1, time_ps);
        } else {
            qr_hand_in(b, &store, 0, MEM_STORE, 0, 1, 1, time_ps);
        }
        assert_int_equal(qr_load_acquire(b, 0, 0, time_ps + NS(100), NULL), 1);
        qr_bench_destroy(b);
    }
}

/* Bytes of a stack whose wavefront has ended stay where they are, at every level and between them,
 * and do not come to memory, which is another's. */
TEST(test_stacks_of_the_dead)
{
    for (uint64_t delay = 0; delay < 40; delay++) {
        struct memory_bench *b = QR_BENCH("wl1.fifo=1", "wl2.fifo=1");
        struct mem_request end = {.from = {MEM_CU, 0},
                                  .sync = MEM_SYNC_END,
                                  .scope = SL_SCOPE_DEVICE,
                                  .address = MEMORY_BASE,
                                  .bytes = 4 * LINE};
        for (uint32_t line = 0; line < 4; line++) {
            struct memory_step store;
            qr_hand_in(b, &store, 0, MEM_STORE, line * LINE, 1, 7, NS(10 * line));
            (void)memory_finish(b, &store);
        }
        event_queue_run(&b->event_queue, NS(36 + delay));
        end.time_ps = NS(36 + delay);
        assert_int_equal(b->mem->ops->sync(b->mem, &end), end.time_ps);
        for (uint32_t line = 0; line < 4; line++) {
            *qr_bench_memory(b, line * LINE) = 1;
        }
        qr_release(b, 0, NS(200));
        for (uint32_t line = 0; line < 4; line++) {
            assert_int_equal(*qr_bench_memory(b, line * LINE), 1);
        }
        const struct write_cache_counters *wl = b->mem->counters.wl;
        assert_int_equal(wl[0].bytes_dropped + wl[1].bytes_dropped + wl[2].bytes_dropped, 4);
        qr_bench_destroy(b);
    }
}

/* A release covers what other wavefronts of the compute unit have stored; with a FIFO for each,
 * only what its own have. */
TEST(test_transitivity)
{
    for (unsigned by_wavefront = 0; by_wavefront < 2; by_wavefront++) {
        struct memory_bench *b =
            QR_BENCH(by_wavefront != 0 ? "quickrelease.fifo=wavefront" : "quickrelease.fifo=cu");
        struct memory_step release;
        qr_store(b, 0, 0, 9, 0); /* of wavefront 0 */
        qr_hand_in_release(b, &release, 0, 1, NS(100));
        (void)memory_finish(b, &release);
        assert_int_equal(*qr_bench_memory(b, 0), by_wavefront != 0 ? 0 : 9);
        qr_release(b, 0, NS(300));
        assert_int_equal(*qr_bench_memory(b, 0), 9);
        qr_bench_destroy(b);
    }
}
