/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that a compiler is tempted to take apart: with locks on several ways, in loops, switches
 * and inlined functions. All are right as they are written, and the compiler driver must not make
 * anything of them that it refuses (tests/static/check_locks.sh). tests/probes/locks runs others.
 */
#include <math.h>
#include <string.h>

#include "sluice/wave/printf.h"
#include "sluice/wave/wave.h"

#define NOINLINE __attribute__((noinline))

/* GCC would inline the short way alone, its lock with it, and leave the unlock of the other one in
 * a function of its own. */
static int partly(sl_lock_t *lock, int *values, int count)
{
    sl_lock(lock);
    if (__builtin_expect(values[0] != 0, 1)) {
        sl_unlock(lock);
        return 0;
    }
    for (int i = 0; i < count; i++) {
        values[i] += values[i + 1] * 3;
        for (int j = 0; j < i; j++) {
            values[j] ^= values[i] / (values[j] | 1);
        }
    }
    for (int i = 0; i < count; i++) {
        values[i] -= values[i + 1] * 7;
        for (int j = 0; j < i; j++) {
            values[j] ^= values[i] % (values[j] | 1);
        }
    }
    sl_unlock(lock);
    return count;
}

SL_KERNEL void partly_twice(sl_lock_t *lock, int *values, int count)
{
    values[1] = partly(lock, values, count);
    values[2] = partly(lock, values + 5, count + 1);
}

SL_KERNEL void partly_in_loop(sl_lock_t *lock, int *values, int count)
{
    while (count-- > 0) {
        values[1] += partly(lock, values, count);
    }
}

/* A way that is hardly taken goes out of line. */
__attribute__((cold)) NOINLINE void give_up(int value)
{
    sl_trap(SL_TRAP_USER, (uint64_t)value, 0);
}

SL_KERNEL void unlikely(sl_lock_t *lock, int *values, int count)
{
    sl_lock(lock);
    if (__builtin_expect(values[0] < 0, 0)) {
        values[3] = count;
        give_up(count);
        values[4] = 4;
        sl_unlock(lock);
        values[6] = 7;
        return;
    }
    values[1] += count;
    sl_unlock(lock);
}

/* A switch on a variable in memory, inside a section; one unlock for each way. */
SL_KERNEL void cases(sl_lock_t *lock, int *values, int count)
{
    sl_lock(lock);
    switch (values[0]) {
    case 0:
        values[1]++;
        sl_unlock(lock);
        break;
    case 1:
        values[2] += count;
        sl_unlock(lock);
        return;
    case 2:
        sl_lock(lock + 1);
        values[3] ^= 4;
        sl_unlock(lock + 1);
        __attribute__((fallthrough));
    case 3:
        values[4]--;
        sl_unlock(lock);
        break;
    case 4:
        values[5] = values[6];
        sl_unlock(lock);
        break;
    case 5:
        values[7] = values[8] * count;
        sl_unlock(lock);
        break;
    default:
        sl_unlock(lock);
        values[9] = 1;
    }
    values[10] = 7;
}

SL_KERNEL void jumps(sl_lock_t *lock, int *values, int count)
{
    int i = 0;
again:
    sl_lock(lock);
    if (values[i] == 3) {
        goto out;
    }
    if (values[i] == 4) {
        sl_unlock(lock);
        i++;
        goto again;
    }
    values[i] = count;
    if (i++ < count) {
        sl_unlock(lock);
        goto again;
    }
out:
    sl_unlock(lock);
}

SL_KERNEL void loop_with_ways_out(sl_lock_t *lock, int *values, int count)
{
    while (count > 0) {
        sl_lock(lock);
        if (values[count] != 0) {
            values[count] = 0;
            sl_unlock(lock);
            break;
        }
        values[count] += 3;
        sl_unlock(lock);
        count--;
        if (values[count] == 7) {
            continue;
        }
        values[count + 1]++;
    }
    values[0] = count;
}

/* A condition before, in and behind the section: threading jumps would make two sections of it. */
SL_KERNEL void same_condition(sl_lock_t *lock, int *values, int count)
{
    const bool is_more = values[0] > count;
    if (is_more) {
        values[1] = 5;
    } else {
        values[2] = 6;
    }
    sl_lock(lock);
    if (is_more) {
        values[3]++;
    } else {
        values[4]--;
    }
    sl_unlock(lock);
    if (is_more) {
        values[5] = count;
    }
}

