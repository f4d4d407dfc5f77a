/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the observer of races makes of events: who is ordered behind whom by launches, ends, yields,
 * barriers and what the front end moves, and what is no race at all. */
#include "common/check.h"
#include "soc/observers/hrf_bench.h"

/* The finding says who, where and what lacks; and counts how often. */
TEST(test_a_race)
{
    struct two t = two_create();

    store(&t.b, &t.first, WORD);
    load(&t.b, &t.second, WORD + 8); /* another word */
    assert_found(&t.b, 0, 0);
    load(&t.b, &t.second, WORD);
    assert_found(&t.b, 1, 0);
    const struct sl_race *race = &t.b.found->races[0];
    assert_int_equal(race->count, 1);
    assert_int_equal(race->address, WORD);
    assert_int_equal(race->lacks, SL_RACE_LACKS_RELEASE);
    assert_int_equal(race->holds, SL_SCOPE_DEVICE);
    assert_int_equal(race->earlier.wavefront, 0);
    assert_int_equal(race->earlier.flags, SL_RACE_WRITES);
    assert_int_equal(race->earlier.pc, 0x80400000);
    assert_int_equal(race->later.wavefront, 1);
    assert_int_equal(race->later.flags, SL_RACE_READS);
    assert_int_equal(race->later.pc, 0x80400004);
    assert_int_equal(race->later.lanes, 1);
    assert_int_equal(race->later.kernel, 0x1000);
    assert_int_equal(t.b.counters->races[RACE_ORDINARY], 1);
    assert_int_equal(t.b.counters->accesses, 3);
    bench_destroy(&t.b);
}

/* A run begins with nothing. */
TEST(test_forgotten_in_the_next_run)
{
    struct two t = two_create();

    store(&t.b, &t.first, WORD);
    load(&t.b, &t.second, WORD);
    tell(&t.b, (struct obs_event){.kind = OBS_END});
    t.b.packets = 0;
    tell(&t.b, (struct obs_event){.kind = OBS_BEGIN});
    assert_found(&t.b, 0, 0);
    struct wavefront wave = launch(&t.b, 0, dispatch(&t.b, SL_DISPATCH_CHANNEL, 0), NO_GROUP);
    load(&t.b, &wave, WORD);
    store(&t.b, &wave, WORD);
    assert_found(&t.b, 0, 0);
    bench_destroy(&t.b);
}

TEST(test_release_and_acquire)
{
    struct two t = two_create();

    store(&t.b, &t.first, WORD);
    access_as(&t.b, &t.first, FLAG, releases);
    access_as(&t.b, &t.second, FLAG, acquires);
    load(&t.b, &t.second, WORD);
    assert_found(&t.b, 0, 0);
    bench_destroy(&t.b);
}

/* An sc that failed has not released; a lock that was not got has not been acquired. */
TEST(test_what_failed_orders_nothing)
{
    struct obs_access failed = releases;
    failed.failed = 1;
    struct two t = two_create();

    store(&t.b, &t.first, WORD);
    access_as(&t.b, &t.first, FLAG, failed);
    access_as(&t.b, &t.second, FLAG, acquires);
    load(&t.b, &t.second, WORD);
    assert_found(&t.b, 1, 0);
    bench_destroy(&t.b);

    failed = acquires;
    failed.failed = 1;
    t = two_create();
    store(&t.b, &t.first, WORD);
    access_as(&t.b, &t.first, FLAG, releases);
    access_as(&t.b, &t.second, FLAG, failed);
    load(&t.b, &t.second, WORD);
    assert_found(&t.b, 1, 0);
    bench_destroy(&t.b);
}

/* Nor has it written: a plain load beside it is no race. */
TEST(test_what_failed_writes_nothing)
{
    struct obs_access failed = releases;
    failed.failed = 1;
    struct two t = two_create();

    load(&t.b, &t.first, FLAG);
    access_as(&t.b, &t.second, FLAG, failed);
    assert_found(&t.b, 0, 0);
    failed.failed = 0;
    access_as(&t.b, &t.second, FLAG, failed);
    assert_found(&t.b, 1, 0);
    bench_destroy(&t.b);
}

