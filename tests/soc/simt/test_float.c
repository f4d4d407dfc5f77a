/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floating point of a wavefront (sim-soc/simt/float/float.c): every variant of the lane operations
 * against the software's, in all rounding modes, with flags that are set before or are not; cases
 * by hand from the ISA manual; rounding modes that differ between lanes, and invalid ones; the
 * CSRs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "simt/float/float.h"
#include "simt/float/soft_float.h"
#include "sluice/codes.h"

/* A compute unit's wavefront without one: what the functions under test look at. */
struct bench {
    struct cu_environment env;
    struct event_queue event_queue;
    struct stream stream;
    struct activity activity;
    struct wave wave;
    struct stack_entry entry;
    struct simd simd;
    struct cu cu;
    unsigned faults;
    struct sl_fault fault;
};

static void on_fault(void *owner, const struct wave *wave, const struct sl_fault *fault)
{
    (void)wave;
    struct bench *bench = owner;
    bench->faults++;
    bench->fault = *fault;
}

static struct bench *make_bench(unsigned variant)
{
    struct bench *b = aligned_alloc(64, (sizeof *b + 63) / 64 * 64);
    assert_non_null(b);
    memset(b, 0, sizeof *b);
    event_queue_init(&b->event_queue, 1000);
    b->env = (struct cu_environment){
        .program = {.reads_flags = true},
        .listener = {.owner = b, .faulted = on_fault},
        .stream = &b->stream,
        .activity = &b->activity,
    };
    b->cu.lanes = lanes_variant(variant);
    b->cu.env = &b->env;
    b->cu.event_queue = &b->event_queue;
    b->wave.stack = (struct simt_stack){.entries = &b->entry, .depth = 1, .capacity = 1};
    b->wave.simd = &b->simd;
    b->simd.cu = &b->cu;
    return b;
}

static uint64_t random_state = 1;

static uint64_t random64(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Doubles, boxed singles, integers, mostly near the edges. */
static uint64_t random_operand(bool is_single)
{
    unsigned fraction_bits = is_single ? 23 : 52;
    uint64_t most = is_single ? 255 : 2047;
    static const int exponents[] = {0, 1, 2, -1, -2, -3};
    uint64_t fraction = random64() & ((1ull << fraction_bits) - 1);
    uint64_t exponent = random64() & most;
    unsigned choice = random64() % 8;

    if (choice < 3) {
        exponent = ((uint64_t)exponents[random64() % 6] + most + 1) & most;
    } else if (choice < 6) {
        exponent = most / 2 - 30 + random64() % 100;
    }
    switch (random64() % 4) {
    case 0:
        fraction = 0;
        break;
    case 1:
        fraction = 1ull << random64() % fraction_bits;
        break;
    case 2:
        fraction |= ~0ull >> (64 - fraction_bits) << random64() % fraction_bits;
        fraction &= (1ull << fraction_bits) - 1;
        break;
    default:
        break;
    }
    uint64_t sign = random64() & 1;
    if (is_single) {
        uint64_t box = random64() % 32 == 0 ? random64() << 32 : 0xffffffff00000000u;
        return box | sign << 31 | (exponent & 255) << 23 | fraction;
    }
    return sign << 63 | exponent << 52 | fraction;
}

static bool is_float(unsigned id)
{
    return id >= SL_INSN_FLW && id <= SL_INSN_FCVT_D_S && id != SL_INSN_FLW && id != SL_INSN_FSW &&
           id != SL_INSN_FLD && id != SL_INSN_FSD;
}

static uint32_t word_of(unsigned id)
{
    static const uint32_t words[] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class) [SL_INSN_##ID] = match,
#include "isa/riscv.def"
#undef SL_INSN
    };
    return words[id];
}

/* x1 or f1 to f3 are the operands, x4 or f4 the result. */
static struct simt_op make_op(struct bench *b, unsigned id, unsigned rounding)
{
    struct sl_insn insn = sl_insn_decode(word_of(id));
    return (struct simt_op){
        .compute = b->cu.lanes->compute[id],
        .id = (uint16_t)id,
        .class = insn.class,
        .rd = (uint8_t)(4 + (insn.rd & 32)),
        .rs1 = (uint8_t)(1 + (insn.rs1 & 32)),
        .rs2 = (uint8_t)(insn.rs2 != 0 ? 2 + 32 : 0),
        .rs3 = (uint8_t)(insn.rs3 != 0 ? 3 + 32 : 0),
        .rounding = (uint8_t)(insn.rounds ? rounding : 0),
        .rounds = insn.rounds,
        .bytes = 4,
    };
}

