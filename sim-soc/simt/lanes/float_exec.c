/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The F and D extensions on 64 lanes, on the host's floating-point unit (RISC-V Unprivileged ISA,
 * chapters F and D).
 *
 * Compiled several times with different vector instruction sets; SL_LANES_VARIANT names the result.
 * The caller sets the rounding mode and reads the exception flags around each of these functions,
 * which it calls by pointer: no operation may add flags of its own (mk/host.mk has the compiler
 * options), and operands of lanes that are not selected are replaced by ones. Tests of values are
 * integer operations, so that they raise nothing. A function returns false where software has to
 * compute the instruction: the host's flags or result are not RISC-V's in some lane. */
#include "simt/lanes/lanes.h"
#include "simt/lanes/lanes_float.h"

#if defined(__FMA__)
#include <immintrin.h>
#endif

/* d is none of the operands, and lanes do not depend on each other. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES_INDEPENDENT _Pragma("GCC ivdep")
#else
#define LANES_INDEPENDENT
#endif

#define ONE_S      0x3f800000u
#define INFINITY_S 0x7f800000u
#define SIGN_S     0x80000000u
#define BOX        0xffffffff00000000u

#define ONE_D      0x3ff0000000000000u
#define INFINITY_D 0x7ff0000000000000u
#define SIGN_D     0x8000000000000000u

static inline uint64_t is_nan_s(uint32_t bits)
{
    return (bits & ~SIGN_S) > INFINITY_S;
}

static inline uint64_t is_nan_d(uint64_t bits)
{
    return (bits & ~SIGN_D) > INFINITY_D;
}

static inline uint32_t canonical_s(uint32_t bits)
{
    return is_nan_s(bits) ? NAN_S : bits;
}

static inline uint64_t canonical_d(uint64_t bits)
{
    return is_nan_d(bits) ? NAN_D : bits;
}

static inline uint64_t where(uint64_t select, uint64_t value, uint64_t other)
{
    return (value & select) | (other & ~select);
}

/* ---- arithmetic: one expression of x, y and z ---- */

static void gather_s(float *x, const uint64_t *v, const uint64_t *select)
{
    LANES_INDEPENDENT
    for (unsigned i = 0; i < LANES; i++) {
        x[i] = as_float((uint32_t)where(select[i], unbox(v[i]), ONE_S));
    }
}

static void gather_d(double *x, const uint64_t *v, const uint64_t *select)
{
    LANES_INDEPENDENT
    for (unsigned i = 0; i < LANES; i++) {
        x[i] = as_double(where(select[i], v[i], ONE_D));
    }
}

static void scatter_s(uint64_t *d, const float *r)
{
    LANES_INDEPENDENT
    for (unsigned i = 0; i < LANES; i++) {
        d[i] = BOX | canonical_s(float_bits(r[i]));
    }
}

static void scatter_d(uint64_t *d, const double *r)
{
    LANES_INDEPENDENT
    for (unsigned i = 0; i < LANES; i++) {
        d[i] = canonical_d(double_bits(r[i]));
    }
}

#define ALIGNED __attribute__((aligned(64)))

#define ARGUMENTS                                                                                  \
    uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *select

#define ARITHMETIC_1(ID, type, p, expression)                                                      \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        ALIGNED type xs[LANES], rs[LANES];                                                         \
        (void)b, (void)c;                                                                          \
        gather_##p(xs, a, select);                                                                 \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            type x = xs[i];                                                                        \
            rs[i] = (expression);                                                                  \
        }                                                                                          \
        scatter_##p(d, rs);                                                                        \
        return true;                                                                               \
    }

#define ARITHMETIC_2(ID, type, p, expression)                                                      \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        ALIGNED type xs[LANES], ys[LANES], rs[LANES];                                              \
        (void)c;                                                                                   \
        gather_##p(xs, a, select);                                                                 \
        gather_##p(ys, b, select);                                                                 \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            type x = xs[i], y = ys[i];                                                             \
            rs[i] = (expression);                                                                  \
        }                                                                                          \
        scatter_##p(d, rs);                                                                        \
        return true;                                                                               \
    }

