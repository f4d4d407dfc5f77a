/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of cilksort.c: merge sort as a Cilk function, split at its two syncs (papers/001
 * section 5.2).
 *
 *     cilk void sort(keys[n])                   sort_spawn
 *     {
 *         if (n <= 64) { ... return; }              sorted by the work-item
 *         spawn sort(quarter 0); ... 3;             four sorts one level deeper
 *         sync;                                 sort_merge_quarters, at the sort's level
 *         spawn merge(quarters 0, 1 -> temp);       two merges one level deeper
 *         spawn merge(quarters 2, 3 -> temp);
 *         sync;                                 sort_merge_halves, at the sort's level
 *         spawn merge(halves of temp -> keys);      one merge one level deeper
 *     }
 *
 *     cilk void merge(a, b -> to)               merge_spawn
 *     {
 *         if (n <= 128) { ... return; }             merged by the work-item
 *         spawn merge(the lower half);              two merges one level deeper
 *         spawn merge(the upper half);
 *     }
 *
 * Nothing waits for a merge but by its level: a continuation runs when nothing is outstanding at
 * deeper levels, and all merges that it depends on are deeper. */
#include "programs/cilksort.h"

#include <stdbool.h>

#include "wave/sluice_wave.h"

#define SORT_SLOTS (SORT_BASE / 2)

/* An access of 8 bytes to an array of keys, which are 4 bytes each. */
typedef uint64_t __attribute__((may_alias)) key_slot;

/* Its two keys, in the order of memory. */
struct pair {
    uint64_t low;
    uint64_t high;
};

static struct pair unpack(uint64_t keys)
{
    return (struct pair){(uint32_t)keys, keys >> 32};
}

static uint64_t pack(struct pair pair)
{
    return pair.low | pair.high << 32;
}

/* Exchanges two keys where they are in the wrong order; without a branch, which lanes would take
 * differently. */
static void order(uint64_t *first, uint64_t *second)
{
    const uint64_t difference = (*first ^ *second) & -(uint64_t)(*second < *first);
    *first ^= difference;
    *second ^= difference;
}

/* One step of a bitonic sort on two slots of two keys; the last one orders the keys of a slot. */
static void order_slots(uint64_t *first, uint64_t *second, bool is_mirrored, bool is_last)
{
    struct pair a = unpack(*first);
    struct pair b = unpack(*second);

    if (is_mirrored) {
        order(&a.low, &b.high);
        order(&a.high, &b.low);
    } else {
        order(&a.low, &b.low);
        order(&a.high, &b.high);
    }
    if (is_last) {
        order(&a.low, &a.high);
        order(&b.low, &b.high);
    }
    *first = pack(a);
    *second = pack(b);
}

/* Makes blocks of `block` slots sorted, whose halves are. The first step orders mirrored places, so
 * that all blocks are sorted upwards. */
static void merge_blocks(uint64_t *slots, uint32_t block)
{
    for (uint32_t first = 0; first < SORT_SLOTS; first += block) {
        for (uint32_t i = 0; i < block / 2; i++) {
            order_slots(&slots[first + i], &slots[first + block - 1 - i], true, block == 2);
        }
    }
    for (uint32_t stride = block / 4; stride > 0; stride /= 2) {
        for (uint32_t first = 0; first < SORT_SLOTS; first += 2 * stride) {
            for (uint32_t i = first; i < first + stride; i++) {
                order_slots(&slots[i], &slots[i + stride], false, stride == 1);
            }
        }
    }
}

/* Sorts up to SORT_BASE keys; a network, because all lanes then do the same, and on the lane's
 * stack, because lanes that use the same place of their stacks use the same cache lines. */
static void sort_base(key_slot *keys, uint32_t count)
{
    uint64_t slots[SORT_SLOTS];
    const uint32_t used = (count + 1) / 2;

    for (uint32_t i = 0; i < SORT_SLOTS; i++) {
        slots[i] = UINT64_MAX;
    }
    for (uint32_t i = 0; i < used; i++) {
        struct pair pair = unpack(keys[i]);
        pair.high |= 2 * i + 1 < count ? 0 : UINT32_MAX;
        order(&pair.low, &pair.high);
        slots[i] = pack(pair);
    }
    for (uint32_t block = 2; block < 2 * used; block *= 2) {
        merge_blocks(slots, block);
    }
    for (uint32_t i = 0; i < used; i++) {
        keys[i] = slots[i];
    }
}

