/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The operations on 64 lanes, in every variant that this processor executes, against scalar
 * formulas that are written differently on purpose: wide integers, long division bit by bit,
 * comparison through subtraction. Operands are biased to the edges; destinations alias operands. */
#include <string.h>

#include "common/check.h"
#include "simt/lanes/lanes.h"

#define ROUNDS 24

typedef unsigned __int128 wide;

static uint64_t random_state;

static uint64_t random_word(void)
{
    uint64_t word = 0;

    for (int i = 0; i < 2; i++) {
        random_state = random_state * 6364136223846793005u + 1442695040888963407u;
        word = word << 32 | random_state >> 32;
    }
    return word;
}

/* Half of the operands are edges or next to them, others short, the rest anything. */
static uint64_t random_operand(void)
{
    static const uint64_t edges[] = {
        0,          1,         UINT64_MAX, INT64_MAX,          (uint64_t)INT64_MIN,
        UINT32_MAX, INT32_MAX, 0x80000000, 0xffffffff80000000, 31,
        32,         63,        64,
    };
    uint64_t word = random_word();

    switch (word >> 60 & 7) {
    case 0:
    case 1:
    case 2:
    case 3:
        return edges[(word >> 8) % (sizeof edges / sizeof edges[0])];
    case 4:
        return edges[(word >> 8) % (sizeof edges / sizeof edges[0])] + (word >> 4 & 2) - 1;
    case 5:
        return random_word() >> (word & 63);
    case 6:
        return ~(random_word() >> (word & 63));
    default:
        return random_word();
    }
}

/* ---- scalar formulas ---- */

static uint64_t word32(uint64_t value)
{
    return (value & 0x80000000) != 0 ? value | 0xffffffff00000000 : value & 0xffffffff;
}

static bool is_less_unsigned(uint64_t a, uint64_t b)
{
    return (((wide)a - b) >> 64 & 1) != 0; /* the borrow */
}

static bool is_less(uint64_t a, uint64_t b)
{
    return is_less_unsigned(a ^ 1ull << 63, b ^ 1ull << 63);
}

static uint64_t shift_right(uint64_t a, unsigned by, bool arithmetic)
{
    wide value = a;

    if (arithmetic && a >> 63 != 0) {
        value |= ~(wide)0 << 64;
    }
    return (uint64_t)(value >> by);
}

/* Upper 64 bits, by schoolbook with 32-bit digits; signs are corrected for afterwards. */
static uint64_t multiply_high(uint64_t a, uint64_t b, bool a_signed, bool b_signed)
{
    uint64_t low = (a & 0xffffffff) * (b & 0xffffffff);
    uint64_t middle = (a >> 32) * (b & 0xffffffff) + (low >> 32);
    uint64_t other = (a & 0xffffffff) * (b >> 32) + (middle & 0xffffffff);
    uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);

    if (a_signed && a >> 63 != 0) {
        high -= b;
    }
    if (b_signed && b >> 63 != 0) {
        high -= a;
    }
    return high;
}

/* Division of `bits`-bit operands, one bit at a time. Zero divisors give all ones and the dividend
 * by themselves. */
static uint64_t divide(uint64_t a, uint64_t b, unsigned bits, bool is_signed, bool remainder)
{
    uint64_t ones = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    uint64_t sign = 1ull << (bits - 1);
    bool a_negative = is_signed && (a & sign) != 0;
    bool b_negative = is_signed && (b & sign) != 0;
    uint64_t x = (a_negative ? 0 - a : a) & ones;
    uint64_t y = (b_negative ? 0 - b : b) & ones;
    uint64_t quotient = 0;
    wide rest = 0;

    for (unsigned i = bits; i-- > 0;) {
        rest = rest << 1 | (x >> i & 1);
        quotient <<= 1;
        if (rest >= y) {
            rest -= y;
            quotient |= 1;
        }
    }
    if (a_negative) {
        rest = 0 - rest;
    }
    if (a_negative != b_negative && y != 0) {
        quotient = 0 - quotient;
    }
    if (y == 0) {
        quotient = UINT64_MAX;
        rest = a;
    }
    uint64_t result = (remainder ? (uint64_t)rest : quotient) & ones;
    return bits == 32 ? word32(result) : result;
}