/* Fences make relaxed atomics releases and acquires; by themselves they order nothing. */
TEST(test_fences)
{
    struct obs_access relaxed = releases;
    relaxed.release = false;

    for (int with_atomics = 0; with_atomics < 2; with_atomics++) {
        struct two t = two_create();
        store(&t.b, &t.first, WORD);
        fence(&t.b, &t.first, false, true);
        if (with_atomics) {
            access_as(&t.b, &t.first, FLAG, relaxed);
            access_as(&t.b, &t.second, FLAG, relaxed);
        }
        fence(&t.b, &t.second, true, false);
        load(&t.b, &t.second, WORD);
        assert_found(&t.b, with_atomics ? 0 : 1, 0);
        bench_destroy(&t.b);
    }
}

/* Behind a barrier the others of the work-group are known, up to it and no further. */
TEST(test_barrier)
{
    struct bench b = bench_create("hrf-direct");
    const uint32_t packet = dispatch(&b, SL_DISPATCH_NDRANGE, 0);
    struct wavefront first = launch(&b, 0, packet, 0);
    struct wavefront second = launch(&b, 1, packet, 0);

    store(&b, &first, WORD);
    barrier(&b, &first, true);
    barrier(&b, &second, true);
    barrier(&b, &first, false);
    /* The first goes on, and comes to the next one, before the second has left this one. */
    store(&b, &first, FLAG);
    barrier(&b, &first, true);
    barrier(&b, &second, false);
    load(&b, &second, WORD);
    assert_found(&b, 0, 0);
    load(&b, &second, FLAG);
    assert_found(&b, 1, 0);
    bench_destroy(&b);
}

/* Those of another work-group are not, be it of the same number in another packet. */
TEST(test_barriers_of_two_groups)
{
    struct bench b = bench_create("hrf-indirect");
    struct wavefront wave[2];

    for (uint32_t i = 0; i < 2; i++) {
        wave[i] = launch(&b, i, dispatch(&b, SL_DISPATCH_NDRANGE, 0), 0);
    }
    store(&b, &wave[0], WORD);
    barrier(&b, &wave[0], true);
    barrier(&b, &wave[1], true);
    barrier(&b, &wave[0], false);
    barrier(&b, &wave[1], false);
    load(&b, &wave[1], WORD);
    assert_found(&b, 1, 0);
    bench_destroy(&b);
}

/* One scope, but the work-groups are two: two instances (papers/002 Figure 5). */
TEST(test_group_scope_of_two_groups)
{
    struct obs_access of_group = acquires;
    of_group.scope = SL_SCOPE_WORKGROUP;

    for (uint32_t groups = 1; groups <= 2; groups++) {
        struct bench b = bench_create("hrf-direct");
        const uint32_t packet = dispatch(&b, SL_DISPATCH_NDRANGE, 0);
        struct wavefront first = launch(&b, 0, packet, 0);
        struct wavefront second = launch(&b, 1, packet, groups - 1);
        access_as(&b, &first, FLAG, of_group);
        access_as(&b, &second, FLAG, of_group);
        assert_found(&b, 0, groups - 1);
        bench_destroy(&b);
    }
}

/* Each compute unit has LDS of its own at the same addresses, which other wavefronts get later. */
TEST(test_lds)
{
    const struct obs_access access = {.kind = MEM_STORE, .space = MEM_LDS, .writes = true};
    struct bench b = bench_create("hrf-direct");
    const uint32_t packet = dispatch(&b, SL_DISPATCH_NDRANGE, 0);
    struct wavefront first = launch(&b, 0, packet, 0);
    struct wavefront second = launch(&b, 1, packet, 0);
    struct wavefront elsewhere = {.is = {.number = 2, .dispatch = packet, .group = 1, .cu = 1}};

    tell(&b, (struct obs_event){.kind = OBS_LAUNCH, .wave = elsewhere.is});
    access_as(&b, &first, SL_LDS_BASE + 16, access);
    access_as(&b, &elsewhere, SL_LDS_BASE + 16, access);
    assert_found(&b, 0, 0);
    access_as(&b, &second, SL_LDS_BASE + 16, access);
    assert_found(&b, 1, 0);
    assert_true(b.found->races[0].is_lds);
    assert_int_equal(b.found->races[0].address, SL_LDS_BASE + 16);
    leave(&b, &first);
    leave(&b, &second);
    struct wavefront next = launch(&b, 3, packet, 2);
    access_as(&b, &next, SL_LDS_BASE + 16, access);
    assert_found(&b, 1, 0);
    bench_destroy(&b);
}

