/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Times of memory system `quickrelease`, each worked out by hand, with the latencies of papers/000
 * Table 4.1.
 *
 * In ns = cycles, tags + data: rL1 and wL1 1 + 4, rL2, wL2 and wL3 4 + 16; the crossbar and the
 * link to the directory 1 each way; DRAM 30, of which the last 3.2 are the transfer. 8 banks. A
 * load is done after
 * - rL1: 5
 * - wL1: rL1's tag 1, wL1 5: 6
 * - rL2: tags 1 + 1, crossbar 1, rL2 20, crossbar 1: 24
 * - wL2: 1 + 1 + 1, rL2's tag 4, wL2 20, 1: 28
 * - wL3: 1 + 1 + 1, tags 4 + 4, link 1, wL3 20, link 1, crossbar 1: 34
 * - DRAM: 1 + 1 + 1 + 4 + 4 + 1, wL3's tag 4, DRAM 30, 1 + 1: 48 */
#include <stdlib.h>

#include "common/check.h"
#include "soc/memory/qr_bench.h"

#define NS(n) ((uint64_t)((n)*1000))
#define LINE  SL_CACHE_LINE_BYTES

/* From DRAM, then from rL1; another compute unit's from rL2. */
TEST(test_reads)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");
    uint64_t latency_ps;

    *qr_bench_memory(b, 3) = 7;
    assert_int_equal(qr_load(b, 0, 3, 0, &latency_ps), 7);
    assert_int_equal(latency_ps, NS(48));
    assert_int_equal(qr_load(b, 0, 3, NS(100), &latency_ps), 7);
    assert_int_equal(latency_ps, NS(5));
    assert_int_equal(qr_load(b, 1, 3, NS(200), &latency_ps), 7);
    assert_int_equal(latency_ps, NS(24));
    assert_int_equal(b->mem->counters.dram_reads, 1);
    assert_int_equal(b->mem->counters.l1[L1D].read_hits, 1);
    assert_int_equal(b->mem->counters.l1[L1D].read_after_write_hits, 0);
    qr_bench_destroy(b);
}

/* A store takes wL1's tag and data: 5. What it wrote is read there in 6. With S-FIFOs of one entry
 * each store sends the one before it down: with one more line stored, the bytes are in wL2, with
 * two in wL3, with three in DRAM. Loads of the other compute unit, which has none of them. */
TEST(test_levels)
{
    static const uint64_t latencies[] = {28, 34, 48};
    for (uint32_t level = 0; level < 3; level++) {
        struct memory_bench *b = QR_BENCH("wl1.fifo=1", "wl2.fifo=1", "wl3.fifo=1");
        uint64_t latency_ps;
        assert_int_equal(qr_store(b, 0, 0, 9, 0), NS(5));
        assert_int_equal(qr_load(b, 0, 0, NS(100), &latency_ps), 9);
        assert_int_equal(latency_ps, NS(6));
        for (uint32_t line = 1; line <= level + 1; line++) {
            qr_store(b, 0, line * LINE, 9, NS(100 + 100 * line));
        }
        assert_int_equal(qr_load(b, 1, 0, NS(1000), &latency_ps), 9);
        assert_int_equal(latency_ps, NS(latencies[level]));
        assert_int_equal(b->mem->counters.sfifo[0].full, level + 1);
        assert_int_equal(b->mem->counters.sfifo[1].full, level);
        assert_int_equal(b->mem->counters.sfifo[2].full, level > 1 ? 1 : 0);
        qr_bench_destroy(b);
    }
}

/* A load that wants a byte more than wL1 has goes behind the bytes that it has, and so on at wL2
 * and wL3: it takes as long as DRAM does, and 1 each where they are ahead of it, in the crossbar
 * and on the link. */
TEST(test_partial)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");
    struct memory_step access;

    *qr_bench_memory(b, 1) = 5;
    qr_store(b, 0, 0, 9, 0);
    qr_hand_in(b, &access, 0, MEM_LOAD, 0, 2, 0, NS(100));
    assert_int_equal(memory_finish(b, &access), NS(48 + 1 + 1));
    assert_int_equal(access.bytes[0], 9);
    assert_int_equal(access.bytes[1], 5);
    for (unsigned level = 0; level < MEM_WRITE_CACHES; level++) {
        assert_int_equal(b->mem->counters.wl[level].partial, 1);
    }
    qr_bench_destroy(b);
}

