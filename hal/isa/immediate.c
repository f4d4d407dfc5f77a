/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Immediates, both ways. */
#include "isa/immediate.h"

const struct sl_immediate sl_immediates[SL_IMMEDIATE_COUNT] = {
    [SL_IMMEDIATE_I] = {12, {{20, 12, 0}}},
    [SL_IMMEDIATE_S] = {12, {{25, 7, 5}, {7, 5, 0}}},
    [SL_IMMEDIATE_B] = {13, {{31, 1, 12}, {7, 1, 11}, {25, 6, 5}, {8, 4, 1}}},
    [SL_IMMEDIATE_U] = {32, {{12, 20, 12}}},
    [SL_IMMEDIATE_J] = {21, {{31, 1, 20}, {12, 8, 12}, {20, 1, 11}, {21, 10, 1}}},
    [SL_IMMEDIATE_SHIFT] = {0, {{20, 6, 0}}},
    [SL_IMMEDIATE_CSR] = {0, {{15, 5, 0}}},
};

int32_t sl_immediate_gather(const struct sl_immediate *immediate, uint32_t word)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < SL_IMMEDIATE_FIELDS && immediate->field[i].count > 0; i++) {
        value |= sl_bits(word, immediate->field[i].low, immediate->field[i].count)
                 << immediate->field[i].to;
    }
    if (immediate->sign_bits == 0) {
        return (int32_t)value;
    }
    const uint32_t sign = 1u << (immediate->sign_bits - 1);
    return (int32_t)((value ^ sign) - sign);
}

uint32_t sl_immediate_scatter(const struct sl_immediate *immediate, int32_t number)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < SL_IMMEDIATE_FIELDS && immediate->field[i].count > 0; i++) {
        word |= sl_bits((uint32_t)number, immediate->field[i].to, immediate->field[i].count)
                << immediate->field[i].low;
    }
    return word;
}