ARITHMETIC_2(FADD_S, float, s, x + y)
ARITHMETIC_2(FSUB_S, float, s, x - y)
ARITHMETIC_2(FMUL_S, float, s, x *y)
ARITHMETIC_2(FDIV_S, float, s, x / y)
ARITHMETIC_1(FSQRT_S, float, s, __builtin_sqrtf(x))
ARITHMETIC_2(FADD_D, double, d, x + y)
ARITHMETIC_2(FSUB_D, double, d, x - y)
ARITHMETIC_2(FMUL_D, double, d, x *y)
ARITHMETIC_2(FDIV_D, double, d, x / y)
ARITHMETIC_1(FSQRT_D, double, d, __builtin_sqrt(x))

/* Processors differ in whether infinity * 0 + NaN is invalid, so that NaNs are software's. Where
 * the rounding mode is not known, compilers do not vectorize fused multiply-adds by themselves. */
#if defined(__FMA__)
#if defined(__AVX512F__)
#define VECTOR(name) _mm512_##name
#define VECTOR_BYTES 64
#else
#define VECTOR(name) _mm256_##name
#define VECTOR_BYTES 32
#endif
#define FUSED(ID, type, p, bits_type, name)                                                        \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        ALIGNED type xs[LANES], ys[LANES], zs[LANES], rs[LANES];                                   \
        bits_type nans = 0;                                                                        \
        gather_##p(xs, a, select);                                                                 \
        gather_##p(ys, b, select);                                                                 \
        gather_##p(zs, c, select);                                                                 \
        for (unsigned i = 0; i < LANES; i += VECTOR_BYTES / sizeof(type)) {                        \
            VECTOR(store_p##p)                                                                     \
            (rs + i, VECTOR(name##_p##p)(VECTOR(load_p##p)(xs + i), VECTOR(load_p##p)(ys + i),     \
                                         VECTOR(load_p##p)(zs + i)));                              \
        }                                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            nans |= (bits_type)is_nan_##p(type##_bits(rs[i]));                                     \
        }                                                                                          \
        scatter_##p(d, rs);                                                                        \
        return nans == 0;                                                                          \
    }
#else
#define FUSED(ID, type, p, bits_type, name)                                                        \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        (void)d, (void)a, (void)b, (void)c, (void)select;                                          \
        return false;                                                                              \
    }
#endif

/* Intel's names negate the product, RISC-V's all of it. */
FUSED(FMADD_S, float, s, uint32_t, fmadd)
FUSED(FMSUB_S, float, s, uint32_t, fmsub)
FUSED(FNMSUB_S, float, s, uint32_t, fnmadd)
FUSED(FNMADD_S, float, s, uint32_t, fnmsub)
FUSED(FMADD_D, double, d, uint64_t, fmadd)
FUSED(FMSUB_D, double, d, uint64_t, fmsub)
FUSED(FNMSUB_D, double, d, uint64_t, fnmadd)
FUSED(FNMADD_D, double, d, uint64_t, fnmsub)

/* ---- bits: an expression of x and y, the operands' bits; where there is a NaN, software's ---- */

#define BITS_2(ID, type, one, unboxed, p, allows_nans, expression)                                 \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        uint64_t nans = 0;                                                                         \
        (void)c;                                                                                   \
        LANES_INDEPENDENT                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            type x = (type)where(select[i], unboxed(a[i]), one);                                   \
            type y = (type)where(select[i], unboxed(b[i]), one);                                   \
            nans |= is_nan_##p(x) | is_nan_##p(y);                                                 \
            d[i] = (expression);                                                                   \
        }                                                                                          \
        return allows_nans || nans == 0;                                                           \
    }

#define BITS_S(ID, allows_nans, expression)                                                        \
    BITS_2(ID, uint32_t, ONE_S, unbox, s, allows_nans, expression)
#define BITS_D(ID, allows_nans, expression)                                                        \
    BITS_2(ID, uint64_t, ONE_D, , d, allows_nans, expression)

/* Integers in the order of the numbers, -0 just below +0. */
static inline int32_t order_s(uint32_t bits)
{
    return (int32_t)(bits ^ ((uint32_t)((int32_t)bits >> 31) >> 1));
}

static inline int64_t order_d(uint64_t bits)
{
    return (int64_t)(bits ^ ((uint64_t)((int64_t)bits >> 63) >> 1));
}

#define ZEROS_S ((uint32_t)((x | y) << 1) == 0)
#define ZEROS_D ((uint64_t)((x | y) << 1) == 0)

