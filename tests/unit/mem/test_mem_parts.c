/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What memory system `moesi` is made of, each against a plain model of it: calendars, the bus, tag
 * arrays with their replacement, MSHRs, DRAM. And the bytes that requests say they touch. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "mem/dram/dram_timing.h"
#include "mem/mem.h"
#include "mem/parts/bus.h"
#include "mem/parts/cache.h"
#include "mem/parts/calendar.h"
#include "mem/parts/mshr_slots.h"
#include "sluice/config.h"

static uint64_t random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Division by reciprocal: edges at, before and behind multiples, small and large. */
TEST(test_clock)
{
    static const uint64_t periods[] = {2, 3, 7, 333, 500, 1000, 1024, 999999, 1000000};

    for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++) {
        struct sim_clock clock = sim_clock_of(periods[p]);
        uint64_t random = 1;
        for (int i = 0; i < 20000; i++) {
            uint64_t time = (random_next(&random) << 31 | random_next(&random)) >> (i % 62);
            time = time / periods[p] * periods[p] + (uint64_t)(i % 3);
            time -= time > 0 && i % 5 == 0;
            assert_int_equal(sim_clock_before(&clock, time), time / periods[p]);
            assert_int_equal(sim_clock_after(&clock, time), (time + periods[p] - 1) / periods[p]);
        }
    }
}

/* 1 GHz, one slot per cycle. At 5 ns, 5 ns again, 4 ns (before both), 4.5 ns (edge 5 is taken, so
 * is 6), 7 ns (taken by the one before). */
TEST(test_calendar_gaps)
{
    static struct calendar calendar;
    struct sim_clock clock = sim_clock_of(1000);

    calendar_reset(&calendar, &clock, 0);
    assert_int_equal(calendar_take(&calendar, 5000, 0), 5000);
    assert_int_equal(calendar_take(&calendar, 5000, 0), 6000);
    assert_int_equal(calendar_take(&calendar, 4000, 0), 4000);
    assert_int_equal(calendar_take(&calendar, 4500, 0), 7000);
    assert_int_equal(calendar_take(&calendar, 7000, 0), 8000);
    assert_int_equal(calendar_take(&calendar, 0, 0), 0);
}

/* Two per cycle: the third of a cycle is in the next. */
TEST(test_calendar_ports)
{
    static struct calendar calendar;
    struct sim_clock clock = sim_clock_of(500);

    calendar_reset(&calendar, &clock, 1);
    assert_int_equal(calendar_take(&calendar, 700, 0), 1000);
    assert_int_equal(calendar_take(&calendar, 1000, 0), 1000);
    assert_int_equal(calendar_take(&calendar, 1000, 0), 1500);
    assert_int_equal(calendar_take(&calendar, 501, 0), 1500);
    assert_int_equal(calendar_take(&calendar, 1000, 0), 2000);
}

/* Parts follow each other, around what is taken: 10, 12 and 13 with 11 taken. */
TEST(test_calendar_parts)
{
    static struct calendar calendar;
    struct sim_clock clock = sim_clock_of(1000);
    uint64_t first;

    calendar_reset(&calendar, &clock, 0);
    calendar_take(&calendar, 11000, 0);
    assert_int_equal(calendar_take_parts(&calendar, 10, 0, 3, &first), 13);
    assert_int_equal(first, 10);
}

/* The ring moves with the present: what is more than CALENDAR_HISTORY slots old is at its begin,
 * and what is past its end is not noted. */
TEST(test_calendar_window)
{
    static struct calendar calendar;
    struct sim_clock clock = sim_clock_of(1000);
    uint64_t far = CALENDAR_SLOTS * 1000ull;

    calendar_reset(&calendar, &clock, 0);
    assert_int_equal(calendar_take(&calendar, far, 0), far);
    assert_int_equal(calendar_take(&calendar, far, 0), far);
    assert_int_equal(calendar_take(&calendar, far - 1000, 0), far - 1000);
    assert_int_equal(calendar_take(&calendar, far - 1000, 0), far);
    /* At 6144 the ring begins at 5120: a request for 100 takes that, the next one 5121. */
    assert_int_equal(calendar_take(&calendar, 10000000, 6144000), 10000000);
    calendar_reset(&calendar, &clock, 0);
    assert_int_equal(calendar_take(&calendar, 6144000, 6144000), 6144000);
    assert_int_equal(calendar_take(&calendar, 100000, 6144000), 5120000);
    assert_int_equal(calendar_take(&calendar, 100000, 6144000), 5121000);
    /* A long time later nothing of that is left. */
    assert_int_equal(calendar_take(&calendar, 99000000, 99000000), 99000000);
    assert_int_equal(calendar_take(&calendar, 98000000, 99000000), 98000000);
}

