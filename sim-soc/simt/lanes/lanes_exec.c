/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The integer instructions on 64 lanes (RISC-V Unprivileged ISA, chapters RV32I, RV64I and M).
 *
 * Compiled several times with different vector instruction sets; SL_LANES_VARIANT names the result.
 * Each operation is one expression of a and b (register or immediate); the macros make the loop
 * over all lanes and the one that keeps unselected lanes. */
#include <stddef.h>

#include <string.h>

#include "simt/lanes/lanes.h"
#include "simt/lanes/lanes_mask.h"

#define CONCAT_(a, b) a##b
#define CONCAT(a, b)  CONCAT_(a, b)

/* A result may be the same register as an operand: lane i then reads and writes element i alone,
 * which no other lane touches, so the loops carry no dependence. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES_INDEPENDENT _Pragma("GCC ivdep")
#else
#define LANES_INDEPENDENT
#endif

/* 32-bit results are kept sign-extended. */
#define SEXT32(x) ((uint64_t)(int64_t)(int32_t)(uint32_t)(x))

static inline uint64_t mulh(uint64_t a, uint64_t b)
{
    return (uint64_t)(((__int128)(int64_t)a * (__int128)(int64_t)b) >> 64);
}

static inline uint64_t mulhsu(uint64_t a, uint64_t b)
{
    return (uint64_t)(((__int128)(int64_t)a * (__int128)(unsigned __int128)b) >> 64);
}

static inline uint64_t mulhu(uint64_t a, uint64_t b)
{
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}

/* Division by zero gives all ones, the overflow gives the dividend; the remainders are the dividend
 * and zero (chapter M, table of division semantics). */
static inline uint64_t div_signed(uint64_t a, uint64_t b)
{
    if (b == 0) {
        return UINT64_MAX;
    }
    if (a == (uint64_t)INT64_MIN && b == UINT64_MAX) {
        return a;
    }
    return (uint64_t)((int64_t)a / (int64_t)b);
}

static inline uint64_t rem_signed(uint64_t a, uint64_t b)
{
    if (b == 0) {
        return a;
    }
    if (b == UINT64_MAX) {
        return 0;
    }
    return (uint64_t)((int64_t)a % (int64_t)b);
}

static inline uint64_t div_signed32(uint64_t a, uint64_t b)
{
    int32_t x = (int32_t)a;
    int32_t y = (int32_t)b;

    if (y == 0) {
        return UINT64_MAX;
    }
    if (x == INT32_MIN && y == -1) {
        return SEXT32(x);
    }
    return SEXT32(x / y);
}

static inline uint64_t rem_signed32(uint64_t a, uint64_t b)
{
    int32_t x = (int32_t)a;
    int32_t y = (int32_t)b;

    if (y == 0) {
        return SEXT32(x);
    }
    return y == -1 ? 0 : SEXT32(x % y);
}

#define LANE_OP(ID, B, expression)                                                                 \
    static void all_##ID(uint64_t *d, const uint64_t *va, const uint64_t *vb, int64_t immediate)   \
    {                                                                                              \
        (void)va, (void)vb, (void)immediate;                                                       \
        LANES_INDEPENDENT                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            uint64_t a = va[i];                                                                    \
            uint64_t b = B;                                                                        \
            (void)a, (void)b;                                                                      \
            d[i] = (expression);                                                                   \
        }                                                                                          \
    }                                                                                              \
    static void some_##ID(uint64_t *d, const uint64_t *va, const uint64_t *vb, int64_t immediate,  \
                          const uint64_t *select)                                                  \
    {                                                                                              \
        (void)va, (void)vb, (void)immediate;                                                       \
        LANES_INDEPENDENT                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            uint64_t a = va[i];                                                                    \
            uint64_t b = B;                                                                        \
            (void)a, (void)b;                                                                      \
            d[i] = ((expression)&select[i]) | (d[i] & ~select[i]);                                 \
        }                                                                                          \
    }

#define RR(ID, expression) LANE_OP(ID, vb[i], expression)
#define RI(ID, expression) LANE_OP(ID, (uint64_t)immediate, expression)

