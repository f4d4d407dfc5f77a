/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What locks.c and its kernels share: the cases. Each is a function that an item runs; lanes run
 * the items as they like, plain C one after the other, and both have to come to the same, since
 * items only add to what is shared. Where an addition in a section is lost, two were in it at once.
 *
 * A case is added by its function, locks_case_NAME(), and its name in LOCKS_CASES. Locks are taken
 * in the order of their cells. */
#ifndef SLUICE_PROBES_LOCKS_H
#define SLUICE_PROBES_LOCKS_H

#include <stdint.h>

#ifdef __riscv
#include "sluice/wave/wave.h"
#else
#include "sluice/lock.h"

/* One item at a time: a lock is free, or somebody has forgotten to give it back. */
static inline void sl_lock(sl_lock_t *lock)
{
    lock->holder = lock->holder == SL_LOCK_FREE ? 0 : 1;
}

static inline void sl_unlock(sl_lock_t *lock)
{
    lock->holder = lock->holder == 0 ? SL_LOCK_FREE : 1;
}
#endif

#define LOCKS_CELLS 8u

struct locks_cell {
    sl_lock_t lock;
    uint32_t value;
    uint32_t other;
};

struct locks_data {
    struct locks_cell cells[LOCKS_CELLS];
    uint32_t turns[]; /* of each item: how often it came to its end */
};

/* clang-format off */
#define LOCKS_CASES(X) \
    X(same) X(spread) X(breaks) X(nested) X(three) X(both_ways) X(second) X(arm) X(cases) \
    X(hand_over_hand) X(turns) X(called) X(recursive) X(found) X(loaded)
/* clang-format on */

#define LOCKS_NOINLINE static __attribute__((noinline))

/* Numbers that differ between neighbours. */
static inline uint32_t locks_random(uint32_t item)
{
    const uint32_t mixed = (item + 1) * 2654435761u;
    return mixed ^ mixed >> 15;
}

/* All want one lock. */
LOCKS_NOINLINE void locks_case_same(struct locks_data *data, uint32_t item)
{
    sl_lock(&data->cells[0].lock);
    data->cells[0].value += item;
    sl_unlock(&data->cells[0].lock);
}

/* Some do. */
LOCKS_NOINLINE void locks_case_spread(struct locks_data *data, uint32_t item)
{
    struct locks_cell *cell = &data->cells[locks_random(item) % LOCKS_CELLS];
    sl_lock(&cell->lock);
    cell->value += item;
    cell->other++;
    sl_unlock(&cell->lock);
}

/* papers/004 Example 10: a loop, left from inside the section. */
LOCKS_NOINLINE void locks_case_breaks(struct locks_data *data, uint32_t item)
{
    const uint32_t last = locks_random(item) % LOCKS_CELLS;
    for (uint32_t i = 0; i < LOCKS_CELLS; i++) {
        if ((item + i) % 3 != 0 || i == last) {
            sl_lock(&data->cells[i].lock);
            if (i == last) {
                data->cells[i].value += item;
                sl_unlock(&data->cells[i].lock);
                break;
            }
            data->cells[i].other++;
            sl_unlock(&data->cells[i].lock);
        }
    }
}

/* Example 11: two in order, the inner one given back on two ways. */
LOCKS_NOINLINE void locks_case_nested(struct locks_data *data, uint32_t item)
{
    struct locks_cell *outer = &data->cells[locks_random(item) % (LOCKS_CELLS - 1)];
    struct locks_cell *inner = outer + 1;
    sl_lock(&outer->lock);
    sl_lock(&inner->lock);
    if (item & 2) {
        inner->value += item;
        sl_unlock(&inner->lock);
    } else {
        inner->other++;
        sl_unlock(&inner->lock);
    }
    outer->value++;
    sl_unlock(&outer->lock);
}