/* A ring that is full to its end, and time has gone on: it moves, and nothing is given twice. */
TEST(test_calendar_full)
{
    static struct calendar calendar;
    const struct sim_clock clock = sim_clock_of(1000);

    calendar_reset(&calendar, &clock, 0);
    for (uint64_t i = 0; i < CALENDAR_SLOTS; i++) {
        assert_int_equal(calendar_take(&calendar, 0, 0), i * 1000);
    }
    assert_int_equal(calendar_take(&calendar, 0, 0), 4096000);
    assert_int_equal(calendar_take(&calendar, 2000000, 2000000), 4096000);
    assert_int_equal(calendar_take(&calendar, 2000000, 2000000), 4097000);
    assert_int_equal(calendar_take(&calendar, 2000000, 2000000), 4098000);
}

/* Against an array of slots; requests are up to 300 slots ahead or behind of a present that moves.
 */
TEST(test_calendar_random)
{
    enum { SLOTS = 80000 };
    static struct calendar calendar;
    static uint8_t taken[SLOTS];
    struct sim_clock clock = sim_clock_of(1000);
    uint64_t random = 7;

    calendar_reset(&calendar, &clock, 0);
    memset(taken, 0, sizeof taken);
    for (uint64_t i = 0; i < 60000; i++) {
        uint64_t now = 400 + i * 11 / 10;
        uint64_t slot = now - 300 + random_next(&random) % 600;
        uint64_t expected = slot;
        while (taken[expected] != 0) {
            expected++;
        }
        taken[expected] = 1;
        assert_int_equal(calendar_take(&calendar, slot * 1000, now * 1000), expected * 1000);
    }
}

/* Transfers of 10: 100 to 110; 95 does not fit before it, 110 to 120; 90 fits exactly; 200 to 210;
 * 130 to 140 between; 120 touches both sides of the gap 120 to 130. */
TEST(test_bus)
{
    static struct bus bus;

    memset(&bus, 0, sizeof bus);
    assert_int_equal(bus_take(&bus, 100, 10), 100);
    assert_int_equal(bus_take(&bus, 95, 10), 110);
    assert_int_equal(bus_take(&bus, 90, 10), 90);
    assert_int_equal(bus_take(&bus, 200, 10), 200);
    assert_int_equal(bus_take(&bus, 130, 10), 130);
    assert_int_equal(bus.count, 3);
    assert_int_equal(bus_take(&bus, 85, 10), 120);
    assert_int_equal(bus.count, 2); /* 90 to 140, 200 to 210 */
    assert_int_equal(bus_take(&bus, 90, 61), 210);
    assert_int_equal(bus_take(&bus, 90, 60), 140);
    assert_int_equal(bus.count, 1);
}

/* When the ring is full, the oldest is forgotten, and nothing begins before its end. */
TEST(test_bus_full)
{
    static struct bus bus;

    memset(&bus, 0, sizeof bus);
    for (uint64_t i = 0; i <= BUS_TIMES; i++) {
        assert_int_equal(bus_take(&bus, 100 * i, 10), 100 * i);
    }
    assert_int_equal(bus.floor_ps, 10);
    assert_int_equal(bus_take(&bus, 0, 5), 110); /* forgets 100 to 110 first */
}

/* Against an array of places, requests near a present that moves. */
TEST(test_bus_random)
{
    enum { PLACES = 400000 };
    static struct bus bus;
    static uint8_t taken[PLACES];
    uint64_t random = 3;

    memset(&bus, 0, sizeof bus);
    memset(taken, 0, sizeof taken);
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t time = 200 + i * 12 - random_next(&random) % 120;
        uint64_t floor = bus.count == BUS_TIMES ? bus.busy[bus.first].end_ps : bus.floor_ps;
        uint64_t expected = time > floor ? time : floor;
        while (memchr(&taken[expected], 1, 11) != NULL) {
            expected++;
        }
        memset(&taken[expected], 1, 11);
        assert_int_equal(bus_take(&bus, time, 11), expected);
    }
}