BITS_S(FSGNJ_S, true, BOX | (x & ~SIGN_S) | (y & SIGN_S))
BITS_S(FSGNJN_S, true, BOX | (x & ~SIGN_S) | (~y & SIGN_S))
BITS_S(FSGNJX_S, true, BOX | (x ^ (y & SIGN_S)))
BITS_S(FMIN_S, false, BOX | (order_s(x) < order_s(y) ? x : y))
BITS_S(FMAX_S, false, BOX | (order_s(x) > order_s(y) ? x : y))
BITS_S(FEQ_S, false, (x == y) | ZEROS_S)
BITS_S(FLT_S, false, (order_s(x) < order_s(y)) & !ZEROS_S)
BITS_S(FLE_S, false, (order_s(x) <= order_s(y)) | ZEROS_S)
BITS_D(FSGNJ_D, true, (x & ~SIGN_D) | (y & SIGN_D))
BITS_D(FSGNJN_D, true, (x & ~SIGN_D) | (~y & SIGN_D))
BITS_D(FSGNJX_D, true, x ^ (y & SIGN_D))
BITS_D(FMIN_D, false, order_d(x) < order_d(y) ? x : y)
BITS_D(FMAX_D, false, order_d(x) > order_d(y) ? x : y)
BITS_D(FEQ_D, false, (x == y) | ZEROS_D)
BITS_D(FLT_D, false, (order_d(x) < order_d(y)) & !ZEROS_D)
BITS_D(FLE_D, false, (order_d(x) <= order_d(y)) | ZEROS_D)

/* ---- conversions and moves ---- */

#define EACH_LANE(ID, expression)                                                                  \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        (void)b, (void)c, (void)select;                                                            \
        LANES_INDEPENDENT                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            uint64_t x = a[i];                                                                     \
            d[i] = (expression);                                                                   \
        }                                                                                          \
        return true;                                                                               \
    }

EACH_LANE(FMV_X_W, (uint64_t)(int64_t)(int32_t)(uint32_t)x)
EACH_LANE(FMV_W_X, BOX | (uint32_t)x)
EACH_LANE(FMV_X_D, x)
EACH_LANE(FMV_D_X, x)

/* A bit of its own for each of: -infinity, -normal, -subnormal, -0, +0, +subnormal, +normal,
 * +infinity, signaling NaN, quiet NaN (chapter F). */
static inline uint64_t class_of(uint64_t sign, uint64_t magnitude, uint64_t least_normal,
                                uint64_t infinity, uint64_t quiet)
{
    uint64_t kind = (uint64_t)(magnitude >= infinity) + (uint64_t)(magnitude >= least_normal) +
                    (uint64_t)(magnitude != 0); /* 0 to 3, from zero to infinity */
    uint64_t number = 1ull << (sign ? 3 - kind : 4 + kind);

    return magnitude > infinity ? 1ull << (magnitude & quiet ? 9 : 8) : number;
}

EACH_LANE(FCLASS_S,
          class_of(unbox(x) & SIGN_S, unbox(x) & ~SIGN_S, 0x00800000, INFINITY_S, 0x00400000))
EACH_LANE(FCLASS_D,
          class_of(x &SIGN_D, x & ~SIGN_D, 0x0010000000000000, INFINITY_D, 0x0008000000000000))

/* Integers to floating point. What a signed 64-bit integer does not hold is software's. */
#define FROM_INTEGER(ID, integer, is_large, result)                                                \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        uint64_t large = 0;                                                                        \
        (void)b, (void)c;                                                                          \
        LANES_INDEPENDENT                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            uint64_t x = where(select[i], a[i], 1);                                                \
            large |= (uint64_t)(is_large);                                                         \
            d[i] = result(integer);                                                                \
        }                                                                                          \
        return large == 0;                                                                         \
    }

#define TO_S(integer) (BOX | float_bits((float)(integer)))
#define TO_D(integer) double_bits((double)(integer))

FROM_INTEGER(FCVT_S_W, (int32_t)(uint32_t)x, 0, TO_S)
FROM_INTEGER(FCVT_S_WU, (int64_t)(uint32_t)x, 0, TO_S)
FROM_INTEGER(FCVT_S_L, (int64_t)x, 0, TO_S)
FROM_INTEGER(FCVT_S_LU, (int64_t)x, x >> 63, TO_S)
FROM_INTEGER(FCVT_D_W, (int32_t)(uint32_t)x, 0, TO_D)
FROM_INTEGER(FCVT_D_WU, (int64_t)(uint32_t)x, 0, TO_D)
FROM_INTEGER(FCVT_D_L, (int64_t)x, 0, TO_D)
FROM_INTEGER(FCVT_D_LU, (int64_t)x, x >> 63, TO_D)

