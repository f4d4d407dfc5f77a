/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Rings of records: the simulator's end (sim-soc/observers/ring) with a reader of the test's own,
 * and with the host's thread (hal/host/observe/trace/ring_reader.c). */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/driver/machine/futex.h"
#include "host/observe/trace/ring_reader.h"
#include "observers/ring/ring.h"

#define WORDS(number) (1 + (number)*37 % SL_RING_RECORD_WORDS) /* of a record */

struct bench {
    struct sl_ring *ring;
    struct ring_writer writer;
    struct ring_host host;
    unsigned wakes;
    unsigned sleeps;
    uint64_t read;   /* records */
    uint64_t rests;  /* times that there were no more */
    uint64_t broken; /* records that were not as they had to be */
    uint64_t last;   /* the reader wants so many */
};

static void on_wake(void *owner, uint32_t *word)
{
    struct bench *b = owner;

    b->wakes++;
    assert_ptr_equal(word, &b->ring->bell);
    sl_futex_wake(word);
}

/* Record `number` has its number in each of its words behind the first. */
static bool is_whole(const uint64_t *record, uint64_t number)
{
    const struct sl_ring_record *first = (const void *)record;
    bool is_right = first->words == WORDS(number) && first->kind == (uint8_t)number;

    for (uint32_t i = 1; i < first->words; i++) {
        is_right = is_right && record[i] == number;
    }
    return is_right;
}

/* Reads one record of a full ring, as the simulator waits for room. */
static void read_one(void *owner, uint32_t *word, uint32_t value)
{
    struct bench *b = owner;
    const uint64_t *record = sl_ring_at(b->ring, b->ring->head);

    (void)value;
    b->sleeps++;
    assert_ptr_equal(word, &b->ring->room_bell);
    assert_int_equal(b->ring->is_waiting, 1);
    assert_true(is_whole(record, b->read));
    b->ring->head += WORDS(b->read);
    b->read++;
}

static struct bench *bench_create(void (*sleep)(void *, uint32_t *, uint32_t))
{
    struct bench *b = calloc(1, sizeof *b);

    assert_non_null(b);
    b->ring = aligned_alloc(64, sizeof *b->ring);
    assert_non_null(b->ring);
    memset(b->ring, 0, sizeof *b->ring);
    b->host = (struct ring_host){b, on_wake, sleep};
    b->last = UINT64_MAX;
    ring_open(&b->writer, b->ring, &b->host);
    return b;
}

static void bench_destroy(struct bench *b)
{
    free(b->ring);
    free(b);
}

static bool write_record(struct bench *b, uint64_t number)
{
    uint64_t *record =
        ring_take(&b->writer, WORDS(number), (struct sl_ring_record){.kind = (uint8_t)number});

    if (record == NULL) {
        return false;
    }
    for (uint32_t i = 1; i < WORDS(number); i++) {
        record[i] = number;
    }
    ring_put(&b->writer);
    return true;
}

/* Three times as much as there is room for: the simulator waits, and nothing is lost. */
TEST(test_full)
{
    struct bench *b = bench_create(read_one);
    uint64_t number = 0;

    while (b->ring->tail < 3 * SL_RING_WORDS) {
        assert_true(write_record(b, number++));
        assert_true(b->ring->tail - b->ring->head <= SL_RING_WORDS);
    }
    assert_true(b->sleeps > 0);
    assert_int_equal(b->wakes, 0); /* nobody sleeps */
    while (b->ring->head != b->ring->tail) {
        b->ring->is_waiting = 1;
        read_one(b, &b->ring->room_bell, 0);
    }
    assert_int_equal(b->read, number);
    bench_destroy(b);
}

/* Who sleeps is woken for many words, or when the simulator wants to. */
TEST(test_wakes)
{
    struct bench *b = bench_create(read_one);
    uint64_t number = 0;

    b->ring->is_sleeping = 1;
    while (b->ring->tail < SL_RING_WAKE_WORDS) {
        assert_int_equal(b->wakes, 0);
        assert_true(write_record(b, number++));
    }
    assert_int_equal(b->wakes, 1);
    assert_int_equal(b->ring->bell, 1);
    assert_true(write_record(b, number));
    assert_int_equal(b->wakes, 1);
    ring_flush(&b->writer);
    assert_int_equal(b->wakes, 2);
    bench_destroy(b);
}

