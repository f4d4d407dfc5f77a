/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions with loops, switches, calls and recursion. */
#include "fuzz/functions.h"

#include <stdarg.h>
#include <stdbool.h>

/* ---- control flow ---- */

uint64_t switch_dense(uint64_t input)
{
    uint64_t result = 0;
    for (int i = 0; i < 16; i++) {
        switch (input >> 4 * i & 15) {
        case 0:
            result += 3;
            break;
        case 1:
            result ^= 0x55;
            break;
        case 2:
            result *= 7;
            break;
        case 3:
            result -= 11;
        /* fall through */
        case 4:
            result <<= 1;
            break;
        case 5:
            result |= 1;
            break;
        case 6:
            result = ~result;
            break;
        case 7:
            result += (uint64_t)i;
            break;
        case 9:
            return result;
        default:
            result += input & 255;
            break;
        }
    }
    return result;
}

uint64_t switch_sparse(uint64_t input)
{
    switch (input % 1000) {
    case 1:
        return 17;
    case 10:
        return 4;
    case 100:
        return input;
    case 500 ... 700:
        return input / 3;
    case 999:
        return 0;
    default:
        return input + 1;
    }
}

uint64_t break_continue(uint64_t input)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 100; i++) {
        if ((input + i) % 7 == 3) {
            continue;
        }
        if ((input ^ i) % 61 == 60) {
            break;
        }
        sum += i * i;
    }
    return sum;
}

uint64_t nested_loops(uint64_t input)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < input % 13; i++) {
        for (uint64_t k = i; k < input % 17; k++) {
            if ((i * k + input) % 5 == 0) {
                count += k;
                goto next;
            }
            count++;
        }
    next:
        count ^= i;
    }
    return count;
}

uint64_t state_machine(uint64_t input)
{
    int state = 0;
    uint64_t visits = 0;
    for (int i = 0; i < 64; i++) {
        bool bit = input >> i & 1;
        if (state == 0) {
            state = bit;
        } else if (state == 1) {
            state = bit ? 2 : 0;
        } else if (state == 2) {
            state = bit ? 2 : 3;
        } else {
            state = bit;
        }
        visits += 1ull << 8 * state;
    }
    return visits;
}

uint64_t short_circuit(uint64_t input)
{
    uint64_t n = 0;
    if ((input & 1 && input & 2) || (input & 4 && !(input & 8))) {
        n += 1;
    }
    if (input % 3 == 0 || (input % 5 == 0 && input % 7 != 0)) {
        n += 2;
    }
    return n + (input > 1000 ? 4 : input > 100 ? 8 : 16);
}

uint64_t into_a_loop(uint64_t input)
{
    uint64_t n = input % 23 + 1, sum = 0, i = 0;
    switch (n % 4) {
        do {
        case 0:
            sum += ++i;
        /* fall through */
        case 3:
            sum ^= ++i * 5;
        /* fall through */
        case 2:
            sum += ++i << 2;
        /* fall through */
        case 1:
            sum ^= ++i;
        } while (i < n);
    }
    return sum;
}

uint64_t do_while(uint64_t input)
{
    uint64_t digits = 0;
    do {
        digits = digits * 16 + input % 10;
        input /= 10;
    } while (input != 0);
    return digits;
}

/* ---- calls and recursion ---- */

static __attribute__((noinline)) uint64_t fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

uint64_t fibonacci(uint64_t input)
{
    return fib((unsigned)(input % 12));
}

static __attribute__((noinline)) uint64_t ack(uint64_t m, uint64_t n)
{
    if (m == 0) {
        return n + 1;
    }
    return n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}

uint64_t ackermann(uint64_t input)
{
    return ack(input % 3, input / 3 % 4);
}

static __attribute__((noinline)) uint64_t moves(unsigned n, unsigned from, unsigned to, unsigned by)
{
    if (n == 0) {
        return 0;
    }
    return moves(n - 1, from, by, to) * 3 + (from << 2 | to) + moves(n - 1, by, to, from);
}

uint64_t hanoi(uint64_t input)
{
    return moves((unsigned)(input % 7), 0, 2, 1);
}

static __attribute__((noinline)) uint64_t odd(unsigned n);

static __attribute__((noinline)) uint64_t even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1) * 2 + 1;
}

static __attribute__((noinline)) uint64_t odd(unsigned n)
{
    return n == 0 ? 0 : even(n - 1) + 5;
}

uint64_t mutual(uint64_t input)
{
    return even((unsigned)(input % 20));
}

static __attribute__((noinline)) uint64_t twelve(uint64_t a, uint64_t b, uint64_t c, uint8_t d,
                                                 uint64_t e, int16_t f, uint64_t g, uint64_t h,
                                                 uint64_t i, uint64_t j, int32_t k, double l)
{
    return a + b * 2 + c * 3 + d * 4u + e * 5 + (uint64_t)(f * 6) + g * 7 + h * 8 + i * 9 + j * 10 +
           (uint64_t)((int64_t)k * 11) + (uint64_t)(l * 12);
}

uint64_t many_arguments(uint64_t input)
{
    return twelve(input, 1, 2, (uint8_t)input, 4, (int16_t)input, 6, 7, 8, 9, (int32_t)input, 1.5);
}

static __attribute__((noinline)) double ten(double a, double b, double c, double d, double e,
                                            double f, double g, double h, float i, double j)
{
    return a - b + c * d - e / (f + 0.5) + g * h - (double)i + j;
}

uint64_t many_floats(uint64_t input)
{
    double v = (double)(input % 1000);
    return double_bits(ten(v, v + 1, v + 2, v * 3, v / 4, v - 5, 6, 7, (float)v, v * v));
}

static __attribute__((noinline)) uint64_t sum_of(int count, ...)
{
    va_list list;
    uint64_t sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        sum = sum * 3 + va_arg(list, uint64_t);
    }
    va_end(list);
    return sum;
}

uint64_t varargs(uint64_t input)
{
    return sum_of((int)(input % 5), input, input * 2, input * 3, input * 5, input * 7);
}

static __attribute__((noinline)) uint64_t op_add(uint64_t a, uint64_t b)
{
    return a + b;
}

static __attribute__((noinline)) uint64_t op_xor(uint64_t a, uint64_t b)
{
    return a ^ b;
}

static __attribute__((noinline)) uint64_t op_mul(uint64_t a, uint64_t b)
{
    return a * b;
}

static __attribute__((noinline)) uint64_t op_sub(uint64_t a, uint64_t b)
{
    return a - b;
}

uint64_t function_pointers(uint64_t input)
{
    static uint64_t (*const operations[])(uint64_t, uint64_t) = {op_add, op_xor, op_mul, op_sub};
    uint64_t value = 1;
    for (int i = 0; i < 10; i++) {
        value = operations[input >> 2 * i & 3](value, input >> i);
    }
    return value;
}

static __attribute__((noinline)) uint64_t count_down(uint64_t n, uint64_t sum)
{
    return n == 0 ? sum : count_down(n - 1, sum * 31 + n);
}

uint64_t tail_call(uint64_t input)
{
    return count_down(input % 50, input);
}

static __attribute__((noinline)) uint64_t place(unsigned n, unsigned row, uint32_t columns,
                                                uint32_t left, uint32_t right)
{
    uint64_t count = 0;
    if (row == n) {
        return 1;
    }
    for (uint32_t free = ~(columns | left | right) & ((1u << n) - 1); free != 0; free &= free - 1) {
        uint32_t bit = free & -free;
        count += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

uint64_t queens(uint64_t input)
{
    return place((unsigned)(input % 4) + 3, 0, 0, 0, 0);
}
