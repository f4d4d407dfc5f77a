/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floating point in integer arithmetic (RISC-V Unprivileged ISA, chapters F and D; IEEE 754-2008).
 *
 * Operands of both precisions are unpacked to one form: a sign, a significand of 128 bits and a
 * power of two. Operations are exact in it, or leave a sticky bit; there is one place that rounds.
 * The files soft_value.h and soft_value.c have that form. */
#include "simt/float/soft_float.h"

#include "simt/float/soft_value.h"

/* ---- arithmetic ---- */

struct context {
    const struct soft_format *format;
    enum sl_rounding mode;
    unsigned *flags;
};

static uint64_t invalid(const struct context *context)
{
    *context->flags |= SL_FFLAG_NV;
    return soft_nan(context->format);
}

static uint64_t round_value(const struct context *context, struct soft_value value)
{
    return soft_pack(context->format, value, context->mode, context->flags);
}

/* Whether an operand is a NaN; a signalling one raises invalid. */
static bool has_nan(const struct context *context, struct soft_value a, struct soft_value b)
{
    if (a.is_signaling || b.is_signaling) {
        *context->flags |= SL_FFLAG_NV;
    }
    return a.kind == SOFT_NAN || b.kind == SOFT_NAN;
}

/* a * b + c */
static uint64_t multiply_add(const struct context *context, struct soft_value a,
                             struct soft_value b, struct soft_value c)
{
    struct soft_value product = {.sign = a.sign != b.sign};
    bool is_nan = has_nan(context, a, b);

    is_nan |= has_nan(context, c, c);
    if ((a.kind == SOFT_INFINITY && b.kind == SOFT_ZERO) ||
        (a.kind == SOFT_ZERO && b.kind == SOFT_INFINITY)) {
        return invalid(context); /* even where c is a quiet NaN */
    }
    if (is_nan) {
        return soft_nan(context->format);
    }
    if (a.kind == SOFT_INFINITY || b.kind == SOFT_INFINITY) {
        product.kind = SOFT_INFINITY;
        if (c.kind == SOFT_INFINITY && c.sign != product.sign) {
            return invalid(context);
        }
        return round_value(context, product);
    }
    if (c.kind == SOFT_INFINITY) {
        return round_value(context, c);
    }
    if (a.kind == SOFT_FINITE && b.kind == SOFT_FINITE) {
        product.kind = SOFT_FINITE;
        product.significand = a.significand * b.significand;
        product.exponent = a.exponent + b.exponent;
    }
    return round_value(context, soft_add(product, c, context->mode));
}

static uint64_t add(const struct context *context, struct soft_value a, struct soft_value b)
{
    if (has_nan(context, a, b)) {
        return soft_nan(context->format);
    }
    if (a.kind == SOFT_INFINITY && b.kind == SOFT_INFINITY && a.sign != b.sign) {
        return invalid(context);
    }
    if (a.kind == SOFT_INFINITY || b.kind == SOFT_INFINITY) {
        return round_value(context, a.kind == SOFT_INFINITY ? a : b);
    }
    return round_value(context, soft_add(a, b, context->mode));
}

static uint64_t divide(const struct context *context, struct soft_value a, struct soft_value b)
{
    struct soft_value quotient = {.sign = a.sign != b.sign};

    if (has_nan(context, a, b)) {
        return soft_nan(context->format);
    }
    if (a.kind == b.kind && a.kind != SOFT_FINITE) {
        return invalid(context); /* 0 / 0 or infinity / infinity */
    }
    if (a.kind == SOFT_INFINITY || b.kind == SOFT_ZERO) {
        quotient.kind = SOFT_INFINITY;
        if (a.kind != SOFT_INFINITY) {
            *context->flags |= SL_FFLAG_DZ;
        }
        return round_value(context, quotient);
    }
    if (a.kind == SOFT_ZERO || b.kind == SOFT_INFINITY) {
        quotient.kind = SOFT_ZERO;
        return round_value(context, quotient);
    }
    /* At least 125 - 53 bits of quotient: more than any format has. */
    a = soft_normalize(a, 125);
    quotient.kind = SOFT_FINITE;
    quotient.significand = a.significand / b.significand;
    quotient.is_inexact = a.significand % b.significand != 0;
    quotient.exponent = a.exponent - b.exponent;
    return round_value(context, quotient);
}