/* Floating point to integers by way of 64-bit ones, whose overflow is their least value. What is
 * out of range is software's. */
#define TO_INTEGER(ID, type, p, round, is_outside, result)                                         \
    static bool all_##ID(ARGUMENTS)                                                                \
    {                                                                                              \
        ALIGNED type xs[LANES];                                                                    \
        uint64_t outside = 0;                                                                      \
        (void)b, (void)c;                                                                          \
        gather_##p(xs, a, select);                                                                 \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            int64_t r = round(xs[i]);                                                              \
            outside |= (uint64_t)(is_outside);                                                     \
            d[i] = (uint64_t)(result);                                                             \
        }                                                                                          \
        return outside == 0;                                                                       \
    }

TO_INTEGER(FCVT_W_S, float, s, __builtin_llrintf, r != (int32_t)r, r)
TO_INTEGER(FCVT_WU_S, float, s, __builtin_llrintf, r != (int64_t)(uint32_t)r, (int64_t)(int32_t)r)
TO_INTEGER(FCVT_L_S, float, s, __builtin_llrintf, r == INT64_MIN, r)
TO_INTEGER(FCVT_LU_S, float, s, __builtin_llrintf, r < 0, r)
TO_INTEGER(FCVT_W_D, double, d, __builtin_llrint, r != (int32_t)r, r)
TO_INTEGER(FCVT_WU_D, double, d, __builtin_llrint, r != (int64_t)(uint32_t)r, (int64_t)(int32_t)r)
TO_INTEGER(FCVT_L_D, double, d, __builtin_llrint, r == INT64_MIN, r)
TO_INTEGER(FCVT_LU_D, double, d, __builtin_llrint, r < 0, r)

static bool all_FCVT_S_D(ARGUMENTS)
{
    ALIGNED double xs[LANES];
    ALIGNED float rs[LANES];

    (void)b, (void)c;
    gather_d(xs, a, select);
    for (unsigned i = 0; i < LANES; i++) {
        rs[i] = (float)xs[i];
    }
    scatter_s(d, rs);
    return true;
}

static bool all_FCVT_D_S(ARGUMENTS)
{
    ALIGNED float xs[LANES];
    ALIGNED double rs[LANES];

    (void)b, (void)c;
    gather_s(xs, a, select);
    for (unsigned i = 0; i < LANES; i++) {
        rs[i] = (double)xs[i];
    }
    scatter_d(d, rs);
    return true;
}

extern const lanes_float_fn CONCAT(lanes_float_, SL_LANES_VARIANT)[SL_INSN_COUNT];

#define ENTRY(ID)   [SL_INSN_##ID] = all_##ID,
#define ENTRIES(ID) ENTRY(ID##_S) ENTRY(ID##_D)

const lanes_float_fn CONCAT(lanes_float_, SL_LANES_VARIANT)[SL_INSN_COUNT] = {
    ENTRIES(FMADD) ENTRIES(FMSUB) ENTRIES(FNMSUB) ENTRIES(FNMADD) ENTRIES(FADD) ENTRIES(FSUB)
        ENTRIES(FMUL) ENTRIES(FDIV) ENTRIES(FSQRT) ENTRIES(FSGNJ) ENTRIES(FSGNJN) ENTRIES(FSGNJX)
            ENTRIES(FMIN) ENTRIES(FMAX) ENTRIES(FLE) ENTRIES(FLT) ENTRIES(FEQ) ENTRIES(FCVT_W)
                ENTRIES(FCVT_WU) ENTRIES(FCVT_L) ENTRIES(FCVT_LU) ENTRY(FCVT_S_W) ENTRY(FCVT_S_WU)
                    ENTRY(FCVT_S_L) ENTRY(FCVT_S_LU) ENTRY(FCVT_D_W) ENTRY(FCVT_D_WU)
                        ENTRY(FCVT_D_L) ENTRY(FCVT_D_LU) ENTRY(FMV_X_W) ENTRY(FMV_W_X)
                            ENTRY(FMV_X_D) ENTRY(FMV_D_X) ENTRY(FCVT_S_D) ENTRY(FCVT_D_S)
                                ENTRIES(FCLASS)};