/* Arms that begin and end alike: locks and unlocks that could be merged, and moved out. */
SL_KERNEL void same_arms(sl_lock_t *lock, int *values, int count)
{
    if (values[0] != 0) {
        sl_lock(lock);
        values[1] += 2;
        sl_unlock(lock);
    } else {
        sl_lock(lock);
        values[1] += 3;
        sl_unlock(lock);
    }
    if (count & 1) {
        sl_lock(lock);
    } else {
        sl_lock(lock + count);
    }
    values[2]++;
    if (count & 1) {
        sl_unlock(lock);
    } else {
        sl_unlock(lock + count);
    }
}

/* Loops that could be unrolled, peeled, or have their condition moved out. */
SL_KERNEL void loops(sl_lock_t *lock, int *values, int count)
{
    for (int i = 0; i < 3; i++) {
        sl_lock(lock + i);
        values[i] += count;
        sl_unlock(lock + i);
    }
    for (int i = 0; i < count; i++) {
        if (values[99] != 0) {
            sl_lock(lock);
            values[i]++;
            sl_unlock(lock);
        } else {
            values[i]--;
        }
    }
}

static inline int find(sl_lock_t *lock, const int *values, int count)
{
    sl_lock(lock);
    for (int i = 0; i < count; i++) {
        if (values[i] == 7) {
            sl_unlock(lock);
            return i;
        }
        if (values[i] == 8) {
            sl_unlock(lock);
            return -i;
        }
    }
    sl_unlock(lock);
    return count;
}

SL_KERNEL void inlined(sl_lock_t *lock, int *values, int count)
{
    values[0] = find(lock, values, count);
    if (find(lock + 1, values + count, count) > 3) {
        values[1]++;
    }
}

/* Recursion with nothing held, one of them a jump. */
NOINLINE int recurse(sl_lock_t *lock, int *values, int count)
{
    sl_lock(lock + count);
    const int bit = ++values[count] & 1;
    sl_unlock(lock + count);
    return count == 0 ? bit : bit + recurse(lock, values, count - 1) * 2;
}

NOINLINE void repeat(sl_lock_t *lock, int *values, int count)
{
    sl_lock(lock + count);
    values[count]++;
    sl_unlock(lock + count);
    if (count > 0) {
        repeat(lock, values, count - 1);
    }
}

SL_KERNEL void recursive(sl_lock_t *lock, int *values, int count)
{
    values[0] = recurse(lock, values, count);
    repeat(lock, values, count);
}

/* Down a list, one lock given back as the next one is held. */
struct node {
    sl_lock_t lock;
    int key;
    struct node *next;
};

SL_KERNEL void hand_over_hand(struct node *node, const int *values, int count)
{
    sl_lock(&node->lock);
    while (node->next != NULL && node->next->key < count) {
        struct node *next = node->next;
        sl_lock(&next->lock);
        sl_unlock(&node->lock);
        node = next;
    }
    node->key += values[0];
    sl_unlock(&node->lock);
}

/* The library's functions may be called where they take no locks and call nothing through pointers;
 * memset() has a jump that is computed. */
struct many {
    int values[100];
};

SL_KERNEL void library(sl_lock_t *lock, struct many *to, double *numbers, char *text,
                       const char *from, size_t bytes)
{
    sl_lock(lock);
    memset(to, 0, bytes);
    to[1] = to[2];
    to[3] = (struct many){{0}};
    strcpy(text, from);
    numbers[0] = (double)strlen(text) + sin(numbers[1]) * pow(numbers[2], numbers[3]);
    sl_printf("%f\n", numbers[0]);
    sl_unlock(lock);
}

/* Locks that are tried nest as they like. */
SL_KERNEL void tried(sl_lock_t *lock, int *values, int count)
{
    if (sl_trylock(lock, 3)) {
        if (count > 0 && sl_trylock(lock + 1, 3)) {
            values[0]++;
            sl_tryunlock(lock + 1);
        }
        sl_tryunlock(lock);
    } else {
        values[1]++;
    }
}

/* The example of docs/know/locks.md: two locks by a choice of values. */
struct account {
    sl_lock_t lock;
    int32_t balance;
};

SL_KERNEL void transfer(struct account *accounts, const uint32_t *orders, int32_t amount)
{
    const uint32_t *order = &orders[2 * sl_lane_id()];
    struct account *from = &accounts[order[0]];
    struct account *to = &accounts[order[1]];

    if (from == to) {
        return;
    }
    sl_lock(from < to ? &from->lock : &to->lock);
    sl_lock(from < to ? &to->lock : &from->lock);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    sl_unlock(&to->lock);
    sl_unlock(&from->lock);
}
