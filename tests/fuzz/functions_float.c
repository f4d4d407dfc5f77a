/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions in single, double and quadruple precision, and the mathematical functions of the C
 * library. */
#include "fuzz/functions.h"

#include <math.h>

uint64_t double_add(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(a + b);
}

uint64_t float_add(uint64_t input)
{
    float a = single_from(input), b = single_from(input * 0x9e3779b97f4a7c15u);
    return float_bits(a + b);
}

uint64_t double_subtract(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(a - b);
}

uint64_t float_subtract(uint64_t input)
{
    float a = single_from(input), b = single_from(input * 0x9e3779b97f4a7c15u);
    return float_bits(a - b);
}

uint64_t double_multiply(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(a * b);
}

uint64_t float_multiply(uint64_t input)
{
    float a = single_from(input), b = single_from(input * 0x9e3779b97f4a7c15u);
    return float_bits(a * b);
}

uint64_t double_divide(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(a / b);
}

uint64_t float_divide(uint64_t input)
{
    float a = single_from(input), b = single_from(input * 0x9e3779b97f4a7c15u);
    return float_bits(a / b);
}

uint64_t double_root(uint64_t input)
{
    return double_bits(sqrt(from_bits(input & ~(1ull << 63))));
}

uint64_t float_root(uint64_t input)
{
    return float_bits(sqrtf(single_from(input & 0x7fffffff)));
}

uint64_t double_fused(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(fma(a, b, from_bits(input ^ 0x0123456789abcdefu)));
}

uint64_t float_fused(uint64_t input)
{
    float a = single_from(input), b = single_from(input * 0x9e3779b97f4a7c15u);
    return float_bits(fmaf(a, b, single_from(input ^ 0x89abcdefu)));
}

