/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Aggregator instructions from the decoder that all of Sluice shares (hal/isa). That one knows what
 * compute units execute; the privileged instructions and CSRs of the aggregator are added here. */
#include "aggregator/core_insn.h"

#include "isa/isa.h"

#define OPCODE_SYSTEM 0x73u
#define C_EBREAK      0x9002u

/* Bits of a fence's predecessor and successor sets that are stores: to memory and to devices. */
#define FENCE_STORES (1u << 24 | 1u << 26)

static enum agg_class class_of(const struct sl_insn *insn, uint32_t word)
{
    switch (insn->class) {
    case SL_CLASS_MUL:
        return AGG_MUL;
    case SL_CLASS_DIV:
        return AGG_DIV;
    case SL_CLASS_BRANCH:
    case SL_CLASS_JUMP:
        return AGG_BRANCH;
    case SL_CLASS_LOAD:
        return AGG_LOAD;
    case SL_CLASS_STORE:
        return AGG_STORE;
    case SL_CLASS_AMO:
        return AGG_ATOMIC;
    case SL_CLASS_FENCE:
    case SL_CLASS_CSR:
        return AGG_SYSTEM;
    case SL_CLASS_PAUSE:
        return insn->id == SL_INSN_PAUSE ? AGG_SYSTEM : AGG_ALU;
    case SL_CLASS_ILLEGAL: {
        bool is_system =
            insn->bytes == 4 ? (word & 0x7f) == OPCODE_SYSTEM : (word & 0xffff) == C_EBREAK;
        return is_system ? AGG_SYSTEM : AGG_ALU;
    }
    default:
        return AGG_ALU;
    }
}

static enum agg_flow flow_of(const struct sl_insn *insn)
{
    if (insn->class == SL_CLASS_BRANCH) {
        return insn->immediate < 0 ? AGG_FLOW_BACKWARD : AGG_FLOW_FORWARD;
    }
    if (insn->id == SL_INSN_JAL) {
        return sl_insn_is_call(insn) ? AGG_FLOW_CALL : AGG_FLOW_JUMP;
    }
    if (insn->id == SL_INSN_JALR) {
        return sl_insn_is_return(insn) ? AGG_FLOW_RETURN
               : sl_insn_is_call(insn) ? AGG_FLOW_INDIRECT_CALL
                                       : AGG_FLOW_INDIRECT;
    }
    return AGG_FLOW_NEXT;
}

static uint8_t order_of(const struct sl_insn *insn, enum agg_class class, uint32_t word)
{
    if (insn->id == SL_INSN_PAUSE) {
        return 0;
    }
    if (insn->id == SL_INSN_FENCE) {
        return (uint8_t)(AGG_ORDER_MEMORY | (word & FENCE_STORES ? AGG_ORDER_DRAIN : 0));
    }
    if (class == AGG_SYSTEM) {
        return AGG_ORDER_DRAIN | AGG_ORDER_ALL;
    }
    return (uint8_t)((insn->acquire ? AGG_ORDER_MEMORY : 0) |
                     (insn->release ? AGG_ORDER_DRAIN : 0));
}

struct agg_insn agg_insn_decode(uint64_t pc, uint32_t word)
{
    struct sl_insn decoded = sl_insn_decode(word);
    enum agg_class class = class_of(&decoded, word);
    struct agg_insn insn = {
        .pc = pc,
        .class = (uint8_t) class,
        .bytes = decoded.bytes,
        .rd = decoded.rd,
        .rs1 = decoded.rs1,
        .rs2 = decoded.rs2,
        .flow = (uint8_t)flow_of(&decoded),
        .order = order_of(&decoded, class, word),
        .access_bytes = decoded.access_bytes,
    };

    if (class == AGG_SYSTEM && decoded.class == SL_CLASS_ILLEGAL && decoded.bytes == 4 &&
        (word >> 12 & 3) != 0) { /* a CSR access; funct3 bit 2 says that rs1 is a number */
        insn.rd = (uint8_t)(word >> 7 & 31);
        insn.rs1 = (uint8_t)(word >> 14 & 1 ? 0 : word >> 15 & 31);
    }
    return insn;
}
