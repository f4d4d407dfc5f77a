/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Times of memory systems `nol1`, `wt` and `scoped`, each worked out by hand, and what is old when.
 *
 * Two machines, in ns = cycles of the compute units. That of the core paper (Table 2, our
 * defaults): L1 4, crossbar 1, L2 16, both known a hit or a miss after all of it, DRAM 30, of which
 * the last 3.2 are the transfer. And that of papers/000 Table 4.1: L1 5, of which the first is its
 * tags', L2 20, of which 4 are. So the first          the second L1 hit                   4 5 L2
 * hit                   4 + 1 + 16 + 1     1 + 1 + 20 + 1 DRAM                     4 + 1 + 16 + 30
 * + 1    1 + 1 + 4 + 30 + 1 what leaves the L1 has its turn at the L2 after 4 + 1              1 +
 * 1 and is in DRAM, acknowledged to the L1, after 5 + 16 + 3.2 + 1   2 + 4 + 3.2 + 1 */
#include <string.h>

#include "common/check.h"
#include "isa/isa.h"
#include "soc/memory/memory_bench.h"

#define NS(n) ((uint64_t)((n)*1000 + 0.5))

#define MEMORY(...) memory_create((const char *const[]){__VA_ARGS__, NULL})
#define TABLE_4_1   "l1d.tag_cycles=1", "l1d.cycles=5", "l2.tag_cycles=4", "l2.cycles=20"

/* ---- requests ---- */

static struct mem_request access(uint16_t cu, enum mem_kind kind, uint32_t line, uint64_t mask,
                                 uint64_t time_ps)
{
    return memory_request(cu, kind, MEMORY_BASE + (uint64_t)line * SL_CACHE_LINE_BYTES, mask,
                          time_ps);
}

static struct mem_request atomic(uint16_t cu, enum mem_kind kind, uint32_t line, uint8_t scope,
                                 uint64_t time_ps)
{
    struct mem_request request = access(cu, kind, line, 1, time_ps);

    request.atomic = true;
    request.scope = scope;
    return request;
}

static struct mem_request acquire(uint16_t cu, uint8_t scope, uint64_t time_ps)
{
    return (struct mem_request){.time_ps = time_ps,
                                .from = {MEM_CU, cu},
                                .scope = scope,
                                .sync = MEM_SYNC_FENCE,
                                .acquire = true};
}

static struct mem_request release(uint16_t cu, uint8_t scope, uint64_t wave, uint64_t time_ps)
{
    return (struct mem_request){.time_ps = time_ps,
                                .from = {MEM_CU, cu},
                                .scope = scope,
                                .sync = MEM_SYNC_FENCE,
                                .release = true,
                                .wave = wave};
}

static uint64_t load(struct memory_bench *b, uint16_t cu, uint32_t line, uint64_t time_ps)
{
    struct memory_step step = {0};

    return memory_access(b, &step, access(cu, MEM_LOAD, line, MEMORY_ALL, time_ps));
}

/* Byte 0 of a line, as a compute unit sees it. */
static uint8_t value(struct memory_bench *b, uint16_t cu, uint32_t line, uint64_t time_ps)
{
    struct memory_step step = {0};

    (void)memory_access(b, &step, access(cu, MEM_LOAD, line, 1, time_ps));
    return step.bytes[0];
}

static uint64_t store(struct memory_bench *b, uint16_t cu, uint32_t line, uint8_t new,
                      uint64_t time_ps)
{
    struct memory_step step = {.bytes = {new}};

    return memory_access(b, &step, access(cu, MEM_STORE, line, 1, time_ps));
}

static uint64_t update(struct memory_bench *b, uint16_t cu, uint32_t line, uint8_t scope,
                       uint64_t time_ps)
{
    struct memory_step step = {.bytes = {1}};

    return memory_access(b, &step, atomic(cu, MEM_ATOMIC, line, scope, time_ps));
}

