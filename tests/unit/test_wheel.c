/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The event queue: order within a cycle and across cycles, events beyond the wheel, removal, and a
 * long random run against a sorted list that does the same by definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "time/wheel.h"

#define EVENTS 512

struct test_event {
    struct event event;
    int id;
};

/* What has run, and when by the wheel's clock. */
struct test_log {
    struct wheel wheel;
    struct test_event events[EVENTS];
    int ran[4 * EVENTS];
    uint64_t ran_cycle[4 * EVENTS];
    unsigned count;
};

static void log_event(struct event *event, void *owner)
{
    struct test_log *log = owner;
    struct test_event *test = (struct test_event *)event;

    assert_false(event->queued);
    assert_int_equal(log->wheel.now, event->cycle);
    assert_true(log->count < 4 * EVENTS);
    log->ran[log->count] = test->id;
    log->ran_cycle[log->count++] = event->cycle;
}

static struct test_log *log_create(void)
{
    struct test_log *log = calloc(1, sizeof *log);

    assert_non_null(log);
    wheel_init(&log->wheel);
    for (int i = 0; i < EVENTS; i++) {
        log->events[i] = (struct test_event){.event = {.run = log_event}, .id = i};
    }
    return log;
}

static void insert(struct test_log *log, int id, enum event_rank rank, uint64_t cycle)
{
    log->events[id].event.rank = rank;
    wheel_insert(&log->wheel, &log->events[id].event, cycle);
}

static void expect(const struct test_log *log, const int *ids, unsigned count)
{
    assert_int_equal(log->count, count);
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(log->ran[i], ids[i]);
    }
}

