/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* SYSTEM instructions here, all else by hal/isa, of which the compute units' own instructions are
 * illegal. */
#include "native/decode.h"

#include <stddef.h>

#include "isa/isa.h"
#include "native/execute_insn.h"

#define OPCODE_MASK   0x7fu
#define OPCODE_SYSTEM 0x73u
#define FUNCT3        (7u << 12)
#define FUNCT3_HV     (4u << 12) /* loads and stores of hypervisors */
#define C_EBREAK      0x9002u

static const struct {
    uint32_t word;
    insn_execute_t execute;
} whole_words[] = {
    {0x00000073, execute_ecall}, {0x00100073, execute_ebreak}, {C_EBREAK, execute_ebreak},
    {0x30200073, execute_mret},  {0x10500073, execute_wfi},
};

static const struct {
    uint32_t match;
    uint32_t mask;
} foreign[] = {
#define SL_FOREIGN(match, mask) {match, mask},
#include "native/foreign.def"
#undef SL_FOREIGN
};

static insn_execute_t find_whole_word(uint32_t word)
{
    for (size_t i = 0; i < sizeof whole_words / sizeof whole_words[0]; i++) {
        if (whole_words[i].word == word) {
            return whole_words[i].execute;
        }
    }
    return NULL;
}

static bool is_foreign(uint32_t word)
{
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        if ((word & foreign[i].mask) == foreign[i].match) {
            return true;
        }
    }
    return false;
}

/* Whether that is an instruction of Zicsr; its fields then. */
static bool decode_csr(struct qemu_plugin_insn *insn, uint32_t word)
{
    const uint32_t funct3 = word & FUNCT3;
    if ((word & OPCODE_MASK) != OPCODE_SYSTEM || funct3 == 0 || funct3 == FUNCT3_HV) {
        return false;
    }
    insn->execute = execute_csr;
    insn->rd = word >> 7 & 31;
    insn->rs1 = word >> 15 & 31;
    insn->number = (uint16_t)(word >> 20);
    return true;
}

static bool is_float(unsigned id)
{
    return id >= SL_INSN_FLW && id <= SL_INSN_FCVT_D_S;
}

static insn_execute_t find_execute(unsigned id)
{
    const insn_execute_t found[] = {execute_integer[id], execute_memory[id], execute_atomic[id]};
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        if (found[i] != NULL) {
            return found[i];
        }
    }
    return is_float(id) ? execute_float : NULL;
}

/* Whether hal/isa has it, and this core. */
static bool decode_unprivileged(struct qemu_plugin_insn *insn, uint32_t word)
{
    const struct sl_insn decoded = sl_insn_decode(word);
    insn->execute = find_execute(decoded.id);
    if (insn->execute == NULL) {
        return false;
    }
    const bool is_sequential = decoded.class != SL_CLASS_BRANCH && decoded.class != SL_CLASS_JUMP &&
                               decoded.class != SL_CLASS_PAUSE && decoded.id != SL_INSN_FENCE_I;
    insn->ends_block = !is_sequential || insn->execute == execute_float;
    insn->immediate = decoded.immediate;
    if (insn->execute != execute_float) {
        insn->rd = decoded.rd;
        insn->rs1 = decoded.rs1;
        insn->rs2 = decoded.rs2;
    }
    insn->access_shift = decoded.access_bytes == 8 ? 3 : 2;
    return true;
}

struct qemu_plugin_insn decode(uint64_t pc, uint32_t word)
{
    struct qemu_plugin_insn insn = {
        .pc = pc,
        .word = word,
        .bytes = (uint8_t)decode_bytes((uint16_t)word),
        .ends_block = true,
        .execute = find_whole_word(word),
    };
    if (insn.execute != NULL || decode_csr(&insn, word) || decode_unprivileged(&insn, word)) {
        return insn;
    }
    insn.execute = insn.bytes == 4 && is_foreign(word) ? execute_foreign : execute_illegal;
    return insn;
}
