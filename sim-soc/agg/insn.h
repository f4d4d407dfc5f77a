/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Aggregator instructions (RV64IMAC) as core models see them: what kind of work each is. */
#ifndef SLUICE_AGG_INSN_H
#define SLUICE_AGG_INSN_H

#include <stdint.h>

enum agg_class {
    AGG_ALU,
    AGG_MUL,
    AGG_DIV,
    AGG_BRANCH, /* conditional branches, jumps, calls and returns */
    AGG_LOAD,
    AGG_STORE,
    AGG_ATOMIC, /* AMO, LR, SC: decided from the opcode, whatever memory callbacks come */
    AGG_SYSTEM, /* fences, CSR accesses, trap returns, wfi */
    AGG_CLASS_COUNT,
};

struct agg_insn {
    uint64_t pc;
    uint8_t class; /* enum agg_class */
    uint8_t bytes; /* 2 or 4 */
};

/* Classifies an instruction; the upper half of the word does not matter for a compressed one. */
struct agg_insn agg_insn_decode(uint64_t pc, uint32_t word);

#endif
