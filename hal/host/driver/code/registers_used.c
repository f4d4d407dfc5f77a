/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Registers used: a worklist over the call graph. */
#include "host/driver/code/analysis.h"

#include <string.h>

#include "host/driver/code/decoded.h"

struct walk {
    const struct sl_code *code;
    size_t *seen; /* of each function: 1, or 0 */
    size_t *pending;
    size_t pending_count;
    uint64_t mask;
    bool yields;
};

static void add(struct walk *walk, size_t function)
{
    if (walk->seen[function] == 0) {
        walk->seen[function] = 1;
        walk->pending[walk->pending_count++] = function;
    }
}

static void add_all(struct walk *walk)
{
    for (size_t f = 0; f < walk->code->function_count; f++) {
        add(walk, f);
    }
}

/* Adds the functions that contain an address; more than one where they are nested. */
static void add_at(struct walk *walk, uint64_t address)
{
    for (size_t f = 0; f < walk->code->function_count; f++) {
        const struct sl_function *function = &walk->code->functions[f];
        if (address >= function->address && address - function->address < function->bytes) {
            add(walk, f);
        }
    }
}

static uint64_t named(const struct sl_insn *insn)
{
    return (1ull << insn->rd | 1ull << insn->rs1 | 1ull << insn->rs2 | 1ull << insn->rs3) & ~1ull;
}

static void follow(struct walk *walk, const struct sl_insn *before, const struct sl_insn *insn,
                   uint64_t pc)
{
    if (insn->class == SL_CLASS_BRANCH || insn->id == SL_INSN_JAL) {
        add_at(walk, pc + (uint64_t)(int64_t)insn->immediate);
    } else if (sl_insn_is_far_jump(before, insn)) {
        add_at(walk, pc - before->bytes + (uint64_t)(int64_t)before->immediate +
                         (uint64_t)(int64_t)insn->immediate);
    } else if (insn->id == SL_INSN_JALR && !sl_insn_is_return(insn)) {
        add_all(walk);
    }
}

static void visit(struct walk *walk, const struct sl_function *function)
{
    struct sl_insn before = {.id = SL_INSN_ILLEGAL};
    const struct sl_code *code = walk->code;
    const uint64_t limit = code->base + 4 * (uint64_t)code->word_count;
    uint64_t end = function->address + function->bytes;
    if (function->address < code->base || function->address % 2 != 0) {
        return;
    }
    if (end > limit) {
        end = limit;
    }
    for (uint64_t pc = function->address; pc + 2 <= end; pc += before.bytes) {
        uint32_t word = 0;
        memcpy(&word, (const char *)code->words + (pc - code->base), end - pc >= 4 ? 4 : 2);
        struct sl_insn insn = sl_insn_decode(word);
        walk->mask |= named(&insn);
        walk->yields |= insn.class == SL_CLASS_YIELD;
        follow(walk, &before, &insn, pc);
        before = insn;
    }
}

void sl_registers_used(const struct sl_code *code, uint64_t entry, size_t *scratch, uint64_t *mask,
                       bool *yields)
{
    struct walk walk = {.code = code, .seen = scratch, .pending = &scratch[code->function_count]};
    memset(walk.seen, 0, code->function_count * sizeof *walk.seen);
    add_at(&walk, entry);
    while (walk.pending_count > 0) {
        visit(&walk, &code->functions[walk.pending[--walk.pending_count]]);
    }
    *mask = walk.mask;
    *yields = walk.yields;
}