static uint64_t released(struct memory_bench *b, uint16_t cu, uint8_t scope, uint64_t time_ps)
{
    struct memory_step step = {0};

    return memory_sync(b, &step, release(cu, scope, 1, time_ps));
}

/* ---- loads ---- */

TEST(test_loads)
{
    static const char *const cached[] = {"mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 2; i++) {
        struct memory_bench *b = MEMORY(cached[i], "gpu.cus=2");
        assert_int_equal(load(b, 0, 0, 0), NS(52));
        assert_int_equal(load(b, 0, 0, NS(100)), NS(4));
        assert_int_equal(load(b, 1, 0, NS(200)), NS(22));
        memory_destroy(b);
        b = MEMORY(cached[i], "gpu.cus=2", TABLE_4_1);
        assert_int_equal(load(b, 0, 0, 0), NS(37));
        assert_int_equal(load(b, 0, 0, NS(100)), NS(5));
        assert_int_equal(load(b, 1, 0, NS(200)), NS(23));
        memory_destroy(b);
    }
}

/* No L1 but for stacks: all others go to the L2. */
TEST(test_loads_without_l1)
{
    struct memory_bench *b = MEMORY("mem.system=nol1");
    struct memory_step step = {0};
    struct mem_request own = access(0, MEM_LOAD, 1, MEMORY_ALL, NS(300));

    own.space = MEM_PRIVATE;
    assert_int_equal(load(b, 0, 0, 0), NS(52));
    assert_int_equal(load(b, 0, 0, NS(100)), NS(22));
    assert_int_equal(load(b, 0, 0, NS(200)), NS(22));
    assert_int_equal(memory_access(b, &step, own), NS(52));
    own.time_ps = NS(400);
    assert_int_equal(memory_access(b, &step, own), NS(4));
    memory_destroy(b);
}

static struct mem_request acknowledged(uint16_t space, uint64_t time_ps)
{
    struct mem_request request = access(0, MEM_STORE, 0, 1, time_ps);

    request.space = (uint8_t)space;
    request.needs_global_ack = true;
    return request;
}

/* A store that is to be acknowledged is done when DRAM has it, at 5 + 16 + 3.2, and the answer, in
 * the network from 25 on, is back; another one, and one to a stack, when it is on its way, after
 * the L1's 4. It takes effect with its turn at the L2: what another compute unit loads a cycle
 * before it finds the old value, and a cycle behind it the new one, which is long before it is
 * done. */
TEST(test_acknowledged_stores)
{
    struct memory_bench *b = MEMORY("mem.system=nol1", "gpu.cus=2");
    struct memory_step step = {.bytes = {2}};
    struct memory_step before = {0};
    struct memory_step behind = {0};

    assert_int_equal(store(b, 0, 0, 1, 0), NS(4));
    assert_int_equal(memory_access(b, &step, acknowledged(MEM_PRIVATE, NS(100))), NS(4));
    assert_int_equal(memory_access(b, &step, acknowledged(MEM_SHARED, NS(200))), NS(26));
    (void)load(b, 1, 0, NS(300));
    step.bytes[0] = 3;
    memory_begin(b, &before, access(1, MEM_LOAD, 0, 1, NS(400)));
    memory_begin(b, &step, acknowledged(MEM_SHARED, NS(401)));
    memory_begin(b, &behind, access(1, MEM_LOAD, 0, 1, NS(402)));
    assert_int_equal(memory_finish(b, &before), NS(22));
    assert_int_equal(memory_finish(b, &behind), NS(22));
    assert_int_equal(memory_finish(b, &step), NS(26));
    assert_int_equal(before.bytes[0], 2);
    assert_int_equal(behind.bytes[0], 3);
    memory_destroy(b);
}

/* A load of a line that is under way waits for it: both at 52. One cycle behind the other they
 * share the only port: the third, to another line, is looked up at 2. */