static uint64_t formula(enum sl_insn_id id, uint64_t a, uint64_t b)
{
    uint64_t low = a & 0xffffffff;

    switch (id) {
    case SL_INSN_LUI:
    case SL_INSN_AUIPC:
        return b;
    case SL_INSN_ADDI:
    case SL_INSN_ADD:
        return (uint64_t)((wide)a + b);
    case SL_INSN_SUB:
        return a + ~b + 1;
    case SL_INSN_SLTI:
    case SL_INSN_SLT:
        return is_less(a, b);
    case SL_INSN_SLTIU:
    case SL_INSN_SLTU:
        return is_less_unsigned(a, b);
    case SL_INSN_XORI:
    case SL_INSN_XOR:
        return (a & ~b) | (~a & b);
    case SL_INSN_ORI:
    case SL_INSN_OR:
        return ~(~a & ~b);
    case SL_INSN_ANDI:
    case SL_INSN_AND:
        return ~(~a | ~b);
    case SL_INSN_SLLI:
    case SL_INSN_SLL:
        return (uint64_t)((wide)a << (b % 64));
    case SL_INSN_SRLI:
    case SL_INSN_SRL:
        return shift_right(a, b % 64, false);
    case SL_INSN_SRAI:
    case SL_INSN_SRA:
        return shift_right(a, b % 64, true);
    case SL_INSN_ADDIW:
    case SL_INSN_ADDW:
        return word32(low + (b & 0xffffffff));
    case SL_INSN_SUBW:
        return word32(low + (~b & 0xffffffff) + 1);
    case SL_INSN_SLLIW:
    case SL_INSN_SLLW:
        return word32(low << (b % 32));
    case SL_INSN_SRLIW:
    case SL_INSN_SRLW:
        return word32(low >> (b % 32));
    case SL_INSN_SRAIW:
    case SL_INSN_SRAW:
        return word32(shift_right(word32(a), b % 32, true));
    case SL_INSN_MUL:
        return (uint64_t)((wide)a * b);
    case SL_INSN_MULH:
        return multiply_high(a, b, true, true);
    case SL_INSN_MULHSU:
        return multiply_high(a, b, true, false);
    case SL_INSN_MULHU:
        return multiply_high(a, b, false, false);
    case SL_INSN_MULW:
        return word32(low * (b & 0xffffffff));
    case SL_INSN_DIV:
        return divide(a, b, 64, true, false);
    case SL_INSN_DIVU:
        return divide(a, b, 64, false, false);
    case SL_INSN_REM:
        return divide(a, b, 64, true, true);
    case SL_INSN_REMU:
        return divide(a, b, 64, false, true);
    case SL_INSN_DIVW:
        return divide(low, b & 0xffffffff, 32, true, false);
    case SL_INSN_DIVUW:
        return divide(low, b & 0xffffffff, 32, false, false);
    case SL_INSN_REMW:
        return divide(low, b & 0xffffffff, 32, true, true);
    case SL_INSN_REMUW:
        return divide(low, b & 0xffffffff, 32, false, true);
    default:
        fail_msg("no formula for %s", sl_insn_mnemonic(id));
        return 0;
    }
}

static bool takes_branch(enum sl_insn_id id, uint64_t a, uint64_t b)
{
    switch (id) {
    case SL_INSN_BEQ:
        return (a ^ b) == 0;
    case SL_INSN_BNE:
        return (a ^ b) != 0;
    case SL_INSN_BLT:
        return is_less(a, b);
    case SL_INSN_BGE:
        return !is_less(a, b);
    case SL_INSN_BLTU:
        return is_less_unsigned(a, b);
    case SL_INSN_BGEU:
        return !is_less_unsigned(a, b);
    default:
        fail_msg("no formula for %s", sl_insn_mnemonic(id));
        return false;
    }
}

/* ---- the tests ---- */

/* Encodings of the instruction set, to know what takes an immediate and what its range is. */
static const struct {
    enum sl_insn_id id;
    enum sl_insn_class class;
    const char *format;
} table[] = {
#define SL_INSN(ID, mnemonic, match, mask, format, class) {SL_INSN_##ID, SL_CLASS_##class, #format},
#include "isa/riscv.def"
#undef SL_INSN
};

#define ENTRIES (sizeof table / sizeof table[0])

static bool is_computed(size_t entry)
{
    return table[entry].class == SL_CLASS_ALU || table[entry].class == SL_CLASS_MUL ||
           table[entry].class == SL_CLASS_DIV;
}

static bool has_immediate(size_t entry)
{
    return strcmp(table[entry].format, "R") != 0;
}

