/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels of docs/do/speed-up-kernels.md, in pairs: the first of each has something that makes it
 * slow, the second one has not. */
#include <stdbool.h>
#include <stdint.h>

#include <sluice/wave/wave.h>

#include "performance.h"

/* Adds up the lanes' values first, so that a wavefront has one atomic operation. */
static inline void add(uint64_t *result, uint64_t value)
{
    const uint64_t sum = sl_reduce_add(value);

    if (sl_elect()) {
        sl_atomic_add_u64(result, sum);
    }
}

/* ---- enqueueing in a loop: an item's children ---- */

SL_KERNEL void enqueue_before(int source, int index, uint64_t *result)
{
    const struct item item = *(const struct item *)sl_deq(source, index);

    for (uint32_t i = 0; i < item.count; i++) {
        if (has_child(item, i)) {
            struct item *const made = sl_talloc_or_trap(source, 1);
            *made = child_of(item, i);
            sl_enq(source, made, 1);
        }
    }
    add(result, item.number);
    sl_tfree(source, index);
}

SL_KERNEL void enqueue_after(int source, int index, uint64_t *result)
{
    const struct item item = *(const struct item *)sl_deq(source, index);
    int count = 0;

    for (uint32_t i = 0; i < item.count; i++) {
        count += has_child(item, i);
    }
    struct item *const made = sl_talloc_or_trap(source, count);
    for (uint32_t i = 0, next = 0; i < item.count; i++) {
        if (has_child(item, i)) {
            made[next++] = child_of(item, i);
        }
    }
    sl_enq(source, made, count);
    add(result, item.number);
    sl_tfree(source, index);
}

/* ---- divergence: chains of different lengths, several for each work-item ---- */

SL_KERNEL void divergence_before(uint64_t *result)
{
    uint64_t steps = 0;

    for (uint32_t i = 0; i < CHAINS_OF_ITEM; i++) {
        uint32_t number = chain_start(sl_global_id(0), i);
        while (!is_end(number)) {
            number = mix(number);
            steps++;
        }
    }
    add(result, steps);
}

/* In each round a lane makes a step, or goes to its next chain: it waits for nobody until its last
 * one is over. */
SL_KERNEL void divergence_after(uint64_t *result)
{
    uint32_t number = chain_start(sl_global_id(0), 0);
    uint32_t i = 0;
    uint64_t steps = 0;

    while (i < CHAINS_OF_ITEM) {
        const bool is_over = is_end(number);
        const uint32_t next = mix(number);
        i += is_over;
        steps += !is_over;
        number = is_over ? chain_start(sl_global_id(0), i) : next;
    }
    add(result, steps);
}

/* ---- grain: a range of numbers, halved until it is small enough for a lane ---- */

static inline void halve(int source, int index, uint64_t *result, uint32_t at_once)
{
    const struct item item = *(const struct item *)sl_deq(source, index);

    if (item.count > at_once) {
        const uint32_t half = item.count / 2;
        struct item *const made = sl_talloc_or_trap(source, 2);
        made[0] = (struct item){item.number, half};
        made[1] = (struct item){item.number + half, item.count - half};
        sl_enq(source, made, 2);
    } else {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < item.count; i++) {
            sum += mix(item.number + i);
        }
        add(result, sum);
    }
    sl_tfree(source, index);
}

SL_KERNEL void grain_before(int source, int index, uint64_t *result)
{
    halve(source, index, result, 1);
}

SL_KERNEL void grain_after(int source, int index, uint64_t *result)
{
    halve(source, index, result, COUNT_AT_ONCE);
}

/* ---- residency: each lane goes through words of its own several times ---- */

static inline void passes(int source, int index, uint64_t *result, const uint32_t *words)
{
    const struct item item = *(const struct item *)sl_deq(source, index);
    const uint32_t *const mine = &words[item.number * WORDS_OF_ITEM];
    uint64_t sum = 0;

    for (uint32_t pass = 0; pass < PASSES; pass++) {
        for (uint32_t i = 0; i < WORDS_OF_ITEM; i++) {
            sum += mine[i] >> pass;
        }
    }
    add(result, sum);
    sl_tfree(source, index);
}

SL_KERNEL void residency_before(int source, int index, uint64_t *result, const uint32_t *words)
{
    passes(source, index, result, words);
}

SL_KERNEL void residency_after(int source, int index, uint64_t *result, const uint32_t *words)
{
    SL_KERNEL_RESIDENT(32);
    passes(source, index, result, words);
}

/* ---- coalescing: each work-item reads 64 words ---- */

SL_KERNEL void coalescing_before(uint64_t *result, const uint32_t *words)
{
    const uint32_t *const mine = &words[sl_global_id(0) * WORDS_OF_ITEM];
    uint64_t sum = 0;

    for (uint32_t i = 0; i < WORDS_OF_ITEM; i++) {
        sum += mine[i];
    }
    add(result, sum);
}

SL_KERNEL void coalescing_after(uint64_t *result, const uint32_t *words)
{
    const uint32_t *const mine = &words[sl_global_id(0)];
    uint64_t sum = 0;

    for (uint32_t i = 0; i < WORDS_OF_ITEM; i++) {
        sum += mine[i * sl_grid_size(0)];
    }
    add(result, sum);
}

/* ---- arrays: how often each digit comes up. The counts of a work-item are `apart` words from
 * each other ---- */

static inline void count_digits(uint64_t *result, uint32_t *count, uint32_t apart)
{
    uint64_t most = 0;

    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        count[digit * apart] = 0;
    }
    for (uint32_t i = 0; i < WORDS_OF_ITEM; i++) {
        count[mix(sl_global_id(0) * WORDS_OF_ITEM + i) % DIGITS * apart]++;
    }
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        most = count[digit * apart] > most ? count[digit * apart] : most;
    }
    add(result, most);
}

SL_KERNEL void stack_before(uint64_t *result)
{
    uint32_t count[DIGITS];

    count_digits(result, count, 1);
}

SL_KERNEL void banks_before(uint64_t *result)
{
    uint32_t *const counts = sl_lds_dynamic();

    count_digits(result, &counts[sl_local_id(0) * DIGITS], 1);
}

SL_KERNEL void arrays_after(uint64_t *result)
{
    uint32_t *const counts = sl_lds_dynamic();

    count_digits(result, &counts[sl_local_id(0)], sl_group_size(0));
}
