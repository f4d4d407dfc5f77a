/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The shared heap's allocator: alignment, zeroing, joining of free neighbours, and a random run
 * against a map of owners. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/machine/memory.h"
#include "observed/sharing.h"

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
static void lists(void **state)
{
    struct sl_sharing_allocation list[4];
    void *const first = sl_heap_alloc(&heap, SL_HEAP_OPEN, 100, 0);
    void *const second = sl_heap_alloc(&heap, SL_HEAP_OPEN, 64, 0);
    void *const third = sl_heap_alloc(&heap, SL_HEAP_OPEN, 1, 0);
    (void)state;

    assert_true(sl_heap_free(&heap, first));
    void *const fourth = sl_heap_alloc(&heap, SL_HEAP_OPEN, 64, 0);
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

static void aligns(void **state)
{
    (void)state;
    for (size_t align = 1; align <= SL_HEAP_ALIGN_MAX; align *= 2) {
        const void *const one = sl_heap_alloc(&heap, SL_HEAP_OPEN, 1, align);
        assert_non_null(one);
        assert_int_equal((uintptr_t)one % (align < 64 ? 64 : align), 0);
    }
}

static void fills_to_the_last_byte(void **state)
{
    (void)state;
    void *const all = sl_heap_alloc(&heap, SL_HEAP_OPEN, HEAP_BYTES, 0);
    assert_ptr_equal(all, memory);
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, 1, 0));
    assert_true(sl_heap_free(&heap, all));
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, HEAP_BYTES + 1, 0));
    assert_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, SIZE_MAX, 0));
    assert_non_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, HEAP_BYTES, 0));
}

static void zeroes_what_was_used(void **state)
{
    (void)state;
    unsigned char *const used = sl_heap_alloc(&heap, SL_HEAP_OPEN, 1000, 0);
    memset(used, 0xff, 1000);
    assert_true(sl_heap_free(&heap, used));
    const unsigned char *const again = sl_heap_alloc(&heap, SL_HEAP_OPEN, 5000, 0);
    assert_ptr_equal(again, used);
    for (size_t i = 0; i < 5000; i++) {
        assert_int_equal(again[i], 0);
    }
}

/* What was never handed out must not be touched: writing would allocate its pages. */
static void leaves_the_rest_untouched(void **state)
{
    (void)state;
    memory[4096] = 0x5a;
    assert_non_null(sl_heap_alloc(&heap, SL_HEAP_OPEN, 8192, 0));
    assert_int_equal(memory[4096], 0x5a);
}

static void joins_neighbours(void **state)
{
    (void)state;
    void *block[4];
    for (int i = 0; i < 4; i++) {
        block[i] = sl_heap_alloc(&heap, SL_HEAP_OPEN, HEAP_BYTES / 4, 0);
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

static void refuses_what_is_no_allocation(void **state)
{
    (void)state;
    unsigned char *const block = sl_heap_alloc(&heap, SL_HEAP_OPEN, 128, 0);
    assert_false(sl_heap_free(&heap, block + 64));
    assert_false(sl_heap_free(&heap, NULL));
    assert_true(sl_heap_free(&heap, block));
    assert_false(sl_heap_free(&heap, block));
}

static void keeps_allocations_apart(void **state)
{
    (void)state;
    enum { SLOTS = 40, STEPS = 4000 };
    struct {
        unsigned char *at;
        size_t bytes;
    } slot[SLOTS] = {{NULL, 0}};
    uint32_t seed = 1;
    for (int step = 0; step < STEPS; step++) {
        seed = seed * 1664525u + 1013904223u;
        const unsigned i = (seed >> 8) % SLOTS;
        if (slot[i].at != NULL) {
            for (size_t b = 0; b < slot[i].bytes; b++) {
                assert_int_equal(slot[i].at[b], i + 1);
            }
            assert_true(sl_heap_free(&heap, slot[i].at));
            slot[i].at = NULL;
            continue;
        }
        slot[i].bytes = 1 + (seed >> 16) % 3000;
        slot[i].at = sl_heap_alloc(&heap, SL_HEAP_OPEN, slot[i].bytes, (size_t)1 << (seed >> 28) % 13);
        for (size_t b = 0; slot[i].at != NULL && b < slot[i].bytes; b++) {
            assert_int_equal(slot[i].at[b], 0);
            slot[i].at[b] = (unsigned char)(i + 1);
        }
    }
    for (int i = 0; i < SLOTS; i++) {
        assert_true(slot[i].at == NULL || sl_heap_free(&heap, slot[i].at));
    }
    assert_int_equal(sl_heap_space(&heap).largest, HEAP_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lists, setup, teardown),
        cmocka_unit_test_setup_teardown(aligns, setup, teardown),
        cmocka_unit_test_setup_teardown(fills_to_the_last_byte, setup, teardown),
        cmocka_unit_test_setup_teardown(zeroes_what_was_used, setup, teardown),
        cmocka_unit_test_setup_teardown(leaves_the_rest_untouched, setup, teardown),
        cmocka_unit_test_setup_teardown(joins_neighbours, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_allocation, setup, teardown),
        cmocka_unit_test_setup_teardown(keeps_allocations_apart, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
