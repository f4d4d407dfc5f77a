/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A sequence is a row of groups: an instruction with random operands, or a few that belong
 * together. Control goes forward, from group to group, but for loops that count; so that it ends,
 * whatever traps. */
#include "fuzz/native/sequence.h"

#include <string.h>

#include "attack/random.h"
#include "fuzz/native/encode.h"
#include "fuzz/native/layout.h"

#define GROUPS_MAX 40
#define COUNTER    5u /* the register of loops */
#define LINK       6u /* the register of addresses of code */

/* Bits of the configuration of a PMP entry, and of all entries of a register. */
#define PMP_LOCK         0x80u
#define PMP_NAPOT        0x18u
#define PMP_READ_EXECUTE 0x05u
#define PMP_LOCKS        0x8080808080808080u

const char *const sequence_kind_name[SEQUENCE_KINDS] = {"arithmetic", "open", "protected",
                                                        "locked"};

/* What is being made. */
struct maker {
    struct rng rng;
    struct sequence *sequence;
    enum sequence_kind kind;
    struct encode_registers registers;
    uint32_t at;                /* bytes so far */
    uint32_t begin[GROUPS_MAX]; /* of groups, in bytes */
    unsigned groups;
};

/* Where a jump forward is to be filled in. */
struct jump {
    unsigned index;
    uint32_t at;
    unsigned to; /* a group, or the number of groups: the end */
};

static void emit(struct maker *maker, uint32_t word)
{
    maker->sequence->word[maker->sequence->count++] = word;
    maker->at += sequence_bytes(word);
}

/* ---- values ---- */

/* DRAM that sequences use, near ends of pages, and where nothing is. */
static uint64_t some_address(struct rng *rng, enum sequence_kind kind)
{
    static const uint64_t nothing[] = {
        0x0,        0x800,      0x200000,    0x04000000,  0x0b000000,         0x11000000,
        0x1f000000, 0x84000000, 0x100000000, 0x200000000, 0x8000000000000000, 0xfffffffffffffff8,
    };
    const uint64_t base = kind == SEQUENCE_LOCKED && rng_below(rng, 4) != 0 ? LAYOUT_KEPT
                          : rng_below(rng, 8) == 0                          ? LAYOUT_KEPT
                                                                            : LAYOUT_FILLED;
    switch (rng_below(rng, 8)) {
    case 0:
        return nothing[rng_below(rng, sizeof nothing / sizeof nothing[0])];
    case 1:
        return base + 0x1000 - 8 + rng_below(rng, 16); /* across pages */
    case 2:
        return base + rng_below(rng, 0x1f00);
    default:
        return base + 8 * rng_below(rng, 0x3e0);
    }
}

static uint64_t some_value(struct rng *rng)
{
    static const uint64_t ends[] = {
        0,
        1,
        2,
        31,
        32,
        63,
        0x7f,
        0x80,
        0x7fff,
        0x8000,
        0x7fffffff,
        0x80000000,
        0xffffffff,
        0x7fffffffffffffff,
        0x8000000000000000,
        0xffffffff80000000,
        UINT64_MAX,
        UINT64_MAX - 1,
    };
    return rng_below(rng, 2) != 0 ? ends[rng_below(rng, sizeof ends / sizeof ends[0])]
                                  : rng_odd(rng);
}

static void fill_registers(struct maker *maker)
{
    struct sequence *const sequence = maker->sequence;
    for (unsigned i = 1; i < 32; i++) {
        const bool is_address =
            maker->kind != SEQUENCE_ARITHMETIC && i >= 8 && rng_below(&maker->rng, 3) == 0;
        sequence->x[i] =
            is_address ? some_address(&maker->rng, maker->kind) : some_value(&maker->rng);
        maker->registers.addresses |= (uint32_t)is_address << i;
    }
    maker->registers.kept = 1u << COUNTER | 1u << LINK;
}

/* Entries near the data, not locked. */
static void fill_pmp(struct rng *rng, uint64_t pmpaddr[16], uint64_t pmpcfg[2])
{
    for (unsigned i = 0; i < 16; i++) {
        const uint64_t ones = (UINT64_C(1) << rng_below(rng, 12)) - 1;
        pmpaddr[i] = rng_below(rng, 8) == 0
                         ? rng_odd(rng)
                         : (LAYOUT_FILLED >> 2) + rng_below(rng, 0x8000) / 4 * 4 + (ones >> 1);
    }
    pmpcfg[0] = rng_next(rng) & ~PMP_LOCKS;
    pmpcfg[1] = rng_next(rng) & ~PMP_LOCKS;
}

