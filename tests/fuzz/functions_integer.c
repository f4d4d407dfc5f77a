/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions on integers of up to 128 bits. */
#include "fuzz/functions.h"

#include <stdbool.h>

/* ---- integers ---- */

uint64_t gcd(uint64_t input)
{
    uint64_t a = input >> 32, b = (uint32_t)input;
    while (b != 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

uint64_t collatz(uint64_t input)
{
    uint64_t n = input % 10000 + 1, steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

uint64_t least_divisor(uint64_t input)
{
    uint32_t n = (uint32_t)input % 20000;
    for (uint32_t d = 2; d * d <= n; d++) {
        if (n % d == 0) {
            return d;
        }
    }
    return 1;
}

uint64_t power_mod(uint64_t input)
{
    uint64_t base = input % 65521, exponent = input >> 16, result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) {
            result = result * base % 65521;
        }
        base = base * base % 65521;
    }
    return result;
}

uint64_t integer_root(uint64_t input)
{
    uint64_t low = 0, high = 1ull << 32;
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (middle * middle <= input) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t count_bits(uint64_t input)
{
    uint64_t count = 0;
    for (; input != 0; input &= input - 1) {
        count++;
    }
    return count;
}

uint64_t reverse_bits(uint64_t input)
{
    uint64_t result = 0;
    for (int i = 0; i < 64; i++) {
        result = result << 1 | (input >> i & 1);
    }
    return result;
}

uint64_t builtin_bits(uint64_t input)
{
    return (uint64_t)__builtin_popcountll(input) << 16 |
           (uint64_t)__builtin_ctzll(input | 1ull << 63) << 8 |
           (uint64_t)__builtin_clzll(input | 1);
}

uint64_t byte_swap(uint64_t input)
{
    return __builtin_bswap64(input) ^ __builtin_bswap32((uint32_t)input);
}

uint64_t divide_signed(uint64_t input)
{
    int64_t b = (int64_t)(input << 32) >> 40;
    if (b == 0 || b == -1) {
        return 7;
    }
    return (uint64_t)((int64_t)input / b) + (uint64_t)((int64_t)input % b);
}

uint64_t divide_unsigned(uint64_t input)
{
    uint64_t b = input >> 33 | 1;
    return input / b * 3 + input % b;
}

uint64_t divide_words(uint64_t input)
{
    int32_t a = (int32_t)input, b = (int32_t)(input >> 32) | 1;
    return b == -1 ? 0 : (uint64_t)(int64_t)(a / b) * 5 + (uint64_t)(int64_t)(a % b);
}

uint64_t divide_constants(uint64_t input)
{
    int64_t v = (int64_t)input;
    return (uint64_t)(v / 7 + v / 100 * 3 + v % 1000003 + v / -16);
}

uint64_t shifts(uint64_t input)
{
    unsigned n = input & 63;
    return input << n ^ input >> (63 - n) ^ (uint64_t)((int64_t)input >> n);
}

uint64_t shifts_words(uint64_t input)
{
    uint32_t v = (uint32_t)(input >> 8);
    unsigned n = input & 31;
    return (uint64_t)(v << n) + (v >> n) + (uint64_t)(int64_t)((int32_t)v >> n);
}

uint64_t rotate(uint64_t input)
{
    unsigned n = input & 63;
    return input << n | input >> (-n & 63);
}

uint64_t saturating_add(uint64_t input)
{
    int32_t sum;
    if (__builtin_add_overflow((int32_t)input, (int32_t)(input >> 32), &sum)) {
        return (int32_t)input < 0 ? 0x80000000u : 0x7fffffffu;
    }
    return (uint32_t)sum;
}

uint64_t overflow_mul(uint64_t input)
{
    int64_t product;
    bool overflows = __builtin_mul_overflow((int64_t)input, (int64_t)(input << 13 | 5), &product);
    return overflows ? 1 : (uint64_t)product;
}

uint64_t narrow(uint64_t input)
{
    int8_t a = (int8_t)input;
    int16_t b = (int16_t)(input >> 8);
    uint8_t c = (uint8_t)(input >> 24);
    uint16_t d = (uint16_t)(input >> 32);
    return (uint64_t)(int64_t)(a * b + c * d - a);
}

uint64_t fibonacci_loop(uint64_t input)
{
    uint64_t a = 0, b = 1;
    for (uint64_t i = 0; i < input % 90; i++) {
        uint64_t next = a + b;
        a = b;
        b = next;
    }
    return a;
}

uint64_t xorshift(uint64_t input)
{
    uint64_t v = input | 1;
    for (unsigned i = 0; i < input % 37; i++) {
        v ^= v << 13;
        v ^= v >> 7;
        v ^= v << 17;
    }
    return v;
}

uint64_t crc32(uint64_t input)
{
    uint32_t crc = ~0u;
    for (int i = 0; i < 8; i++) {
        crc ^= (uint8_t)(input >> 8 * i);
        for (int k = 0; k < 8; k++) {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    return ~crc;
}

uint64_t fnv(uint64_t input)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 8; i++) {
        hash = (hash ^ (uint8_t)(input >> 8 * i)) * 0x100000001b3u;
    }
    return hash;
}

uint64_t date(uint64_t input)
{
    uint64_t z = input % 3000000 + 719468;
    uint64_t era = z / 146097, doe = z % 146097;
    uint64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    uint64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    uint64_t mp = (5 * doy + 2) / 153;
    return (yoe + era * 400) * 10000 + mp * 100 + (doy - (153 * mp + 2) / 5 + 1);
}

uint64_t morton(uint64_t input)
{
    uint64_t result = 0;
    for (int i = 0; i < 32; i++) {
        result |= (input >> i & 1) << 2 * i | (input >> (32 + i) & 1) << (2 * i + 1);
    }
    return result;
}

uint64_t gray(uint64_t input)
{
    uint64_t gray = input ^ input >> 1, back = gray;
    for (int i = 1; i < 64; i *= 2) {
        back ^= back >> i;
    }
    return back == input ? gray : 0;
}

/* ---- 128 bits ---- */

uint64_t wide_multiply(uint64_t input)
{
    unsigned __int128 p = (unsigned __int128)input * (input ^ 0x9e3779b97f4a7c15u);
    return (uint64_t)(p >> 64) ^ (uint64_t)p;
}

uint64_t wide_signed(uint64_t input)
{
    __int128 p = (__int128)(int64_t)input * (int64_t)(input * 31);
    return (uint64_t)(p >> 70) + (uint64_t)p;
}

uint64_t wide_divide(uint64_t input)
{
    unsigned __int128 v = (unsigned __int128)input << 50 | input;
    unsigned __int128 d = input >> 20 | 3;
    return (uint64_t)(v / d) ^ (uint64_t)(v % d);
}

uint64_t wide_divide_wide(uint64_t input)
{
    unsigned __int128 v = (unsigned __int128)input << 64 | ~input;
    unsigned __int128 d = (unsigned __int128)(input >> 30 | 1) << 40 | input;
    return (uint64_t)(v / d) ^ (uint64_t)(v % d);
}

uint64_t wide_shift(uint64_t input)
{
    unsigned __int128 v = (unsigned __int128)input << 64 | (input * 3);
    unsigned n = input % 128;
    return (uint64_t)(v >> n) ^ (uint64_t)(v << n >> 64);
}

uint64_t wide_sum(uint64_t input)
{
    unsigned __int128 sum = 0;
    for (unsigned i = 0; i < 9; i++) {
        sum += (unsigned __int128)(input + i) * (input ^ i);
    }
    return (uint64_t)(sum >> 64) + (uint64_t)sum;
}