SL_KERNEL void sort_spawn(int source, int index, int quarters, uint32_t *keys)
{
    const struct sort_piece sort = *(const struct sort_piece *)sl_deq(source, index);

    if (sort.count <= SORT_BASE) {
        sort_base((key_slot *)(keys + sort.first), sort.count);
    } else {
        const uint32_t quarter = sort_quarter(sort.count);
        const int level = sl_stack_beside(source, quarters);
        const int deeper = sl_stack_deeper(source);
        struct sort_piece *const continuation = sl_talloc_or_yield(level, 1);
        struct sort_piece *const sorts = sl_talloc_or_yield(deeper, 4);
        *continuation = sort;
        sorts[0] = (struct sort_piece){sort.first, quarter};
        sorts[1] = (struct sort_piece){sort.first + quarter, quarter};
        sorts[2] = (struct sort_piece){sort.first + 2 * quarter, quarter};
        sorts[3] = (struct sort_piece){sort.first + 3 * quarter, sort.count - 3 * quarter};
        sl_enq(deeper, sorts, 4);
        sl_enq(level, continuation, 1);
    }
    sl_tfree(source, index);
}

SL_KERNEL void sort_merge_quarters(int source, int index, int halves, int merges)
{
    const struct sort_piece sort = *(const struct sort_piece *)sl_deq(source, index);
    const uint32_t quarter = sort_quarter(sort.count);
    const int level = sl_stack_beside(source, halves);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    struct sort_piece *const continuation = sl_talloc_or_yield(level, 1);
    struct sort_merge *const merge = sl_talloc_or_yield(deeper, 2);
    const uint32_t middle = sort.first + 2 * quarter;

    *continuation = sort;
    merge[0] =
        (struct sort_merge){{sort.first, sort.first + quarter}, {quarter, quarter}, sort.first, 0};
    merge[1] = (struct sort_merge){
        {middle, middle + quarter}, {quarter, sort.count - 3 * quarter}, middle, 0};
    sl_enq(deeper, merge, 2);
    sl_enq(level, continuation, 1);
    sl_tfree(source, index);
}

SL_KERNEL void sort_merge_halves(int source, int index, int merges)
{
    const struct sort_piece sort = *(const struct sort_piece *)sl_deq(source, index);
    const uint32_t half = 2 * sort_quarter(sort.count);
    const int deeper = sl_stack_deeper(sl_stack_beside(source, merges));
    struct sort_merge *const merge = sl_talloc_or_yield(deeper, 1);

    *merge = (struct sort_merge){
        {sort.first, sort.first + half}, {half, sort.count - half}, sort.first, 1};
    sl_enq(deeper, merge, 1);
    sl_tfree(source, index);
}

/* How many of the least `wanted` keys of two sorted runs come from the first one, which goes first
 * where keys are equal: by binary search. */
static uint32_t split(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count,
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
struct run {
    const uint32_t *next;
    const uint32_t *end;
    uint64_t key; /* at `next`; RUN_ENDED, which is behind all keys, at the end */
};

#define RUN_ENDED UINT64_MAX

/* At its end the key behind it is read and not used. */
static uint64_t key_of(const uint32_t *next, const uint32_t *end)
{
    return *next | -(uint64_t)(next == end);
}

static struct run run_of(const uint32_t *keys, uint32_t count)
{
    return (struct run){keys, keys + count, key_of(keys, keys + count)};
}

/* Takes the lesser key of two runs, without a branch: the runs change their places. */
static uint64_t take(struct run *a, struct run *b)
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
    a->key = key_of(a->next, a->end);
    return taken;
}

/* Merges two runs, two keys to a store; where their number is odd, that is at the array's end, the
 * place behind it gets something, too. */
static void merge_base(struct run a, struct run b, key_slot *to, uint32_t count)
{
    for (key_slot *const end = to + (count + 1) / 2; to != end; to++) {
        struct pair pair;
        pair.low = take(&a, &b);
        pair.high = take(&a, &b);
        *to = pack(pair);
    }
}

SL_KERNEL void merge_spawn(int source, int index, uint32_t *keys, uint32_t *temporary)
{
    const struct sort_merge merge = *(const struct sort_merge *)sl_deq(source, index);
    const uint32_t *const from = merge.is_back ? temporary : keys;
    uint32_t *const to = merge.is_back ? keys : temporary;
    const uint32_t *const a = from + merge.first[0];
    const uint32_t *const b = from + merge.first[1];
    const uint32_t count = merge.count[0] + merge.count[1];

    if (count <= MERGE_BASE) {
        merge_base(run_of(a, merge.count[0]), run_of(b, merge.count[1]),
                   (key_slot *)(to + merge.to), count);
    } else {
        const uint32_t half = sort_half(merge.to, count);
        const uint32_t of_a = split(a, merge.count[0], b, merge.count[1], half);
        const uint32_t of_b = half - of_a;
        const int deeper = sl_stack_deeper(source);
        struct sort_merge *const merges = sl_talloc_or_yield(deeper, 2);
        merges[0] = (struct sort_merge){
            {merge.first[0], merge.first[1]}, {of_a, of_b}, merge.to, merge.is_back};
        merges[1] = (struct sort_merge){{merge.first[0] + of_a, merge.first[1] + of_b},
                                        {merge.count[0] - of_a, merge.count[1] - of_b},
                                        merge.to + half,
                                        merge.is_back};
        sl_enq(deeper, merges, 2);
    }
    sl_tfree(source, index);
}
