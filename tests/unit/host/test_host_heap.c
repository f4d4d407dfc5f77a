/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The shared heap's allocator: alignment, zeroing, joining of free neighbours, and a random run
 * against a map of owners. */
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/driver/machine/guest_memory.h"
#include "recordings/sharing.h"

#define HEAP_BYTES 65536u

static struct sl_heap heap;
static unsigned char *memory;

static int setup(void **state)
{
    (void)state;
    memory = aligned_alloc(SL_HEAP_ALIGN_MAX, HEAP_BYTES);
    memset(memory, 0, HEAP_BYTES);
    return sl_heap_init(&heap, (uintptr_t)memory, (uintptr_t)memory + HEAP_BYTES);
}

static int teardown(void **state)
{
    (void)state;
    sl_heap_destroy(&heap);
    free(memory);
    return 0;
}

/* By address, with the numbers in which they were made; what is free is left out. */
TEST_WITH(lists, setup, teardown)
{
    struct sl_sharing_allocation list[4];
    void *const first = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 100, 0);
    void *const second = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 64, 0);
    void *const third = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 1, 0);

    assert_true(sl_heap_free(&heap, first));
    void *const fourth = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 64, 0);
    assert_ptr_equal(fourth, first);
    assert_int_equal(sl_heap_list(&heap, list, 4), 3);
    assert_int_equal(list[0].address, (uintptr_t)fourth);
    assert_int_equal(list[0].bytes, 64);
    assert_int_equal(list[0].number, 4);
    assert_int_equal(list[1].address, (uintptr_t)second);
    assert_int_equal(list[1].number, 2);
    assert_int_equal(list[2].address, (uintptr_t)third);
    assert_int_equal(list[2].number, 3);
    assert_int_equal(sl_heap_list(&heap, list, 2), 2);
    assert_int_equal(list[1].number, 2);
}

TEST_WITH(aligns, setup, teardown)
{
    for (size_t align = 1; align <= SL_HEAP_ALIGN_MAX; align *= 2) {
        const void *const one = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 1, align);
        assert_non_null(one);
        assert_int_equal((uintptr_t)one % (align < 64 ? 64 : align), 0);
    }
}

TEST_WITH(fills_to_the_last_byte, setup, teardown)
{
    void *const all = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES, 0);
    assert_ptr_equal(all, memory);
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 1, 0));
    assert_true(sl_heap_free(&heap, all));
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES + 1, 0));
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, SIZE_MAX, 0));
    assert_non_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES, 0));
}

TEST_WITH(zeroes_what_was_used, setup, teardown)
{
    unsigned char *const used = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 1000, 0);
    memset(used, 0xff, 1000);
    assert_true(sl_heap_free(&heap, used));
    const unsigned char *const again = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 5000, 0);
    assert_ptr_equal(again, used);
    for (size_t i = 0; i < 5000; i++) {
        assert_int_equal(again[i], 0);
    }
}

/* What was never handed out must not be touched: writing would allocate its pages. */
TEST_WITH(leaves_the_rest_untouched, setup, teardown)
{
    memory[4096] = 0x5a;
    assert_non_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 8192, 0));
    assert_int_equal(memory[4096], 0x5a);
}

TEST_WITH(joins_neighbours, setup, teardown)
{
    void *block[4];
    for (int i = 0; i < 4; i++) {
        block[i] = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES / 4, 0);
        assert_non_null(block[i]);
    }
    assert_true(sl_heap_free(&heap, block[0]));
    assert_true(sl_heap_free(&heap, block[2]));
    assert_int_equal(sl_heap_space(&heap).total, HEAP_BYTES / 2);
    assert_int_equal(sl_heap_space(&heap).largest, HEAP_BYTES / 4);
    assert_true(sl_heap_free(&heap, block[1]));
    assert_int_equal(sl_heap_space(&heap).largest, HEAP_BYTES / 4 * 3);
    assert_true(sl_heap_free(&heap, block[3]));
    assert_int_equal(sl_heap_space(&heap).largest, HEAP_BYTES);
}

TEST_WITH(refuses_what_is_no_allocation, setup, teardown)
{
    unsigned char *const block = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 128, 0);
    assert_false(sl_heap_free(&heap, block + 64));
    assert_false(sl_heap_free(&heap, NULL));
    assert_true(sl_heap_free(&heap, block));
    assert_false(sl_heap_free(&heap, block));
}

/* ---- both zones ---- */