#define LANE_OPS(RR, RI)                                                                           \
    RI(LUI, b)                                                                                     \
    RI(AUIPC, b)                                                                                   \
    RI(ADDI, a + b)                                                                                \
    RI(SLTI, (uint64_t)((int64_t)a < (int64_t)b))                                                  \
    RI(SLTIU, (uint64_t)(a < b))                                                                   \
    RI(XORI, a ^ b)                                                                                \
    RI(ORI, a | b)                                                                                 \
    RI(ANDI, a &b)                                                                                 \
    RI(SLLI, a << b)                                                                               \
    RI(SRLI, a >> b)                                                                               \
    RI(SRAI, (uint64_t)((int64_t)a >> b))                                                          \
    RR(ADD, a + b)                                                                                 \
    RR(SUB, a - b)                                                                                 \
    RR(SLL, a << (b & 63))                                                                         \
    RR(SLT, (uint64_t)((int64_t)a < (int64_t)b))                                                   \
    RR(SLTU, (uint64_t)(a < b))                                                                    \
    RR(XOR, a ^ b)                                                                                 \
    RR(SRL, a >> (b & 63))                                                                         \
    RR(SRA, (uint64_t)((int64_t)a >> (b & 63)))                                                    \
    RR(OR, a | b)                                                                                  \
    RR(AND, a &b)                                                                                  \
    RI(ADDIW, SEXT32(a + b))                                                                       \
    RI(SLLIW, SEXT32((uint32_t)a << b))                                                            \
    RI(SRLIW, SEXT32((uint32_t)a >> b))                                                            \
    RI(SRAIW, SEXT32((int32_t)(uint32_t)a >> b))                                                   \
    RR(ADDW, SEXT32(a + b))                                                                        \
    RR(SUBW, SEXT32(a - b))                                                                        \
    RR(SLLW, SEXT32((uint32_t)a << (b & 31)))                                                      \
    RR(SRLW, SEXT32((uint32_t)a >> (b & 31)))                                                      \
    RR(SRAW, SEXT32((int32_t)(uint32_t)a >> (b & 31)))                                             \
    RR(MUL, a *b)                                                                                  \
    RR(MULH, mulh(a, b))                                                                           \
    RR(MULHSU, mulhsu(a, b))                                                                       \
    RR(MULHU, mulhu(a, b))                                                                         \
    RR(MULW, SEXT32(a *b))                                                                         \
    RR(DIV, div_signed(a, b))                                                                      \
    RR(DIVU, b == 0 ? UINT64_MAX : a / b)                                                          \
    RR(REM, rem_signed(a, b))                                                                      \
    RR(REMU, b == 0 ? a : a % b)                                                                   \
    RR(DIVW, div_signed32(a, b))                                                                   \
    RR(DIVUW, (uint32_t)b == 0 ? UINT64_MAX : SEXT32((uint32_t)a / (uint32_t)b))                   \
    RR(REMW, rem_signed32(a, b))                                                                   \
    RR(REMUW, (uint32_t)b == 0 ? SEXT32(a) : SEXT32((uint32_t)a % (uint32_t)b))

LANE_OPS(RR, RI)

#define LANE_BRANCH(ID, expression)                                                                \
    static uint64_t branch_##ID(const uint64_t *va, const uint64_t *vb)                            \
    {                                                                                              \
        lane_vector taken;                                                                         \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            uint64_t a = va[i];                                                                    \
            uint64_t b = vb[i];                                                                    \
            taken[i] = (uint64_t)(expression);                                                     \
        }                                                                                          \
        return mask_nonzero(taken);                                                                \
    }

LANE_BRANCH(BEQ, a == b)
LANE_BRANCH(BNE, a != b)
LANE_BRANCH(BLT, (int64_t)a < (int64_t)b)
LANE_BRANCH(BGE, (int64_t)a >= (int64_t)b)
LANE_BRANCH(BLTU, a < b)
LANE_BRANCH(BGEU, a >= b)

static void expand(uint64_t *select, uint64_t mask)
{
    for (unsigned i = 0; i < LANES; i++) {
        select[i] = 0 - ((mask >> i) & 1);
    }
}

static void set(uint64_t *d, uint64_t value, const uint64_t *select)
{
    LANES_INDEPENDENT
    for (unsigned i = 0; i < LANES; i++) {
        d[i] = (value & select[i]) | (d[i] & ~select[i]);
    }
}

