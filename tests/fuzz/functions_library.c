/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The C library at its edges: mathematical functions of zeros, infinities, NaNs, subnormal and huge
 * numbers, in some lanes with an error (a pole, a number outside the domain, overflow) beside lanes
 * without one; and functions on strings and memory of own lengths and alignments. What the library
 * writes to errno nothing here reads: it is one variable for all lanes. */
#include "fuzz/functions.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Half of the inputs are numbers at which functions do something special, a quarter any bits, the
 * others moderate numbers. */
static double edge(uint64_t input)
{
    static const double edges[] = {
        0.0,     1.0,      2.0,         0.5,           M_PI / 2, M_PI,     M_PI / 4 * 7, 1e22,
        DBL_MIN, DBL_MAX,  DBL_EPSILON, 0x1p-1074,     INFINITY, NAN,      709.78,       745.2,
        3.0,     0x1p52,   0x1p53 + 2,  0x1p-1022 / 3, 0x1.8p30, 88.7,     103.9,        171.6,
        1024.0,  0x1p1023, 1.0 / 3,     0x1p31,        0x1p63,   -0x1p-54, 1e-300,       1e300,
    };
    const uint64_t bits = input * 0x9e3779b97f4a7c15u;
    double value;
    if ((input & 1) != 0) {
        value = edges[bits >> 59];
    } else if ((input & 2) != 0) {
        value = from_bits(bits);
    } else {
        value = (double)(int64_t)bits * 0x1p-57;
    }
    return (input & 4) != 0 ? -value : value;
}

static double second_edge(uint64_t input)
{
    return edge((input >> 3) + (input << 61));
}

static float edge_single(uint64_t input)
{
    return (input & 10) != 2 ? (float)edge(input) : single_from(input >> 32);
}

static float second_edge_single(uint64_t input)
{
    return edge_single((input >> 4) + (input << 60));
}

#define OF_ONE(name, function)                                                                     \
    uint64_t edge_##name(uint64_t input)                                                           \
    {                                                                                              \
        return double_bits(function(edge(input)));                                                 \
    }                                                                                              \
    uint64_t edge_##name##_single(uint64_t input)                                                  \
    {                                                                                              \
        return float_bits(function##f(edge_single(input)));                                        \
    }

#define OF_TWO(name, function)                                                                     \
    uint64_t edge_##name(uint64_t input)                                                           \
    {                                                                                              \
        return double_bits(function(edge(input), second_edge(input)));                             \
    }                                                                                              \
    uint64_t edge_##name##_single(uint64_t input)                                                  \
    {                                                                                              \
        return float_bits(function##f(edge_single(input), second_edge_single(input)));             \
    }

OF_ONE(sine, sin)
OF_ONE(cosine, cos)
OF_ONE(tangent, tan)
OF_ONE(arc_sine, asin)
OF_ONE(arc_cosine, acos)
OF_ONE(arc_tangent, atan)
OF_ONE(hyperbolic_sine, sinh)
OF_ONE(hyperbolic_cosine, cosh)
OF_ONE(hyperbolic_tangent, tanh)
OF_ONE(area_sine, asinh)
OF_ONE(area_cosine, acosh)
OF_ONE(area_tangent, atanh)
OF_ONE(exponential, exp)
OF_ONE(exponential_2, exp2)
OF_ONE(exponential_less_1, expm1)
OF_ONE(logarithm, log)
OF_ONE(logarithm_2, log2)
OF_ONE(logarithm_10, log10)
OF_ONE(logarithm_of_1_plus, log1p)
OF_ONE(root, sqrt)
OF_ONE(cube_root, cbrt)
OF_ONE(gamma, tgamma)
OF_ONE(error_function, erf)
OF_ONE(error_rest, erfc)
OF_ONE(floor, floor)
OF_ONE(ceiling, ceil)
OF_ONE(truncated, trunc)
OF_ONE(rounded, round)
OF_ONE(nearest, rint)
OF_ONE(exponent, logb)

OF_TWO(power, pow)
OF_TWO(remainder, fmod)
OF_TWO(remainder_nearest, remainder)
OF_TWO(hypotenuse, hypot)
OF_TWO(arc_tangent_2, atan2)
OF_TWO(next, nextafter)
OF_TWO(difference, fdim)
OF_TWO(larger, fmax)
OF_TWO(smaller, fmin)
OF_TWO(sign, copysign)

uint64_t edge_scaled(uint64_t input)
{
    const int exponent = (int)(input >> 20 & 4095) - 2048;
    return double_bits(ldexp(edge(input), exponent)) ^
           float_bits(ldexpf(edge_single(input), exponent / 8)) * 3ull;
}

uint64_t edge_parts(uint64_t input)
{
    double whole;
    const double part = modf(edge(input), &whole);
    return double_bits(part) ^ double_bits(whole) * 3;
}

/* ---- strings and memory ---- */

#define TEXT_BYTES 40

/* Few different letters, so that strings compare equal for a while; of any length. */
static void make_text(char *text, uint64_t input)
{
    const unsigned length = (unsigned)(input % TEXT_BYTES);
    for (unsigned i = 0; i < length; i++) {
        text[i] = (char)('a' + (input >> i % 60 & 1));
    }
    text[length] = '\0';
}

static uint64_t hash(const void *data, size_t bytes)
{
    const uint8_t *const from = data;
    uint64_t value = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++) {
        value = (value ^ from[i]) * 1099511628211u;
    }
    return value;
}

static uint64_t sign_of(int value)
{
    return value < 0 ? 1 : value > 0 ? 2 : 3;
}

uint64_t library_set(uint64_t input)
{
    uint8_t bytes[TEXT_BYTES * 2];
    memset(bytes, (int)(input >> 8), sizeof bytes);
    memset(bytes + input % 17, (int)(input >> 16), (size_t)(input >> 24) % 60);
    return hash(bytes, sizeof bytes);
}

uint64_t library_copy(uint64_t input)
{
    uint8_t from[TEXT_BYTES], to[TEXT_BYTES];
    for (unsigned i = 0; i < sizeof from; i++) {
        from[i] = (uint8_t)(input >> i % 57);
    }
    memset(to, 0, sizeof to);
    memcpy(to + input % 9, from + (input >> 8) % 9, (size_t)(input >> 16) % 30);
    return hash(to, sizeof to);
}

uint64_t library_move(uint64_t input)
{
    uint8_t bytes[TEXT_BYTES * 2];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(input >> i % 57);
    }
    memmove(bytes + input % 31, bytes + (input >> 8) % 31, (size_t)(input >> 16) % 49);
    return hash(bytes, sizeof bytes);
}