/* Open memory goes up from the bottom, closed memory down from the top, aligned downwards. */
TEST_WITH(has_two_zones, setup, teardown)
{
    unsigned char *const top = memory + HEAP_BYTES;
    const void *const closed = sl_heap_alloc(&heap, SL_HEAP_CLOSED, "a table", 100, 0);
    assert_ptr_equal(closed, top - 128);
    assert_ptr_equal(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 100, 0), memory);
    assert_ptr_equal(sl_heap_alloc(&heap, SL_HEAP_CLOSED, NULL, 100, 4096), top - 4096);
    assert_ptr_equal(sl_heap_alloc(&heap, SL_HEAP_CLOSED, NULL, 64, 0), top - 192);
    assert_int_equal(heap.open_limit, (uintptr_t)memory + 128);
    assert_int_equal(heap.closed_base, (uintptr_t)top - 4096);

    const struct sl_heap_piece piece = sl_heap_at(&heap, (uintptr_t)closed + 127);
    assert_int_equal(piece.base, (uintptr_t)closed);
    assert_int_equal(piece.bytes, 128);
    assert_int_equal(piece.number, 1);
    assert_int_equal(piece.zone, SL_HEAP_CLOSED);
    assert_string_equal(piece.owner, "a table");
    assert_int_equal(sl_heap_at(&heap, (uintptr_t)memory + 128).number, 0);
    assert_int_equal(sl_heap_at(&heap, (uintptr_t)memory - 1).bytes, 0);
    assert_int_equal(sl_heap_at(&heap, (uintptr_t)top).bytes, 0);
}

/* Gaps of a zone are not the other one's, until nothing of it lies beyond them. */
TEST_WITH(keeps_zones_apart, setup, teardown)
{
    void *open[4];
    void *closed[4];
    for (int i = 0; i < 4; i++) {
        open[i] = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES / 8, 0);
        closed[i] = sl_heap_alloc(&heap, SL_HEAP_CLOSED, NULL, HEAP_BYTES / 8, 0);
        assert_non_null(open[i]);
        assert_non_null(closed[i]);
    }
    assert_true(sl_heap_free(&heap, closed[1]));
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, 1, 0));
    assert_int_equal(sl_heap_space(&heap).largest_of[SL_HEAP_OPEN], 0);
    assert_int_equal(sl_heap_space(&heap).largest_of[SL_HEAP_CLOSED], HEAP_BYTES / 8);
    assert_true(sl_heap_free(&heap, closed[3]));
    assert_ptr_equal(sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES / 8, 0), closed[3]);
    assert_true(sl_heap_free(&heap, open[2]));
    assert_ptr_equal(sl_heap_alloc(&heap, SL_HEAP_CLOSED, NULL, HEAP_BYTES / 8, 0), closed[1]);
    assert_null(sl_heap_alloc(&heap, SL_HEAP_CLOSED, NULL, 1, 0));
}

/* What others may have written to is cleared, from either end; what nobody could is left alone. */
TEST_WITH(clears_what_was_opened, setup, teardown)
{
    unsigned char *const middle = memory + HEAP_BYTES / 2;
    sl_heap_used(&heap, heap.base, heap.base + 8192);
    sl_heap_used(&heap, heap.limit - 8192, heap.limit);
    memset(memory, 0xff, 8192);
    memset(memory + HEAP_BYTES - 8192, 0xff, 8192);
    *middle = 0x5a;
    const unsigned char *const low = sl_heap_alloc(&heap, SL_HEAP_OPEN, NULL, HEAP_BYTES / 2, 0);
    const unsigned char *const high = sl_heap_alloc(&heap, SL_HEAP_CLOSED, NULL, HEAP_BYTES / 2, 0);
    for (size_t i = 0; i < HEAP_BYTES / 2; i++) {
        assert_int_equal(low[i], 0);
        assert_int_equal(high[i], high + i == middle ? 0x5a : 0);
    }
}

/* ---- at random, against a map of owners ---- */

enum { SLOTS = 40, GRAIN = SL_HEAP_ALIGN_DEFAULT, GRAINS = HEAP_BYTES / SL_HEAP_ALIGN_DEFAULT };

struct slot {
    unsigned char *at;
    size_t bytes;
    enum sl_heap_zone zone;
};

static uint32_t seed;

static uint32_t next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* Where first fit, or last fit, would be by the map: a grain, -1 for none. Open memory has to be
 * below all that is closed, closed memory above all that is open. */