static unsigned flags_of(const struct wave *wave, unsigned lane)
{
    unsigned flags = 0;
    for (unsigned bit = 0; bit < 5; bit++) {
        flags |= (unsigned)(wave->fcsr.flags[bit] >> lane & 1) << bit;
    }
    return flags;
}

/* Numbers near 1, of few digits or many, zeros and infinities: operands that raise NX in some lanes
 * and nothing else in any. Where `is_tiny`, doubles whose products vanish beside a third. */
static uint64_t tame_operand(bool is_single, bool is_tiny)
{
    unsigned fraction_bits = is_single ? 23 : 52;
    uint64_t exponent = (is_single ? 127 : 1023) - 4 + random64() % 9;
    uint64_t fraction = random64() & ((1ull << fraction_bits) - 1);
    uint64_t sign = random64() & 1;

    fraction &= ~0ull << random64() % (fraction_bits + 1);
    if (is_tiny) {
        exponent = 440 + random64() % 160;
    }
    if (random64() % 16 == 0) {
        fraction = 0;
        exponent = random64() % 4 != 0 ? 0 : is_single ? 255 : 2047;
    }
    return is_single ? 0xffffffff00000000u | sign << 31 | exponent << 23 | fraction
                     : sign << 63 | exponent << 52 | fraction;
}

static void fill_tame_operands(struct bench *b, bool is_single)
{
    bool is_tiny = !is_single && random64() % 2 == 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 1; i <= 4; i++) {
            b->wave.x[i][lane] = random64() >> random64() % 64 << random64() % 64;
            b->wave.x[32 + i][lane] = tame_operand(is_single, is_tiny && i != 3);
        }
    }
}

static void fill_operands(struct bench *b, unsigned id)
{
    bool is_single = (word_of(id) >> 25 & 1) == 0;
    if (id == SL_INSN_FCVT_S_D || id == SL_INSN_FCVT_D_S) {
        is_single = id == SL_INSN_FCVT_D_S;
    }
    if (random64() % 2 == 0) {
        fill_tame_operands(b, is_single);
        return;
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 1; i <= 4; i++) {
            b->wave.x[i][lane] = random64() >> random64() % 64;
            b->wave.x[32 + i][lane] = random_operand(is_single);
        }
    }
}

static void one_instruction(struct bench *b, unsigned id, unsigned mode)
{
    struct simt_op op = make_op(b, id, mode);
    uint64_t before[5];
    lane_vector kept;

    fill_operands(b, id);
    b->entry.mask = random64() % 4 == 0 ? ~0ull : random64() | 1;
    for (unsigned bit = 0; bit < 5; bit++) {
        b->wave.fcsr.flags[bit] = random64() % 3 == 0 ? ~0ull : random64() & random64();
    }
    memcpy(before, b->wave.fcsr.flags, sizeof before);
    memcpy(kept, b->wave.x[op.rd], sizeof kept);
    assert_true(float_execute(&b->wave, &op));
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned old = 0, raised = 0;
        for (unsigned bit = 0; bit < 5; bit++) {
            old |= (unsigned)(before[bit] >> lane & 1) << bit;
        }
        uint64_t a = b->wave.x[op.rs1][lane];
        uint64_t should = kept[lane];
        if (b->entry.mask >> lane & 1) {
            should =
                soft_float(id, a, b->wave.x[op.rs2][lane], b->wave.x[op.rs3][lane], mode, &raised);
        }
        if (b->wave.x[op.rd][lane] != should || flags_of(&b->wave, lane) != (old | raised)) {
            fail_msg("%s, %s, mode %u, of 0x%016" PRIx64 " 0x%016" PRIx64 " 0x%016" PRIx64
                     ": 0x%016" PRIx64 " and flags 0x%02x, should be 0x%016" PRIx64 " and 0x%02x",
                     sl_insn_mnemonic(id), b->cu.lanes->name, mode, a, b->wave.x[op.rs2][lane],
                     b->wave.x[op.rs3][lane], b->wave.x[op.rd][lane], flags_of(&b->wave, lane),
                     should, old | raised);
        }
    }
}

TEST(test_against_software)
{
    unsigned rounds = getenv("SLUICE_TEST_LONG") != NULL ? 4000 : 120;
    for (unsigned variant = 0; lanes_variant(variant) != NULL; variant++) {
        struct bench *b = make_bench(variant);
        for (unsigned id = 0; id < SL_INSN_COUNT; id++) {
            for (unsigned i = 0; is_float(id) && i < rounds; i++) {
                one_instruction(b, id, i % SL_ROUNDING_COUNT);
            }
        }
        free(b);
    }
}

#define S(bits) (0xffffffff00000000u | (bits))

