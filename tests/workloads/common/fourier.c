/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fourier transforms in plain C and double precision: by the definition where there are few points,
 * a recursive transform beyond. */
#include "workloads/common/fourier.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"

#define DIRECT_MAX 2048 /* points that are transformed by the definition */

static const double pi = 3.14159265358979323846;

void fourier_fill(float complex *points, uint32_t n, uint64_t state)
{
    for (uint32_t i = 0; i < n; i++) {
        float part[2];
        for (int p = 0; p < 2; p++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            part[p] = (float)(int32_t)(state >> 32) * 0x1p-31f;
        }
        points[i] = part[0] + part[1] * I;
    }
}

void fourier_twiddles(float complex *twiddles, uint32_t n)
{
    for (uint32_t half = 1; half < n; half *= 2) {
        for (uint32_t i = 0; i < half; i++) {
            const double angle = -pi * i / half;
            twiddles[half + i] = (float)cos(angle) + (float)sin(angle) * I;
        }
    }
}

static void by_definition(const float complex *input, double complex *output, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        double complex sum = 0;
        for (uint32_t j = 0; j < n; j++) {
            const double angle = -2 * pi * (double)(j * k % n) / n;
            sum += input[j] * (cos(angle) + sin(angle) * I);
        }
        output[k] = sum;
    }
}

/* Of every `step`th point of the input: evens, odds, then pairs of them. */
static void by_recursion(const float complex *input, double complex *output, uint32_t n,
                         uint32_t step)
{
    if (n == 1) {
        output[0] = input[0];
        return;
    }
    const uint32_t half = n / 2;
    by_recursion(input, output, half, 2 * step);
    by_recursion(input + step, output + half, half, 2 * step);
    for (uint32_t i = 0; i < half; i++) {
        const double angle = -pi * (double)i / half;
        const double complex even = output[i];
        const double complex odd = output[i + half] * (cos(angle) + sin(angle) * I);
        output[i] = even + odd;
        output[i + half] = even - odd;
    }
}

double fourier_error(const float complex *input, const float complex *output, uint32_t n)
{
    double complex *const wanted = sl_app_memory(n, sizeof *wanted);
    double difference = 0, norm = 0;

    if (n <= DIRECT_MAX) {
        by_definition(input, wanted, n);
    } else {
        by_recursion(input, wanted, n, 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        const double complex off = (double complex)output[i] - wanted[i];
        difference += creal(off) * creal(off) + cimag(off) * cimag(off);
        norm += creal(wanted[i]) * creal(wanted[i]) + cimag(wanted[i]) * cimag(wanted[i]);
    }
    free(wanted);
    return sqrt(difference / norm);
}

static double error_bound(uint32_t n, double twiddle_error)
{
    const double u = 0x1p-24;
    const double k_eta = __builtin_ctz(n) * (twiddle_error + 4 * u * (sqrt(2) + twiddle_error));
    return k_eta / (1 - k_eta);
}

void fourier_print_error(uint32_t n, double twiddle_error, double error)
{
    (void)printf("# %-22s %.3g, at most %.3g\n", "relative error", error,
                 error_bound(n, twiddle_error));
}

bool fourier_is_right(uint32_t n, double twiddle_error, double error)
{
    const double most = error_bound(n, twiddle_error);

    return sl_app_check(error <= most, "the relative error is %.3g, should be %.3g at most", error,
                        most);
}

double fourier_magnitudes(const float complex *points, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += cabs((double complex)points[i]);
    }
    return sum;
}
