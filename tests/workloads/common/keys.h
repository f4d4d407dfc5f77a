/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Keys for the programs that sort: patterns of input, and the check of what came out. */
#ifndef SLUICE_WORKLOADS_COMMON_KEYS_H
#define SLUICE_WORKLOADS_COMMON_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"

enum keys_pattern { KEYS_RANDOM, KEYS_SORTED, KEYS_REVERSED, KEYS_EQUAL };

/* What keys there are: the input is given by these three. */
struct keys {
    uint32_t n;
    enum keys_pattern pattern;
    uint32_t seed; /* of random keys */
};

/* A row of a program's table, of which a struct keys is a field: --input. */
#define KEYS_INPUT_ROW(type, keys)                                                                 \
    {                                                                                              \
        "input", 'i', SL_CHOICE, 0, 0, SL_INTO(type, keys.pattern),                                \
            "Keys: random (default), sorted, reversed or equal", "random|sorted|reversed|equal"    \
    }

/* Key i of the input, 0 to n - 1. */
uint32_t keys_at(const struct keys *keys, uint32_t i);

/* Whether the n keys are what qsort() makes of the input, that is sorted and a permutation of it;
 * says on standard error which is the first that is not. */
bool keys_are_right(const struct keys *keys, const uint32_t *sorted);

#endif
