/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Decoding of a program: instruction words, targets, and the reconvergence points that the host
 * computed (papers/004 section 1.3.2: an assembler would). */
#include "simt/program/program.h"

#include <stdlib.h>
#include <string.h>

#include "mem/mem.h"

static bool is_float_class(uint8_t class)
{
    return class >= SL_CLASS_FP32 && class <= SL_CLASS_FPSQRT;
}

/* Registers that a launch sets: ra, sp, gp, tp, a0 to a7. */
#define ABI_REGISTERS 0x3fc1eull

static uint64_t bit_of(uint8_t reg)
{
    return reg < 64 ? 1ull << reg : 0;
}

static bool writes_memory(const struct sl_insn *insn)
{
    return insn->class == SL_CLASS_STORE || insn->class == SL_CLASS_LOCK ||
           (insn->class == SL_CLASS_AMO && insn->id != SL_INSN_LR_W && insn->id != SL_INSN_LR_D &&
            insn->id != SL_INSN_SL_LR);
}

/* Behind a fence that acquires is what was loaded before it; a load that acquires is behind its own
 * value alone. A fence at wavefront scope orders what lanes of one wavefront tell each other. Only
 * a write buffer lets a load overtake another lane's store. */
static enum simt_drain drain_of(const struct sl_insn *insn)
{
    if (insn->class == SL_CLASS_FENCE && insn->scope == SL_SCOPE_WAVEFRONT) {
        return insn->release ? DRAIN_BUFFER : DRAIN_NONE;
    }
    if (insn->release || insn->class == SL_CLASS_BARRIER || insn->class == SL_CLASS_YIELD) {
        return DRAIN_ALL;
    }
    return insn->class == SL_CLASS_FENCE ? DRAIN_READS : DRAIN_NONE;
}

static enum simt_needs needs_of(const struct sl_insn *insn, bool is_routine)
{
    if (!writes_memory(insn)) {
        return NEEDS_READ;
    }
    return is_routine ? NEEDS_ROUTINE_WRITE : NEEDS_WRITE;
}

static struct simt_op translate(const struct simt_program *program, uint32_t pc, uint32_t word,
                                bool is_routine, const struct lanes_ops *lanes)
{
    struct sl_insn insn = sl_insn_decode(word);
    if (insn.bytes > program->bytes - pc) {
        insn = (struct sl_insn){.id = SL_INSN_ILLEGAL, .class = SL_CLASS_ILLEGAL, .bytes = 2};
    }
    struct simt_op op = {
        .alu = lanes->alu[insn.id],
        .alu_masked = lanes->alu_masked[insn.id],
        .immediate = insn.immediate,
        .target = PC_NONE,
        .reconvergence = PC_NONE,
        .word = insn.bytes == 2 ? word & 0xffff : word,
        .class = insn.class,
        .rd = insn.rd == 0 ? REGISTER_NOWHERE : insn.rd,
        .rs1 = insn.rs1,
        .rs2 = insn.rs2,
        .rs3 = insn.rs3,
        .bytes = insn.bytes,
        .rounding = insn.rounding,
        .rounds = insn.rounds,
        .straddles = (pc + insn.bytes - 1) / MEM_LINE_MIN != pc / MEM_LINE_MIN,
        .id = insn.id,
        .variant = insn.variant,
        .access_bytes = insn.access_bytes,
        .scope = insn.scope,
        .is_signed = insn.is_signed,
        .atomic = insn.atomic,
        .acquire = insn.acquire,
        .release = insn.release,
        .writes = writes_memory(&insn),
        .drain = (uint8_t)drain_of(&insn),
        .needs = (uint8_t)needs_of(&insn, is_routine),
        .is_call = sl_insn_is_call(&insn),
        .is_return = sl_insn_is_return(&insn),
    };

    if (insn.class == SL_CLASS_BRANCH) {
        op.branch = lanes->branch[insn.id];
    }
    if (is_float_class(insn.class)) {
        op.compute = lanes->compute[insn.id];
    }
    if (insn.class == SL_CLASS_CSR) {
        op.rs2 = REGISTER_FCSR; /* waits for the flags of what was issued before */
    }
    if (insn.id == SL_INSN_AUIPC) {
        op.immediate = (int64_t)(program->base + pc + (uint64_t)(int64_t)insn.immediate);
    }
    if (insn.class == SL_CLASS_BRANCH || insn.id == SL_INSN_JAL) {
        uint64_t target = program->base + pc + (uint64_t)(int64_t)insn.immediate;
        op.target = simt_program_offset(program, target);
    }
    return op;
}