/* Three in order. Who lost the second holds what a winner wants third. */
LOCKS_NOINLINE void locks_case_three(struct locks_data *data, uint32_t item)
{
    struct locks_cell *cell = &data->cells[locks_random(item) % (LOCKS_CELLS - 2)];
    sl_lock(&cell[0].lock);
    sl_lock(&cell[1].lock);
    cell[1].value++;
    sl_lock(&cell[2].lock);
    cell[2].value += item;
    sl_unlock(&cell[0].lock);
    cell[2].other++;
    sl_unlock(&cell[2].lock);
    sl_unlock(&cell[1].lock);
}

/* Example 12: two ways into one section. */
LOCKS_NOINLINE void locks_case_both_ways(struct locks_data *data, uint32_t item)
{
    struct locks_cell *cell = &data->cells[item % 2];
    if (locks_random(item) & 4) {
        sl_lock(&cell->lock);
        cell->value += item;
    } else {
        sl_lock(&cell->lock);
        cell->other += 2;
    }
    cell->other++;
    sl_unlock(&cell->lock);
}

/* Example 13: some of those in a section want another lock. */
LOCKS_NOINLINE void locks_case_second(struct locks_data *data, uint32_t item)
{
    struct locks_cell *outer = &data->cells[locks_random(item) % (LOCKS_CELLS - 1)];
    sl_lock(&outer->lock);
    if (locks_random(item) & 64) {
        sl_lock(&outer[1].lock);
        outer[1].value += item;
        sl_unlock(&outer[1].lock);
    }
    outer->other++;
    sl_unlock(&outer->lock);
}

/* One way gives both locks back and goes on alone. */
LOCKS_NOINLINE void locks_case_arm(struct locks_data *data, uint32_t item)
{
    struct locks_cell *outer = &data->cells[locks_random(item) % (LOCKS_CELLS - 1)];
    sl_lock(&outer->lock);
    if (locks_random(item) & 64) {
        sl_lock(&outer[1].lock);
        outer[1].value += item;
        sl_unlock(&outer[1].lock);
        sl_unlock(&outer->lock);
        data->turns[item] += 10;
    } else {
        outer->other++;
        sl_unlock(&outer->lock);
    }
}

/* A switch in the section, one unlock for each way. */
LOCKS_NOINLINE void locks_case_cases(struct locks_data *data, uint32_t item)
{
    const uint32_t number = locks_random(item) % 11;
    struct locks_cell *cell = &data->cells[number % LOCKS_CELLS];
    sl_lock(&cell->lock);
    switch (number) {
    case 0:
        cell->value++;
        sl_unlock(&cell->lock);
        return;
    case 1:
        cell->value += 3;
        sl_unlock(&cell->lock);
        break;
    case 2:
        sl_lock(&data->cells[7].lock);
        data->cells[7].other += 5;
        sl_unlock(&data->cells[7].lock); /* fall through */
    case 3:
        cell->other += 7;
        sl_unlock(&cell->lock);
        break;
    case 4:
        cell->other -= item;
        sl_unlock(&cell->lock);
        break;
    case 5:
        cell->other += item * 3;
        sl_unlock(&cell->lock);
        data->turns[item] += 100;
        break;
    default:
        cell->value += item;
        sl_unlock(&cell->lock);
    }
    data->turns[item] += 1000;
}

/* The same on what is in memory, which the compiler loads twice: to compare, and as the index. */
LOCKS_NOINLINE void locks_case_loaded(struct locks_data *data, uint32_t item)
{
    struct locks_cell *cell = &data->cells[item % 3];
    const int32_t *const kind = (const int32_t *)&data->turns[item];
    data->turns[item] = locks_random(item) % 7;
    sl_lock(&cell->lock);
    switch (*kind) {
    case 0:
        cell->value += 2;
        sl_unlock(&cell->lock);
        break;
    case 1:
        cell->other += item;
        sl_unlock(&cell->lock);
        break;
    case 2:
        cell->value -= item;
        sl_unlock(&cell->lock);
        data->turns[item] += 10;
        break;
    case 3:
        cell->value += 3 * item;
        cell->other -= 3;
        sl_unlock(&cell->lock);
        break;
    case 4:
        cell->value += 11;
        sl_unlock(&cell->lock);
        break;
    default:
        cell->other += 1;
        sl_unlock(&cell->lock);
    }
}