TEST(test_merged)
{
    struct memory_bench *b = MEMORY("mem.system=wt");
    struct memory_step first = {0};
    struct memory_step second = {0};
    struct memory_step third = {0};

    memory_begin(b, &first, access(0, MEM_LOAD, 0, MEMORY_ALL, 0));
    memory_begin(b, &second, access(0, MEM_LOAD, 0, MEMORY_ALL, 0));
    memory_begin(b, &third, access(0, MEM_LOAD, 1, MEMORY_ALL, 0));
    memory_finish(b, &first);
    memory_finish(b, &second);
    assert_int_equal(first.done_ps, NS(52));
    assert_int_equal(second.done_ps, NS(52));
    assert_int_equal(b->mem->counters.l1[L1D].served[HIT_MERGED], 1);
    /* DRAM's bus is busy with the first until 51: 51 + 3.2, the crossbar's next cycle, and 1. */
    memory_finish(b, &third);
    assert_int_equal(third.done_ps, NS(56));
    memory_destroy(b);
}

/* ---- stores and releases ---- */

/* Through: the L1 takes it in its time, the L2 has it in its turn, and a release waits until DRAM
 * has it. */
TEST(test_store_through)
{
    struct memory_bench *b = MEMORY("mem.system=wt");

    assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(1)), 0);
    assert_int_equal(store(b, 0, 0, 7, NS(10)), NS(4));
    event_queue_run(&b->event_queue, NS(10 + 5) - 1);
    assert_int_equal(*memory_byte(b, 0), 0);
    event_queue_run(&b->event_queue, NS(10 + 5));
    assert_int_equal(*memory_byte(b, 0), 7);
    memory_destroy(b);

    b = MEMORY("mem.system=wt");
    assert_int_equal(store(b, 0, 0, 7, 0), NS(4));
    assert_int_equal(released(b, 0, SL_SCOPE_WORKGROUP, NS(4)), NS(5 + 16 + 3.2 + 1 - 4));
    memory_destroy(b);

    b = MEMORY("mem.system=wt", TABLE_4_1);
    assert_int_equal(store(b, 0, 0, 7, 0), NS(5));
    assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(5)), NS(2 + 4 + 3.2 + 1 - 5));
    memory_destroy(b);
}

/* Stores are in their turn at the L2 when the release is told, and not in DRAM yet. */
TEST(test_late_release)
{
    struct memory_bench *b = MEMORY("mem.system=wt");

    store(b, 0, 0, 7, 0);
    assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(20)), NS(5 + 16 + 3.2 + 1 - 20));
    assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(30)), 0);
    memory_destroy(b);
}

/* Stores to eight lines, one a cycle, are at DRAM's bus from 21 on, which is busy for 8 x 3.2. */
TEST(test_release_of_eight)
{
    struct memory_bench *b = MEMORY("mem.system=wt");
    struct memory_step step[8] = {{.done_ps = 0}};

    for (uint32_t i = 0; i < 8; i++) {
        memory_begin(b, &step[i], access(0, MEM_STORE, i, 1, 0));
    }
    memory_finish(b, &step[7]);
    assert_int_equal(step[7].done_ps, NS(7 + 4));
    assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(11)), NS(21 + 8 * 3.2 + 1 - 11));
    memory_destroy(b);
}

/* One write at a time: the second leaves when the first has ended, at 25.2, looked up by then, and
 * is done 4 later. */
TEST(test_write_room)
{
    struct memory_bench *b = MEMORY("mem.system=wt", "l1d.writes=1");
    struct memory_step step[2] = {{.done_ps = 0}};

    memory_begin(b, &step[0], access(0, MEM_STORE, 0, 1, 0));
    memory_begin(b, &step[1], access(0, MEM_STORE, 1, 1, 0));
    memory_finish(b, &step[1]);
    assert_int_equal(step[0].done_ps, NS(4));
    assert_int_equal(step[1].done_ps, NS(25.2 + 4));
    memory_destroy(b);
}