/* ---- groups ---- */

static uint32_t computing(struct maker *maker)
{
    static const enum sl_insn_class classes[] = {SL_CLASS_ALU, SL_CLASS_ALU, SL_CLASS_ALU,
                                                 SL_CLASS_MUL, SL_CLASS_DIV};
    return encode_of_class(&maker->rng, &maker->registers, classes[rng_below(&maker->rng, 5)]);
}

static uint32_t accessing(struct maker *maker)
{
    static const enum sl_insn_class classes[] = {SL_CLASS_LOAD, SL_CLASS_STORE, SL_CLASS_AMO};
    return encode_of_class(&maker->rng, &maker->registers, classes[rng_below(&maker->rng, 3)]);
}

/* Not mtvec and mcounteren, which are the driver's, and no lock by chance. */
static uint32_t of_csr(struct maker *maker)
{
    static const uint16_t written[] = {0x300, 0x301, 0x302, 0x303, 0x304, 0x340, 0x341, 0x342,
                                       0x343, 0x3b0, 0x3b1, 0x3b2, 0x3b7, 0x3bf, 0xf11, 0xf14};
    static const uint16_t read[] = {0x300, 0x304, 0x305, 0x340, 0x341, 0x342, 0x343, 0x344,
                                    0x3a0, 0x3a2, 0x3b0, 0x3be, 0xf11, 0xf12, 0xf13, 0xf14,
                                    0xf15, 0x3a1, 0x3c0, 0x7c0, 0x5a8, 0x800};
    struct rng *const rng = &maker->rng;
    const unsigned rd = encode_written(rng, &maker->registers);
    switch (rng_below(rng, 4)) {
    case 0:
        return encode_csr(ENCODE_CSRRS, rd, read[rng_below(rng, sizeof read / sizeof read[0])], 0);
    case 1: /* entry 0, which is locked, and the others */
        return encode_csr(ENCODE_CSRRWI + (unsigned)rng_below(rng, 3), rd, 0x3a0,
                          (unsigned)rng_below(rng, 32));
    case 2:
        return encode_csr(ENCODE_CSRRWI + (unsigned)rng_below(rng, 3), rd,
                          written[rng_below(rng, sizeof written / sizeof written[0])],
                          (unsigned)rng_below(rng, 32));
    default:
        return encode_csr(ENCODE_CSRRW + (unsigned)rng_below(rng, 3), rd,
                          written[rng_below(rng, sizeof written / sizeof written[0])],
                          encode_any(rng));
    }
}

static uint32_t odd(struct maker *maker)
{
    static const uint32_t known[] = {ENCODE_EBREAK, ENCODE_ECALL, ENCODE_FENCEI, 0x0ff0000f, 0x0,
                                     0xffff,        0xffffffff,   0x9002 /* c.ebreak */};
    const uint64_t choice = rng_below(&maker->rng, 10);
    return choice < 8 ? known[choice] : (uint32_t)rng_next(&maker->rng);
}

/* Goes forward to another group, or to the end: the offset comes later. */
static void jump(struct maker *maker, struct jump *jumps, unsigned *count)
{
    struct rng *const rng = &maker->rng;
    const uint32_t word = rng_below(rng, 4) == 0
                              ? encode_jal(encode_written(rng, &maker->registers), 0)
                              : encode_of_class(rng, &maker->registers, SL_CLASS_BRANCH);
    jumps[(*count)++] = (struct jump){.index = maker->sequence->count,
                                      .at = maker->at,
                                      .to = maker->groups + 1 + (unsigned)rng_below(rng, 4)};
    emit(maker, word);
}

