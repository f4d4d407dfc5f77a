/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A node on a lane: its state by SHA-1, and how many children it has. Of plain C, for all lanes of
 * a wavefront the same instructions.
 *
 * SHA-1 is written for one message: six words, which are one block with the bit and the length that
 * end it. Rounds are unrolled, since each has its own function, constant and place in the schedule,
 * whose 16 latest words and the five of the state then are in registers (no loads). Words 7 to 14
 * are zeros: the compiler drops what they take no part in. Of all values the lower 32 bits count,
 * and the upper ones are whatever they have become: operations on 32 bits would extend the sign of
 * each result again, a tenth of all instructions. */
#ifndef SLUICE_WORKLOADS_UTS_LANES_H
#define SLUICE_WORKLOADS_UTS_LANES_H

#include <stdint.h>

#include "workloads/uts/node.h"

/* The lower 32 bits of each are the state. */
struct uts_state {
    uint64_t word[UTS_WORDS];
};

/* Constants as registers hold them cheaply, extended with their sign. */
#define UTS_CONSTANT(bits) ((uint64_t)(int64_t)(int32_t)(bits))

static inline uint64_t uts_rotate(uint64_t word, unsigned bits)
{
    return word << bits | (uint32_t)word >> (32 - bits);
}

/* Word t of the schedule (FIPS 180-4 section 6.1.2), in the place of word t - 16. */
#define UTS_WORD(t)                                                                                \
    ((t) < 16 ? w[(t)&15]                                                                          \
              : (w[(t)&15] = uts_rotate(                                                           \
                     w[((t) + 13) & 15] ^ w[((t) + 8) & 15] ^ w[((t) + 2) & 15] ^ w[(t)&15], 1)))

/* A round whose five variables have moved on by naming them so: nothing is copied. */
#define UTS_ROUND(t, a, b, c, d, e, function, constant)                                            \
    do {                                                                                           \
        (e) += uts_rotate(a, 5) + function(b, c, d) + UTS_CONSTANT(constant) + UTS_WORD(t);        \
        (b) = uts_rotate(b, 30);                                                                   \
    } while (0)

#define UTS_FIVE(t, function, constant)                                                            \
    do {                                                                                           \
        UTS_ROUND((t), a, b, c, d, e, function, constant);                                         \
        UTS_ROUND((t) + 1, e, a, b, c, d, function, constant);                                     \
        UTS_ROUND((t) + 2, d, e, a, b, c, function, constant);                                     \
        UTS_ROUND((t) + 3, c, d, e, a, b, function, constant);                                     \
        UTS_ROUND((t) + 4, b, c, d, e, a, function, constant);                                     \
    } while (0)

#define UTS_TWENTY(t, function, constant)                                                          \
    do {                                                                                           \
        UTS_FIVE((t), function, constant);                                                         \
        UTS_FIVE((t) + 5, function, constant);                                                     \
        UTS_FIVE((t) + 10, function, constant);                                                    \
        UTS_FIVE((t) + 15, function, constant);                                                    \
    } while (0)

/* With fewer operations than the standard writes them. */
static inline uint64_t uts_choose(uint64_t x, uint64_t y, uint64_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint64_t uts_parity(uint64_t x, uint64_t y, uint64_t z)
{
    return x ^ y ^ z;
}

static inline uint64_t uts_majority(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) + (z & (x ^ y));
}

static inline struct uts_state uts_state(const uint32_t parent[UTS_WORDS], uint32_t number)
{
    uint64_t w[16] = {[0] = parent[0],
                      [1] = parent[1],
                      [2] = parent[2],
                      [3] = parent[3],
                      [4] = parent[4],
                      [5] = number,
                      [6] = UTS_CONSTANT(0x80000000),
                      [15] = 6 * 32};
    uint64_t a = UTS_CONSTANT(0x67452301);
    uint64_t b = UTS_CONSTANT(0xefcdab89);
    uint64_t c = UTS_CONSTANT(0x98badcfe);
    uint64_t d = UTS_CONSTANT(0x10325476);
    uint64_t e = UTS_CONSTANT(0xc3d2e1f0);

    UTS_TWENTY(0, uts_choose, 0x5a827999);
    UTS_TWENTY(20, uts_parity, 0x6ed9eba1);
    UTS_TWENTY(40, uts_majority, 0x8f1bbcdc);
    UTS_TWENTY(60, uts_parity, 0xca62c1d6);
    return (struct uts_state){{a + UTS_CONSTANT(0x67452301), b + UTS_CONSTANT(0xefcdab89),
                               c + UTS_CONSTANT(0x98badcfe), d + UTS_CONSTANT(0x10325476),
                               e + UTS_CONSTANT(0xc3d2e1f0)}};
}

#undef UTS_CONSTANT
#undef UTS_TWENTY
#undef UTS_FIVE
#undef UTS_ROUND
#undef UTS_WORD

/* How many children a node has. A search without branches: seven steps, for every lane. */
static inline uint32_t uts_children_of(const struct uts_row *row, const struct uts_state *state)
{
    const uint32_t random = ((uint32_t)state->word[UTS_WORDS - 1] & (UTS_NEVER - 1)) ^ row->flip;
    const uint32_t *base = row->threshold;

#pragma GCC unroll 7
    for (uint32_t step = (UTS_THRESHOLDS + 1) / 2; step > 0; step /= 2) {
        base += step & -(uint64_t)(random >= base[step - 1]);
    }
    return (uint32_t)(base - row->threshold);
}

#endif