static int64_t random_immediate(size_t entry)
{
    if (strcmp(table[entry].format, "SHIFT") == 0) {
        bool is_word = table[entry].id == SL_INSN_SLLIW || table[entry].id == SL_INSN_SRLIW ||
                       table[entry].id == SL_INSN_SRAIW;
        return (int64_t)(random_word() % (is_word ? 32 : 64));
    }
    if (strcmp(table[entry].format, "I") == 0) {
        static const int64_t edges[] = {-2048, -1, 0, 1, 2047};
        uint64_t word = random_word();
        return word & 1 ? edges[(word >> 8) % 5] : (int64_t)(word >> 32 & 4095) - 2048;
    }
    return (int64_t)random_operand(); /* lui and auipc: the result */
}

static uint64_t random_mask(void)
{
    static const uint64_t masks[] = {1, 1ull << 63, UINT64_MAX, 0xaaaaaaaaaaaaaaaa, 0};
    uint64_t word = random_word();
    return word & 1 ? masks[(word >> 8) % 5] : random_word();
}

struct operands {
    lane_vector a;
    lane_vector b;
    lane_vector d;
    lane_vector select;
};

/* Which register the destination is. */
enum alias { ALIAS_NONE, ALIAS_A, ALIAS_B, ALIAS_COUNT };

static void check_alu(const struct lanes_ops *ops, size_t entry, enum alias alias, bool masked)
{
    enum sl_insn_id id = table[entry].id;
    int64_t immediate = random_immediate(entry);
    uint64_t mask = masked ? random_mask() : UINT64_MAX;
    struct operands o;
    struct operands before;

    for (unsigned i = 0; i < LANES; i++) {
        o.a[i] = random_operand();
        o.b[i] = i % 8 == 7 ? o.a[i] : random_operand();
        o.d[i] = random_word();
        o.select[i] = mask >> i & 1 ? UINT64_MAX : 0;
    }
    uint64_t *d = alias == ALIAS_A ? o.a : alias == ALIAS_B ? o.b : o.d;
    before = o;
    const uint64_t *d_before = alias == ALIAS_A ? before.a : alias == ALIAS_B ? before.b : before.d;
    if (masked) {
        ops->alu_masked[id](d, o.a, o.b, immediate, o.select);
    } else {
        ops->alu[id](d, o.a, o.b, immediate);
    }
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t b = has_immediate(entry) ? (uint64_t)immediate : before.b[i];
        uint64_t expected = mask >> i & 1 ? formula(id, before.a[i], b) : d_before[i];
        if (d[i] != expected) {
            fail_msg("%s, %s: lane %u: a %#lx, b %#lx give %#lx, not %#lx", ops->name,
                     sl_insn_mnemonic(id), i, before.a[i], b, d[i], expected);
        }
    }
    if (alias != ALIAS_A) {
        assert_memory_equal(o.a, before.a, sizeof o.a);
    }
    if (alias != ALIAS_B) {
        assert_memory_equal(o.b, before.b, sizeof o.b);
    }
}

TEST(test_alu)
{
    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        const struct lanes_ops *ops = lanes_variant(v);
        random_state = 1;
        for (size_t entry = 0; entry < ENTRIES; entry++) {
            if (!is_computed(entry)) {
                assert_null(ops->alu[table[entry].id]);
                assert_null(ops->alu_masked[table[entry].id]);
                continue;
            }
            for (unsigned round = 0; round < ROUNDS; round++) {
                check_alu(ops, entry, round % ALIAS_COUNT, round % 2);
            }
        }
    }
}