/* A few instructions some times. */
static void loop(struct maker *maker)
{
    emit(maker, encode_addi(COUNTER, 0, 1 + (int32_t)rng_below(&maker->rng, 5)));
    const uint32_t begin = maker->at;
    for (uint64_t i = 0; i < 1 + rng_below(&maker->rng, 3); i++) {
        emit(maker, rng_below(&maker->rng, 2) != 0 ? computing(maker) : accessing(maker));
    }
    emit(maker, encode_addi(COUNTER, COUNTER, -1));
    emit(maker, encode_branch_positive(COUNTER, (int32_t)begin - (int32_t)maker->at));
}

/* A store changes an instruction behind it, in the same block or behind a fence.i. */
static void change_code(struct maker *maker)
{
    struct rng *const rng = &maker->rng;
    const unsigned value = encode_written(rng, &maker->registers);
    const bool has_fence = rng_below(rng, 2) != 0;
    emit(maker, encode_lui(value, (uint32_t)rng_below(rng, 1 << 20)));
    emit(maker, encode_addi(value, value, 0x13)); /* mostly of no meaning, sometimes addi */
    emit(maker, encode_auipc(LINK));
    /* sw value, offset(LINK): to the instruction behind it, and behind the fence. */
    const uint32_t offset = has_fence ? 12 : 8;
    emit(maker, 0x2023u | value << 20 | LINK << 15 | (offset & 31) << 7 | offset >> 5 << 25);
    if (has_fence) {
        emit(maker, ENCODE_FENCEI);
    }
    emit(maker, ENCODE_NOP);
}

/* To an address in a register: mostly a piece of code that traps, or where no code is. */
static void far_jump(struct maker *maker)
{
    struct rng *const rng = &maker->rng;
    emit(maker, encode_jalr(encode_written(rng, &maker->registers),
                            encode_address(rng, &maker->registers), (int32_t)rng_below(rng, 8)));
}

/* mret goes behind itself, in machine mode. */
static void machine_return(struct maker *maker)
{
    emit(maker, encode_lui(LINK, 2));
    emit(maker, encode_addi(LINK, LINK, -0x800)); /* MPP */
    emit(maker, encode_csr(ENCODE_CSRRS, 0, 0x300, LINK));
    emit(maker, encode_auipc(LINK));
    emit(maker, encode_addi(LINK, LINK, 16));
    emit(maker, encode_csr(ENCODE_CSRRW, 0, 0x341, LINK));
    emit(maker, ENCODE_MRET);
}

static void add_group(struct maker *maker, struct jump *jumps, unsigned *count)
{
    const uint64_t choice = rng_below(&maker->rng, maker->kind == SEQUENCE_ARITHMETIC ? 46 : 100);
    if (choice < 30) {
        emit(maker, computing(maker));
    } else if (choice < 40) {
        emit(maker, maker->kind == SEQUENCE_ARITHMETIC
                        ? computing(maker)
                        : encode_compressed(&maker->rng, &maker->registers));
    } else if (choice < 46) {
        jump(maker, jumps, count);
    } else if (choice < 70) {
        emit(maker, accessing(maker));
    } else if (choice < 82) {
        emit(maker, of_csr(maker));
    } else if (choice < 87) {
        emit(maker, odd(maker));
    } else if (choice < 91) {
        loop(maker);
    } else if (choice < 94) {
        change_code(maker);
    } else if (choice < 97) {
        far_jump(maker);
    } else {
        machine_return(maker);
    }
}

static void aim(struct maker *maker, const struct jump *jumps, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint32_t to =
            jumps[i].to < maker->groups ? maker->begin[jumps[i].to] : maker->begin[maker->groups];
        const int32_t offset = (int32_t)(to - jumps[i].at);
        uint32_t *const word = &maker->sequence->word[jumps[i].index];
        *word = (*word & 0x7f) == 0x6f ? encode_jal(*word >> 7 & 31, offset)
                                       : encode_aim(*word, offset);
    }
}

/* The last group: to the driver. */
static void end(struct maker *maker)
{
    maker->begin[maker->groups] = maker->at;
    const uint64_t here = maker->sequence->code_at + maker->at;
    emit(maker, encode_jal(0, (int32_t)(LAYOUT_DONE - here)));
}

