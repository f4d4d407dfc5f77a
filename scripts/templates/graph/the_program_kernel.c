/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of the_program. A kernel runs once for each element of its channel, 64 lanes at a
 * time; its first argument is that channel, the second this lane's index, and the others are what
 * the host sets with sl_graph_argument(). */
#include <stdbool.h>

#include <sluice/wave/wave.h>

#include "the_program.h"

#define FIRST_DIVISOR 11 /* what sift_kernel has not tried */

static bool may_be_prime(uint32_t number)
{
    for (uint32_t divisor = 2; divisor < 9; divisor += divisor == 2 ? 1 : 2) {
        if (number % divisor == 0) {
            return number == divisor;
        }
    }
    return number > 1;
}

/* Cheap, and the same work in each lane: puts what it cannot rule out into the next channel. There
 * it becomes full wavefronts again, whatever lane it came from. */
SL_KERNEL void sift_kernel(int source, int index, int candidates, uint32_t limit)
{
    const struct block *const block = sl_deq(source, index);
    const uint32_t first = block->first;
    int count = 0;

    for (uint32_t number = first; number < first + BLOCK && number <= limit; number++) {
        count += may_be_prime(number);
    }
    if (count > 0) {
        /* There is space: the host's sl_graph_guard() sees to it. */
        struct candidate *const sifted = sl_talloc_or_trap(candidates, count);
        for (uint32_t number = first, i = 0; number < first + BLOCK && number <= limit; number++) {
            if (may_be_prime(number)) {
                sifted[i++].number = number;
            }
        }
        sl_enq(candidates, sifted, count);
    }
    sl_tfree(source, index); /* once for each element, on every path */
}

/* Dear, and longer in some lanes than in others. */
SL_KERNEL void test_kernel(int source, int index, uint64_t *primes)
{
    const struct candidate *const candidate = sl_deq(source, index);
    const uint32_t number = candidate->number;
    uint32_t divisor = FIRST_DIVISOR;

    while (divisor * divisor <= number && number % divisor != 0) {
        divisor += 2;
    }
    if (divisor * divisor > number) {
        /* Only lanes that have a prime are here. They add up first, then one of them reports: one
         * atomic operation for the wavefront in place of one for each lane. */
        const uint64_t found = sl_reduce_add(1);
        if (sl_elect()) {
            sl_atomic_add_u64(primes, found);
        }
    }
    sl_tfree(source, index);
}
