/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Immediates of instructions: fields of a word that together are a number (RISC-V Unprivileged ISA,
 * section 2.3, and chapter C for compressed instructions). */
#ifndef SLUICE_IMMEDIATE_H
#define SLUICE_IMMEDIATE_H

#include <stdint.h>

#define SL_IMMEDIATE_FIELDS 8

struct sl_immediate {
    uint8_t sign_bits; /* of the number, the highest of which is its sign; 0: it has none */
    struct {
        uint8_t low; /* in the word */
        uint8_t count;
        uint8_t to; /* in the number */
    } field[SL_IMMEDIATE_FIELDS];
};

/* Those of whole instruction words. */
enum sl_immediate_kind {
    SL_IMMEDIATE_NONE,
    SL_IMMEDIATE_I,
    SL_IMMEDIATE_S,
    SL_IMMEDIATE_B,
    SL_IMMEDIATE_U,
    SL_IMMEDIATE_J,
    SL_IMMEDIATE_SHIFT,
    SL_IMMEDIATE_CSR, /* the operand of csrrwi, csrrsi and csrrci */
    SL_IMMEDIATE_COUNT,
};
extern const struct sl_immediate sl_immediates[SL_IMMEDIATE_COUNT];

/* `count` bits of a word from `low` on; count is less than 32. */
static inline uint32_t sl_bits(uint32_t word, unsigned low, unsigned count)
{
    return (word >> low) & ((1u << count) - 1);
}

/* The number that a word has, and a number as the bits that a word has for it. */
int32_t sl_immediate_gather(const struct sl_immediate *immediate, uint32_t word);
uint32_t sl_immediate_scatter(const struct sl_immediate *immediate, int32_t number);

#endif
