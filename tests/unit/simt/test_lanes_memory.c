/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The lane operations that memory instructions and scheduling use, in every variant that this
 * processor executes, against loops written here. */
#include <string.h>

#include "common/check.h"
#include "simt/lanes/lanes.h"

#define ROUNDS 200

static uint64_t random_state = 1;

static uint64_t random_word(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return random_state ^ random_state >> 29;
}

/* Signed or not, around zero and around a cycle: comparisons are unsigned in all of them. */
static uint64_t edge_word(void)
{
    static const uint64_t edges[] = {0, 1, 100, INT64_MAX, 1ull << 63, UINT64_MAX};
    return random_word() % 4 == 0 ? random_word() : edges[random_word() % 6];
}

TEST(test_due)
{
    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        const struct lanes_ops *ops = lanes_variant(v);
        for (unsigned round = 0; round < ROUNDS; round++) {
            lane_vector cycles;
            uint32_t count = 1 + (uint32_t)(random_word() % 64);
            uint64_t limit = edge_word();
            uint64_t except = random_word() & random_word();
            uint64_t due = 0;
            uint64_t least = UINT64_MAX;
            memset(cycles, 0xff, sizeof cycles);
            for (uint32_t i = 0; i < count; i++) {
                cycles[i] = edge_word();
                due |= (uint64_t)(cycles[i] <= limit) << i;
                least = (except >> i & 1) == 0 && cycles[i] < least ? cycles[i] : least;
            }
            uint64_t in_use = count == 64 ? UINT64_MAX : (1ull << count) - 1;
            assert_int_equal(ops->due(cycles, count, limit) & in_use, due);
            assert_int_equal(ops->earliest(cycles, count, except), least);
        }
    }
}

TEST(test_off_stride)
{
    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            lane_vector address;
            uint64_t base = random_word();
            uint64_t stride = round % 2 ? random_word() : random_word() % 16 - 8;
            uint64_t off = random_word() & random_word();
            for (unsigned i = 0; i < LANES; i++) {
                address[i] = base + i * stride + ((off >> i & 1) != 0 ? 1ull << round % 64 : 0);
            }
            assert_int_equal(lanes_variant(v)->off_stride(address, base, stride), off);
        }
    }
}

TEST(test_rows)
{
    uint8_t bytes[LANES * 8 + 16];
    uint8_t copy[sizeof bytes];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)random_word();
    }
    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        for (unsigned size = 1; size <= 8; size *= 2) {
            for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
                lane_vector d;
                lanes_variant(v)->load[size * 2 + is_signed](d, bytes + 3);
                for (unsigned i = 0; i < LANES; i++) {
                    uint64_t value = 0;
                    unsigned unused = 64 - 8 * size;
                    memcpy(&value, bytes + 3 + (size_t)i * size, size);
                    value = is_signed ? (uint64_t)((int64_t)(value << unused) >> unused) : value;
                    assert_int_equal(d[i], value);
                }
                memset(copy, 0xa5, sizeof copy);
                lanes_variant(v)->store[size](copy + 5, d);
                assert_memory_equal(copy + 5, bytes + 3, (size_t)LANES * size);
                assert_int_equal(copy[4], 0xa5);
                assert_int_equal(copy[5 + LANES * size], 0xa5);
            }
        }
    }
}
