/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SHA-1, a block after the other. */
#include "workloads/uts/sha1.h"

#include <string.h>

#define BLOCK_BYTES  64
#define LENGTH_BYTES 8
#define ROUNDS       80

static uint32_t rotate(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t get_word(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_word(uint8_t *bytes, uint32_t word)
{
    for (unsigned i = 0; i < sizeof word; i++) {
        bytes[i] = (uint8_t)(word >> (24 - 8 * i));
    }
}

/* Section 4.1.1, with the constants of section 4.2.1. */
static uint32_t mix(unsigned round, uint32_t x, uint32_t y, uint32_t z)
{
    switch (round / 20) {
    case 0:
        return ((x & y) ^ (~x & z)) + 0x5a827999;
    case 1:
        return (x ^ y ^ z) + 0x6ed9eba1;
    case 2:
        return ((x & y) ^ (x & z) ^ (y & z)) + 0x8f1bbcdc;
    default:
        return (x ^ y ^ z) + 0xca62c1d6;
    }
}

/* Section 6.1.2. */
static void add_block(uint32_t hash[5], const uint8_t *block)
{
    uint32_t schedule[ROUNDS];
    uint32_t a = hash[0];
    uint32_t b = hash[1];
    uint32_t c = hash[2];
    uint32_t d = hash[3];
    uint32_t e = hash[4];

    for (unsigned t = 0; t < ROUNDS; t++) {
        schedule[t] =
            t < 16 ? get_word(block + sizeof(uint32_t) * t)
                   : rotate(schedule[t - 3] ^ schedule[t - 8] ^ schedule[t - 14] ^ schedule[t - 16],
                            1);
        const uint32_t next = rotate(a, 5) + mix(t, b, c, d) + e + schedule[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    hash[0] += a;
    hash[1] += b;
    hash[2] += c;
    hash[3] += d;
    hash[4] += e;
}

void sha1(const void *message, size_t bytes, uint8_t digest[SHA1_BYTES])
{
    uint32_t hash[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const uint8_t *next = message;
    size_t left = bytes;
    uint8_t end[2 * BLOCK_BYTES] = {0};

    for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, next += BLOCK_BYTES) {
        add_block(hash, next);
    }
    /* What is left, a bit that is 1, zeros, and the length in bits: one block, or two. */
    memcpy(end, next, left);
    end[left] = 0x80;
    const size_t end_bytes = left + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : sizeof end;
    put_word(end + end_bytes - 8, (uint32_t)((uint64_t)bytes >> 29));
    put_word(end + end_bytes - 4, (uint32_t)(bytes << 3));
    for (size_t at = 0; at < end_bytes; at += BLOCK_BYTES) {
        add_block(hash, end + at);
    }
    for (unsigned i = 0; i < 5; i++) {
        put_word(digest + sizeof(uint32_t) * i, hash[i]);
    }
}
