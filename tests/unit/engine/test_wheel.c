/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The event queue: order within a cycle and across cycles, events beyond the wheel, removal, and a
 * long random run against a sorted list that does the same by definition. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "engine/event_queue.h"

#define EVENTS 512

#define CYCLE_PS 1000u

struct test_log;

struct test_event {
    struct event event;
    struct test_log *log;
    int id;
};

/* What has run, and when by the wheel's clock. */
struct test_log {
    struct event_queue event_queue;
    struct test_event events[EVENTS];
    int ran[4 * EVENTS];
    uint64_t ran_cycle[4 * EVENTS];
    uint64_t ran_ps[4 * EVENTS];
    unsigned count;
};

static void log_event(struct event *event)
{
    struct test_event *test = (struct test_event *)event;
    struct test_log *log = test->log;

    assert_false(event->queued);
    assert_int_equal(log->event_queue.now, event->cycle);
    assert_true(log->count < 4 * EVENTS);
    log->ran[log->count] = test->id;
    log->ran_ps[log->count] = event_queue_now_ps(&log->event_queue);
    log->ran_cycle[log->count++] = event->cycle;
}

static struct test_log *log_create(void)
{
    struct test_log *log = calloc(1, sizeof *log);

    assert_non_null(log);
    event_queue_init(&log->event_queue, CYCLE_PS);
    for (int i = 0; i < EVENTS; i++) {
        log->events[i] = (struct test_event){.event = {.run = log_event}, .log = log, .id = i};
    }
    return log;
}

static void insert(struct test_log *log, int id, enum event_rank rank, uint64_t cycle)
{
    log->events[id].event.rank = rank;
    event_queue_insert(&log->event_queue, &log->events[id].event, cycle);
}

static void insert_at(struct test_log *log, int id, uint64_t time_ps)
{
    log->events[id].event.rank = EVENT_MEMORY;
    event_queue_insert_at(&log->event_queue, &log->events[id].event, time_ps);
}