/* k dirty lines, an entry a cycle at each level. From the release on: the last one leaves wL1 at
 * k - 1, after its tag 1 and the crossbar 1 it is in wL2 at k + 1, and the marker there. It leaves
 * wL2 at 2k, and after 4 + 1 is in wL3 at 2k + 5. There the first one leaves at 2k + 5, after 4
 * goes to DRAM, whose bus takes 3.2 for each: 2k + 9 + 3.2k. The way back: 1 + 1. Without any there
 * is nothing to wait for. */
TEST(test_release)
{
    static const uint32_t counts[] = {0, 1, 4};
    for (unsigned i = 0; i < 3; i++) {
        struct memory_bench *b = QR_BENCH("quickrelease.enqueue=block");
        const uint32_t k = counts[i];
        for (uint32_t line = 0; line < k; line++) {
            qr_store(b, 0, line * LINE, 3, NS(100 * line));
        }
        const uint64_t expected_ps = k == 0 ? 0 : NS(2 * k + 9) + 3200 * k + NS(2);
        assert_int_equal(qr_release(b, 0, NS(1000)), expected_ps);
        assert_int_equal(b->mem->counters.sync.release_wait_ps, expected_ps);
        for (uint32_t line = 0; line < k; line++) {
            assert_int_equal(*qr_bench_memory(b, line * LINE), 3);
        }
        for (unsigned level = 0; level < MEM_WRITE_CACHES; level++) {
            assert_int_equal(b->mem->counters.sfifo[level].released, k != 0);
            assert_int_equal(b->mem->counters.wl[level].evictions, k);
        }
        qr_bench_destroy(b);
    }
}

/* Two releases behind one store: the second one, 5 later, ends with the first one's marker. A third
 * one, behind the end, has nothing to wait for; behind another store it has. */
TEST(test_joined_releases)
{
    struct memory_bench *b = QR_BENCH("quickrelease.enqueue=block");
    struct memory_step first;
    struct memory_step second;

    qr_store(b, 0, 0, 3, 0);
    qr_hand_in_release(b, &first, 0, 0, NS(1000));
    qr_hand_in_release(b, &second, 0, 1, NS(1005));
    assert_int_equal(memory_finish(b, &first), NS(2 + 9) + 3200 + NS(2));
    assert_int_equal(second.done_ps, first.done_ps);
    assert_int_equal(b->mem->counters.sfifo[0].released, 1);
    assert_int_equal(qr_release(b, 0, NS(2000)), 0);
    qr_store(b, 0, 0, 4, NS(3000));
    assert_int_equal(qr_release(b, 0, NS(4000)), NS(2 + 9) + 3200 + NS(2));
    assert_int_equal(b->mem->counters.sfifo[0].released, 2);
    assert_int_equal(*qr_bench_memory(b, 0), 4);
    qr_bench_destroy(b);
}

/* At the directory, on DRAM's bytes: as long as a read that DRAM serves; a store does not wait for
 * DRAM: 48 - 30. */
TEST(test_atomics)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");
    struct memory_step access;
    uint64_t latency_ps;

    *qr_bench_memory(b, 0) = 5;
    qr_hand_in_atomic(b, &access, 0, MEM_ATOMIC, 0, 2, 0);
    assert_int_equal(memory_finish(b, &access), NS(48));
    assert_int_equal(*qr_bench_memory(b, 0), 7);
    qr_hand_in_atomic(b, &access, 0, MEM_STORE, 0, 1, NS(100));
    assert_int_equal(memory_finish(b, &access), NS(18));
    assert_int_equal(*qr_bench_memory(b, 0), 1);
    /* An acquire is a load: it hits where a line is. */
    assert_int_equal(qr_load_acquire(b, 0, 0, NS(200), &latency_ps), 1);
    assert_int_equal(latency_ps, NS(48));
    assert_int_equal(qr_load_acquire(b, 0, 0, NS(300), &latency_ps), 1);
    assert_int_equal(latency_ps, NS(5));
    qr_bench_destroy(b);
}

/* One line per cycle: hits of one cycle are done in 5, 6 and 7. */
TEST(test_port)
{
    struct memory_bench *b = QR_BENCH("wl1.ways=16");
    struct memory_step access[3];

    qr_load(b, 0, 0, 0, NULL);
    for (unsigned i = 0; i < 3; i++) {
        qr_hand_in(b, &access[i], 0, MEM_LOAD, 0, 1, 0, NS(100));
    }
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(memory_finish(b, &access[i]), NS(5 + i));
    }
    qr_bench_destroy(b);
}
