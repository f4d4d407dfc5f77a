/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Queues of locks on memory system `flat`, whose times are known: a request is at memory 10 ns
 * after it was sent, and its reply is back 10 ns after it took effect there. */
#include <string.h>

#include "common/check.h"
#include "sluice/lock.h"
#include "soc/memory/lock_bench.h"

#define NS(n) ((uint64_t)(n)*1000)

#define LOCKS(...) lock_bench_create((const char *const[]){__VA_ARGS__, NULL})
#define MACHINE    "mem.system=flat", "lock.queue=on"

static void check_free(const struct lock_bench *b)
{
    assert_int_equal(*lock_bench_word(b, 0), SL_LOCK_FREE);
}

/* A lock that is free: 10 there, 10 back. While it is held the list has the head's record alone. */
TEST(test_free_lock)
{
    struct lock_bench *b = LOCKS(MACHINE);
    struct lock_bench_step *lock = lock_bench_lock(b, 0, 7, 0);

    lock_bench_run(b, NS(10) - 1);
    assert_int_equal(*lock_bench_word(b, 0), SL_LOCK_FREE);
    lock_bench_run(b, NS(100));
    assert_int_equal(lock->perform_ps, NS(10));
    assert_int_equal(lock->done_ps, NS(20));
    assert_int_equal(lock->old, SL_LOCK_FREE);
    assert_int_equal(*lock_bench_word(b, 0), 7);

    const struct lock_bench_step *unlock = lock_bench_unlock(b, 0, 7, NS(100));
    lock_bench_run(b, NS(200));
    assert_int_equal(unlock->perform_ps, NS(110));
    assert_int_equal(unlock->done_ps, NS(120));
    assert_int_equal(unlock->old, 7);
    check_free(b);
    assert_int_equal(b->mem->mem->counters.lock.records, 1);
    assert_int_equal(b->mem->mem->counters.lock.records_max, 1);
    lock_bench_destroy(b);
}

/* Four lanes ask at 0, 1, 2, 3: in this order they get it, each when the one before has given it
 * back, 10 after the unlock was sent. Nobody is told anything meanwhile. */
TEST(test_order)
{
    struct lock_bench *b = LOCKS(MACHINE);
    struct lock_bench_step *lock[4];

    for (unsigned i = 0; i < 4; i++) {
        lock[i] = lock_bench_lock(b, 0, (int)i, NS(i));
    }
    for (unsigned i = 0; i < 4; i++) {
        lock_bench_run(b, NS(100 * (i + 1)));
        const uint64_t got_ps = i == 0 ? NS(10) : NS(100 * i + 10);
        assert_int_equal(lock[i]->perform_ps, got_ps);
        assert_int_equal(lock[i]->done_ps, got_ps + NS(10));
        assert_int_equal(lock[i]->old, SL_LOCK_FREE);
        assert_int_equal(*lock_bench_word(b, 0), i);
        for (unsigned later = i + 1; later < 4; later++) {
            assert_int_equal(lock[later]->done_ps, 0);
        }
        (void)lock_bench_unlock(b, 0, (int)i, NS(100 * (i + 1)));
    }
    lock_bench_run(b, NS(1000));
    check_free(b);
    assert_int_equal(b->mem->mem->counters.lock.records, 4);
    assert_int_equal(b->mem->mem->counters.lock.records_max, 4);
    lock_bench_destroy(b);
}

/* Locks have lists of their own, whether they share a line or not. */
TEST(test_apart)
{
    struct lock_bench *b = LOCKS(MACHINE);
    struct lock_bench_step *lock[40];

    for (unsigned i = 0; i < 40; i++) {
        lock[i] = lock_bench_lock(b, i, (int)i, 0);
    }
    lock_bench_run(b, NS(100));
    for (unsigned i = 0; i < 40; i++) {
        assert_int_equal(lock[i]->done_ps, NS(20));
        assert_int_equal(*lock_bench_word(b, i), i);
    }
    assert_int_equal(b->mem->mem->counters.lock.records_max, 40);
    lock_bench_destroy(b);
}

/* Two have room: the third is refused at once, its word untouched; when one has left there is room
 * again. */