#define EXPECT(log, ...)                                                                           \
    expect(log, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void test_order_across_cycles(void **state)
{
    (void)state;
    struct test_log *log = log_create();

    assert_true(log->wheel.next == WHEEL_NEVER);
    insert(log, 0, EVENT_OTHER, 30);
    insert(log, 1, EVENT_OTHER, 10);
    insert(log, 2, EVENT_OTHER, 4095);
    insert(log, 3, EVENT_OTHER, 20);
    assert_int_equal(log->wheel.next, 10);
    wheel_run(&log->wheel, 9, log);
    assert_int_equal(log->count, 0);
    wheel_run(&log->wheel, 10, log);
    EXPECT(log, 1);
    assert_int_equal(log->wheel.next, 20);
    wheel_run(&log->wheel, 5000, log);
    EXPECT(log, 1, 3, 0, 2);
    assert_true(log->wheel.next == WHEEL_NEVER);
    assert_int_equal(log->wheel.now, 5000);
    free(log);
}

static void test_order_within_a_cycle(void **state)
{
    (void)state;
    struct test_log *log = log_create();

    insert(log, 0, EVENT_OTHER, 5);
    insert(log, 1, EVENT_MEMORY, 5);
    insert(log, 2, EVENT_OTHER, 5);
    insert(log, 3, EVENT_MEMORY, 5);
    insert(log, 4, EVENT_OTHER, 4);
    wheel_run(&log->wheel, 5, log);
    EXPECT(log, 4, 1, 3, 0, 2);
    free(log);
}

/* Events 10 and up are inserted by event 0 while it runs: in the past, now, and later. */
static void insert_more(struct event *event, void *owner)
{
    struct test_log *log = owner;

    log_event(event, owner);
    insert(log, 10, EVENT_OTHER, 3);   /* has passed: counts as now */
    insert(log, 11, EVENT_MEMORY, 50); /* now: before what else there is now */
    insert(log, 12, EVENT_OTHER, 51);
    insert(log, 13, EVENT_OTHER, 60);
}

static void test_insertion_while_running(void **state)
{
    (void)state;
    struct test_log *log = log_create();

    log->events[0].event.run = insert_more;
    insert(log, 0, EVENT_OTHER, 50);
    insert(log, 1, EVENT_OTHER, 50);
    wheel_run(&log->wheel, 55, log);
    EXPECT(log, 0, 11, 1, 10, 12);
    assert_int_equal(log->ran_cycle[3], 50);
    assert_int_equal(log->wheel.next, 60);
    free(log);
}

static void test_insertion_in_the_past(void **state)
{
    (void)state;
    struct test_log *log = log_create();

    wheel_run(&log->wheel, 100, log);
    insert(log, 0, EVENT_OTHER, 7);
    assert_int_equal(log->events[0].event.cycle, 100);
    assert_int_equal(log->wheel.next, 100);
    wheel_run(&log->wheel, 100, log);
    EXPECT(log, 0);
    free(log);
}

/* 4095 is the last cycle that the ring reaches from cycle 0, 4096 the first beyond; 131072 is the
 * first for which there is no list of its own. */
static void test_far_events(void **state)
{
    (void)state;
    struct test_log *log = log_create();

    insert(log, 0, EVENT_OTHER, 1000000);
    insert(log, 1, EVENT_OTHER, 4096);
    insert(log, 2, EVENT_OTHER, 4095);
    insert(log, 3, EVENT_OTHER, 4096);
    insert(log, 4, EVENT_MEMORY, 4096);
    insert(log, 5, EVENT_OTHER, 0);
    wheel_run(&log->wheel, 1, log);
    /* 4096 is within reach by now; it keeps its place behind those that came earlier. */
    insert(log, 6, EVENT_OTHER, 4096);
    assert_int_equal(log->wheel.next, 4095);
    wheel_run(&log->wheel, 999999, log);
    EXPECT(log, 5, 2, 4, 1, 3, 6);
    assert_int_equal(log->wheel.next, 1000000);
    wheel_run(&log->wheel, 1000000, log);
    EXPECT(log, 5, 2, 4, 1, 3, 6, 0);
    free(log);
}

/* Events of one cycle keep their order, whether they came when it was beyond the lists, in a list,
 * or in the ring; with nothing in the ring, the earliest in the lists is next. */
static void test_far_order(void **state)
{
    (void)state;
    struct test_log *log = log_create();
    const uint64_t far = 64 * 2048 + 3000;

    insert(log, 0, EVENT_OTHER, far); /* beyond the lists */
    insert(log, 1, EVENT_OTHER, 6000);
    insert(log, 2, EVENT_OTHER, 4500);
    insert(log, 3, EVENT_OTHER, 3000);
    assert_int_equal(log->wheel.next, 3000);
    wheel_run(&log->wheel, 3000, log);
    assert_int_equal(log->wheel.next, 4500);
    insert(log, 4, EVENT_OTHER, far); /* in a list now */
    wheel_run(&log->wheel, 6000, log);
    EXPECT(log, 3, 2, 1);
    assert_int_equal(log->wheel.next, far);
    wheel_run(&log->wheel, far - 100, log);
    insert(log, 5, EVENT_OTHER, far); /* in the ring */
    wheel_run(&log->wheel, far, log);
    EXPECT(log, 3, 2, 1, 0, 4, 5);
    free(log);
}

static void remove_event(struct test_log *log, int id)
{
    wheel_remove(&log->wheel, &log->events[id].event);
    assert_false(log->events[id].event.queued);
}

static void test_removal(void **state)
{
    (void)state;
    struct test_log *log = log_create();

    for (int id = 0; id < 5; id++) {
        insert(log, id, EVENT_OTHER, 8);
    }
    insert(log, 5, EVENT_OTHER, 3);
    insert(log, 6, EVENT_OTHER, 9000);
    insert(log, 7, EVENT_OTHER, 8000);
    insert(log, 8, EVENT_OTHER, 7000);
    remove_event(log, 0);  /* first of its cycle */
    remove_event(log, 2);  /* middle */
    remove_event(log, 4);  /* last */
    remove_event(log, 5);  /* alone in its cycle, the earliest */
    remove_event(log, 7);  /* beyond the wheel */
    remove_event(log, 20); /* not in the queue: nothing happens */
    assert_int_equal(log->wheel.next, 8);
    insert(log, 9, EVENT_OTHER, 8); /* behind the last that is left */
    wheel_run(&log->wheel, 8, log);
    EXPECT(log, 1, 3, 9);
    assert_int_equal(log->wheel.next, 7000);
    remove_event(log, 8);
    assert_int_equal(log->wheel.next, 9000);
    remove_event(log, 6);
    assert_true(log->wheel.next == WHEEL_NEVER);
    insert(log, 0, EVENT_OTHER, 12); /* removed ones can come again */
    wheel_run(&log->wheel, 20000, log);
    EXPECT(log, 1, 3, 9, 0);
    free(log);
}

/* The cycles of a wheel are found through two levels of bits: events right across word and summary
 * borders, from every kind of starting place. */
static void test_search_from_every_place(void **state)
{
    (void)state;
    static const uint64_t starts[] = {0, 1, 62, 63, 64, 4031, 4032, 4033, 4095, 4096, 8191};
    static const uint64_t distances[] = {0, 1, 2, 63, 64, 65, 127, 128, 4031, 4032, 4095};

    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++) {
        for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
            struct test_log *log = log_create();
            wheel_run(&log->wheel, starts[s], log);
            insert(log, 0, EVENT_OTHER, starts[s] + distances[d]);
            assert_int_equal(log->wheel.next, starts[s] + distances[d]);
            /* One that is later makes no difference; without the first it is the next. */
            insert(log, 1, EVENT_OTHER, starts[s] + 4095);
            assert_int_equal(log->wheel.next, starts[s] + distances[d]);
            remove_event(log, 0);
            assert_int_equal(log->wheel.next, starts[s] + 4095);
            free(log);
        }
    }
}