static int expected_place(const unsigned char *map, enum sl_heap_zone zone, size_t grains,
                          size_t align)
{
    const int first = zone == SL_HEAP_OPEN ? 0 : GRAINS - (int)grains;
    const int step = zone == SL_HEAP_OPEN ? 1 : -1;
    for (int at = first; at >= 0 && at + (int)grains <= GRAINS; at += step) {
        bool fits = ((uintptr_t)memory + (uintptr_t)at * GRAIN) % align == 0;
        for (int i = at; fits && i < at + (int)grains; i++) {
            fits = map[i] == 0;
        }
        for (int i = 0; fits && i < GRAINS; i++) {
            const bool is_wrong = zone == SL_HEAP_OPEN ? i < at && map[i] == 1 + SL_HEAP_CLOSED
                                                       : i > at && map[i] == 1 + SL_HEAP_OPEN;
            fits = !is_wrong;
        }
        if (fits) {
            return at;
        }
    }
    return -1;
}

static void allocate_slot(struct slot *slot, unsigned char *map, unsigned char mark)
{
    const size_t align = (size_t)1 << next() % 13;
    slot->zone = next() % 2 != 0 ? SL_HEAP_OPEN : SL_HEAP_CLOSED;
    slot->bytes = 1 + next() % 5000;
    const size_t grains = (slot->bytes + GRAIN - 1) / GRAIN;
    const int place = expected_place(map, slot->zone, grains, align);
    slot->at = sl_heap_alloc(&heap, slot->zone, NULL, slot->bytes, align);
    if (place < 0) {
        assert_null(slot->at);
        return;
    }
    assert_ptr_equal(slot->at, memory + (size_t)place * GRAIN);
    memset(map + place, 1 + (int)slot->zone, grains);
    for (size_t b = 0; b < slot->bytes; b++) {
        assert_int_equal(slot->at[b], 0);
        slot->at[b] = mark;
    }
}

static void free_slot(struct slot *slot, unsigned char *map, unsigned char mark)
{
    for (size_t b = 0; b < slot->bytes; b++) {
        assert_int_equal(slot->at[b], mark);
    }
    assert_true(sl_heap_free(&heap, slot->at));
    memset(map + (slot->at - memory) / GRAIN, 0, (slot->bytes + GRAIN - 1) / GRAIN);
    slot->at = NULL;
}

TEST_WITH(agrees_with_a_map, setup, teardown)
{
    struct slot slots[SLOTS] = {{NULL, 0, SL_HEAP_OPEN}};
    unsigned char map[GRAINS] = {0};
    seed = 1;
    for (int step = 0; step < 6000; step++) {
        const unsigned i = next() % SLOTS;
        if (slots[i].at != NULL) {
            free_slot(&slots[i], map, (unsigned char)(i + 1));
        } else {
            allocate_slot(&slots[i], map, (unsigned char)(i + 1));
        }
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        if (slots[i].at != NULL) {
            free_slot(&slots[i], map, (unsigned char)(i + 1));
        }
    }
    assert_int_equal(sl_heap_space(&heap).largest, HEAP_BYTES);
    assert_int_equal(heap.open_limit, heap.base);
    assert_int_equal(heap.closed_base, heap.limit);
}

/* ---- how long it takes ---- */

/* In segments that are looked at, which is what takes the time: a list would have had 40,000
 * million of them. The memory is not there: nothing of it may be touched. */
TEST(is_not_quadratic)
{
    enum { COUNT = 200000, EACH = 100 };
    static void *all[COUNT];
    struct sl_heap large;
    assert_int_equal(sl_heap_init(&large, SL_MIB(4096), SL_MIB(5120)), 0);
    for (unsigned i = 0; i < COUNT; i++) {
        all[i] = sl_heap_alloc(&large, i % 2 != 0 ? SL_HEAP_OPEN : SL_HEAP_CLOSED, NULL, 100, 0);
        assert_non_null(all[i]);
    }
    assert_in_range(large.segments.steps, COUNT, (uint64_t)COUNT * EACH);
    large.segments.steps = 0;
    for (unsigned i = 0; i < COUNT; i++) { /* each once, in no order */
        assert_true(sl_heap_free(&large, all[(uint64_t)i * 77773 % COUNT]));
    }
    assert_in_range(large.segments.steps, COUNT, (uint64_t)COUNT * 3 * EACH);
    assert_int_equal(sl_heap_space(&large).largest, SL_MIB(1024));
    sl_heap_destroy(&large);
}
