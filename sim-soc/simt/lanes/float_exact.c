/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which lanes of a floating-point instruction are exact: those that do not raise NX where others of
 * their wavefront do.
 *
 * Compiled several times, as float_exec.c is. Each function gets the result and the operands of an
 * instruction that raised NX and no other flag in any lane, and computes what the rounding left
 * over: singles in doubles, which hold products of two exactly; doubles by the residuals of fused
 * multiply-adds; sums by the error-free transformation of Knuth (2Sum). It computes with rounding
 * to nearest, whatever the instruction's mode: a result is exact in all modes or in none. Where
 * nothing was left over, the lane is exact; every other lane, whether it is inexact or so near the
 * ends of the range that the residual itself may be rounded, is left to software. */
#include "simt/lanes/lanes.h"
#include "simt/lanes/lanes_float.h"
#include "simt/lanes/lanes_mask.h"

#define ARGUMENTS const uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c

/* What x + y leaves over beside its rounded sum; NaN where something is not finite. */
static inline double left_of_sum(double x, double y, double sum)
{
    double of_y = sum - x;
    double of_x = sum - of_y;

    return (x - of_x) + (y - of_y);
}

/* The macros below compute one residual or two of x OP y (OP z) and its result r; where both are
 * zero the lane is exact. They are looked at as bits, so that loops are vectorized, and a NaN,
 * which says nothing, is not zero. What is infinite where nothing overflowed and nothing was
 * divided by zero is exact, as is a NaN. `end` is a number such that a product or quotient of its
 * size may have a residual that is itself rounded to zero, if it is small. */
#define ALIGNED    __attribute__((aligned(64)))
#define EXPONENT   0x7ff0000000000000u
#define SMALL_BITS 0x07b0000000000000u /* 2 to the power of -900 */

static inline uint64_t is_nonzero(double x)
{
    return double_bits(x) << 1;
}

/* Whether `end` is small; it is zero without further meaning where a factor, or dividend, is. */
static inline uint64_t is_small(double end, double x, double y)
{
    uint64_t magnitude = double_bits(end) << 1;
    uint64_t is_zero = (uint64_t)(is_nonzero(x) == 0) | (uint64_t)(is_nonzero(y) == 0);

    return (uint64_t)(magnitude < SMALL_BITS << 1) & ((uint64_t)(magnitude != 0) | (is_zero ^ 1));
}

/* In two steps, each of which is vectorized. */
static inline void gather_s(double *x, const uint64_t *v)
{
    ALIGNED float singles[LANES];

    for (unsigned i = 0; i < LANES; i++) {
        singles[i] = as_float(unbox(v[i]));
    }
    for (unsigned i = 0; i < LANES; i++) {
        x[i] = (double)singles[i];
    }
}

static inline void gather_d(double *x, const uint64_t *v)
{
    for (unsigned i = 0; i < LANES; i++) {
        x[i] = as_double(v[i]);
    }
}

#define DOUBTFUL(ID, p, statements)                                                                \
    static uint64_t doubtful_##ID(ARGUMENTS)                                                       \
    {                                                                                              \
        ALIGNED double rs[LANES], xs[LANES], ys[LANES], zs[LANES];                                 \
        lane_vector differs;                                                                       \
        gather_##p(rs, d);                                                                         \
        gather_##p(xs, a);                                                                         \
        gather_##p(ys, b);                                                                         \
        gather_##p(zs, c);                                                                         \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            double r = rs[i], x = xs[i], y = ys[i], z = zs[i];                                     \
            double residual = 0, other = 0, end = 1;                                               \
            (void)r, (void)x, (void)y, (void)z;                                                    \
            statements;                                                                            \
            uint64_t doubt = is_nonzero(residual) | is_nonzero(other) | is_small(end, x, y);       \
            differs[i] = (double_bits(r) & EXPONENT) == EXPONENT ? 0 : doubt;                      \
        }                                                                                          \
        return mask_nonzero(differs);                                                              \
    }

#define SUM_S(X, Y)                                                                                \
    double product = X;                                                                            \
    double sum = product + (Y);                                                                    \
    residual = left_of_sum(product, Y, sum);                                                       \
    other = sum - r

DOUBTFUL(FADD_S, s, SUM_S(x, y))
DOUBTFUL(FSUB_S, s, SUM_S(x, -y))
DOUBTFUL(FMUL_S, s, residual = x * y - r)
DOUBTFUL(FDIV_S, s, residual = r * y - x)
DOUBTFUL(FSQRT_S, s, residual = r * r - x)
DOUBTFUL(FMADD_S, s, SUM_S(x *y, z))
DOUBTFUL(FMSUB_S, s, SUM_S(x *y, -z))
DOUBTFUL(FNMSUB_S, s, SUM_S(-x *y, z))
DOUBTFUL(FNMADD_S, s, SUM_S(-x *y, -z))
DOUBTFUL(FADD_D, d, residual = left_of_sum(x, y, x + y))
DOUBTFUL(FSUB_D, d, residual = left_of_sum(x, -y, x - y))

