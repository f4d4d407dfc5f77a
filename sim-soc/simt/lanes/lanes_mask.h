/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* From one word per lane to one bit per lane. Compilers do not find the instructions for this by
 * themselves, so that each vector extension has its own; results are the same. */
#ifndef SLUICE_SIMT_LANES_MASK_H
#define SLUICE_SIMT_LANES_MASK_H

#include "simt/lanes/lanes.h"

#if defined(__AVX512F__)
#include <immintrin.h>

/* Bit i: v[i] is not zero. */
static inline uint64_t mask_nonzero(const uint64_t *v)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < LANES; i += 8) {
        __m512i part = _mm512_load_si512(v + i);
        mask |= (uint64_t)_mm512_test_epi64_mask(part, part) << i;
    }
    return mask;
}

/* As lanes_ops.due and .earliest. */
static inline uint64_t mask_due(const uint64_t *cycles, uint32_t count, uint64_t cycle)
{
    __m512i limit = _mm512_set1_epi64((long long)cycle);
    uint64_t mask = 0;

    for (uint32_t i = 0; i < count; i += 8) {
        __m512i part = _mm512_load_si512(cycles + i);
        mask |= (uint64_t)_mm512_cmple_epu64_mask(part, limit) << i;
    }
    return mask;
}

static inline uint64_t mask_earliest(const uint64_t *cycles, uint32_t count, uint64_t except)
{
    __m512i least = _mm512_set1_epi64(-1);

    for (uint32_t i = 0; i < count; i += 8) {
        least = _mm512_mask_min_epu64(least, (__mmask8)(~except >> i), least,
                                      _mm512_load_si512(cycles + i));
    }
    return _mm512_reduce_min_epu64(least);
}
#elif defined(__AVX2__)
#include <immintrin.h>

static inline uint64_t mask_nonzero(const uint64_t *v)
{
    uint64_t zero = 0;

    for (unsigned i = 0; i < LANES; i += 4) {
        __m256i part = _mm256_load_si256((const __m256i *)(v + i));
        __m256i equal = _mm256_cmpeq_epi64(part, _mm256_setzero_si256());
        zero |= (uint64_t)(unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(equal)) << i;
    }
    return ~zero;
}
#else
static inline uint64_t mask_nonzero(const uint64_t *v)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < LANES; i++) {
        mask |= (uint64_t)(v[i] != 0) << i;
    }
    return mask;
}
#endif

#if !defined(__AVX512F__)
static inline uint64_t mask_due(const uint64_t *cycles, uint32_t count, uint64_t cycle)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < count; i++) {
        mask |= (uint64_t)(cycles[i] <= cycle) << i;
    }
    return mask;
}

static inline uint64_t mask_earliest(const uint64_t *cycles, uint32_t count, uint64_t except)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t cycle = (except >> i & 1) != 0 ? UINT64_MAX : cycles[i];
        least = cycle < least ? cycle : least;
    }
    return least;
}
#endif

#endif