/* Up to the edge of a cycle. */
static void run_to(struct test_log *log, uint64_t cycle)
{
    event_queue_run(&log->event_queue, cycle * CYCLE_PS);
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

TEST(test_order_across_cycles)
{
    struct test_log *log = log_create();

    assert_true(log->event_queue.next == EVENT_QUEUE_NEVER);
    insert(log, 0, EVENT_OTHER, 30);
    insert(log, 1, EVENT_OTHER, 10);
    insert(log, 2, EVENT_OTHER, 4095);
    insert(log, 3, EVENT_OTHER, 20);
    assert_int_equal(log->event_queue.next, 10);
    run_to(log, 9);
    assert_int_equal(log->count, 0);
    run_to(log, 10);
    EXPECT(log, 1);
    assert_int_equal(log->event_queue.next, 20);
    run_to(log, 5000);
    EXPECT(log, 1, 3, 0, 2);
    assert_true(log->event_queue.next == EVENT_QUEUE_NEVER);
    assert_int_equal(log->event_queue.now, 5000);
    free(log);
}

TEST(test_order_within_a_cycle)
{
    struct test_log *log = log_create();

    insert(log, 0, EVENT_OTHER, 5);
    insert(log, 1, EVENT_MEMORY, 5);
    insert(log, 2, EVENT_OTHER, 5);
    insert(log, 3, EVENT_MEMORY, 5);
    insert(log, 4, EVENT_OTHER, 4);
    run_to(log, 5);
    EXPECT(log, 4, 1, 3, 0, 2);
    free(log);
}

/* Events 10 and up are inserted by event 0 while it runs: in the past, now, and later. */
static void insert_more(struct event *event)
{
    struct test_log *log = ((struct test_event *)event)->log;

    log_event(event);
    insert(log, 10, EVENT_OTHER, 3);   /* has passed: counts as now */
    insert(log, 11, EVENT_MEMORY, 50); /* now: before what else there is now */
    insert(log, 12, EVENT_OTHER, 51);
    insert(log, 13, EVENT_OTHER, 60);
}

TEST(test_insertion_while_running)
{
    struct test_log *log = log_create();

    log->events[0].event.run = insert_more;
    insert(log, 0, EVENT_OTHER, 50);
    insert(log, 1, EVENT_OTHER, 50);
    run_to(log, 55);
    EXPECT(log, 0, 11, 1, 10, 12);
    assert_int_equal(log->ran_cycle[3], 50);
    assert_int_equal(log->event_queue.next, 60);
    free(log);
}

TEST(test_insertion_in_the_past)
{
    struct test_log *log = log_create();

    run_to(log, 100);
    insert(log, 0, EVENT_OTHER, 7);
    assert_int_equal(log->events[0].event.cycle, 100);
    assert_int_equal(log->event_queue.next, 100);
    run_to(log, 100);
    EXPECT(log, 0);
    free(log);
}

/* 4095 is the last cycle that the ring reaches from cycle 0, 4096 the first beyond; 131072 is the
 * first for which there is no list of its own. */
TEST(test_far_events)
{
    struct test_log *log = log_create();

    insert(log, 0, EVENT_OTHER, 1000000);
    insert(log, 1, EVENT_OTHER, 4096);
    insert(log, 2, EVENT_OTHER, 4095);
    insert(log, 3, EVENT_OTHER, 4096);
    insert(log, 4, EVENT_MEMORY, 4096);
    insert(log, 5, EVENT_OTHER, 0);
    run_to(log, 1);
    /* 4096 is within reach by now; it keeps its place behind those that came earlier. */
    insert(log, 6, EVENT_OTHER, 4096);
    assert_int_equal(log->event_queue.next, 4095);
    run_to(log, 999999);
    EXPECT(log, 5, 2, 4, 1, 3, 6);
    assert_int_equal(log->event_queue.next, 1000000);
    run_to(log, 1000000);
    EXPECT(log, 5, 2, 4, 1, 3, 6, 0);
    free(log);
}

/* Events of one cycle keep their order, whether they came when it was beyond the lists, in a list,
 * or in the ring; with nothing in the ring, the earliest in the lists is next. */
TEST(test_far_order)
{
    struct test_log *log = log_create();
    const uint64_t far = 64 * 2048 + 3000;

    insert(log, 0, EVENT_OTHER, far); /* beyond the lists */
    insert(log, 1, EVENT_OTHER, 6000);
    insert(log, 2, EVENT_OTHER, 4500);
    insert(log, 3, EVENT_OTHER, 3000);
    assert_int_equal(log->event_queue.next, 3000);
    run_to(log, 3000);
    assert_int_equal(log->event_queue.next, 4500);
    insert(log, 4, EVENT_OTHER, far); /* in a list now */
    run_to(log, 6000);
    EXPECT(log, 3, 2, 1);
    assert_int_equal(log->event_queue.next, far);
    run_to(log, far - 100);
    insert(log, 5, EVENT_OTHER, far); /* in the ring */
    run_to(log, far);
    EXPECT(log, 3, 2, 1, 0, 4, 5);
    free(log);
}

static void remove_event(struct test_log *log, int id)
{
    event_queue_remove(&log->event_queue, &log->events[id].event);
    assert_false(log->events[id].event.queued);
}

TEST(test_removal)
{
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
    assert_int_equal(log->event_queue.next, 8);
    insert(log, 9, EVENT_OTHER, 8); /* behind the last that is left */
    run_to(log, 8);
    EXPECT(log, 1, 3, 9);
    assert_int_equal(log->event_queue.next, 7000);
    remove_event(log, 8);
    assert_int_equal(log->event_queue.next, 9000);
    remove_event(log, 6);
    assert_true(log->event_queue.next == EVENT_QUEUE_NEVER);
    insert(log, 0, EVENT_OTHER, 12); /* removed ones can come again */
    run_to(log, 20000);
    EXPECT(log, 1, 3, 9, 0);
    free(log);
}

/* Events behind a cycle's edge follow those at it, by time; equal ones in order of insertion. A run
 * up to a time within the cycle leaves the later ones. */
TEST(test_times_within_a_cycle)
{
    struct test_log *log = log_create();

    insert_at(log, 0, 5700);
    insert_at(log, 1, 5200);
    insert(log, 2, EVENT_OTHER, 5);
    insert_at(log, 3, 5200);
    insert_at(log, 4, 5000); /* the edge itself: among memory's events there */
    insert(log, 5, EVENT_OTHER, 6);
    assert_int_equal(log->event_queue.next, 5);
    event_queue_run(&log->event_queue, 5199);
    EXPECT(log, 4, 2);
    assert_int_equal(event_queue_now_ps(&log->event_queue), 5199);
    assert_int_equal(log->event_queue.next, 5);
    event_queue_run(&log->event_queue, 5200);
    EXPECT(log, 4, 2, 1, 3);
    assert_int_equal(log->ran_ps[2], 5200);
    insert_at(log, 6, 100); /* has passed: counts as now */
    insert(log, 7, EVENT_OTHER, 5);
    event_queue_run(&log->event_queue, 6000);
    EXPECT(log, 4, 2, 1, 3, 7, 6, 0, 5);
    assert_int_equal(log->ran_ps[5], 5200);
    assert_int_equal(log->ran_ps[6], 5700);
    assert_true(log->event_queue.next == EVENT_QUEUE_NEVER);
    free(log);
}

/* They can be taken out, the first, the last, and one that is far ahead. */
TEST(test_removal_within_a_cycle)
{
    struct test_log *log = log_create();

    for (int id = 0; id < 4; id++) {
        insert_at(log, id, 5100 + 100 * (uint64_t)id);
    }
    insert_at(log, 4, 7000001);
    insert_at(log, 5, 7000002);
    remove_event(log, 0);
    remove_event(log, 3);
    remove_event(log, 4);
    event_queue_run(&log->event_queue, 8000000);
    EXPECT(log, 1, 2, 5);
    assert_int_equal(log->ran_ps[2], 7000002);
    free(log);
}

/* The cycles of a wheel are found through two levels of bits: events right across word and summary
 * borders, from every kind of starting place. */
TEST(test_search_from_every_place)
{
    static const uint64_t starts[] = {0, 1, 62, 63, 64, 4031, 4032, 4033, 4095, 4096, 8191};
    static const uint64_t distances[] = {0, 1, 2, 63, 64, 65, 127, 128, 4031, 4032, 4095};

    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++) {
        for (size_t d = 0; d < sizeof distances / sizeof distances[0]; d++) {
            struct test_log *log = log_create();
            run_to(log, starts[s]);
            insert(log, 0, EVENT_OTHER, starts[s] + distances[d]);
            assert_int_equal(log->event_queue.next, starts[s] + distances[d]);
            /* One that is later makes no difference; without the first it is the next. */
            insert(log, 1, EVENT_OTHER, starts[s] + 4095);
            assert_int_equal(log->event_queue.next, starts[s] + distances[d]);
            remove_event(log, 0);
            assert_int_equal(log->event_queue.next, starts[s] + 4095);
            free(log);
        }
    }
}