TEST(test_refused)
{
    struct lock_bench *b = LOCKS(MACHINE, "lock.queue_records=2");
    struct lock_bench_step *lock[4];

    for (unsigned i = 0; i < 3; i++) {
        lock[i] = lock_bench_lock(b, 0, (int)i, 0);
    }
    lock_bench_run(b, NS(100));
    assert_int_equal(lock[2]->done_ps, NS(20));
    assert_int_equal(lock[2]->perform_ps, 0);
    assert_int_equal(lock[1]->done_ps, 0);
    (void)lock_bench_lock(b, 1, 9, NS(100)); /* another lock's list has no room either */
    lock_bench_run(b, NS(200));
    assert_int_equal(*lock_bench_word(b, 1), SL_LOCK_FREE);
    (void)lock_bench_unlock(b, 0, 0, NS(200));
    lock[3] = lock_bench_lock(b, 0, 3, NS(201));
    lock_bench_run(b, NS(300));
    assert_int_equal(lock[1]->done_ps, NS(220));
    assert_int_equal(lock[3]->done_ps, 0);
    (void)lock_bench_unlock(b, 0, 1, NS(300));
    lock_bench_run(b, NS(400));
    assert_int_equal(lock[3]->done_ps, NS(320));
    lock_bench_destroy(b);
}

/* A change takes 5 cycles, one after the other: three requests that come at 10 are looked up at 15,
 * 20, 25; of an unlock that takes effect at 110 the next one goes on at 115. */
TEST(test_changes_take_time)
{
    struct lock_bench *b = LOCKS(MACHINE, "lock.queue_cycles=5");
    struct lock_bench_step *lock[3];

    lock[0] = lock_bench_lock(b, 0, 0, 0);
    lock[1] = lock_bench_lock(b, 1, 1, 0);
    lock[2] = lock_bench_lock(b, 0, 2, 0);
    (void)lock_bench_unlock(b, 0, 0, NS(100));
    lock_bench_run(b, NS(200));
    assert_int_equal(lock[0]->perform_ps, NS(15));
    assert_int_equal(lock[1]->perform_ps, NS(20));
    assert_int_equal(lock[2]->perform_ps, NS(115));
    assert_int_equal(lock[2]->done_ps, NS(125));
    lock_bench_destroy(b);
}

/* Somebody has the word who came past the queue: the request is answered at once, and leaves no
 * list behind. */
TEST(test_taken_past_the_queue)
{
    struct lock_bench *b = LOCKS(MACHINE);

    *lock_bench_word(b, 0) = 99;
    const struct lock_bench_step *lock = lock_bench_lock(b, 0, 1, 0);
    lock_bench_run(b, NS(100));
    assert_int_equal(lock->done_ps, NS(20));
    assert_int_equal(lock->old, 99);
    *lock_bench_word(b, 0) = SL_LOCK_FREE;
    lock = lock_bench_lock(b, 0, 2, NS(100));
    lock_bench_run(b, NS(200));
    assert_int_equal(lock->old, SL_LOCK_FREE);
    lock_bench_destroy(b);
}

/* The same while three wait, between an unlock and the grant: each of them is answered so in turn.
 */
TEST(test_taken_from_the_queue)
{
    struct lock_bench *b = LOCKS(MACHINE, "lock.queue_cycles=10");
    struct lock_bench_step *lock[4];

    for (unsigned i = 0; i < 4; i++) {
        lock[i] = lock_bench_lock(b, 0, (int)i, NS(20 * i));
    }
    (void)lock_bench_unlock(b, 0, 0, NS(200));
    lock_bench_run(b, NS(215));
    check_free(b);
    *lock_bench_word(b, 0) = 99;
    lock_bench_run(b, NS(400));
    for (unsigned i = 1; i < 4; i++) {
        assert_int_equal(lock[i]->perform_ps, NS(210 + 10 * i));
        assert_int_equal(lock[i]->old, 99);
    }
    *lock_bench_word(b, 0) = SL_LOCK_FREE;
    const struct lock_bench_step *again = lock_bench_lock(b, 0, 4, NS(400));
    lock_bench_run(b, NS(500));
    assert_int_equal(again->old, SL_LOCK_FREE);
    lock_bench_destroy(b);
}

/* An unlock of a word that has no list, and one by a lane that does not have the lock: the word is
 * freed, as the instruction says, and whoever is next gets it. */
TEST(test_unlocks_of_others)
{
    struct lock_bench *b = LOCKS(MACHINE);

    *lock_bench_word(b, 0) = 99;
    const struct lock_bench_step *unlock = lock_bench_unlock(b, 0, 1, 0);
    lock_bench_run(b, NS(100));
    assert_int_equal(unlock->done_ps, NS(20));
    assert_int_equal(unlock->old, 99);
    check_free(b);
    (void)lock_bench_lock(b, 0, 1, NS(100));
    const struct lock_bench_step *next = lock_bench_lock(b, 0, 2, NS(101));
    unlock = lock_bench_unlock(b, 0, 3, NS(200));
    lock_bench_run(b, NS(300));
    assert_int_equal(unlock->old, 1);
    assert_int_equal(next->done_ps, NS(220));
    lock_bench_destroy(b);
}