uint64_t library_compare(uint64_t input)
{
    char a[TEXT_BYTES], b[TEXT_BYTES];
    make_text(a, input);
    make_text(b, input % 3 == 0 ? input ^ 1ull << (input >> 58) : input * 5);
    return sign_of(strcmp(a, b)) | sign_of(strncmp(a, b, (size_t)(input >> 50) % TEXT_BYTES)) << 2 |
           sign_of(memcmp(a, b, strlen(a) < strlen(b) ? strlen(a) : strlen(b))) << 4;
}

uint64_t library_join(uint64_t input)
{
    char a[TEXT_BYTES * 4], b[TEXT_BYTES];
    make_text(a, input);
    make_text(b, input >> 7);
    strcat(a, b);
    strcpy(a + (input >> 40) % (strlen(a) + 1), b);
    return hash(a, strlen(a) + 1);
}

uint64_t library_find(uint64_t input)
{
    char text[TEXT_BYTES], part[TEXT_BYTES];
    make_text(text, input);
    make_text(part, input >> 20);
    part[input >> 60 & 7] = '\0';
    const char *const found[] = {
        strchr(text, 'b'),
        strrchr(text, 'a'),
        strstr(text, part),
        strpbrk(text, "bc"),
        memchr(text, 'b', strlen(text)),
    };
    uint64_t result = strspn(text, "a") * 41 + strcspn(text, "b");
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        result = result * 43 + (found[i] == NULL ? 42 : (uint64_t)(found[i] - text));
    }
    return result;
}

uint64_t library_number(uint64_t input)
{
    char text[24];
    uint64_t rest = input;
    unsigned at = sizeof text - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + rest % 8);
        rest /= 8;
    } while (rest != 0);
    return strtoull(text + at, NULL, 8) ^ strtoull(text + at, NULL, 16) * 3 ^
           (uint64_t)strtol(text + at, NULL, 10) * 5;
}

static int compare_words(const void *a, const void *b)
{
    const uint16_t *const x = a, *const y = b;
    return (*x > *y) - (*x < *y);
}

uint64_t library_sort(uint64_t input)
{
    uint16_t words[16];
    const size_t count = 1 + input % 16;
    for (size_t i = 0; i < count; i++) {
        words[i] = (uint16_t)(input * (2 * i + 1) >> 20);
    }
    qsort(words, count, sizeof words[0], compare_words);
    const uint16_t key = (uint16_t)(input >> 20);
    const uint16_t *const found = bsearch(&key, words, count, sizeof words[0], compare_words);
    return hash(words, count * sizeof words[0]) ^ (found == NULL ? 0 : *found);
}