/* Combined: nothing leaves before the release, which looks at a set of 16 tags a cycle, of 16. Line
 * s is in set s: leaves s cycles later, then crossbar 1, L2 tags 16 (4), acknowledgement 1. */
TEST(test_flush)
{
    static const struct {
        uint32_t line;
        double first;
        double second;
    } rows[] = {{0, 18, 16}, {5, 23, 16}, {15, 33, 21}};

    for (unsigned i = 0; i < 3; i++) {
        for (unsigned split = 0; split < 2; split++) {
            struct memory_bench *b =
                split ? MEMORY("mem.system=scoped", TABLE_4_1) : MEMORY("mem.system=scoped");
            assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(1)), NS(16)); /* nothing is dirty */
            assert_int_equal(store(b, 0, rows[i].line, 7, NS(100)), NS(split ? 5 : 4));
            assert_int_equal(released(b, 0, SL_SCOPE_WORKGROUP, NS(200)), 0);
            assert_int_equal(*memory_byte(b, rows[i].line), 0);
            assert_int_equal(released(b, 0, SL_SCOPE_DEVICE, NS(300)),
                             NS(split ? rows[i].second : rows[i].first));
            assert_int_equal(*memory_byte(b, rows[i].line), 7);
            assert_int_equal(b->mem->counters.sync.flushed_lines, 1);
            memory_destroy(b);
        }
    }
}

/* The cache does nothing else meanwhile: four tags a cycle are 64 cycles; a load at 10 of a line
 * that is there hits at 64. */
TEST(test_walk)
{
    struct memory_bench *b = MEMORY("mem.system=scoped", "scoped.walk=4");
    struct memory_step step = {0};

    (void)load(b, 0, 0, 0);
    memory_begin_sync(b, &step, release(0, SL_SCOPE_DEVICE, 1, NS(100)));
    assert_int_equal(load(b, 0, 0, NS(110)), NS(100 + 64 + 4 - 110));
    assert_int_equal(step.done_ps, NS(100 + 64));
    memory_destroy(b);
}

/* A dirty line that is replaced: the store that does it does not wait, and its victim leaves when
 * it is looked up. */
TEST(test_eviction)
{
    struct memory_bench *b = MEMORY("mem.system=scoped", "l1d.size=64", "l1d.ways=1");

    assert_int_equal(store(b, 0, 0, 7, 0), NS(4));
    assert_int_equal(store(b, 0, 1, 8, NS(100)), NS(4));
    assert_int_equal(*memory_byte(b, 0), 7);
    assert_int_equal(*memory_byte(b, 1), 0);
    assert_int_equal(b->mem->counters.l1[L1D].write_backs, 1);
    memory_destroy(b);
}

/* ---- atomics ---- */

/* At the L2; in `scoped` those of the system behind it, and those of the work-group in the L1. */
TEST(test_atomics)
{
    struct memory_bench *b = MEMORY("mem.system=wt");

    assert_int_equal(update(b, 0, 0, SL_SCOPE_DEVICE, 0), NS(52));
    assert_int_equal(update(b, 0, 0, SL_SCOPE_WORKGROUP, NS(100)), NS(22));
    assert_int_equal(update(b, 0, 0, SL_SCOPE_SYSTEM, NS(200)), NS(22));
    assert_int_equal(*memory_byte(b, 0), 3);
    memory_destroy(b);

    b = MEMORY("mem.system=scoped");
    assert_int_equal(update(b, 0, 0, SL_SCOPE_DEVICE, 0), NS(52));
    assert_int_equal(update(b, 0, 0, SL_SCOPE_DEVICE, NS(100)), NS(22));
    assert_int_equal(update(b, 0, 0, SL_SCOPE_SYSTEM, NS(200)), NS(52));
    assert_int_equal(*memory_byte(b, 0), 3);
    assert_int_equal(update(b, 0, 1, SL_SCOPE_WORKGROUP, NS(300)), NS(52));
    assert_int_equal(update(b, 0, 1, SL_SCOPE_WORKGROUP, NS(400)), NS(4));
    assert_int_equal(*memory_byte(b, 1), 0);
    assert_int_equal(value(b, 0, 1, NS(500)), 2);
    memory_destroy(b);

    b = MEMORY("mem.system=scoped", TABLE_4_1);
    assert_int_equal(update(b, 0, 0, SL_SCOPE_DEVICE, 0), NS(37));
    assert_int_equal(update(b, 0, 0, SL_SCOPE_DEVICE, NS(100)), NS(23));
    assert_int_equal(update(b, 0, 0, SL_SCOPE_SYSTEM, NS(200)), NS(37));
    memory_destroy(b);
}