/* The manual's corner cases, results and flags by hand. */
TEST(test_by_hand)
{
    const uint64_t one = 0x3ff0000000000000, inf = 0x7ff0000000000000, nan = 0x7ff8000000000000;
    const uint64_t snan = 0x7ff0000000000001, minus0 = 1ull << 63,
                   least_normal = 0x0010000000000000;
    const uint64_t payload = 0xfff8000000001234;
    const struct {
        unsigned id;
        unsigned mode;
        uint64_t a, b, c, result;
        unsigned flags;
    } cases[] = {
        {SL_INSN_FADD_D, 0, payload, one, 0, nan, 0},
        {SL_INSN_FADD_D, 0, snan, one, 0, nan, SL_FFLAG_NV},
        {SL_INSN_FADD_D, 0, inf, inf | minus0, 0, nan, SL_FFLAG_NV},
        {SL_INSN_FADD_D, 0, one, one | minus0, 0, 0, 0},
        {SL_INSN_FADD_D, 2, one, one | minus0, 0, minus0, 0},
        {SL_INSN_FADD_S, 0, 0x3f800000 /* not boxed */, S(0x3f800000), 0, S(0x7fc00000), 0},
        {SL_INSN_FDIV_D, 0, one, minus0, 0, inf | minus0, SL_FFLAG_DZ},
        {SL_INSN_FDIV_D, 0, 0, 0, 0, nan, SL_FFLAG_NV},
        {SL_INSN_FSQRT_D, 0, minus0, 0, 0, minus0, 0},
        {SL_INSN_FSQRT_D, 0, one | minus0, 0, 0, nan, SL_FFLAG_NV},
        {SL_INSN_FMADD_D, 0, inf, 0, nan, nan, SL_FFLAG_NV},
        {SL_INSN_FMIN_D, 0, 0, minus0, 0, minus0, 0},
        {SL_INSN_FMAX_D, 0, minus0, 0, 0, 0, 0},
        {SL_INSN_FMIN_D, 0, nan, one, 0, one, 0},
        {SL_INSN_FMAX_D, 0, one, snan, 0, one, SL_FFLAG_NV},
        {SL_INSN_FMIN_D, 0, payload, payload, 0, nan, 0},
        {SL_INSN_FEQ_D, 0, nan, one, 0, 0, 0},
        {SL_INSN_FEQ_D, 0, snan, one, 0, 0, SL_FFLAG_NV},
        {SL_INSN_FEQ_D, 0, 0, minus0, 0, 1, 0},
        {SL_INSN_FLT_D, 0, nan, one, 0, 0, SL_FFLAG_NV},
        {SL_INSN_FLE_D, 0, minus0, 0, 0, 1, 0},
        {SL_INSN_FLT_D, 0, minus0, 0, 0, 0, 0},
        {SL_INSN_FCLASS_D, 0, minus0 | 1, 0, 0, 1 << 2, 0},
        {SL_INSN_FCLASS_D, 0, snan, 0, 0, 1 << 8, 0},
        {SL_INSN_FCVT_W_D, 1, nan, 0, 0, INT32_MAX, SL_FFLAG_NV},
        {SL_INSN_FCVT_W_D, 1, inf | minus0, 0, 0, (uint64_t)INT32_MIN, SL_FFLAG_NV},
        {SL_INSN_FCVT_WU_D, 1, 0xbfe0000000000000 /* -0.5 */, 0, 0, 0, SL_FFLAG_NX},
        {SL_INSN_FCVT_WU_D, 1, one | minus0, 0, 0, 0, SL_FFLAG_NV},
        {SL_INSN_FCVT_WU_D, 1, 0x41efffffffe00000 /* 2^32 - 1 */, 0, 0, UINT64_MAX, 0},
        {SL_INSN_FCVT_LU_D, 1, 0x43f0000000000000 /* 2^64 */, 0, 0, UINT64_MAX, SL_FFLAG_NV},
        {SL_INSN_FCVT_W_D, 0, 0x4004000000000000 /* 2.5 */, 0, 0, 2, SL_FFLAG_NX},
        {SL_INSN_FCVT_W_D, 4, 0x4004000000000000, 0, 0, 3, SL_FFLAG_NX},
        /* At the least normal number: tiny where rounding to 53 bits alone stays below it. */
        {SL_INSN_FMUL_D, 0, least_normal, 0x3fefffffffffffff, 0, least_normal,
         SL_FFLAG_NX | SL_FFLAG_UF},
        {SL_INSN_FMUL_D, 3, 0x001fffffffffffff, 0x3fe0000000000000, 0, least_normal,
         SL_FFLAG_NX | SL_FFLAG_UF},
        {SL_INSN_FMADD_D, 0, 0x3cb0000000000000 /* 2^-52 */, 0x8000000000000001, least_normal,
         least_normal, SL_FFLAG_NX},
        {SL_INSN_FMV_X_W, 0, 0x1234567880000000, 0, 0, 0xffffffff80000000, 0},
        {SL_INSN_FSGNJX_S, 0, S(0x80000001), S(0x80000000), 0, S(1), 0},
    };
    for (unsigned variant = 0; lanes_variant(variant) != NULL; variant++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct bench *b = make_bench(variant);
            struct simt_op op = make_op(b, cases[i].id, cases[i].mode);
            b->entry.mask = 1ull << 5;
            b->wave.x[op.rs1][5] = cases[i].a;
            b->wave.x[34][5] = cases[i].b;
            b->wave.x[35][5] = cases[i].c;
            assert_true(float_execute(&b->wave, &op));
            if (b->wave.x[op.rd][5] != cases[i].result || flags_of(&b->wave, 5) != cases[i].flags) {
                fail_msg("case %zu, %s: 0x%016" PRIx64 ", flags 0x%02x", i,
                         sl_insn_mnemonic(cases[i].id), b->wave.x[op.rd][5], flags_of(&b->wave, 5));
            }
            assert_int_equal(flags_of(&b->wave, 4), 0);
            free(b);
        }
    }
}

