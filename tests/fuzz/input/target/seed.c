/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What seeds of files with kernel code are compiled of (mk/fuzz.mk): small, with one of each thing
 * that the readers look for. */
#include <stdbool.h>
#include <stdint.h>

typedef const volatile uint32_t word;
enum colour { RED, GREEN };
struct pair {
    word *first;
    enum colour second;
};

uint64_t table[4] = {1, 2, 3, 4};

static inline uint64_t twice(uint64_t value)
{
    return value + value + table[value & 3];
}

__attribute__((noinline)) static uint64_t choose(uint64_t value)
{
    switch (value) {
    case 0:
        return table[0] + 17;
    case 1:
        return table[1] * 3;
    case 2:
        return table[2] ^ value;
    case 3:
        return table[3] - 5;
    case 4:
        return twice(table[value & 1]);
    case 5:
        return table[1] + table[2];
    default:
        return value;
    }
}

void kernel(word *in, struct pair *pair, uint64_t count, double real, bool is_left,
            uint64_t (*function)(uint64_t value))
{
    for (uint64_t i = 0; i < count; i++) {
        table[i & 3] += is_left ? choose(in[i]) : function(i);
        if (pair->second == GREEN && real > 0.5) {
            table[1] = twice(i);
        }
    }
}