static void copy(uint64_t *d, const uint64_t *s, const uint64_t *select)
{
    LANES_INDEPENDENT
    for (unsigned i = 0; i < LANES; i++) {
        d[i] = (s[i] & select[i]) | (d[i] & ~select[i]);
    }
}

static uint64_t address(uint64_t *out, const uint64_t *a, int64_t immediate, uint64_t base,
                        uint64_t size, uint64_t misaligned)
{
    lane_vector bad;

    for (unsigned i = 0; i < LANES; i++) {
        uint64_t value = a[i] + (uint64_t)immediate;
        out[i] = value;
        bad[i] = (uint64_t)(value - base >= size) | (value & misaligned);
    }
    return mask_nonzero(bad);
}

static uint64_t off_stride(const uint64_t *address, uint64_t base, uint64_t stride)
{
    lane_vector differs;

    for (unsigned i = 0; i < LANES; i++) {
        differs[i] = address[i] ^ (base + i * stride);
    }
    return mask_nonzero(differs);
}

/* Little-endian hosts only, like the device. */
#define LANE_LOAD(type, extended)                                                                  \
    static void load_##type(uint64_t *d, const uint8_t *bytes)                                     \
    {                                                                                              \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            type value;                                                                            \
            memcpy(&value, bytes + i * sizeof(value), sizeof(value));                              \
            d[i] = (uint64_t)(extended)value;                                                      \
        }                                                                                          \
    }

#define LANE_STORE(type)                                                                           \
    static void store_##type(uint8_t *bytes, const uint64_t *value)                                \
    {                                                                                              \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            type low = (type)value[i];                                                             \
            memcpy(bytes + i * sizeof(low), &low, sizeof(low));                                    \
        }                                                                                          \
    }

LANE_LOAD(uint8_t, uint64_t)
LANE_LOAD(int8_t, int64_t)
LANE_LOAD(uint16_t, uint64_t)
LANE_LOAD(int16_t, int64_t)
LANE_LOAD(uint32_t, uint64_t)
LANE_LOAD(int32_t, int64_t)
LANE_LOAD(uint64_t, uint64_t)
LANE_STORE(uint8_t)
LANE_STORE(uint16_t)
LANE_STORE(uint32_t)
LANE_STORE(uint64_t)

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

extern const struct lanes_ops CONCAT(lanes_ops_, SL_LANES_VARIANT);
extern const lanes_float_fn CONCAT(lanes_float_, SL_LANES_VARIANT)[SL_INSN_COUNT];
extern const lanes_doubtful_fn CONCAT(lanes_doubtful_, SL_LANES_VARIANT)[SL_INSN_COUNT];

const struct lanes_ops CONCAT(lanes_ops_, SL_LANES_VARIANT) = {
    .name = STRING(SL_LANES_VARIANT),
#define ALL(ID, expression) [SL_INSN_##ID] = all_##ID,
    .alu = {LANE_OPS(ALL, ALL)},
#define SOME(ID, expression) [SL_INSN_##ID] = some_##ID,
    .alu_masked = {LANE_OPS(SOME, SOME)},
    .branch =
        {
            [SL_INSN_BEQ] = branch_BEQ,
            [SL_INSN_BNE] = branch_BNE,
            [SL_INSN_BLT] = branch_BLT,
            [SL_INSN_BGE] = branch_BGE,
            [SL_INSN_BLTU] = branch_BLTU,
            [SL_INSN_BGEU] = branch_BGEU,
        },
    .compute = CONCAT(lanes_float_, SL_LANES_VARIANT),
    .doubtful = CONCAT(lanes_doubtful_, SL_LANES_VARIANT),
    .expand = expand,
    .copy = copy,
    .set = set,
    .address = address,
    .due = mask_due,
    .earliest = mask_earliest,
    .off_stride = off_stride,
    .load =
        {
            [2] = load_uint8_t,
            [3] = load_int8_t,
            [4] = load_uint16_t,
            [5] = load_int16_t,
            [8] = load_uint32_t,
            [9] = load_int32_t,
            [16] = load_uint64_t,
            [17] = load_uint64_t,
        },
    .store =
        {[1] = store_uint8_t, [2] = store_uint16_t, [4] = store_uint32_t, [8] = store_uint64_t},
};