/* A simulator that was stopped as it waited does not say that it has room meanwhile. */
TEST(test_awaited)
{
    struct bench *b = bench_create(read_one);
    const struct sl_ring_reader drain = {.ring = b->ring};
    uint64_t number = 0;

    while (b->ring->tail <= SL_RING_WORDS - SL_RING_RECORD_WORDS) {
        assert_true(write_record(b, number++));
    }
    assert_false(sl_ring_reader_is_awaited(&drain));
    b->ring->is_waiting = 1;
    assert_true(sl_ring_reader_is_awaited(&drain));
    ring_open(&b->writer, b->ring, &b->host); /* another simulator goes on */
    assert_false(sl_ring_reader_is_awaited(&drain));
    b->ring->is_waiting = 1;
    b->ring->head = b->ring->tail;
    assert_false(sl_ring_reader_is_awaited(&drain));
    bench_destroy(b);
}

static void close_it(void *owner, uint32_t *word, uint32_t value)
{
    (void)word;
    (void)value;
    ((struct bench *)owner)->ring->is_closed = 1;
}

/* Where nobody reads any more, the simulator does not wait for ever. */
TEST(test_closed)
{
    struct bench *b = bench_create(close_it);
    uint64_t number = 0;

    while (write_record(b, number)) {
        number++;
    }
    assert_true(b->ring->tail > SL_RING_WORDS - SL_RING_RECORD_WORDS);
    assert_false(write_record(b, number));
    bench_destroy(b);
}

/* ---- with the host's thread ---- */

static bool take(void *owner, const uint64_t *record)
{
    struct bench *b = owner;

    b->broken += !is_whole(record, b->read);
    b->read++;
    return b->read < b->last;
}

static bool rest(void *owner)
{
    ((struct bench *)owner)->rests++;
    return true;
}

static void sleep_on(void *owner, uint32_t *word, uint32_t value)
{
    ((struct bench *)owner)->sleeps++;
    sl_futex_wait(word, value, 50);
}

static void flush(struct sl_ring_reader *drain)
{
    sl_ring_reader_flush(drain);
    while (!sl_ring_reader_is_flushed(drain)) {
        sl_ring_reader_sleep(drain, 1000);
    }
}

TEST(test_thread)
{
    struct bench *b = bench_create(sleep_on);
    struct sl_ring_reader drain;
    uint64_t number = 0;

    assert_int_equal(
        sl_ring_reader_open(&drain, b->ring, &(struct sl_ring_reader_user){b, take, rest}), 0);
    for (unsigned run = 1; run <= 3; run++) {
        while (b->ring->tail < run * 5 * (uint64_t)SL_RING_WORDS) {
            assert_true(write_record(b, number++));
        }
        flush(&drain);
        assert_int_equal(b->read, number);
        assert_true(b->rests >= run);
    }
    const uint64_t rests = b->rests;
    flush(&drain); /* of nothing */
    assert_int_equal(b->rests, rests + 1);
    assert_true(write_record(b, number++));
    sl_ring_reader_close(&drain);
    assert_int_equal(b->read, number);
    assert_int_equal(b->broken, 0);
    sl_ring_reader_close(&drain);
    bench_destroy(b);
}

/* It reads no further where its user does not want to. */
TEST(test_thread_ends_early)
{
    struct bench *b = bench_create(sleep_on);
    struct sl_ring_reader drain;
    uint64_t number = 0;

    b->last = 10;
    assert_int_equal(
        sl_ring_reader_open(&drain, b->ring, &(struct sl_ring_reader_user){b, take, rest}), 0);
    while (number < 5000 && write_record(b, number)) {
        number++;
    }
    flush(&drain);
    sl_ring_reader_close(&drain);
    assert_int_equal(b->read, 10);
    assert_int_equal(b->rests, 0);
    assert_int_equal(b->ring->is_closed, 1);
    bench_destroy(b);
}
