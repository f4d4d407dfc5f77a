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
#include "simt/lanes.h"
#include "simt/lanes_float.h"
#include "simt/lanes_mask.h"

#define ARGUMENTS const uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c

/* What x + y leaves over beside its rounded sum; NaN where something is not finite. */
static inline double left_of_sum(double x, double y, double sum)
{
    double of_y = sum - x;
    double of_x = sum - of_y;

    return (x - of_x) + (y - of_y);
}

/* The functions below say whether x OP y (OP z) may differ from the result r. A NaN differs from
 * itself, and so counts as doubtful. */

/* Of singles. */
static inline uint64_t sum_differs_s(double x, double y, double r)
{
    double sum = x + y;

    return (uint64_t)(sum != r) | (uint64_t)(left_of_sum(x, y, sum) != 0);
}

static inline uint64_t sum_differs_d(double x, double y)
{
    return left_of_sum(x, y, x + y) != 0;
}

#if defined(__FMA__)
/* Whether a product of about this size may have a residual that is rounded to zero. */
static inline uint64_t is_small(double x)
{
    return __builtin_fabs(x) < 0x1p-900;
}

static inline uint64_t product_differs_d(double x, double y, double r)
{
    return (uint64_t)(__builtin_fma(x, y, -r) != 0) |
           (is_small(r) & (uint64_t)(x != 0) & (uint64_t)(y != 0));
}

static inline uint64_t quotient_differs_d(double x, double y, double r)
{
    return (uint64_t)(__builtin_fma(r, y, -x) != 0) | (is_small(x) & (uint64_t)(x != 0));
}

static inline uint64_t root_differs_d(double x, double r)
{
    return (uint64_t)(__builtin_fma(r, r, -x) != 0) | (is_small(x) & (uint64_t)(x != 0));
}

/* x * y is product + left, and that + z is sum + over + left, exactly. */
static inline uint64_t fused_differs_d(double x, double y, double z, double r)
{
    double product = x * y;
    double left = __builtin_fma(x, y, -product);
    double sum = product + z;
    double over = left_of_sum(product, z, sum);
    double rest = over + left;
    double total = sum + rest;

    return (uint64_t)(left_of_sum(over, left, rest) != 0) |
           (uint64_t)(left_of_sum(sum, rest, total) != 0) | (uint64_t)(total != r) |
           (is_small(product) & (uint64_t)(x != 0) & (uint64_t)(y != 0));
}
#else
#define product_differs_d(x, y, r)  1
#define quotient_differs_d(x, y, r) 1
#define root_differs_d(x, r)        1
#define fused_differs_d(x, y, z, r) 1
#endif

static inline double single_at(const uint64_t *v, unsigned i)
{
    return (double)as_float(unbox(v[i]));
}

static inline double double_at(const uint64_t *v, unsigned i)
{
    return as_double(v[i]);
}

/* Where nothing overflowed and nothing was divided by zero, an infinite result is exact, as is a
 * NaN. */
#define DOUBTFUL(ID, p, expression)                                                                \
    static uint64_t doubtful_##ID(ARGUMENTS)                                                       \
    {                                                                                              \
        lane_vector differs;                                                                       \
        for (unsigned i = 0; i < LANES; i++) {                                                     \
            double r = p##_at(d, i), x = p##_at(a, i), y = p##_at(b, i), z = p##_at(c, i);         \
            (void)x, (void)y, (void)z;                                                             \
            differs[i] = (uint64_t)(expression) & (uint64_t)(r - r == 0);                          \
        }                                                                                          \
        return mask_nonzero(differs);                                                              \
    }

DOUBTFUL(FADD_S, single, sum_differs_s(x, y, r))
DOUBTFUL(FSUB_S, single, sum_differs_s(x, -y, r))
DOUBTFUL(FMUL_S, single, x *y != r)
DOUBTFUL(FDIV_S, single, r *y != x)
DOUBTFUL(FSQRT_S, single, r *r != x)
DOUBTFUL(FMADD_S, single, sum_differs_s(x *y, z, r))
DOUBTFUL(FMSUB_S, single, sum_differs_s(x *y, -z, r))
DOUBTFUL(FNMSUB_S, single, sum_differs_s(-x *y, z, r))
DOUBTFUL(FNMADD_S, single, sum_differs_s(-x *y, -z, r))
DOUBTFUL(FADD_D, double, sum_differs_d(x, y))
DOUBTFUL(FSUB_D, double, sum_differs_d(x, -y))
DOUBTFUL(FMUL_D, double, product_differs_d(x, y, r))
DOUBTFUL(FDIV_D, double, quotient_differs_d(x, y, r))
DOUBTFUL(FSQRT_D, double, root_differs_d(x, r))
DOUBTFUL(FMADD_D, double, fused_differs_d(x, y, z, r))
DOUBTFUL(FMSUB_D, double, fused_differs_d(x, y, -z, r))
DOUBTFUL(FNMSUB_D, double, fused_differs_d(-x, y, z, r))
DOUBTFUL(FNMADD_D, double, fused_differs_d(-x, y, -z, r))

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

DIFFERS_BACK(FCVT_W_S, (double)(int64_t)d[i] != single_at(a, i))
DIFFERS_BACK(FCVT_WU_S, (double)(int64_t)(uint32_t)d[i] != single_at(a, i))
DIFFERS_BACK(FCVT_L_S, (double)(int64_t)d[i] != single_at(a, i))
DIFFERS_BACK(FCVT_LU_S, (double)(int64_t)d[i] != single_at(a, i))
DIFFERS_BACK(FCVT_W_D, (double)(int64_t)d[i] != double_at(a, i))
DIFFERS_BACK(FCVT_WU_D, (double)(int64_t)(uint32_t)d[i] != double_at(a, i))
DIFFERS_BACK(FCVT_L_D, (double)(int64_t)d[i] != double_at(a, i))
DIFFERS_BACK(FCVT_LU_D, (double)(int64_t)d[i] != double_at(a, i))

/* INT64_MAX, which no floating-point number is, where the integer has no 64-bit one. */
static inline int64_t integer_of(double r)
{
    return r < 0x1p63 ? (int64_t)r : INT64_MAX;
}

#define INTEGER_DIFFERS(p, x)                                                                      \
    ((uint64_t)(integer_of(p##_at(d, i)) != (int64_t)(x)) | (uint64_t)((x) == INT64_MAX))

DIFFERS_BACK(FCVT_S_W, INTEGER_DIFFERS(single, (int32_t)(uint32_t)a[i]))
DIFFERS_BACK(FCVT_S_WU, INTEGER_DIFFERS(single, (int64_t)(uint32_t)a[i]))
DIFFERS_BACK(FCVT_S_L, INTEGER_DIFFERS(single, (int64_t)a[i]))
DIFFERS_BACK(FCVT_S_LU, INTEGER_DIFFERS(single, (int64_t)a[i]))
DIFFERS_BACK(FCVT_D_L, INTEGER_DIFFERS(double, (int64_t)a[i]))
DIFFERS_BACK(FCVT_D_LU, INTEGER_DIFFERS(double, (int64_t)a[i]))
DIFFERS_BACK(FCVT_S_D, single_at(d, i) != double_at(a, i) && double_at(a, i) == double_at(a, i))

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