static void csr(struct bench *b, unsigned id, unsigned number, uint32_t immediate)
{
    struct simt_op op = {.id = (uint16_t)id,
                         .class = SL_CLASS_CSR,
                         .variant = (uint8_t)number,
                         .rd = 5,
                         .rs1 = 6,
                         .immediate = immediate};
    csr_execute(&b->wave, &op);
}

/* Lane n rounds by mode n % 5: 1 + 2^-53 and its negative tell them apart. */
TEST(test_modes_by_lane)
{
    struct bench *b = make_bench(0);
    struct simt_op add = make_op(b, SL_INSN_FADD_D, SL_ROUNDING_DYNAMIC);
    const uint64_t one = 0x3ff0000000000000;

    b->entry.mask = ~0ull;
    for (unsigned lane = 0; lane < LANES; lane++) {
        b->wave.x[6][lane] = lane % 5;
        b->wave.x[33][lane] = one;
        b->wave.x[34][lane] = 0x3ca0000000000000; /* 2^-53 */
    }
    csr(b, SL_INSN_CSRRW, SL_CSR_FRM, 0);
    assert_true(float_execute(&b->wave, &add));
    for (unsigned lane = 0; lane < LANES; lane++) {
        bool goes_up = lane % 5 == SL_ROUNDING_UP || lane % 5 == SL_ROUNDING_NEAREST_AWAY;
        assert_int_equal(b->wave.x[36][lane], one + goes_up);
        assert_int_equal(flags_of(&b->wave, lane), SL_FFLAG_NX);
    }
    csr(b, SL_INSN_CSRRSI, SL_CSR_FCSR, 0);
    assert_int_equal(b->wave.x[5][9], 4 << 5 | SL_FFLAG_NX);
    csr(b, SL_INSN_CSRRCI, SL_CSR_FFLAGS, SL_FFLAG_NX);
    csr(b, SL_INSN_CSRRSI, SL_CSR_FCSR, 0);
    assert_int_equal(b->wave.x[5][9], 4 << 5);
    free(b);
}

/* An frm of 5, 6 or 7 faults in the lanes that have it, but only where an instruction rounds by it.
 */
TEST(test_invalid_mode)
{
    for (uint64_t mode = 5; mode < 8; mode++) {
        struct bench *b = make_bench(0);
        struct simt_op add = make_op(b, SL_INSN_FADD_D, SL_ROUNDING_DYNAMIC);
        struct simt_op fixed = make_op(b, SL_INSN_FADD_D, SL_ROUNDING_ZERO);
        struct simt_op move = make_op(b, SL_INSN_FSGNJ_D, 0);
        b->entry.mask = 0xf0;
        b->wave.x[6][5] = mode;
        csr(b, SL_INSN_CSRRW, SL_CSR_FRM, 0);
        assert_true(float_execute(&b->wave, &fixed));
        assert_true(float_execute(&b->wave, &move));
        assert_false(float_execute(&b->wave, &add));
        assert_int_equal(b->faults, 1);
        assert_int_equal(b->fault.code, SL_FAULT_ILLEGAL_INSTRUCTION);
        assert_int_equal(b->fault.lanes, 1 << 5);
        free(b);
    }
}