#if defined(__FMA__)
/* X * y is product + left, and that + Z is sum + over + left, exactly. */
#define FUSED_D(X, Z)                                                                              \
    double product = X * y;                                                                        \
    double left = __builtin_fma(X, y, -product);                                                   \
    double sum = product + (Z);                                                                    \
    double over = left_of_sum(product, Z, sum);                                                    \
    double rest = over + left;                                                                     \
    double total = sum + rest;                                                                     \
    double lost = left_of_sum(over, left, rest);                                                   \
    residual = total - r;                                                                          \
    other = __builtin_fabs(left_of_sum(sum, rest, total)) + __builtin_fabs(lost);                  \
    end = product

DOUBTFUL(FMUL_D, d, residual = __builtin_fma(x, y, -r); end = r)
DOUBTFUL(FDIV_D, d, residual = __builtin_fma(r, y, -x); end = x)
DOUBTFUL(FSQRT_D, d, residual = __builtin_fma(r, r, -x); end = x)
DOUBTFUL(FMADD_D, d, FUSED_D(x, z))
DOUBTFUL(FMSUB_D, d, FUSED_D(x, -z))
DOUBTFUL(FNMSUB_D, d, FUSED_D(-x, z))
DOUBTFUL(FNMADD_D, d, FUSED_D(-x, -z))
#else
static uint64_t all(ARGUMENTS)
{
    (void)d, (void)a, (void)b, (void)c;
    return ~0ull;
}

#define doubtful_FMUL_D   all
#define doubtful_FDIV_D   all
#define doubtful_FSQRT_D  all
#define doubtful_FMADD_D  all
#define doubtful_FMSUB_D  all
#define doubtful_FNMSUB_D all
#define doubtful_FNMADD_D all
#endif

static inline double single_at(uint64_t value)
{
    return (double)as_float(unbox(value));
}

/* Conversions: what is exact converts back to the operand. */
#define DIFFERS_BACK(ID, expression)                                                               \
    static uint64_t doubtful_##ID(ARGUMENTS)                                                       \
    {                                                                                              \
        lane_vector differs;                                                                       \
        (void)b, (void)c;                                                                          \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            differs[i] = (uint64_t)(expression);                                                   \
        }                                                                                          \
        return mask_nonzero(differs);                                                              \
    }

DIFFERS_BACK(FCVT_W_S, (double)(int64_t)d[i] != single_at(a[i]))
DIFFERS_BACK(FCVT_WU_S, (double)(int64_t)(uint32_t)d[i] != single_at(a[i]))
DIFFERS_BACK(FCVT_L_S, (double)(int64_t)d[i] != single_at(a[i]))
DIFFERS_BACK(FCVT_LU_S, (double)(int64_t)d[i] != single_at(a[i]))
DIFFERS_BACK(FCVT_W_D, (double)(int64_t)d[i] != as_double(a[i]))
DIFFERS_BACK(FCVT_WU_D, (double)(int64_t)(uint32_t)d[i] != as_double(a[i]))
DIFFERS_BACK(FCVT_L_D, (double)(int64_t)d[i] != as_double(a[i]))
DIFFERS_BACK(FCVT_LU_D, (double)(int64_t)d[i] != as_double(a[i]))

/* INT64_MAX is no floating-point number; larger ones have no 64-bit integer. */
static inline uint64_t integer_differs(double r, int64_t x)
{
    int64_t back = r < 0x1p63 ? (int64_t)r : INT64_MAX;

    return (uint64_t)(back != x) | (uint64_t)(x == INT64_MAX);
}

DIFFERS_BACK(FCVT_S_W, integer_differs(single_at(d[i]), (int32_t)(uint32_t)a[i]))
DIFFERS_BACK(FCVT_S_WU, integer_differs(single_at(d[i]), (int64_t)(uint32_t)a[i]))
DIFFERS_BACK(FCVT_S_L, integer_differs(single_at(d[i]), (int64_t)a[i]))
DIFFERS_BACK(FCVT_S_LU, integer_differs(single_at(d[i]), (int64_t)a[i]))
DIFFERS_BACK(FCVT_D_L, integer_differs(as_double(d[i]), (int64_t)a[i]))
DIFFERS_BACK(FCVT_D_LU, integer_differs(as_double(d[i]), (int64_t)a[i]))
DIFFERS_BACK(FCVT_S_D, single_at(d[i]) != as_double(a[i]) && as_double(a[i]) == as_double(a[i]))

extern const lanes_doubtful_fn CONCAT(lanes_doubtful_, SL_LANES_VARIANT)[SL_INSN_COUNT];

#define ENTRY(ID)   [SL_INSN_##ID] = doubtful_##ID,
#define ENTRIES(ID) ENTRY(ID##_S) ENTRY(ID##_D)

/* clang-format off */
const lanes_doubtful_fn CONCAT(lanes_doubtful_, SL_LANES_VARIANT)[SL_INSN_COUNT] = {
    ENTRIES(FMADD) ENTRIES(FMSUB) ENTRIES(FNMSUB) ENTRIES(FNMADD) ENTRIES(FADD) ENTRIES(FSUB)
    ENTRIES(FMUL) ENTRIES(FDIV) ENTRIES(FSQRT) ENTRIES(FCVT_W) ENTRIES(FCVT_WU) ENTRIES(FCVT_L)
    ENTRIES(FCVT_LU) ENTRY(FCVT_S_W) ENTRY(FCVT_S_WU) ENTRY(FCVT_S_L) ENTRY(FCVT_S_LU)
    ENTRY(FCVT_D_L) ENTRY(FCVT_D_LU) ENTRY(FCVT_S_D)
};
/* clang-format on */
