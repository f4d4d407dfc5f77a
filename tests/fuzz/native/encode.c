/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Operand fields are random but for registers, which are few, so that instructions meet in them. */
#include "fuzz/native/encode.h"

#include <stddef.h>

#include "isa/compressed.h"
#include "isa/immediate.h"

#define RD(number)  ((uint32_t)(number) << 7)
#define RS1(number) ((uint32_t)(number) << 15)
#define RS2(number) ((uint32_t)(number) << 20)
#define TRIES       64

static const struct {
    uint32_t match;
    uint32_t mask;
    enum sl_insn_class class;
} instructions[] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class) {match, mask, SL_CLASS_##class},
#include "isa/riscv.def"
#undef SL_INSN
};

static const struct {
    uint16_t match;
    uint16_t mask;
} compressed[] = {
#define SL_COMPRESSED(mnemonic, match, mask, format, ID) {match, mask},
#include "isa/compressed.def"
#undef SL_COMPRESSED
};

unsigned encode_any(struct rng *rng)
{
    static const uint8_t often[] = {0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15};
    return rng_below(rng, 3) != 0 ? often[rng_below(rng, sizeof often)]
                                  : (unsigned)rng_below(rng, 32);
}

unsigned encode_written(struct rng *rng, const struct encode_registers *registers)
{
    for (;;) {
        const unsigned number = encode_any(rng);
        const bool is_spared = (registers->addresses >> number & 1) != 0 && rng_below(rng, 8) != 0;
        if ((registers->kept >> number & 1) == 0 && !is_spared) {
            return number;
        }
    }
}

unsigned encode_address(struct rng *rng, const struct encode_registers *registers)
{
    for (unsigned tries = 0; tries < 64 && registers->addresses != 0; tries++) {
        const unsigned number = (unsigned)rng_below(rng, 32);
        if ((registers->addresses >> number & 1) != 0) {
            return number;
        }
    }
    return encode_any(rng);
}

/* Memory is mostly accessed near a register's address. */
static uint32_t near(struct rng *rng, const struct sl_insn *decoded, uint32_t word)
{
    const enum sl_immediate_kind kind =
        decoded->class == SL_CLASS_STORE ? SL_IMMEDIATE_S : SL_IMMEDIATE_I;
    if (decoded->class == SL_CLASS_AMO || rng_below(rng, 8) == 0) {
        return word;
    }
    const uint32_t all = sl_immediate_scatter(&sl_immediates[kind], -1);
    return (word & ~all) |
           sl_immediate_scatter(&sl_immediates[kind], (int32_t)rng_below(rng, 33) - 16);
}

uint32_t encode_aim(uint32_t branch, int32_t offset)
{
    const struct sl_immediate *const field = &sl_immediates[SL_IMMEDIATE_B];
    return (branch & ~sl_immediate_scatter(field, -1)) | sl_immediate_scatter(field, offset);
}

static uint32_t with_operands(struct rng *rng, const struct encode_registers *registers,
                              uint32_t match, uint32_t mask)
{
    const uint32_t fields = RD(encode_written(rng, registers)) | RS1(encode_any(rng)) |
                            RS2(rng_below(rng, 2) != 0 ? encode_any(rng) : rng_below(rng, 32)) |
                            (uint32_t)rng_next(rng) << 25;
    uint32_t word = match | (fields & ~mask);
    const struct sl_insn decoded = sl_insn_decode(word);
    if (decoded.access_bytes != 0 && rng_below(rng, 16) != 0) {
        word = (word & ~RS1(31)) | RS1(encode_address(rng, registers));
        word = near(rng, &decoded, word);
    }
    return decoded.class == SL_CLASS_BRANCH ? encode_aim(word, 0) : word;
}

uint32_t encode_of_class(struct rng *rng, const struct encode_registers *registers,
                         enum sl_insn_class class)
{
    for (;;) {
        const size_t i = rng_below(rng, sizeof instructions / sizeof instructions[0]);
        if (instructions[i].class == class) {
            return with_operands(rng, registers, instructions[i].match, instructions[i].mask);
        }
    }
}

uint32_t encode_compressed(struct rng *rng, const struct encode_registers *registers)
{
    for (unsigned tries = 0; tries < TRIES; tries++) {
        const size_t i = rng_below(rng, sizeof compressed / sizeof compressed[0]);
        const uint16_t parcel =
            (uint16_t)(compressed[i].match | (rng_next(rng) & (uint16_t)~compressed[i].mask));
        const struct sl_insn decoded = sl_insn_decode(parcel);
        const bool writes_kept = decoded.rd < 32 && (registers->kept >> decoded.rd & 1) != 0;
        if (decoded.bytes == 2 && decoded.class != SL_CLASS_BRANCH &&
            decoded.class != SL_CLASS_JUMP && !writes_kept) {
            return parcel;
        }
    }
    return ENCODE_C_NOP;
}

uint32_t encode_addi(unsigned rd, unsigned rs1, int32_t immediate)
{
    return 0x13u | RD(rd) | RS1(rs1) | (uint32_t)immediate << 20;
}

uint32_t encode_lui(unsigned rd, uint32_t immediate)
{
    return 0x37u | RD(rd) | immediate << 12;
}

uint32_t encode_auipc(unsigned rd)
{
    return 0x17u | RD(rd);
}

uint32_t encode_jal(unsigned rd, int32_t offset)
{
    return 0x6fu | RD(rd) | sl_immediate_scatter(&sl_immediates[SL_IMMEDIATE_J], offset);
}

uint32_t encode_jalr(unsigned rd, unsigned rs1, int32_t offset)
{
    return 0x67u | RD(rd) | RS1(rs1) | (uint32_t)offset << 20;
}

uint32_t encode_branch_positive(unsigned rs2, int32_t offset)
{
    return encode_aim(0x4063u | RS2(rs2), offset);
}

uint32_t encode_csr(unsigned funct3, unsigned rd, unsigned number, unsigned rs1)
{
    return 0x73u | funct3 << 12 | RD(rd) | (uint32_t)number << 20 | RS1(rs1);
}
