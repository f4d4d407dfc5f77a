/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Control flow in C, compiled for kernels (tests/probes/routines/control_kernel.c) and for the host
 * (tests/soc/simt/test_control_kernels.c), which compares. Each function takes the number of a
 * lane. CONTROL_KEEP keeps the compiler from computing calls away. */
#ifndef SLUICE_TESTS_CONTROL_CASES_H
#define SLUICE_TESTS_CONTROL_CASES_H

#include <stdint.h>

#define CONTROL_NOINLINE __attribute__((noinline))
#define CONTROL_KEEP(x)  __asm__ volatile("" : "+r"(x))

/* The thesis on scalar synchronization (papers/004), Example 2: 4 in lanes above 4, 2 in others. */
static CONTROL_NOINLINE uint64_t control_example2(uint64_t x, uint64_t lane)
{
    x = x + 1;
    if (x == 1 && lane > 4) {
        x = control_example2(x, lane);
        CONTROL_KEEP(x);
    }
    x = x + 1;
    return x;
}

/* A switch, cases that fall through, break and continue in a loop. */
static CONTROL_NOINLINE uint64_t control_switch(uint64_t lane)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < 20; i++) {
        switch ((lane * 7 + i) % 13) {
        case 2:
            sum *= 3;
            break;
        case 3:
            sum += lane;
            /* fall through */
        case 4:
            sum ^= 0x55;
            break;
        case 5:
            if (sum & 1) {
                continue;
            }
            sum += 11;
            break;
        case 6:
            sum = sum << 3 | sum >> 61;
            break;
        case 7:
            sum -= i;
            break;
        case 9:
            i += 1;
            break;
        case 11:
            if (lane % 5 == 0) {
                return sum;
            }
            sum *= 5;
            break;
        default:
            sum += 2;
        }
        CONTROL_KEEP(sum);
        sum += i;
    }
    return sum;
}

static CONTROL_NOINLINE uint64_t control_loops(uint64_t lane)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < lane; i++) {
        if (i % 3 == lane % 3) {
            continue;
        }
        for (uint64_t k = i;; k++) {
            if (k > i + lane % 7) {
                break;
            }
            sum += k ^ i;
            CONTROL_KEEP(sum);
        }
        if (sum > 5000) {
            break;
        }
    }
    return sum;
}

static CONTROL_NOINLINE uint64_t control_odd(uint64_t n, uint64_t lane);

static CONTROL_NOINLINE uint64_t control_even(uint64_t n, uint64_t lane)
{
    if (n == 0) {
        return lane;
    }
    uint64_t below = control_odd(n - 1, lane);
    CONTROL_KEEP(below);
    return below * 3 + n;
}

static CONTROL_NOINLINE uint64_t control_odd(uint64_t n, uint64_t lane)
{
    if (n == 0) {
        return ~lane;
    }
    uint64_t below = control_even(n - 1, lane);
    CONTROL_KEEP(below);
    if (n % 4 == 1) {
        below += control_even(n / 4, lane);
        CONTROL_KEEP(below);
    }
    return below * 5 + 1;
}

/* Recursion whose depth differs between lanes, on two branches. */
static CONTROL_NOINLINE uint64_t control_mutual(uint64_t lane)
{
    return lane & 1 ? control_odd(lane / 2, lane) : control_even(lane % 23, lane);
}

typedef uint64_t control_function(uint64_t n, uint64_t lane);

static CONTROL_NOINLINE uint64_t control_add(uint64_t n, uint64_t lane)
{
    return n + lane;
}

static CONTROL_NOINLINE uint64_t control_bounce(uint64_t n, uint64_t lane);

static control_function *const control_table[4] = {control_add, control_even, control_odd,
                                                   control_bounce};

/* Indirect tail calls that diverge, through itself too. */
static CONTROL_NOINLINE uint64_t control_bounce(uint64_t n, uint64_t lane)
{
    if (n == 0) {
        return lane * 9;
    }
    return control_table[(n + lane) % 4](n / 2, lane);
}

/* Indirect calls that diverge. */
static CONTROL_NOINLINE uint64_t control_indirect(uint64_t lane)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 5; i++) {
        sum = sum * 31 + control_table[(lane + i * i) % 4](i + lane % 6, lane);
        CONTROL_KEEP(sum);
    }
    return sum;
}

/* A loop with two ways in. */
static CONTROL_NOINLINE uint64_t control_irreducible(uint64_t lane)
{
    uint64_t n = lane;
    uint64_t sum = 0;
    if (lane % 3 == 0) {
        goto middle;
    }
top:
    sum += n * 3;
    CONTROL_KEEP(sum);
    if (n % 5 == 4) {
        goto end;
    }
middle:
    sum ^= n;
    CONTROL_KEEP(sum);
    n = n * 3 / 2;
    if (sum % 7 == 1) {
        n += 1;
        goto middle;
    }
    if (n < 500 && n > 0) {
        goto top;
    }
end:
    return sum + n;
}

/* An interpreter with a table of labels. */
static CONTROL_NOINLINE uint64_t control_labels(uint64_t lane)
{
    static const void *const labels[4] = {&&add, &&shift, &&twist, &&stop};
    uint64_t state = lane * 0x9e3779b97f4a7c15u;
    uint64_t sum = lane;
    unsigned steps = 0;
next:
    state = state * 6364136223846793005u + 1442695040888963407u;
    if (++steps > 40) {
        return sum;
    }
    goto *labels[state >> 62];
add:
    sum += steps;
    goto next;
shift:
    sum <<= 1;
    goto next;
twist:
    sum ^= sum >> 7;
    goto next;
stop:
    return ~sum;
}

#define CONTROL_CASES 8

static inline uint64_t control_case(unsigned number, uint64_t lane)
{
    switch (number) {
    case 0:
        return control_example2(0, lane);
    case 1:
        return control_switch(lane);
    case 2:
        return control_loops(lane);
    case 3:
        return control_mutual(lane);
    case 4:
        return control_bounce(lane * 5, lane);
    case 5:
        return control_indirect(lane);
    case 6:
        return control_irreducible(lane);
    default:
        return control_labels(lane);
    }
}

#endif
