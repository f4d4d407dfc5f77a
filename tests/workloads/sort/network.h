/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* For kernels: a lane sorts up to SORT_BASE keys in its registers, by a bitonic network. All lanes
 * do the same whatever their keys are, and each line of keys is read once and written once; nothing
 * is on the lane's stack (docs/know/cilk-sort.md, "Base cases without divergence").
 *
 * A register, here a slot, has two keys, the first one in the lower half. 16 slots are worked on;
 * the other 16 are parked in floating-point registers meanwhile. The network is the textbook's
 * recursion, written as a function for each size: once these are inlined, all indices are
 * constants, and GCC keeps the array in registers. It does not where loops are unrolled. */
#ifndef SLUICE_WORKLOADS_SORT_NETWORK_H
#define SLUICE_WORKLOADS_SORT_NETWORK_H

#include <stdint.h>

#include "workloads/sort/cilksort.h"

#define SORT_INLINE static inline __attribute__((always_inline))

/* An access of 8 bytes to an array of keys, which are 4 bytes each. */
typedef uint64_t __attribute__((may_alias)) sort_key_slot;

/* Makes the compiler work the slots out in the order of the text. Its scheduler would interleave
 * so much of the network that its values exceed the registers. */
#define SORT_IN_ORDER(slot) __asm__ volatile("" : "+r"(slot))

/* Both keys of `a` against those of `b` in the same half: the lesser ones get into `a`. */
SORT_INLINE void sort_order_1(uint64_t *a, uint64_t *b)
{
    const uint64_t second = -(uint64_t)(*b >> 32 < *a >> 32) << 32;
    const uint64_t first = -(uint64_t)(*b << 32 < *a << 32) >> 32;
    const uint64_t difference = (*a ^ *b) & (second | first);

    *a ^= difference;
    *b ^= difference;
    SORT_IN_ORDER(*a);
    SORT_IN_ORDER(*b);
}

/* The other order of a slot's keys. */
SORT_INLINE void sort_reverse_1(uint64_t *slot)
{
    *slot = *slot << 32 | *slot >> 32;
    SORT_IN_ORDER(*slot);
}

/* Two slots change places, reversed. */
SORT_INLINE void sort_swap_1(uint64_t *a, uint64_t *b)
{
    const uint64_t slot = *a;
    *a = *b;
    *b = slot;
    sort_reverse_1(a);
    sort_reverse_1(b);
}

SORT_INLINE void sort_clean_1(uint64_t *slot)
{
    const uint64_t reversed = *slot << 32 | *slot >> 32;
    *slot ^= (*slot ^ reversed) & -(uint64_t)(*slot < *slot << 32);
    SORT_IN_ORDER(*slot);
}

SORT_INLINE void sort_slots_1(uint64_t *slot)
{
    sort_clean_1(slot);
}

SORT_INLINE void sort_load_1(uint64_t *slot, const sort_key_slot *keys)
{
    *slot = *keys;
    SORT_IN_ORDER(*slot);
}

SORT_INLINE void sort_fill_1(uint64_t *slot)
{
    *slot = UINT64_MAX;
    SORT_IN_ORDER(*slot);
}

SORT_INLINE void sort_store_1(sort_key_slot *keys, const uint64_t *slot)
{
    *keys = *slot;
}

SORT_INLINE void sort_park_1(double *parked, const uint64_t *slot)
{
    __asm__ volatile("fmv.d.x %0, %1" : "=f"(*parked) : "r"(*slot));
}

SORT_INLINE void sort_unpark_1(uint64_t *slot, const double *parked)
{
    __asm__ volatile("fmv.x.d %0, %1" : "=r"(*slot) : "f"(*parked));
}

/* As sort_order_1(), with the greater keys in a parked slot. */
SORT_INLINE void sort_order_parked_1(uint64_t *a, double *parked)
{
    uint64_t b;
    sort_unpark_1(&b, parked);
    sort_order_1(a, &b);
    sort_park_1(parked, &b);
}

/* The same for `all` slots, of functions for `half` of them. What `clean` sorts is bitonic: rises
 * and then falls, or the other way round. */