/* Taken back at any time, a request is not told any more, and the others get the lock as before: on
 * its way (at 5), in the middle, at the end and at the begin of the queue (at 50). */
TEST(test_cancelled)
{
    static const unsigned left[][2] = {{1, 5}, {1, 50}, {2, 50}, {3, 50}};

    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        struct lock_bench *b = LOCKS(MACHINE);
        struct lock_bench_step *lock[5];
        for (unsigned j = 0; j < 4; j++) {
            lock[j] = lock_bench_lock(b, 0, (int)j, 0);
        }
        lock_bench_run(b, NS(left[i][1]));
        b->mem->mem->ops->cancel(b->mem->mem, &lock[left[i][0]]->request);
        lock[4] = lock_bench_lock(b, 0, 4, NS(60));
        uint64_t time_ps = NS(100);
        for (unsigned j = 0; j < 5; j++) {
            if (j == left[i][0]) {
                continue;
            }
            lock_bench_run(b, time_ps);
            assert_int_not_equal(lock[j]->done_ps, 0);
            assert_int_equal(*lock_bench_word(b, 0), j);
            (void)lock_bench_unlock(b, 0, (int)j, time_ps);
            time_ps += NS(100);
        }
        lock_bench_run(b, time_ps);
        check_free(b);
        assert_int_equal(lock[left[i][0]]->done_ps, 0);
        assert_int_equal(lock[left[i][0]]->perform_ps, 0);
        lock_bench_destroy(b);
    }
}

/* Taken back while it is about to get the lock: the next one gets it. */
TEST(test_cancelled_grant)
{
    struct lock_bench *b = LOCKS(MACHINE, "lock.queue_cycles=10");
    struct lock_bench_step *lock[3];

    for (unsigned i = 0; i < 3; i++) {
        lock[i] = lock_bench_lock(b, 0, (int)i, NS(20 * i));
    }
    (void)lock_bench_unlock(b, 0, 0, NS(200));
    lock_bench_run(b, NS(215)); /* effective at 210; lock 1 goes on at 220 */
    b->mem->mem->ops->cancel(b->mem->mem, &lock[1]->request);
    lock_bench_run(b, NS(400));
    assert_int_equal(lock[1]->done_ps, 0);
    assert_int_equal(lock[2]->perform_ps, NS(230));
    assert_int_equal(*lock_bench_word(b, 0), 2);
    lock_bench_destroy(b);
}

/* The end of a run: nobody is told any more, and the next one begins with no list. */
TEST(test_settled)
{
    struct lock_bench *b = LOCKS(MACHINE);
    const struct mem_ops *ops = b->mem->mem->ops;
    struct lock_bench_step *lock[3];

    lock[0] = lock_bench_lock(b, 0, 0, 0);
    lock[1] = lock_bench_lock(b, 0, 1, 0);
    lock_bench_run(b, NS(50));
    lock[2] = lock_bench_lock(b, 0, 2, NS(50));
    ops->drain(b->mem->mem);
    ops->cancel(b->mem->mem, &lock[1]->request);
    lock_bench_run(b, NS(200));
    assert_int_equal(lock[1]->done_ps, 0);
    assert_int_equal(lock[2]->done_ps, 0);
    assert_int_equal(b->mem->mem->counters.lock.records, 2);
    *lock_bench_word(b, 0) = SL_LOCK_FREE;
    ops->reset(b->mem->mem);
    assert_int_equal(b->mem->mem->counters.lock.records, 0);
    const struct lock_bench_step *again = lock_bench_lock(b, 0, 3, NS(200));
    lock_bench_run(b, NS(300));
    assert_int_equal(again->done_ps, NS(220));
    lock_bench_destroy(b);
}

/* Without queues they are atomics like others, and answered at once. */
TEST(test_off)
{
    struct memory_bench *b = memory_create((const char *const[]){"mem.system=flat", NULL});
    struct mem_request request = {.address = MEMORY_BASE,
                                  .word = MEMORY_BASE,
                                  .from = {MEM_CU, 0},
                                  .kind = MEM_LOCK,
                                  .atomic = true};

    assert_false(b->mem->queues_locks);
    const struct mem_answer answer = b->mem->ops->access(b->mem, &request);
    assert_int_equal(answer.perform_ps, NS(10));
    assert_int_equal(answer.done_ps, NS(20));
    memory_destroy(b);
}