/* The reference: an unordered list; the earliest by (cycle, rank, order of insertion) runs next. */
struct reference {
    struct {
        bool queued;
        uint64_t cycle;
        enum event_rank rank;
        uint64_t order;
    } entries[EVENTS];
    uint64_t orders;
};

static int reference_earliest(const struct reference *reference)
{
    int best = -1;

    for (int i = 0; i < EVENTS; i++) {
        if (!reference->entries[i].queued) {
            continue;
        }
        if (best < 0 || reference->entries[i].cycle < reference->entries[best].cycle ||
            (reference->entries[i].cycle == reference->entries[best].cycle &&
             (reference->entries[i].rank < reference->entries[best].rank ||
              (reference->entries[i].rank == reference->entries[best].rank &&
               reference->entries[i].order < reference->entries[best].order)))) {
            best = i;
        }
    }
    return best;
}

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % limit;
}

/* Distances from the present: mostly near, many equal, some around the wheel's end and beyond. */
static uint64_t random_distance(uint64_t *state)
{
    switch (random_below(state, 8)) {
    case 0:
        return random_below(state, 20000);
    case 1:
        return 4090 + random_below(state, 12);
    case 2:
        return random_below(state, 4096);
    default:
        return random_below(state, 40);
    }
}

static void run_both(struct test_log *log, struct reference *reference, uint64_t cycle)
{
    unsigned at = 0;

    log->count = 0;
    wheel_run(&log->wheel, cycle, log);
    for (;;) {
        int id = reference_earliest(reference);
        if (id < 0 || reference->entries[id].cycle > cycle) {
            break;
        }
        assert_true(at < log->count);
        assert_int_equal(log->ran[at], id);
        assert_int_equal(log->ran_cycle[at], reference->entries[id].cycle);
        reference->entries[id].queued = false;
        at++;
    }
    assert_int_equal(log->count, at);
}

static void run_random(uint64_t seed)
{
    struct test_log *log = log_create();
    struct reference reference = {.orders = 0};

    for (int step = 0; step < 4000; step++) {
        int id = (int)random_below(&seed, EVENTS);
        uint32_t what = random_below(&seed, 10);
        if (what < 6 && !reference.entries[id].queued) {
            uint64_t cycle = log->wheel.now + random_distance(&seed);
            enum event_rank rank = random_below(&seed, EVENT_RANK_COUNT);
            insert(log, id, rank, cycle);
            reference.entries[id].queued = true;
            reference.entries[id].cycle = cycle;
            reference.entries[id].rank = rank;
            reference.entries[id].order = reference.orders++;
        } else if (what < 8) {
            remove_event(log, id);
            reference.entries[id].queued = false;
        } else {
            run_both(log, &reference, log->wheel.now + random_below(&seed, 60));
        }
        int next = reference_earliest(&reference);
        assert_true(log->wheel.next == (next < 0 ? WHEEL_NEVER : reference.entries[next].cycle));
    }
    run_both(log, &reference, log->wheel.now + 30000);
    assert_true(log->wheel.next == WHEEL_NEVER);
    free(log);
}

static void test_random_against_sorted_list(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run_random(seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_across_cycles),
        cmocka_unit_test(test_order_within_a_cycle),
        cmocka_unit_test(test_insertion_while_running),
        cmocka_unit_test(test_insertion_in_the_past),
        cmocka_unit_test(test_far_events),
        cmocka_unit_test(test_far_order),
        cmocka_unit_test(test_removal),
        cmocka_unit_test(test_search_from_every_place),
        cmocka_unit_test(test_random_against_sorted_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