uint64_t double_compare(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return (uint64_t)(a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 |
           (a >= b) << 5 | (isunordered(a, b) != 0) << 6;
}

uint64_t float_compare(uint64_t input)
{
    float a = single_from(input), b = single_from(input * 0x9e3779b97f4a7c15u);
    return (uint64_t)(a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 |
           (isless(a, b) != 0) << 4;
}

uint64_t double_to_integer(uint64_t input)
{
    double a = from_bits(input);
    if (!(fabs(a) < 9e18)) {
        return 1;
    }
    uint64_t sum = (uint64_t)(int64_t)a;
    if (fabs(a) < 2e9) {
        sum += (uint64_t)(int32_t)a;
    }
    return a >= 0 ? sum + (uint64_t)a : sum;
}

uint64_t float_to_integer(uint64_t input)
{
    float a = single_from(input);
    if (!(fabsf(a) < 9e18f)) {
        return 1;
    }
    uint64_t sum = (uint64_t)(int64_t)a;
    return a >= 0 && a < 4e9f ? sum + (uint32_t)a : sum;
}

uint64_t integer_to_double(uint64_t input)
{
    return double_bits((double)input) ^ double_bits((double)(int64_t)input) * 3 ^
           double_bits((double)(int32_t)input);
}

uint64_t integer_to_float(uint64_t input)
{
    return float_bits((float)input) * 5 ^ float_bits((float)(int64_t)input) * 3 ^
           float_bits((float)(uint32_t)input);
}

uint64_t double_to_float(uint64_t input)
{
    return float_bits((float)from_bits(input));
}

uint64_t float_to_double(uint64_t input)
{
    return double_bits((double)single_from(input));
}

uint64_t horner(uint64_t input)
{
    double x = (double)(int32_t)input / 1e9, sum = 0;
    for (int i = 0; i < 12; i++) {
        sum = sum * x + (double)(i + 1) / 7;
    }
    return double_bits(sum);
}

uint64_t newton(uint64_t input)
{
    double v = (double)(input >> 11) + 1, x = v;
    for (int i = 0; i < 60 && fabs(x * x - v) > v * 1e-12; i++) {
        x = (x + v / x) / 2;
    }
    return double_bits(x);
}

uint64_t mandelbrot(uint64_t input)
{
    double cr = (double)(input & 0xffff) / 20000 - 2,
           ci = (double)(input >> 16 & 0xffff) / 40000 - 0.8;
    double r = 0, i = 0;
    uint64_t n = 0;
    while (n < 50 && r * r + i * i < 4) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        n++;
    }
    return n;
}

uint64_t kahan(uint64_t input)
{
    float sum = 0, carry = 0;
    for (int i = 0; i < 40; i++) {
        float y = (float)(input >> i & 1023) / 3 - carry;
        float t = sum + y;
        carry = (t - sum) - y;
        sum = t;
    }
    return float_bits(sum);
}

uint64_t harmonic(uint64_t input)
{
    float sum = 0;
    for (unsigned i = 1; i <= input % 60 + 1; i++) {
        sum += 1.0f / (float)i;
    }
    return float_bits(sum);
}

uint64_t simpson(uint64_t input)
{
    double h = (double)(input % 100 + 1) / 1600, sum = 0;
    for (int i = 0; i < 16; i++) {
        double x = i * h;
        sum += (x * x + 4 * (x + h / 2) * (x + h / 2) + (x + h) * (x + h)) * h / 6;
    }
    return double_bits(sum);
}

uint64_t smaller_larger(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(a < b ? a : b) ^ double_bits(a > b ? a : b) * 3;
}

uint64_t sign_bits(uint64_t input)
{
    double a = from_bits(input), b = from_bits(input * 0x9e3779b97f4a7c15u);
    return double_bits(copysign(1.25, b)) ^ double_bits(fabs(a)) * 3 ^ (uint64_t)(signbit(-b) != 0);
}

uint64_t complex_multiply(uint64_t input)
{
    float re = (float)(int16_t)input / 100, im = (float)(int16_t)(input >> 16) / 100, r = 1, i = 0;
    for (unsigned n = 0; n < (input >> 32) % 6; n++) {
        float t = r * re - i * im;
        i = r * im + i * re;
        r = t;
    }
    return (uint64_t)float_bits(r) << 32 | float_bits(i);
}

uint64_t rounded(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(floor(x)) ^ double_bits(ceil(x)) * 3 ^ double_bits(trunc(x)) * 5 ^
           double_bits(round(x)) * 7;
}

uint64_t split(uint64_t input)
{
    int exponent;
    double mantissa = frexp(fabs(from_bits(input & 0x7fdfffffffffffffu)), &exponent);
    return double_bits(ldexp(mantissa, exponent / 2)) + (uint64_t)(int64_t)exponent;
}

/* ---- not compared with the host, whose C library and long double are others ---- */

uint64_t sine(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(sin(x));
}

uint64_t cosine(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(cos(x * 1000));
}

uint64_t tangent(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(tan(x));
}

uint64_t exponential(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(exp(x));
}

uint64_t logarithm(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(log(fabs(x) + 1e-9));
}

uint64_t power(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(pow(fabs(x), x / 3));
}

uint64_t arc_tangent(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(atan2(x, x * x - 3));
}

uint64_t cube_root(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(cbrt(x));
}

uint64_t hyperbolic_tangent(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(tanh(x / 4));
}

uint64_t floating_remainder(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(fmod(x, 0.7));
}

uint64_t error_function(uint64_t input)
{
    double x = (double)(int64_t)(input % 2000001) / 50000 - 20;
    return double_bits(erf(x / 5));
}

uint64_t float_sine(uint64_t input)
{
    float x = (float)(int64_t)(input % 200001) / 5000 - 20;
    return float_bits(sinf(x));
}

uint64_t float_cosine(uint64_t input)
{
    float x = (float)(int64_t)(input % 200001) / 5000 - 20;
    return float_bits(cosf(x));
}

uint64_t float_exponential(uint64_t input)
{
    float x = (float)(int64_t)(input % 200001) / 5000 - 20;
    return float_bits(expf(x));
}

uint64_t float_logarithm(uint64_t input)
{
    float x = (float)(int64_t)(input % 200001) / 5000 - 20;
    return float_bits(logf(fabsf(x) + 1e-6f));
}

uint64_t float_power(uint64_t input)
{
    float x = (float)(int64_t)(input % 200001) / 5000 - 20;
    return float_bits(powf(fabsf(x), 1.7f));
}

uint64_t float_hypotenuse(uint64_t input)
{
    float x = (float)(int64_t)(input % 200001) / 5000 - 20;
    return float_bits(hypotf(x, 3));
}

uint64_t quadruple(uint64_t input)
{
    long double v = (long double)input / 7;
    for (int i = 0; i < 5; i++) {
        v = v * 3 - v / 11;
    }
    return (uint64_t)(int64_t)(v / 1e6L);
}
