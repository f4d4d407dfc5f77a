/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Aggregator instructions (RV64IMAC) as core models see them: what kind of work each is, which
 * registers it reads and writes, where it may go next, and what it keeps in order. */
#ifndef SLUICE_AGGREGATOR_CORE_INSN_H
#define SLUICE_AGGREGATOR_CORE_INSN_H

#include <assert.h>
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

/* Control flow, for branch prediction. Calls link to ra or t0, returns jump to what is in one of
 * them (RISC-V ISA manual, table of return-address stack hints). */
enum agg_flow {
    AGG_FLOW_NEXT,
    AGG_FLOW_FORWARD,  /* conditional branch to a higher address */
    AGG_FLOW_BACKWARD, /* conditional branch to a lower one */
    AGG_FLOW_JUMP,
    AGG_FLOW_CALL,
    AGG_FLOW_INDIRECT,
    AGG_FLOW_INDIRECT_CALL,
    AGG_FLOW_RETURN,
};

/* What an instruction keeps in order, as bits. */
enum agg_order {
    AGG_ORDER_DRAIN = 1,  /* stores before it are done first */
    AGG_ORDER_MEMORY = 2, /* memory accesses behind it begin after it */
    AGG_ORDER_ALL = 4,    /* everything behind it begins after it */
};

#define AGG_REGISTERS 64 /* x0 to x31, f0 to f31 */

struct agg_insn {
    uint64_t pc;
    uint8_t class; /* enum agg_class */
    uint8_t bytes; /* 2 or 4 */
    uint8_t rd;    /* 0 where none is written */
    uint8_t rs1;   /* 0 where there is none */
    uint8_t rs2;
    uint8_t flow;         /* enum agg_flow */
    uint8_t order;        /* of enum agg_order */
    uint8_t access_bytes; /* of loads, stores and atomics */
};

static_assert(sizeof(struct agg_insn) == 16, "four instructions in a cache line");

/* Decodes an instruction; the upper half of the word does not matter for a compressed one. */
struct agg_insn agg_insn_decode(uint64_t pc, uint32_t word);

#endif
