/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: what a lane of cilksort.c does with keys: it sorts up to SORT_BASE of them, merges
 * two runs, or finds where a merge divides. The first two have no branch that lanes would take
 * differently (docs/cilk-sort.md, "Base cases without divergence"). */
#ifndef SLUICE_PROGRAMS_CILKSORT_BASE_H
#define SLUICE_PROGRAMS_CILKSORT_BASE_H

#include <stdbool.h>
#include <stdint.h>

#include "programs/cilksort/cilksort.h"

#define SORT_SLOTS (SORT_BASE / 2)

/* An access of 8 bytes to an array of keys, which are 4 bytes each. */
typedef uint64_t __attribute__((may_alias)) sort_key_slot;

/* Its two keys, in the order of memory. */
struct sort_pair {
    uint64_t low;
    uint64_t high;
};

static struct sort_pair sort_unpack(uint64_t keys)
{
    return (struct sort_pair){(uint32_t)keys, keys >> 32};
}

static uint64_t sort_pack(struct sort_pair pair)
{
    return pair.low | pair.high << 32;
}

/* Exchanges two keys where they are in the wrong order; without a branch, which lanes would take
 * differently. */
static void sort_order(uint64_t *first, uint64_t *second)
{
    const uint64_t difference = (*first ^ *second) & -(uint64_t)(*second < *first);
    *first ^= difference;
    *second ^= difference;
}

/* One step of a bitonic sort on two slots of two keys; the last one orders the keys of a slot. A
 * function by itself, however much of the rest becomes part of a kernel. */
static __attribute__((noinline)) void sort_order_slots(uint64_t *first, uint64_t *second,
                                                       bool is_mirrored, bool is_last)
{
    struct sort_pair a = sort_unpack(*first);
    struct sort_pair b = sort_unpack(*second);

    if (is_mirrored) {
        sort_order(&a.low, &b.high);
        sort_order(&a.high, &b.low);
    } else {
        sort_order(&a.low, &b.low);
        sort_order(&a.high, &b.high);
    }
    if (is_last) {
        sort_order(&a.low, &a.high);
        sort_order(&b.low, &b.high);
    }
    *first = sort_pack(a);
    *second = sort_pack(b);
}

/* Makes blocks of `block` slots sorted, whose halves are. The first step orders mirrored places, so
 * that all blocks are sorted upwards. */
static void sort_merge_blocks(uint64_t *slots, uint32_t block)
{
    for (uint32_t first = 0; first < SORT_SLOTS; first += block) {
        for (uint32_t i = 0; i < block / 2; i++) {
            sort_order_slots(&slots[first + i], &slots[first + block - 1 - i], true, block == 2);
        }
    }
    for (uint32_t stride = block / 4; stride > 0; stride /= 2) {
        for (uint32_t first = 0; first < SORT_SLOTS; first += 2 * stride) {
            for (uint32_t i = first; i < first + stride; i++) {
                sort_order_slots(&slots[i], &slots[i + stride], false, stride == 1);
            }
        }
    }
}

/* Sorts up to SORT_BASE keys; a network, because all lanes then do the same, and on the lane's
 * stack, because lanes that use the same place of their stacks use the same cache lines. */
static void sort_base(sort_key_slot *keys, uint32_t count)
{
    uint64_t slots[SORT_SLOTS];
    const uint32_t used = (count + 1) / 2;

    for (uint32_t i = 0; i < SORT_SLOTS; i++) {
        slots[i] = UINT64_MAX;
    }
    for (uint32_t i = 0; i < used; i++) {
        struct sort_pair pair = sort_unpack(keys[i]);
        pair.high |= 2 * i + 1 < count ? 0 : UINT32_MAX;
        sort_order(&pair.low, &pair.high);
        slots[i] = sort_pack(pair);
    }
    for (uint32_t block = 2; block < 2 * used; block *= 2) {
        sort_merge_blocks(slots, block);
    }
    for (uint32_t i = 0; i < used; i++) {
        keys[i] = slots[i];
    }
}

/* How many of the least `wanted` keys of two sorted runs come from the first one, which goes first
 * where keys are equal: by binary search. */
static uint32_t sort_split(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
                           uint32_t wanted)
{
    uint32_t low = wanted > b_count ? wanted - b_count : 0;
    uint32_t high = wanted < a_count ? wanted : a_count;

    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (a[middle] <= b[wanted - 1 - middle]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* A sorted run that is being read. */
struct sort_run {
    const uint32_t *next;
    const uint32_t *end;
    uint64_t key; /* at `next`; SORT_RUN_ENDED, which is behind all keys, at the end */
};

#define SORT_RUN_ENDED UINT64_MAX

/* At its end the key behind it is read and not used. */
static uint64_t sort_key_of(const uint32_t *next, const uint32_t *end)
{
    return *next | -(uint64_t)(next == end);
}

static struct sort_run sort_run_of(const uint32_t *keys, uint32_t count)
{
    return (struct sort_run){keys, keys + count, sort_key_of(keys, keys + count)};
}

/* Takes the lesser key of two runs, without a branch: the runs change their places. */
static uint64_t sort_take(struct sort_run *a, struct sort_run *b)
{
    const uint64_t mask = -(uint64_t)(b->key < a->key);
    const uint64_t key = (a->key ^ b->key) & mask;
    const uintptr_t next = ((uintptr_t)a->next ^ (uintptr_t)b->next) & mask;
    const uintptr_t end = ((uintptr_t)a->end ^ (uintptr_t)b->end) & mask;
    const uint64_t taken = a->key ^ key;

    b->key ^= key;
    b->next = (const uint32_t *)((uintptr_t)b->next ^ next);
    b->end = (const uint32_t *)((uintptr_t)b->end ^ end);
    a->next = (const uint32_t *)((uintptr_t)a->next ^ next) + 1;
    a->end = (const uint32_t *)((uintptr_t)a->end ^ end);
    a->key = sort_key_of(a->next, a->end);
    return taken;
}

/* Merges two runs, two keys to a store; where their number is odd, that is at the array's end, the
 * place behind it gets something, too. */
static void sort_merge_base(struct sort_run a, struct sort_run b, sort_key_slot *to, uint32_t count)
{
    for (sort_key_slot *const end = to + (count + 1) / 2; to != end; to++) {
        struct sort_pair pair;
        pair.low = sort_take(&a, &b);
        pair.high = sort_take(&a, &b);
        *to = sort_pack(pair);
    }
}

#endif