/* The table of division semantics in the ISA manual, chapter M, word by word. */
TEST(test_division_edges)
{
    static const struct {
        enum sl_insn_id id;
        uint64_t a;
        uint64_t b;
        uint64_t result;
    } cases[] = {
        {SL_INSN_DIV, 7, 0, UINT64_MAX},
        {SL_INSN_DIVU, 7, 0, UINT64_MAX},
        {SL_INSN_REM, (uint64_t)-7, 0, (uint64_t)-7},
        {SL_INSN_REMU, (uint64_t)-7, 0, (uint64_t)-7},
        {SL_INSN_DIV, (uint64_t)INT64_MIN, UINT64_MAX, (uint64_t)INT64_MIN},
        {SL_INSN_REM, (uint64_t)INT64_MIN, UINT64_MAX, 0},
        {SL_INSN_DIV, (uint64_t)-7, 2, (uint64_t)-3},
        {SL_INSN_REM, (uint64_t)-7, 2, (uint64_t)-1},
        {SL_INSN_REM, 7, (uint64_t)-2, 1},
        {SL_INSN_DIVW, 7, 0x100000000, UINT64_MAX},
        {SL_INSN_DIVUW, 7, 0x100000000, UINT64_MAX},
        {SL_INSN_REMW, 0x80000001, 0, 0xffffffff80000001},
        {SL_INSN_REMUW, 0x80000001, 0, 0xffffffff80000001},
        {SL_INSN_DIVW, 0x80000000, UINT64_MAX, 0xffffffff80000000},
        {SL_INSN_REMW, 0x80000000, UINT64_MAX, 0},
        {SL_INSN_DIVUW, 0x80000000, 1, 0xffffffff80000000},
    };

    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            struct operands o;
            for (unsigned i = 0; i < LANES; i++) {
                o.a[i] = cases[c].a;
                o.b[i] = cases[c].b;
            }
            lanes_variant(v)->alu[cases[c].id](o.d, o.a, o.b, 0);
            for (unsigned i = 0; i < LANES; i++) {
                assert_int_equal(o.d[i], cases[c].result);
            }
            assert_int_equal(formula(cases[c].id, cases[c].a, cases[c].b), cases[c].result);
        }
    }
}

TEST(test_branches)
{
    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        const struct lanes_ops *ops = lanes_variant(v);
        random_state = 2;
        for (size_t entry = 0; entry < ENTRIES; entry++) {
            enum sl_insn_id id = table[entry].id;
            if (table[entry].class != SL_CLASS_BRANCH) {
                assert_null(ops->branch[id]);
                continue;
            }
            for (unsigned round = 0; round < ROUNDS; round++) {
                struct operands o;
                uint64_t expected = 0;
                for (unsigned i = 0; i < LANES; i++) {
                    o.a[i] = random_operand();
                    o.b[i] = i % 4 == 3 ? o.a[i] : random_operand();
                    expected |= (uint64_t)takes_branch(id, o.a[i], o.b[i]) << i;
                }
                assert_int_equal(ops->branch[id](o.a, o.b), expected);
            }
        }
    }
}

TEST(test_expand_and_set)
{
    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        const struct lanes_ops *ops = lanes_variant(v);
        random_state = 3;
        for (unsigned round = 0; round < 200; round++) {
            struct operands o;
            uint64_t mask = random_mask();
            uint64_t value = random_operand();
            for (unsigned i = 0; i < LANES; i++) {
                o.a[i] = o.d[i] = random_word();
            }
            ops->expand(o.select, mask);
            ops->set(o.d, value, o.select);
            for (unsigned i = 0; i < LANES; i++) {
                bool is_selected = (mask >> i & 1) != 0;
                assert_int_equal(o.select[i], is_selected ? UINT64_MAX : 0);
                assert_int_equal(o.d[i], is_selected ? value : o.a[i]);
            }
        }
    }
}

/* Addresses around both ends of the range, wrapping past either end of the address space, with
 * every access size. */
TEST(test_address)
{
    const uint64_t base = 0x80400000;
    const uint64_t size = 0x3a00000;
    static const uint64_t aligned[] = {1, 2, 4, 8};

    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        const struct lanes_ops *ops = lanes_variant(v);
        random_state = 4;
        for (unsigned round = 0; round < 400; round++) {
            uint64_t bytes = aligned[round % 4];
            int64_t immediate = (int64_t)(random_word() & 4095) - 2048;
            struct operands o;
            uint64_t expected = 0;
            for (unsigned i = 0; i < LANES; i++) {
                uint64_t near = random_word() % 40 - 20;
                uint64_t places[] = {base + near, base + size + near, near, random_word(),
                                     base + random_word() % size};
                uint64_t address = places[random_word() % 5];
                o.a[i] = address - (uint64_t)immediate;
                bool is_inside = address >= base && address < base + size;
                expected |= (uint64_t)(!is_inside || address % bytes != 0) << i;
            }
            uint64_t bad = ops->address(o.d, o.a, immediate, base, size, bytes - 1);
            assert_int_equal(bad, expected);
            for (unsigned i = 0; i < LANES; i++) {
                assert_int_equal(o.d[i], o.a[i] + (uint64_t)immediate);
            }
        }
    }
}

/* The fastest variant is one of those tested. */
TEST(test_selection)
{
    const struct lanes_ops *selected = lanes_select();
    bool is_listed = false;

    for (unsigned v = 0; lanes_variant(v) != NULL; v++) {
        is_listed |= lanes_variant(v) == selected;
    }
    assert_true(is_listed);
    assert_null(lanes_variant(1000));
}