/* Every number of ways, against a list in the order of use. */
TEST(test_cache_random)
{
    for (uint32_t ways = 1; ways <= CACHE_WAYS_MAX; ways++) {
        struct cache cache;
        uint32_t list[4][CACHE_WAYS_MAX]; /* by set, lines, most recently used first; 0 is none */
        uint64_t random = ways;

        assert_true(cache_create(&cache, 4, ways));
        memset(list, 0, sizeof list);
        for (int i = 0; i < 4000; i++) {
            uint32_t line = 4 + (uint32_t)(random_next(&random) % (6 * ways));
            uint32_t *set = list[line % 4];
            uint32_t at = 0;
            while (at < ways - 1 && set[at] != line) {
                at++;
            }
            uint32_t index = cache_find(&cache, line);
            assert_int_equal(index != CACHE_NONE, set[at] == line);
            if (index == CACHE_NONE) {
                index = cache_victim(&cache, line);
                assert_int_equal(cache.tag[index], set[at] == 0 ? CACHE_NONE : set[at]);
                cache.tag[index] = line;
            }
            bool demotes = random_next(&random) % 8 == 0;
            if (demotes) { /* to the end, gone: others move up */
                cache_demote(&cache, index);
                cache.tag[index] = CACHE_NONE;
                memmove(&set[at], &set[at + 1], (ways - 1 - at) * sizeof *set);
                set[ways - 1] = 0;
            } else {
                cache_touch(&cache, index);
                memmove(&set[1], &set[0], at * sizeof *set);
                set[0] = line;
            }
        }
        cache_destroy(&cache);
    }
}

/* The register that is free first is always the least of all, and the most that were held at once
 * are as many as a count at each time finds. */
TEST(test_mshrs)
{
    for (uint32_t count = 1; count <= 9; count++) {
        struct mshrs mshrs;
        uint64_t until[9] = {0};
        uint64_t random = count, most = 0, counted = 0;

        assert_true(mshrs_create(&mshrs, count));
        for (int i = 0; i < 500; i++) {
            uint32_t least = 0;
            for (uint32_t k = 1; k < count; k++) {
                least = until[k] < until[least] ? k : least;
            }
            assert_int_equal(mshrs_free_ps(&mshrs), until[least]);
            const uint64_t time_ps = until[least] + random_next(&random) % 100;
            until[least] = time_ps + random_next(&random) % 100;
            mshrs_take(&mshrs, until[least]);

            uint64_t held = 0;
            for (uint32_t k = 0; k < count; k++) {
                held += until[k] > time_ps;
            }
            counted = held > counted ? held : counted;
            most = mshrs_most_held(&mshrs, time_ps, most);
            assert_int_equal(most, counted);
        }
        assert_true(most > count / 2);
        free(mshrs.until_ps);
    }
}

static void make_dram(struct dram_timing *timing, const char *const *settings)
{
    static struct sl_config config;
    char error[256];

    sl_config_init(&config);
    for (; *settings != NULL; settings++) {
        assert_int_equal(sl_config_set(&config, *settings, error, sizeof error), 0);
    }
    assert_true(dram_timing_create(timing, &config));
}

/* 30 ns, 20 GB/s: a line takes 3.2 ns on the bus. Two reads at 0: done at 30 and 33.2 ns. A write
 * at 0 transfers from 0; the next one from 3.2. A read at 100 ns is alone again. */
TEST(test_dram)
{
    struct dram_timing timing;

    make_dram(&timing, (const char *const[]){NULL});
    assert_int_equal(dram_timing_access(&timing, 0, 0, false), 30000);
    assert_int_equal(dram_timing_access(&timing, 1, 0, false), 33200);
    assert_int_equal(dram_timing_access(&timing, 2, 0, true), 3200);
    assert_int_equal(dram_timing_access(&timing, 3, 0, true), 6400);
    assert_int_equal(dram_timing_access(&timing, 4, 100000, false), 130000);
    dram_timing_reset(&timing);
    assert_int_equal(dram_timing_access(&timing, 1, 0, false), 30000);
    dram_timing_destroy(&timing);
}

/* Two channels have half the bandwidth each: 6.4 ns a line; lines 0 and 1 do not meet, 0 and 2 do.
 */
TEST(test_dram_channels)
{
    struct dram_timing timing;

    make_dram(&timing, (const char *const[]){"dram.channels=2", NULL});
    assert_int_equal(dram_timing_access(&timing, 0, 0, false), 30000);
    assert_int_equal(dram_timing_access(&timing, 1, 0, false), 30000);
    assert_int_equal(dram_timing_access(&timing, 2, 0, false), 36400);
    dram_timing_destroy(&timing);
}

