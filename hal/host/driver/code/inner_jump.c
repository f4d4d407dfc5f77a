/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Walks back from a jump to the instructions that made its register. */
#include "host/driver/code/inner_jump.h"

static bool is_straight(const struct sl_insn *insn)
{
    return insn->class != SL_CLASS_BRANCH && insn->class != SL_CLASS_JUMP && !sl_insn_is_end(insn);
}

/* The register that an instruction copies, sign-extended or not; 0 where it does something else. */
static uint8_t copied(const struct sl_insn *insn)
{
    const bool is_one = insn->rs1 == 0 || insn->rs2 == 0;
    const bool is_copy =
        (insn->id == SL_INSN_ADD && is_one) ||
        ((insn->id == SL_INSN_ADDI || insn->id == SL_INSN_ADDIW) && insn->immediate == 0);

    return is_copy ? (uint8_t)(insn->rs1 | insn->rs2) : 0;
}

/* What has set a register in front of a place, but for copies; NULL where that is not known. */
static const struct sl_insn *setter(const struct sl_decoded *decoded, struct sl_code_range range,
                                    size_t *at, uint8_t reg)
{
    while (reg != 0 && (*at)-- > range.first) {
        const struct sl_insn *insn = &decoded->insns[*at];
        if (insn->bytes == 0) {
            continue; /* inside an instruction */
        }
        if (!is_straight(insn)) {
            return NULL;
        }
        if (insn->rd == reg) {
            reg = copied(insn);
            if (reg == 0) {
                return insn;
            }
        }
    }
    return NULL;
}

static bool is_word(const struct sl_insn *insn)
{
    return insn != NULL && (insn->id == SL_INSN_LW || insn->id == SL_INSN_LWU);
}

/* Whether a register holds an address near the code: auipc, and whatever addi adds. */
static bool is_near(const struct sl_decoded *decoded, struct sl_code_range range, size_t at,
                    uint8_t reg)
{
    const struct sl_insn *insn = setter(decoded, range, &at, reg);

    while (insn != NULL && insn->id == SL_INSN_ADDI) {
        insn = setter(decoded, range, &at, insn->rs1);
    }
    return insn != NULL && insn->id == SL_INSN_AUIPC;
}

enum sl_inner_jump sl_inner_jump_at(const struct sl_decoded *decoded, struct sl_code_range range,
                                    size_t at)
{
    const struct sl_insn *jump = &decoded->insns[at];

    if (jump->id != SL_INSN_JALR || sl_insn_is_return(jump)) {
        return SL_INNER_JUMP_NONE;
    }
    const bool may_be_table = !sl_insn_is_call(jump); /* calls have tables of functions */
    const struct sl_insn *made = setter(decoded, range, &at, jump->rs1);
    if (may_be_table && is_word(made)) {
        return SL_INNER_JUMP_TABLE;
    }
    if (made == NULL || made->id != SL_INSN_ADD) {
        return SL_INNER_JUMP_NONE;
    }
    const uint8_t operands[] = {made->rs1, made->rs2};
    enum sl_inner_jump kind = SL_INNER_JUMP_NONE;
    for (int i = 0; i < 2; i++) {
        size_t before = at;
        if (may_be_table && is_word(setter(decoded, range, &before, operands[i]))) {
            return SL_INNER_JUMP_TABLE;
        }
        if (is_near(decoded, range, at, operands[i])) {
            kind = SL_INNER_JUMP_OFFSET;
        }
    }
    return kind;
}