#define SORT_NETWORK(all, half)                                                                    \
    SORT_INLINE void sort_order_##all(uint64_t *a, uint64_t *b)                                    \
    {                                                                                              \
        sort_order_##half(a, b);                                                                   \
        sort_order_##half(a + (half), b + (half));                                                 \
    }                                                                                              \
    SORT_INLINE void sort_swap_##all(uint64_t *a, uint64_t *b)                                     \
    {                                                                                              \
        sort_swap_##half(a, b + (half));                                                           \
        sort_swap_##half(a + (half), b);                                                           \
    }                                                                                              \
    SORT_INLINE void sort_reverse_##all(uint64_t *slots)                                           \
    {                                                                                              \
        sort_swap_##half(slots, slots + (half));                                                   \
    }                                                                                              \
    SORT_INLINE void sort_clean_##all(uint64_t *slots)                                             \
    {                                                                                              \
        sort_order_##half(slots, slots + (half));                                                  \
        sort_clean_##half(slots);                                                                  \
        sort_clean_##half(slots + (half));                                                         \
    }                                                                                              \
    SORT_INLINE void sort_slots_##all(uint64_t *slots)                                             \
    {                                                                                              \
        sort_slots_##half(slots);                                                                  \
        sort_slots_##half(slots + (half));                                                         \
        sort_reverse_##half(slots + (half));                                                       \
        sort_clean_##all(slots);                                                                   \
    }                                                                                              \
    SORT_INLINE void sort_load_##all(uint64_t *slots, const sort_key_slot *keys)                   \
    {                                                                                              \
        sort_load_##half(slots, keys);                                                             \
        sort_load_##half(slots + (half), keys + (half));                                           \
    }                                                                                              \
    SORT_INLINE void sort_fill_##all(uint64_t *slots)                                              \
    {                                                                                              \
        sort_fill_##half(slots);                                                                   \
        sort_fill_##half(slots + (half));                                                          \
    }                                                                                              \
    SORT_INLINE void sort_store_##all(sort_key_slot *keys, const uint64_t *slots)                  \
    {                                                                                              \
        sort_store_##half(keys, slots);                                                            \
        sort_store_##half(keys + (half), slots + (half));                                          \
    }                                                                                              \
    SORT_INLINE void sort_park_##all(double *parked, const uint64_t *slots)                        \
    {                                                                                              \
        sort_park_##half(parked, slots);                                                           \
        sort_park_##half(parked + (half), slots + (half));                                         \
    }                                                                                              \
    SORT_INLINE void sort_unpark_##all(uint64_t *slots, const double *parked)                      \
    {                                                                                              \
        sort_unpark_##half(slots, parked);                                                         \
        sort_unpark_##half(slots + (half), parked + (half));                                       \
    }                                                                                              \
    SORT_INLINE void sort_order_parked_##all(uint64_t *slots, double *parked)                      \
    {                                                                                              \
        sort_order_parked_##half(slots, parked);                                                   \
        sort_order_parked_##half(slots + (half), parked + (half));                                 \
    }

SORT_NETWORK(2, 1)
SORT_NETWORK(4, 2)
SORT_NETWORK(8, 4)
SORT_NETWORK(16, 8)
#undef SORT_NETWORK

/* Where there is no such line, the greatest keys, which stay behind all others. */
SORT_INLINE void sort_load_line(uint64_t *slots, const sort_key_slot *keys, bool is_there)
{
    if (is_there) {
        sort_load_8(slots, keys);
    } else {
        sort_fill_8(slots);
    }
}

SORT_INLINE void sort_store_line(sort_key_slot *keys, const uint64_t *slots, bool is_there)
{
    if (is_there) {
        sort_store_8(keys, slots);
    }
}

/* Sorts up to SORT_BASE keys, whole lines. */
SORT_INLINE void sort_network(uint32_t *keys, uint32_t count)
{
    sort_key_slot *const line = (sort_key_slot *)keys;
    uint64_t slots[16] = {0};
    double parked[16];

    /* The first two lines, which are parked, and then the other two; in the first pass, what is
     * parked is nothing. */
    for (uint32_t i = 0; i < SORT_BASE; i += 2 * SORT_LINE) {
        sort_park_16(parked, slots);
        sort_load_line(slots, line + i / 2, i < count);
        sort_load_line(slots + 8, line + i / 2 + 8, i + SORT_LINE < count);
        sort_slots_16(slots);
    }
    /* One rises and the other falls: together they are bitonic. */
    sort_reverse_16(slots);
    sort_order_parked_16(slots, parked);
    for (uint32_t i = 0; i < SORT_BASE; i += 2 * SORT_LINE) {
        sort_clean_16(slots);
        sort_store_line(line + i / 2, slots, i < count);
        sort_store_line(line + i / 2 + 8, slots + 8, i + SORT_LINE < count);
        sort_unpark_16(slots, parked);
    }
}

#endif