static uint64_t square_root(const struct context *context, struct soft_value a)
{
    if (has_nan(context, a, a)) {
        return soft_nan(context->format);
    }
    if (a.kind == SOFT_ZERO) {
        return round_value(context, a);
    }
    if (a.sign) {
        return invalid(context);
    }
    if (a.kind == SOFT_INFINITY) {
        return round_value(context, a);
    }
    a = soft_normalize(a, 125);
    if (a.exponent % 2 != 0) {
        a.significand >>= 1; /* what is normalized so far up has zeros there */
        a.exponent++;
    }
    /* The root bit by bit; 62 or 63 bits. */
    soft_bits root = 0;
    soft_bits rest = a.significand;
    for (soft_bits bit = (soft_bits)1 << 124; bit != 0; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    struct soft_value result = {.kind = SOFT_FINITE,
                                .significand = root,
                                .exponent = a.exponent / 2,
                                .is_inexact = rest != 0};
    return round_value(context, result);
}

/* ---- what does not round ---- */

/* minimumNumber and maximumNumber of IEEE 754-2019; -0 is less than +0. */
static uint64_t choose(const struct context *context, uint64_t a_bits, uint64_t b_bits,
                       bool wants_max)
{
    struct soft_value a = soft_unpack(context->format, a_bits);
    struct soft_value b = soft_unpack(context->format, b_bits);

    (void)has_nan(context, a, b);
    if (a.kind == SOFT_NAN && b.kind == SOFT_NAN) {
        return soft_nan(context->format);
    }
    if (a.kind == SOFT_NAN || b.kind == SOFT_NAN) {
        return soft_box(context->format, a.kind == SOFT_NAN ? b_bits : a_bits);
    }
    int order = soft_compare(a, b);
    bool is_a_less = order < 0 || (order == 0 && a.sign && !b.sign);
    return soft_box(context->format, is_a_less != wants_max ? a_bits : b_bits);
}

static uint64_t classify(const struct soft_format *format, uint64_t bits)
{
    struct soft_value value = soft_unpack(format, bits);
    bool is_subnormal = soft_is_subnormal(format, value);

    switch (value.kind) {
    case SOFT_INFINITY:
        return value.sign ? 1u << 0 : 1u << 7;
    case SOFT_ZERO:
        return value.sign ? 1u << 3 : 1u << 4;
    case SOFT_NAN:
        return value.is_signaling ? 1u << 8 : 1u << 9;
    case SOFT_FINITE:
        break;
    }
    if (value.sign) {
        return is_subnormal ? 1u << 2 : 1u << 1;
    }
    return is_subnormal ? 1u << 5 : 1u << 6;
}

static uint64_t inject_sign(const struct soft_format *format, uint64_t a, uint64_t b, bool flips,
                            bool combines)
{
    uint64_t sign = 1ull << (format->bits - 1);
    uint64_t from = b ^ (flips ? sign : 0) ^ (combines ? a : 0);

    return soft_box(format, (a & ~sign) | (from & sign));
}

/* ---- which instruction ---- */

static const struct soft_format *format_of(enum sl_insn_id id)
{
    return id >= SL_INSN_FLD ? &soft_double : &soft_single;
}

/* riscv.def has both extensions in one order. */
_Static_assert(SL_INSN_FMV_D_X - SL_INSN_FLD == SL_INSN_FMV_W_X - SL_INSN_FLW &&
                   SL_INSN_FADD_D - SL_INSN_FLD == SL_INSN_FADD_S - SL_INSN_FLW &&
                   SL_INSN_FCLASS_D - SL_INSN_FLD == SL_INSN_FCLASS_S - SL_INSN_FLW,
               "the D extension's instructions are in another order than the F extension's");

/* The instruction of the F extension that differs only in the format. */
static enum sl_insn_id in_single(enum sl_insn_id id)
{
    return id >= SL_INSN_FLD ? (enum sl_insn_id)(id - SL_INSN_FLD + SL_INSN_FLW) : id;
}

static uint64_t compare(const struct context *context, enum sl_insn_id id, struct soft_value a,
                        struct soft_value b)
{
    if (has_nan(context, a, b)) {
        if (id != SL_INSN_FEQ_S) {
            *context->flags |= SL_FFLAG_NV; /* flt and fle signal on quiet NaNs, too */
        }
        return 0;
    }
    int order = soft_compare(a, b);
    return id == SL_INSN_FEQ_S ? order == 0 : id == SL_INSN_FLT_S ? order < 0 : order <= 0;
}

uint64_t soft_float(enum sl_insn_id id, uint64_t a, uint64_t b, uint64_t c, enum sl_rounding mode,
                    unsigned *flags)
{
    struct context context = {format_of(id), mode, flags};
    uint64_t a_bits = soft_unbox(context.format, a);
    uint64_t b_bits = soft_unbox(context.format, b);
    struct soft_value x = soft_unpack(context.format, a_bits);
    struct soft_value y = soft_unpack(context.format, b_bits);
    struct soft_value z = soft_unpack(context.format, soft_unbox(context.format, c));

    *flags = 0;
    if (id == SL_INSN_FCVT_S_D || id == SL_INSN_FCVT_D_S) {
        bool narrows = id == SL_INSN_FCVT_S_D;
        const struct soft_format *from = narrows ? &soft_double : &soft_single;
        context.format = narrows ? &soft_single : &soft_double;
        x = soft_unpack(from, soft_unbox(from, a));
        return has_nan(&context, x, x) ? soft_nan(context.format) : round_value(&context, x);
    }
    if (id == SL_INSN_FMV_X_W) {
        return (uint64_t)(int64_t)(int32_t)(uint32_t)a;
    }
    if (id == SL_INSN_FMV_X_D || id == SL_INSN_FMV_D_X) {
        return a;
    }
    switch ((unsigned)in_single(id)) {
    case SL_INSN_FNMADD_S: /* -(a * b) - c */
        z.sign = !z.sign;
        x.sign = !x.sign;
        break;
    case SL_INSN_FNMSUB_S: /* -(a * b) + c */
        x.sign = !x.sign;
        break;
    case SL_INSN_FMSUB_S:
        z.sign = !z.sign;
        break;
    case SL_INSN_FSUB_S:
        y.sign = !y.sign;
        break;
    default:
        break;
    }
    switch ((unsigned)in_single(id)) {
    case SL_INSN_FMADD_S:
    case SL_INSN_FMSUB_S:
    case SL_INSN_FNMSUB_S:
    case SL_INSN_FNMADD_S:
        return multiply_add(&context, x, y, z);
    case SL_INSN_FADD_S:
    case SL_INSN_FSUB_S:
        return add(&context, x, y);
    case SL_INSN_FMUL_S:
        /* Adding a zero of the product's own sign changes nothing. */
        return multiply_add(&context, x, y, (struct soft_value){.sign = x.sign != y.sign});
    case SL_INSN_FDIV_S:
        return divide(&context, x, y);
    case SL_INSN_FSQRT_S:
        return square_root(&context, x);
    case SL_INSN_FSGNJ_S:
        return inject_sign(context.format, a_bits, b_bits, false, false);
    case SL_INSN_FSGNJN_S:
        return inject_sign(context.format, a_bits, b_bits, true, false);
    case SL_INSN_FSGNJX_S:
        return inject_sign(context.format, a_bits, b_bits, false, true);
    case SL_INSN_FMIN_S:
        return choose(&context, a_bits, b_bits, false);
    case SL_INSN_FMAX_S:
        return choose(&context, a_bits, b_bits, true);
    case SL_INSN_FLE_S:
    case SL_INSN_FLT_S:
    case SL_INSN_FEQ_S:
        return compare(&context, in_single(id), x, y);
    case SL_INSN_FCLASS_S:
        return classify(context.format, a_bits);
    case SL_INSN_FCVT_W_S:
        return soft_to_integer(x, 32, true, mode, flags);
    case SL_INSN_FCVT_WU_S:
        return soft_to_integer(x, 32, false, mode, flags);
    case SL_INSN_FCVT_L_S:
        return soft_to_integer(x, 64, true, mode, flags);
    case SL_INSN_FCVT_LU_S:
        return soft_to_integer(x, 64, false, mode, flags);
    case SL_INSN_FCVT_S_W:
        return round_value(&context, soft_from_integer((uint64_t)(int64_t)(int32_t)a, true));
    case SL_INSN_FCVT_S_WU:
        return round_value(&context, soft_from_integer((uint32_t)a, false));
    case SL_INSN_FCVT_S_L:
        return round_value(&context, soft_from_integer(a, true));
    case SL_INSN_FCVT_S_LU:
        return round_value(&context, soft_from_integer(a, false));
    default: /* FMV_W_X */
        return soft_box(&soft_single, (uint32_t)a);
    }
}
