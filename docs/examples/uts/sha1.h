/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SHA-1 (FIPS 180-4) of a message of 24 bytes, which is one block: the digest of a node and the
 * number of its child is the child. Written out round by round, so that the words of the block can
 * be in registers: in a loop they would be indexed, and be in memory. */
#ifndef SHA1_H
#define SHA1_H

#include <stdint.h>

struct sha1_digest {
    uint32_t word[5];
};

#define SHA1_ROTATE(x, bits) ((x) << (bits) | (x) >> (32 - (bits)))

/* Word t of the 80. From the 16th on it replaces the one 16 before it. */
#define SHA1_W(t) w[(t)&15]
#define SHA1_NEXT(t)                                                                               \
    SHA1_ROTATE(SHA1_W((t) + 13) ^ SHA1_W((t) + 8) ^ SHA1_W((t) + 2) ^ SHA1_W(t), 1)
#define SHA1_WORD(t) ((t) < 16 ? SHA1_W(t) : (SHA1_W(t) = SHA1_NEXT(t)))

#define SHA1_CHOOSE(x, y, z)   ((z) ^ ((x) & ((y) ^ (z))))
#define SHA1_PARITY(x, y, z)   ((x) ^ (y) ^ (z))
#define SHA1_MAJORITY(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))

#define SHA1_ROUND(f, k, t, a, b, c, d, e)                                                         \
    e += SHA1_ROTATE(a, 5) + f(b, c, d) + (k) + SHA1_WORD(t);                                      \
    b = SHA1_ROTATE(b, 30)

/* Five rounds, after which the names are where they were. */
#define SHA1_FIVE(f, k, t)                                                                         \
    SHA1_ROUND(f, k, (t), a, b, c, d, e);                                                          \
    SHA1_ROUND(f, k, (t) + 1, e, a, b, c, d);                                                      \
    SHA1_ROUND(f, k, (t) + 2, d, e, a, b, c);                                                      \
    SHA1_ROUND(f, k, (t) + 3, c, d, e, a, b);                                                      \
    SHA1_ROUND(f, k, (t) + 4, b, c, d, e, a)

#define SHA1_TWENTY(f, k, t)                                                                       \
    SHA1_FIVE(f, k, (t));                                                                          \
    SHA1_FIVE(f, k, (t) + 5);                                                                      \
    SHA1_FIVE(f, k, (t) + 10);                                                                     \
    SHA1_FIVE(f, k, (t) + 15)

static inline struct sha1_digest sha1(const struct sha1_digest *node, uint32_t child)
{
    uint32_t w[16] = {[5] = 0, [6] = 0x80000000, [15] = 24 * 8};
    uint32_t a = 0x67452301;
    uint32_t b = 0xefcdab89;
    uint32_t c = 0x98badcfe;
    uint32_t d = 0x10325476;
    uint32_t e = 0xc3d2e1f0;

    w[0] = node->word[0];
    w[1] = node->word[1];
    w[2] = node->word[2];
    w[3] = node->word[3];
    w[4] = node->word[4];
    w[5] = child;
    SHA1_TWENTY(SHA1_CHOOSE, 0x5a827999, 0);
    SHA1_TWENTY(SHA1_PARITY, 0x6ed9eba1, 20);
    SHA1_TWENTY(SHA1_MAJORITY, 0x8f1bbcdc, 40);
    SHA1_TWENTY(SHA1_PARITY, 0xca62c1d6, 60);
    return (struct sha1_digest){
        {a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476, e + 0xc3d2e1f0}};
}

#endif
