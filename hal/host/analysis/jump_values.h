/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What is known of a register's value, for jump_table.c: a linear function of some unknown, or an
 * entry of a table. */
#ifndef SLUICE_HOST_JUMP_VALUES_H
#define SLUICE_HOST_JUMP_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/isa.h"

#define JUMP_REGISTERS 32
#define JUMP_CELL      JUMP_REGISTERS /* the value in memory that was loaded last */
#define JUMP_VALUES    33

enum jump_kind {
    JUMP_LINEAR, /* base + stride * symbol */
    JUMP_ENTRY,  /* addend + what is in memory at base + stride * symbol */
};

/* Symbols are names of unknown values: 0 is none (a constant), others say where the value was
 * defined. Bounds are of the symbol. */
struct jump_value {
    uint64_t symbol;
    uint64_t base;
    uint64_t stride;
    uint64_t addend;
    int64_t low;
    int64_t high;
    uint8_t kind;  /* enum jump_kind */
    uint8_t bytes; /* of a table entry */
    bool is_signed;
    bool is_bounded;
    uint8_t widened; /* times that the bounds grew where paths met */
};

struct jump_state {
    struct jump_value x[JUMP_VALUES];
    /* Where the cell is, as long as nothing may have changed it: compilers compare what they loaded
     * and load it once more as the index. */
    int32_t cell_offset;
    uint8_t cell_base; /* register; 0: no cell is known */
    uint8_t cell_bytes;
};

/* The symbols that are made at instruction `at`: of its result, of what registers hold where paths
 * meet there, and of old results of the same instruction. */
static inline uint64_t jump_symbol(uint64_t at, unsigned number)
{
    return at * 128 + 1 + number;
}

/* Every register unknown, as where a function begins. */
void jump_state_begin(struct jump_state *state, uint64_t at);

/* Applies an instruction that is at number `at` and address `pc`. */
void jump_state_apply(struct jump_state *state, const struct sl_insn *insn, uint64_t at,
                      uint64_t pc);

/* What a conditional branch says of the registers when it is taken, or not. */
void jump_state_refine(struct jump_state *state, const struct sl_insn *branch, bool taken);

/* Adds what another path brings to the state at instruction `at`. Returns whether it changed. */
bool jump_state_join(struct jump_state *state, const struct jump_state *other, uint64_t at);

#endif
