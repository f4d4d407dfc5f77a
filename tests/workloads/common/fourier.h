/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fourier transforms of n complex floats, a power of two: what programs begin with, and how far
 * what they end with may be from a transform in double precision.
 *
 * The bound is the one that N. Higham proves (Accuracy and Stability of Numerical Algorithms,
 * second edition, theorem 24.2) for radix 2: k eta / (1 - k eta) with k = log2(n), eta = mu + 4 u
 * (sqrt(2)
 * + mu), u = 2^-24 and mu the error of the twiddle factors. */
#ifndef SLUICE_WORKLOADS_COMMON_FOURIER_H
#define SLUICE_WORKLOADS_COMMON_FOURIER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

/* Real and imaginary parts from -1 to 1, at random from this state on. */
void fourier_fill(float complex *points, uint32_t n, uint64_t state);

/* The twiddle factors of all stages of a transform of n points: the stage that joins blocks of h
 * points has its h from h on. Computed in double precision and rounded. */
void fourier_twiddles(float complex *twiddles, uint32_t n);

/* The error of a transform of the input, as Euclidean norm, relative to the result's. */
double fourier_error(const float complex *input, const float complex *output, uint32_t n);

/* Prints it and the most that it may be; whether it is no more: says on standard error where it is.
 */
void fourier_print_error(uint32_t n, double twiddle_error, double error);
bool fourier_is_right(uint32_t n, double twiddle_error, double error);

/* The sum of all magnitudes. */
double fourier_magnitudes(const float complex *points, uint32_t n);

#endif