/* Down the cells, one given back as the next one is held. */
LOCKS_NOINLINE void locks_case_hand_over_hand(struct locks_data *data, uint32_t item)
{
    const uint32_t last = locks_random(item) % LOCKS_CELLS;
    uint32_t i = 0;
    sl_lock(&data->cells[0].lock);
    while (i < last) {
        data->cells[i].other++;
        sl_lock(&data->cells[i + 1].lock);
        sl_unlock(&data->cells[i].lock);
        i++;
    }
    data->cells[i].value += item;
    sl_unlock(&data->cells[i].lock);
}

/* A section in a loop whose number of turns differs, some of them without it. */
LOCKS_NOINLINE void locks_case_turns(struct locks_data *data, uint32_t item)
{
    const uint32_t turns = locks_random(item) % 6;
    for (uint32_t i = 0; i < turns; i++) {
        struct locks_cell *cell = &data->cells[(item >> i) % 3];
        if ((item + i) % 4 == 1) {
            continue;
        }
        sl_lock(&cell->lock);
        cell->value += i;
        cell->other++;
        sl_unlock(&cell->lock);
    }
}

LOCKS_NOINLINE void locks_add(struct locks_cell *cell, uint32_t value)
{
    sl_lock(&cell->lock);
    cell->value += value;
    sl_unlock(&cell->lock);
}

/* Sections in functions that some lanes call, through a pointer too. */
LOCKS_NOINLINE void locks_case_called(struct locks_data *data, uint32_t item)
{
    void (*volatile add)(struct locks_cell * cell, uint32_t value) = locks_add;
    if (locks_random(item) & 8) {
        locks_add(&data->cells[3], item);
    } else if (item & 1) {
        add(&data->cells[3], 5);
    }
    locks_add(&data->cells[4], 1);
}

/* A section at each depth of a recursion, before and after the call. */
LOCKS_NOINLINE uint32_t locks_recurse(struct locks_data *data, uint32_t item, uint32_t depth)
{
    struct locks_cell *cell = &data->cells[depth];
    sl_lock(&cell->lock);
    cell->value += item;
    sl_unlock(&cell->lock);
    const uint32_t below = depth == 0 ? 1 : 2 * locks_recurse(data, item, depth - 1);
    sl_lock(&cell->lock);
    cell->other += below;
    sl_unlock(&cell->lock);
    return below;
}

LOCKS_NOINLINE void locks_case_recursive(struct locks_data *data, uint32_t item)
{
    data->turns[item] += locks_recurse(data, item, locks_random(item) % 5);
}

/* A function with early returns, of which the compiler would inline the short way alone. */
static uint32_t locks_find(struct locks_data *data, uint32_t item, uint32_t wanted)
{
    sl_lock(&data->cells[5].lock);
    if (__builtin_expect(item % 4 != 0, 1)) {
        data->cells[5].other++;
        sl_unlock(&data->cells[5].lock);
        return 0;
    }
    for (uint32_t i = 0; i < 20; i++) {
        const uint32_t number = (item * 7 + i * 13) % 64;
        data->cells[5].value += number;
        if (number == wanted) {
            sl_unlock(&data->cells[5].lock);
            return i;
        }
        if (number == wanted + 1) {
            data->cells[5].other += 3;
            sl_unlock(&data->cells[5].lock);
            return i * 100;
        }
    }
    sl_unlock(&data->cells[5].lock);
    return 12345;
}

LOCKS_NOINLINE void locks_case_found(struct locks_data *data, uint32_t item)
{
    data->turns[item] += locks_find(data, item, 17);
    data->turns[item] += locks_find(data, item + 1, 50);
}

#endif
