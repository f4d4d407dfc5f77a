/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A reconvergence stack that tests drive by hand, and check entry by entry. Program counters are
 * letters of small pieces of code, times 4. */
#ifndef SLUICE_TESTS_STACK_STEPS_H
#define SLUICE_TESTS_STACK_STEPS_H

#include <string.h>

#include "common/check.h"
#include "simt/locks/lock_stack.h"

#define CAPACITY 16

enum place { A = 4, B = 8, C = 12, D = 16, E = 20, F = 24, G = 28, H = 32, I = 36, J = 40, K = 44 };

struct fixture {
    struct stack_entry entries[CAPACITY];
    struct simt_stack stack;
    const struct lock_stack_ops *locks; /* of tests of locks, */
    uint16_t unlocks[LANES];            /* with their counters */
};

static inline void begin(struct fixture *f, uint32_t pc, uint64_t mask)
{
    memset(f, 0, sizeof *f);
    f->stack.entries = f->entries;
    f->stack.capacity = CAPACITY;
    simt_stack_begin(&f->stack, pc, mask);
}

/* The whole stack, bottom first. */
static inline void expect(const struct fixture *f, const struct stack_entry *entries,
                          uint32_t count)
{
    assert_int_equal(f->stack.depth, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(f->entries[i].mask, entries[i].mask);
        assert_int_equal(f->entries[i].pc, entries[i].pc);
        assert_int_equal(f->entries[i].reconvergence, entries[i].reconvergence);
        assert_int_equal(f->entries[i].kind, entries[i].kind);
    }
}

#define EXPECT(f, ...)                                                                             \
    expect(f, (const struct stack_entry[]){__VA_ARGS__},                                           \
           sizeof((const struct stack_entry[]){__VA_ARGS__}) / sizeof(struct stack_entry))
#define CALL(mask, pc)                                                                             \
    {                                                                                              \
        (mask), (pc), PC_NONE, STACK_CALL, 0                                                       \
    }
#define ENTRY(mask, pc, reconvergence)                                                             \
    {                                                                                              \
        (mask), (pc), (reconvergence), STACK_PLAIN, 0                                              \
    }

/* The lanes of the top entry go on at `pc`. */
static inline void go(struct fixture *f, uint32_t pc)
{
    simt_stack_top(&f->stack)->pc = pc;
    simt_stack_reconverge(&f->stack);
}

/* Two ways; the lanes of `second` go first. */
static inline void part(struct fixture *f, uint64_t first, uint32_t first_pc, uint64_t second,
                        uint32_t second_pc, uint32_t reconvergence)
{
    const struct stack_direction ways[] = {{first, first_pc}, {second, second_pc}};
    assert_int_equal(simt_stack_diverge(&f->stack, ways, 2, reconvergence), 0);
}

#endif
