/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of tutorial: one splits ranges into numbers, the other follows the Collatz chain
 * of each number. */
#include <sluice/wave/wave.h>

#include "tutorial.h"

SL_KERNEL void split_kernel(int source, int index, int ranges, int numbers)
{
    const struct range range = *(const struct range *)sl_deq(source, index);
    if (range.count > NUMBERS_AT_ONCE) {
        const uint32_t half = range.count / 2;
        struct range *const halves = sl_talloc_or_trap(ranges, HALVES);
        halves[0] = (struct range){range.first, half};
        halves[1] = (struct range){range.first + half, range.count - half};
        sl_enq(ranges, halves, HALVES);
    } else {
        struct number *const made = sl_talloc_or_trap(numbers, (int)range.count);
        for (uint32_t i = 0; i < range.count; i++) {
            const uint32_t start = range.first + i;
            made[i] = (struct number){.value = start, .start = start, .steps = 0};
        }
        sl_enq(numbers, made, (int)range.count);
    }
    sl_tfree(source, index);
}

/* The A extension's own instruction; compilers have no builtin for it. */
static void atomic_max(uint64_t *address, uint64_t value)
{
    __asm__ volatile("amomaxu.d zero, %1, %0" : "+A"(*address) : "r"(value) : "memory");
}

SL_KERNEL void walk_kernel(int source, int index, int numbers, struct result *result)
{
    struct number number = *(const struct number *)sl_deq(source, index);
    for (int i = 0; i < STEPS_AT_ONCE && number.value != 1; i++) {
        number.value = number.value % 2 == 0 ? number.value / 2 : 3 * number.value + 1;
        number.steps++;
    }
    if (number.value != 1) {
        struct number *const rest = sl_talloc_or_trap(numbers, 1);
        *rest = number;
        sl_enq(numbers, rest, 1);
    } else {
        /* Only the lanes that have arrived are here: they agree first, then one of them reports. */
        const uint64_t longest = sl_reduce_maxu(longest_key(number.steps, number.start));
        const uint64_t arrived = sl_reduce_add(1);
        if (sl_elect()) {
            atomic_max(&result->longest, longest);
            sl_atomic_add_u64(&result->arrived, arrived);
        }
    }
    sl_tfree(source, index);
}