/* A line's dirty bytes go first, and nothing of it stays. */
TEST(test_own_atomic_then_load)
{
    static const char *const systems[] = {"mem.system=nol1", "mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 3; i++) {
        struct memory_bench *b = MEMORY(systems[i]);
        struct memory_step step[2] = {{.bytes = {1}}};
        store(b, 0, 0, 7, 0);
        memory_begin(b, &step[0], atomic(0, MEM_ATOMIC, 0, SL_SCOPE_DEVICE, NS(4)));
        memory_begin(b, &step[1], access(0, MEM_LOAD, 0, 1, NS(5)));
        memory_finish(b, &step[1]);
        assert_int_equal(step[0].bytes[0], 7);
        assert_int_equal(step[1].bytes[0], 8);
        memory_destroy(b);
    }
}

/* An atomic leaves at 4, when the tags have been looked at; the line of a later store is replaced
 * at 2, and does not overtake it. */
TEST(test_atomic_then_eviction)
{
    struct memory_bench *b = MEMORY("mem.system=scoped", "l1d.size=64", "l1d.ways=1");
    struct memory_step step[3] = {{.bytes = {1}}};

    step[1].bytes[0] = 7;
    memory_begin(b, &step[0], atomic(0, MEM_ATOMIC, 0, SL_SCOPE_DEVICE, 0));
    memory_begin(b, &step[1], access(0, MEM_STORE, 0, 1, NS(1)));
    memory_begin(b, &step[2], access(0, MEM_STORE, 1, 1, NS(2)));
    memory_finish(b, &step[0]);
    assert_int_equal(step[0].bytes[0], 0);
    assert_int_equal(*memory_byte(b, 0), 7);
    memory_destroy(b);
}

/* ---- the aggregator ---- */

/* Its own cache 2, crossbar 1, L2 16, DRAM 30, 1; the permission to write what it has, 2 + 1 + 1:
 * nothing is looked up. A compute unit that loads the line then asks at 5: 1 there, 2, 1 back, at
 * 9, and the L2's tags are through at 21; with tags of their own, asks at 2, at 6 both. */
TEST(test_aggregator)
{
    static const char *const systems[] = {"mem.system=nol1", "mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 3; i++) {
        uint8_t byte = 9;
        struct memory_bench *b = MEMORY(systems[i]);
        assert_int_equal(memory_aggregate(b, MEM_LOAD, 0, 0, &byte), NS(50));
        assert_int_equal(byte, 0);
        byte = 9;
        assert_int_equal(memory_aggregate(b, MEM_STORE, 0, NS(100), &byte), NS(4));
        assert_int_equal(load(b, 0, 0, NS(200)), NS(22));
        assert_int_equal(value(b, 0, 0, NS(300)), 9);
        memory_destroy(b);
        b = MEMORY(systems[i], TABLE_4_1);
        (void)memory_aggregate(b, MEM_STORE, 0, 0, &byte);
        assert_int_equal(load(b, 0, 0, NS(200)), NS(7));
        memory_destroy(b);
    }
}

/* ---- what is old ---- */