static int load_live(struct simt_program *program, const struct dram *dram,
                     const struct sl_program *shared)
{
    if (shared->liveness == 0) {
        return 0;
    }
    const size_t bytes = shared->code_bytes / 2 * sizeof(*program->live);
    program->live = malloc(bytes);
    if (program->live == NULL) {
        return -1;
    }
    memcpy(program->live, dram_at(dram, shared->liveness), bytes);
    program->live_table = shared->liveness;
    return 0;
}

/* Whether the channel routines are where the code is. */
static bool holds_routines(const struct sl_program *shared)
{
    const uint64_t offset = shared->routines - shared->code;

    return shared->routines_bytes == 0 ||
           (offset <= shared->code_bytes && shared->routines_bytes <= shared->code_bytes - offset);
}

int simt_program_load(struct simt_program *program, const struct dram *dram, uint64_t descriptor,
                      const struct lanes_ops *lanes)
{
    simt_program_unload(program);
    if (descriptor % 8 != 0 || !dram_holds(dram, descriptor, sizeof(struct sl_program))) {
        return -1;
    }
    const struct sl_program *shared = dram_at(dram, descriptor);
    if (shared->code_bytes == 0 || shared->code_bytes > SL_KERNEL_BYTES || shared->code % 2 != 0 ||
        shared->code_bytes % 2 != 0 || !dram_holds(dram, shared->code, shared->code_bytes) ||
        shared->reconvergence % 4 != 0 ||
        !dram_holds(dram, shared->reconvergence, shared->code_bytes * 2) ||
        shared->liveness % 8 != 0 ||
        (shared->liveness != 0 && !dram_holds(dram, shared->liveness, shared->code_bytes * 4)) ||
        !holds_routines(shared)) {
        return -1;
    }
    program->ops =
        aligned_alloc(sizeof(struct simt_op), shared->code_bytes / 2 * sizeof(struct simt_op));
    if (program->ops == NULL || load_live(program, dram, shared) != 0) {
        simt_program_unload(program);
        return -1;
    }
    program->base = shared->code;
    program->bytes = (uint32_t)shared->code_bytes;
    program->global_pointer = shared->global_pointer;
    program->named = ABI_REGISTERS;

    const uint32_t *table = dram_at(dram, shared->reconvergence);
    const uint8_t *code = dram_at(dram, shared->code);
    for (uint32_t pc = 0; pc < program->bytes; pc += 2) {
        uint32_t word = 0;
        memcpy(&word, code + pc, program->bytes - pc >= 4 ? 4 : 2);
        const bool is_routine = program->base + pc - shared->routines < shared->routines_bytes;
        struct simt_op op = translate(program, pc, word, is_routine, lanes);
        if (table[pc / 2] < program->bytes && table[pc / 2] % 2 == 0) {
            op.reconvergence = table[pc / 2];
        }
        program->ops[pc / 2] = op;
        program->reads_flags |= op.class == SL_CLASS_CSR && op.variant != SL_CSR_FRM;
        program->named |= bit_of(op.rd) | bit_of(op.rs1) | bit_of(op.rs2) | bit_of(op.rs3);
    }
    return 0;
}

void simt_program_unload(struct simt_program *program)
{
    uint64_t number = program->number + 1;

    free(program->ops);
    free(program->live);
    *program = (struct simt_program){.number = number};
}