void sequence_make(struct sequence *sequence, enum sequence_kind kind, uint64_t seed,
                   uint64_t number)
{
    struct maker maker = {
        .rng = rng_of_run(seed, kind, number), .sequence = sequence, .kind = kind};
    struct rng *const rng = &maker.rng;
    struct jump jumps[GROUPS_MAX];
    unsigned count = 0;
    *sequence = (struct sequence){.count = 0};
    fill_registers(&maker);
    if (kind == SEQUENCE_PROTECTED) {
        fill_pmp(rng, sequence->pmpaddr, sequence->pmpcfg);
    }
    sequence->mstatus = 0x1800 | (rng_next(rng) & 0x88);
    sequence->mie = rng_next(rng) & 0xf7f; /* but for the timer, which is always pending */
    sequence->mscratch = rng_next(rng);
    sequence->fill = rng_next(rng);
    /* Mostly within a page, sometimes across two, where instructions may be, too. */
    sequence->code_at = LAYOUT_CODE + (rng_below(rng, 4) == 0 ? 0xfc0 + 2 * rng_below(rng, 32)
                                                              : 2 * rng_below(rng, 1024));
    const unsigned groups = 3 + (unsigned)rng_below(rng, GROUPS_MAX - 4);
    while (maker.groups < groups && sequence->count < SEQUENCE_INSTRUCTIONS - 8) {
        maker.begin[maker.groups] = maker.at;
        add_group(&maker, jumps, &count);
        maker.groups++;
    }
    end(&maker);
    aim(&maker, jumps, count);
    sequence->landing = maker.begin[(maker.groups + 1) / 2];
}

/* A locked entry on a part of a page of the kept area. */
static void fill_part(struct rng *rng, unsigned i, uint64_t pmpaddr[16], uint8_t config[16])
{
    /* TOR is from the address of the entry before: of the kept area, too. */
    const uint8_t mode = i == 1 ? 3 : (uint8_t)rng_below(rng, 4);
    const uint64_t ones = mode == 3 ? (UINT64_C(1) << rng_below(rng, 9)) - 1 : 0;
    const uint64_t at = (LAYOUT_KEPT >> 2) + rng_below(rng, LAYOUT_KEPT_BYTES / 4);
    pmpaddr[i] = (at & ~ones) | ones >> 1;
    config[i] = (uint8_t)(PMP_LOCK | mode << 3 | rng_below(rng, 8));
}

void sequence_make_locks(uint64_t pmpaddr[16], uint64_t pmpcfg[2], enum sequence_kind kind,
                         uint64_t seed)
{
    struct rng rng = rng_of_run(seed, kind, UINT64_MAX);
    uint8_t config[16] = {0};
    memset(pmpaddr, 0, 16 * sizeof *pmpaddr);
    /* Nobody writes to the driver's code: the first entry that matches decides. */
    pmpaddr[0] = LAYOUT_DRIVER >> 2 | ((LAYOUT_HEADER - LAYOUT_DRIVER) / 8 - 1);
    config[0] = PMP_LOCK | PMP_NAPOT | PMP_READ_EXECUTE;
    for (unsigned i = 1; kind == SEQUENCE_LOCKED && i < 16; i++) {
        if (rng_below(&rng, 4) == 0) {
            pmpaddr[i] = (LAYOUT_KEPT >> 2) + 1024 * rng_below(&rng, 4) + 511; /* a page */
            config[i] = (uint8_t)(PMP_LOCK | PMP_NAPOT | rng_below(&rng, 8));
        } else {
            fill_part(&rng, i, pmpaddr, config);
        }
    }
    memcpy(pmpcfg, config, sizeof config);
}

void sequence_make_kept(void *area, uint64_t seed)
{
    struct rng rng = rng_of_run(seed, SEQUENCE_KINDS, 0);
    uint64_t *const words = area;
    const struct encode_registers registers = {.kept = 1u << COUNTER | 1u << LINK};
    for (unsigned i = 0; i < LAYOUT_KEPT_BYTES / 16; i++) {
        words[i] = rng_next(&rng);
    }
    /* Pieces of code: something computed, and a trap, from which the sequence goes on. */
    uint32_t *const code = (uint32_t *)(void *)((char *)area + LAYOUT_KEPT_BYTES / 2);
    for (unsigned i = 0; i < LAYOUT_KEPT_BYTES / 8; i += 2) {
        code[i] = encode_of_class(&rng, &registers, SL_CLASS_ALU);
        code[i + 1] = ENCODE_EBREAK;
    }
}