/* The reference: an unordered list; the earliest by (time, rank, order of insertion) runs next. */
struct reference {
    struct {
        bool queued;
        uint64_t time_ps;
        enum event_rank rank; /* at an edge; of others the lowest */
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
        if (best < 0 || reference->entries[i].time_ps < reference->entries[best].time_ps ||
            (reference->entries[i].time_ps == reference->entries[best].time_ps &&
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

static void run_both(struct test_log *log, struct reference *reference, uint64_t time_ps)
{
    unsigned at = 0;

    log->count = 0;
    event_queue_run(&log->event_queue, time_ps);
    for (;;) {
        int id = reference_earliest(reference);
        if (id < 0 || reference->entries[id].time_ps > time_ps) {
            break;
        }
        assert_true(at < log->count);
        assert_int_equal(log->ran[at], id);
        assert_int_equal(log->ran_ps[at], reference->entries[id].time_ps);
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
            uint64_t time_ps = (log->event_queue.now + 1 + random_distance(&seed)) * CYCLE_PS;
            enum event_rank rank = random_below(&seed, EVENT_RANK_COUNT);
            if (what < 2) {
                rank = EVENT_MEMORY;
                time_ps += random_below(&seed, CYCLE_PS);
                insert_at(log, id, time_ps);
            } else {
                insert(log, id, rank, time_ps / CYCLE_PS);
            }
            reference.entries[id].queued = true;
            reference.entries[id].time_ps = time_ps;
            reference.entries[id].rank = rank;
            reference.entries[id].order = reference.orders++;
        } else if (what < 8) {
            remove_event(log, id);
            reference.entries[id].queued = false;
        } else {
            run_both(log, &reference,
                     event_queue_now_ps(&log->event_queue) + random_below(&seed, 60 * CYCLE_PS));
        }
        int next = reference_earliest(&reference);
        assert_true(log->event_queue.next ==
                    (next < 0 ? EVENT_QUEUE_NEVER : reference.entries[next].time_ps / CYCLE_PS));
    }
    run_both(log, &reference, (log->event_queue.now + 30000) * CYCLE_PS);
    assert_true(log->event_queue.next == EVENT_QUEUE_NEVER);
    free(log);
}

TEST(test_random_against_sorted_list)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        run_random(seed);
    }
}