/* Stacks of lanes and what is saved of wavefronts are nobody else's. */
TEST(test_private_memory)
{
    struct obs_access access = {.kind = MEM_STORE, .space = MEM_PRIVATE, .writes = true};
    struct two t = two_create();

    for (int i = 0; i < 2; i++) {
        access_as(&t.b, &t.first, WORD, access);
        access_as(&t.b, &t.second, WORD, access);
        access.space = MEM_SAVE;
    }
    assert_found(&t.b, 0, 0);
    bench_destroy(&t.b);
}

/* From the ends of a packet's wavefronts to the launch of the next one: the aggregator has to load
 * the record in between, whatever is launched meanwhile. */
TEST(test_from_packet_to_packet)
{
    for (int loads_record = 0; loads_record < 2; loads_record++) {
        struct bench b = bench_create("hrf-direct");
        const uint32_t packet = dispatch(&b, SL_DISPATCH_CHANNEL, 0);
        struct wavefront first = launch(&b, 0, packet, NO_GROUP);
        struct wavefront second = launch(&b, 1, packet, NO_GROUP);
        store(&b, &first, WORD);
        store(&b, &second, FLAG);
        leave(&b, &first);
        leave(&b, &second);
        const uint64_t record = complete(&b, packet);
        if (loads_record) {
            aggregator(&b, record + 8, false);
        }
        struct wavefront next = launch(&b, 2, dispatch(&b, SL_DISPATCH_CHANNEL, 0), NO_GROUP);
        load(&b, &next, WORD);
        load(&b, &next, FLAG);
        assert_found(&b, loads_record ? 0 : 2, 0);
        bench_destroy(&b);
    }
}

/* A packet has what the aggregator had when it stored the packet, not when it was launched. */
TEST(test_late_packet)
{
    struct bench b = bench_create("hrf-direct");
    const uint32_t packet = dispatch(&b, SL_DISPATCH_CHANNEL, 0);
    const uint32_t late = dispatch(&b, SL_DISPATCH_CHANNEL, 0);
    struct wavefront first = launch(&b, 0, packet, NO_GROUP);

    store(&b, &first, WORD);
    leave(&b, &first);
    aggregator(&b, complete(&b, packet), false);
    struct wavefront second = launch(&b, 1, late, NO_GROUP);
    load(&b, &second, WORD);
    assert_found(&b, 1, 0);
    bench_destroy(&b);
}

/* What the aggregator loads and stores in the heap synchronizes at device scope; its own memory is
 * not looked at. */
TEST(test_aggregator)
{
    struct obs_access of_group = acquires;
    of_group.scope = SL_SCOPE_WORKGROUP;
    struct two t = two_create();

    store(&t.b, &t.first, WORD);
    access_as(&t.b, &t.first, FLAG, releases);
    aggregator(&t.b, FLAG, false);
    aggregator(&t.b, WORD, false);
    assert_found(&t.b, 0, 0);
    aggregator(&t.b, FLAG + 8, true);
    access_as(&t.b, &t.second, FLAG + 8, acquires);
    load(&t.b, &t.second, WORD);
    assert_found(&t.b, 0, 0);
    aggregator(&t.b, FLAG + 16, true);
    access_as(&t.b, &t.second, FLAG + 16, of_group);
    assert_found(&t.b, 0, 1);
    assert_int_equal(t.b.found->races[0].earlier.flags,
                     SL_RACE_AGGREGATOR | SL_RACE_SYNC | SL_RACE_WRITES);
    store(&t.b, &t.second, SL_FIRMWARE_BASE);
    aggregator(&t.b, SL_FIRMWARE_BASE, false);
    assert_found(&t.b, 0, 1);
    bench_destroy(&t.b);
}

/* A wavefront that yields is known to the aggregator when that has loaded the record of it, and
 * knows the aggregator when it is restarted; it counts its memory instructions anew. */