/* A queue of two: the third read enters when the first is done, at 30 ns, and is done at 60. */
TEST(test_dram_queue)
{
    struct dram_timing timing;

    make_dram(&timing, (const char *const[]){"dram.queue=2", NULL});
    assert_int_equal(dram_timing_access(&timing, 0, 0, false), 30000);
    assert_int_equal(dram_timing_access(&timing, 1, 0, false), 33200);
    assert_int_equal(dram_timing_access(&timing, 2, 0, false), 60000);
    assert_int_equal(dram_timing_access(&timing, 3, 0, false), 63200);
    dram_timing_destroy(&timing);
}

/* A transfer longer than the latency is the latency. 1000 MB/s: 64 ns. 3 MB/s is rounded up. */
TEST(test_dram_slow)
{
    struct dram_timing timing;

    make_dram(&timing, (const char *const[]){"dram.bandwidth=1000", NULL});
    assert_int_equal(dram_timing_access(&timing, 0, 1000, false), 65000);
    dram_timing_destroy(&timing);
    make_dram(&timing, (const char *const[]){"dram.bandwidth=3", NULL});
    assert_int_equal(timing.line_ps, 21333334);
    dram_timing_destroy(&timing);
}

/* splitmix64 from 1234567 gives 6457827717110365317, 3203168211198807973, 9817491932198370423,
 * 4593380528125082431, 16408922859458223821. Of 4,001 values, that is which part of 2^64 each is,
 * rounded down: 0.3501, 0.1736, 0.5322, 0.2490, 0.8895. Writes draw nothing. Delays hold no bus: of
 * two reads at once the second transfers at 30 ns, whatever the first one's delay. Each run has the
 * same delays. */
TEST(test_dram_jitter)
{
    static const uint64_t delays[] = {1400, 694, 2129, 996, 3559};
    struct dram_timing timing;

    make_dram(&timing, (const char *const[]){"mem.jitter=4ns", "mem.jitter_seed=1234567", NULL});
    for (int run = 0; run < 2; run++) {
        for (uint32_t i = 0; i < 4; i++) {
            const uint64_t now = 100000 * i;
            assert_int_equal(dram_timing_access(&timing, i, now, false), now + 30000 + delays[i]);
            assert_int_equal(dram_timing_access(&timing, i, now + 50000, true), now + 53200);
        }
        dram_timing_reset(&timing);
    }
    assert_int_equal(dram_timing_access(&timing, 0, 0, false), 30000 + delays[0]);
    assert_int_equal(dram_timing_access(&timing, 1, 0, false), 33200 + delays[1]);
    dram_timing_destroy(&timing);
}

/* A most of 3 ps has four delays, each of which a quarter of 40,000 draws is: 10,000, give or take
 * four standard deviations of 87, under any seed; 0 is one of them. */
TEST(test_dram_jitter_uniform)
{
    static const char *const seeds[] = {"mem.jitter_seed=0", "mem.jitter_seed=1",
                                        "mem.jitter_seed=4294967295"};

    for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
        struct dram_timing timing;
        uint32_t draws[4] = {0};

        make_dram(&timing, (const char *const[]){"mem.jitter=3ps", seeds[s], NULL});
        for (uint64_t now = 0; now < 40000 * 100000ull; now += 100000) {
            const uint64_t delay = dram_timing_access(&timing, 0, now, false) - now - 30000;
            assert_in_range(delay, 0, 3);
            draws[delay]++;
        }
        for (int i = 0; i < 4; i++) {
            assert_in_range(draws[i], 10000 - 347, 10000 + 347);
        }
        dram_timing_destroy(&timing);
    }
}

/* Bytes of requests for the longest lines, in all places and sizes, each on top of another byte. */
TEST(test_touch)
{
    for (uint64_t first = 0; first < MEM_LINE_MAX; first++) {
        for (uint64_t count = 1; count <= MEM_LINE_MAX - first; count++) {
            struct mem_request request = {.address = 3 * MEM_LINE_MAX, .mask = {1, 1ull << 63}};
            mem_request_touch(&request, request.address + first, count);
            for (uint64_t byte = 0; byte < MEM_LINE_MAX; byte++) {
                assert_int_equal(request.mask[byte / 64] >> byte % 64 & 1,
                                 byte - first < count || byte % (MEM_LINE_MAX - 1) == 0);
            }
        }
    }
}
