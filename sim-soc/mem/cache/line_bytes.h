/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bytes of a line and masks of them: bit i is byte i. */
#ifndef SLUICE_MEM_CACHE_LINE_BYTES_H
#define SLUICE_MEM_CACHE_LINE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sluice/memory_map.h"

#define LINE_BYTES     SL_CACHE_LINE_BYTES
#define LINE_ALL_BYTES UINT64_MAX

_Static_assert(LINE_BYTES == 64, "a mask is one word");

/* A word of eight bytes whose byte i is all ones where bit i is set. */
static inline uint64_t line_bytes_spread(uint64_t bits)
{
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t bit_in_byte = (bits & 0xff) * ones & 0x8040201008040201u;

    return (((bit_in_byte + 0x7f7f7f7f7f7f7f7fu) | bit_in_byte) >> 7 & ones) * 0xff;
}

/* Copies the bytes of a line that the mask has. */
static inline void line_bytes_merge(uint8_t *to, const uint8_t *from, uint64_t mask)
{
    if (mask == LINE_ALL_BYTES) {
        memcpy(to, from, LINE_BYTES);
        return;
    }
    for (; mask != 0; mask &= ~(UINT64_C(0xff) << (__builtin_ctzll(mask) & ~7))) {
        const unsigned at = (unsigned)__builtin_ctzll(mask) & ~7u;
        const uint64_t spread = line_bytes_spread(mask >> at);
        uint64_t old;
        uint64_t new;
        memcpy(&old, to + at, sizeof(old));
        memcpy(&new, from + at, sizeof(new));
        old = (old & ~spread) | (new &spread);
        memcpy(to + at, &old, sizeof(old));
    }
}

/* Whether two lines have the same bytes where the mask says. */
static inline bool line_bytes_are_equal(const uint8_t *a, const uint8_t *b, uint64_t mask)
{
    if (memcmp(a, b, LINE_BYTES) == 0) { /* mostly, and quick */
        return true;
    }
    for (unsigned at = 0; at < LINE_BYTES; at += 8) {
        uint64_t left;
        uint64_t right;
        memcpy(&left, a + at, sizeof(left));
        memcpy(&right, b + at, sizeof(right));
        if (((left ^ right) & line_bytes_spread(mask >> at)) != 0) {
            return false;
        }
    }
    return true;
}

static inline uint32_t line_bytes_count(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

#endif