TEST(test_yield)
{
    struct two t = two_create();
    const uint64_t record = YIELDS;

    store(&t.b, &t.first, WORD);
    tell(&t.b, (struct obs_event){.kind = OBS_YIELD, .wave = t.first.is});
    *(struct sl_yield *)dram_at(&t.b.dram, record) =
        (struct sl_yield){.block = BLOCK, .wavefront = t.first.is.number};
    move(&t.b, OBS_MOVE_YIELD, record);
    leave(&t.b, &t.first);
    aggregator(&t.b, record, false);
    struct wavefront other = launch(&t.b, 2, dispatch(&t.b, SL_DISPATCH_CHANNEL, 0), NO_GROUP);
    load(&t.b, &other, WORD);
    assert_found(&t.b, 0, 0);

    store(&t.b, &t.second, FLAG);
    access_as(&t.b, &t.second, FLAG + 8, releases);
    aggregator(&t.b, FLAG + 8, false);
    (void)dispatch(&t.b, SL_DISPATCH_RESTART, BLOCK);
    t.first.place = 0;
    t.first.is.context = 7;
    tell(&t.b, (struct obs_event){.kind = OBS_RESTART, .wave = t.first.is});
    load(&t.b, &t.first, FLAG);
    assert_found(&t.b, 0, 0);
    store(&t.b, &t.first, WORD);
    assert_found(&t.b, 1, 0); /* with the load of `other` */
    bench_destroy(&t.b);
}

/* A wavefront's stack is nobody else's, but accesses to it are instructions like others: what a
 * fence behind them has acquired holds in front of a yield, and with that behind the restart, and
 * for what is launched when the aggregator knows of the yield. */
TEST(test_fence_behind_private_memory)
{
    static const struct obs_access relaxed = {
        .kind = MEM_ATOMIC, .scope = SL_SCOPE_DEVICE, .atomic = true, .writes = true};
    struct two t = two_create();

    store(&t.b, &t.second, WORD);
    access_as(&t.b, &t.second, FLAG, releases);
    access_as(&t.b, &t.first, FLAG, relaxed);
    for (int i = 0; i < 3; i++) {
        access_as(&t.b, &t.first, SL_HEAP_BASE + 0x1000,
                  (struct obs_access){.kind = MEM_STORE, .space = MEM_PRIVATE, .writes = true});
    }
    fence(&t.b, &t.first, true, false);
    tell(&t.b, (struct obs_event){.kind = OBS_YIELD, .wave = t.first.is});
    *(struct sl_yield *)dram_at(&t.b.dram, YIELDS) =
        (struct sl_yield){.block = BLOCK, .wavefront = t.first.is.number};
    move(&t.b, OBS_MOVE_YIELD, YIELDS);
    leave(&t.b, &t.first);
    aggregator(&t.b, YIELDS, false);
    struct wavefront other = launch(&t.b, 2, dispatch(&t.b, SL_DISPATCH_CHANNEL, 0), NO_GROUP);
    load(&t.b, &other, WORD);
    (void)dispatch(&t.b, SL_DISPATCH_RESTART, BLOCK);
    t.first.place = 0;
    tell(&t.b, (struct obs_event){.kind = OBS_RESTART, .wave = t.first.is});
    load(&t.b, &t.first, WORD);
    assert_found(&t.b, 0, 0);
    bench_destroy(&t.b);
}

/* A store takes effect behind as many later accesses as memory lets pass it: loads that a write
 * buffer lets pass, whatever it holds; locks, of which none takes a slot of those in flight. What
 * was acquired meanwhile does not order it. */
TEST(test_late_store)
{
    static const char *const machines[][SETTINGS] = {
        {"debug.races=hrf-direct", "gpu.consistency=tso", "gpu.write_buffer=1"},
        {"debug.races=hrf-direct"},
    };

    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        const struct bench b = bench_create_with(machines[i]);
        struct two t = two_create_in(&b);

        store(&t.b, &t.second, WORD);
        access_as(&t.b, &t.second, FLAG, releases);
        t.first.place = 1;
        access_as(&t.b, &t.first, FLAG, acquires);
        for (int passing = 0; passing < 30; passing++) {
            load(&t.b, &t.first, WORD + 0x1000);
        }
        store(&t.b, &t.second, WORD + 8);
        access_as(&t.b, &t.second, FLAG, releases);
        access_as(&t.b, &t.first, FLAG, acquires);
        assert_found(&t.b, 0, 0);
        t.first.place = 0;
        store(&t.b, &t.first, WORD);
        assert_found(&t.b, 1, 0);
        bench_destroy(&t.b);
    }
}

/* Without a model there is no observer. */
TEST(test_off)
{
    struct observer *observer = NULL;

    assert_int_equal(obs_hrf_create(&(struct observer_parts){.races = NULL}, &observer), 0);
    assert_null(observer);
}