/* An acquire takes no time; what was there before it has gone, what is dirty has not. */
TEST(test_acquire)
{
    static const char *const systems[] = {"mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 2; i++) {
        struct memory_bench *b = MEMORY(systems[i], "gpu.cus=2");
        struct memory_step step = {0};
        (void)load(b, 0, 0, 0);
        store(b, 1, 0, 7, NS(100));
        released(b, 1, SL_SCOPE_DEVICE, NS(110));
        assert_int_equal(value(b, 0, 0, NS(200)), 0);
        assert_int_equal(b->mem->counters.sync.stale_reads, 1);
        assert_int_equal(memory_sync(b, &step, acquire(0, SL_SCOPE_DEVICE, NS(300))), 0);
        assert_int_equal(value(b, 0, 0, NS(300)), 7);
        assert_int_equal(b->mem->counters.sync.stale_reads, 1);
        memory_destroy(b);
    }
}

/* What a release has sent is newer in its own cache than where all meet while it is on its way, and
 * not old there. The line is in the set that a flush comes to last. */
TEST(test_own_bytes_under_way)
{
    static const char *const systems[] = {"mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 2; i++) {
        struct memory_bench *b = MEMORY(systems[i], "gpu.cus=2");
        struct memory_step step[3] = {[0] = {.bytes = {7}}};
        (void)load(b, 0, 15, 0);
        memory_begin(b, &step[0], access(0, MEM_STORE, 15, 1, NS(100)));
        memory_begin_sync(b, &step[1], release(0, SL_SCOPE_DEVICE, 1, NS(101)));
        memory_begin(b, &step[2], access(0, MEM_LOAD, 15, 1, NS(102)));
        memory_finish(b, &step[2]);
        assert_int_equal(step[2].bytes[0], 7);
        assert_true(step[2].done_ps < step[1].done_ps);
        assert_int_equal(b->mem->counters.sync.stale_reads, 0);
        memory_destroy(b);
    }
}

/* A line that was read before an acquire serves who waits for it already, and nobody who comes
 * later. It is read at 5; the store has its turn at 15. */
TEST(test_fill_against_acquire)
{
    static const char *const systems[] = {"mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 2; i++) {
        struct memory_bench *b = MEMORY(systems[i], "gpu.cus=2");
        struct memory_step step[3] = {[1] = {.bytes = {1}}};
        memory_begin(b, &step[0], access(0, MEM_LOAD, 0, 1, 0));
        memory_begin(b, &step[1], atomic(1, MEM_ATOMIC, 0, SL_SCOPE_DEVICE, NS(10)));
        (void)memory_sync(b, &step[2], acquire(0, SL_SCOPE_DEVICE, NS(30)));
        memory_begin(b, &step[2], access(0, MEM_LOAD, 0, 1, NS(31)));
        memory_finish(b, &step[2]);
        assert_int_equal(step[0].done_ps, NS(52));
        assert_int_equal(step[0].bytes[0], 0);
        assert_int_equal(step[2].bytes[0], 1);
        memory_destroy(b);
    }
}

/* Two compute units write to one line, and neither loses what the other wrote. */
TEST(test_false_sharing)
{
    static const char *const systems[] = {"mem.system=nol1", "mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 3; i++) {
        struct memory_bench *b = MEMORY(systems[i], "gpu.cus=2");
        for (uint16_t cu = 0; cu < 2; cu++) {
            const uint64_t mask = cu == 0 ? 0x5555555555555555u : 0xaaaaaaaaaaaaaaaau;
            struct memory_step step = {0};
            (void)load(b, cu, 0, NS(100 * cu));
            memset(step.bytes, 1 + cu, sizeof step.bytes);
            (void)memory_access(b, &step, access(cu, MEM_STORE, 0, mask, NS(100 * cu + 60)));
        }
        released(b, 0, SL_SCOPE_DEVICE, NS(300));
        released(b, 1, SL_SCOPE_DEVICE, NS(400));
        for (uint32_t at = 0; at < SL_CACHE_LINE_BYTES; at++) {
            assert_int_equal(memory_byte(b, 0)[at], 1 + at % 2);
        }
        memory_destroy(b);
    }
}

/* Bytes that were stored hit; others are fetched, and come under them. */
TEST(test_partial_hits)
{
    struct memory_bench *b = MEMORY("mem.system=scoped");
    struct memory_step step = {0};

    memory_byte(b, 0)[0] = 3;
    memory_byte(b, 0)[1] = 4;
    store(b, 0, 0, 7, 0);
    assert_int_equal(memory_access(b, &step, access(0, MEM_LOAD, 0, 1, NS(10))), NS(4));
    assert_int_equal(memory_access(b, &step, access(0, MEM_LOAD, 0, 3, NS(20))), NS(52));
    assert_int_equal(step.bytes[0], 7);
    assert_int_equal(step.bytes[1], 4);
    memory_destroy(b);
}

/* A line is read at the L2, at 6; then its dirty byte is flushed. What comes back, at 53, is older
 * than that byte. */
TEST(test_flush_against_fill)
{
    struct memory_bench *b = MEMORY("mem.system=scoped");
    struct memory_step step[2] = {{.done_ps = 0}};

    store(b, 0, 0, 7, 0);
    memory_begin(b, &step[0], access(0, MEM_LOAD, 0, MEMORY_ALL, NS(1)));
    memory_begin_sync(b, &step[1], release(0, SL_SCOPE_DEVICE, 2, NS(10)));
    memory_finish(b, &step[0]);
    assert_int_equal(step[0].bytes[0], 7);
    assert_int_equal(value(b, 0, 0, NS(200)), 7);
    memory_destroy(b);
}

/* scoped.flush=wavefront: a wavefront's own bytes; those that another one has written since are as
 * much its own, or a reader would miss both; at the end of a packet those of all. */
TEST(test_flush_of_one)
{
    struct memory_bench *b = MEMORY("mem.system=scoped", "scoped.flush=wavefront");
    struct memory_step step = {.bytes = {7}};
    struct mem_request other = access(0, MEM_STORE, 0, 1, NS(100));
    struct mem_request end = release(0, SL_SCOPE_DEVICE, 1, NS(500));

    other.wave = 2;
    store(b, 0, 0, 6, 0);
    (void)memory_access(b, &step, other);
    other.address += SL_CACHE_LINE_BYTES;
    other.time_ps = NS(200);
    step.bytes[0] = 8;
    (void)memory_access(b, &step, other);
    released(b, 0, SL_SCOPE_DEVICE, NS(300));
    assert_int_equal(*memory_byte(b, 0), 7);
    assert_int_equal(*memory_byte(b, 1), 0);
    end.sync = MEM_SYNC_PACKET;
    (void)memory_sync(b, &step, end);
    assert_int_equal(*memory_byte(b, 1), 8);
    memory_destroy(b);
}

/* Whoever writes, a compute unit or the aggregator: who spins with an atomic load sees it. */
TEST(test_spinning_ends)
{
    static const char *const systems[] = {"mem.system=nol1", "mem.system=wt", "mem.system=scoped"};

    for (unsigned i = 0; i < 6; i++) {
        struct memory_bench *b = MEMORY(systems[i % 3], "gpu.cus=2");
        struct memory_step spin = {0};
        struct memory_step write = {.bytes = {1}};
        uint8_t byte = 1;
        uint64_t now_ps = 0;
        for (unsigned round = 0; round < 10 && spin.bytes[0] == 0; round++) {
            now_ps += NS(100);
            (void)memory_access(b, &spin, atomic(0, MEM_LOAD, 0, SL_SCOPE_DEVICE, now_ps));
            if (round == 5 && i < 3) {
                (void)memory_access(b, &write,
                                    atomic(1, MEM_STORE, 0, SL_SCOPE_DEVICE, now_ps + NS(60)));
            } else if (round == 5) {
                (void)memory_aggregate(b, MEM_STORE, 0, now_ps + NS(60), &byte);
            }
        }
        assert_int_equal(spin.bytes[0], 1);
        memory_destroy(b);
    }
}
