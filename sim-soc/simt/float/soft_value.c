/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Unpacking, rounding, packing (IEEE 754-2008, sections 3.4, 4.3 and 7; RISC-V Unprivileged ISA,
 * chapter F: canonical NaN, NaN boxing, tininess after rounding, conversion of what is out of
 * range). */
#include "simt/float/soft_value.h"

const struct soft_format soft_single = {.bits = 32, .fraction = 23, .bias = 127};
const struct soft_format soft_double = {.bits = 64, .fraction = 52, .bias = 1023};

static unsigned highest_bit(soft_bits bits)
{
    uint64_t high = (uint64_t)(bits >> 64);

    return high != 0 ? 127u - (unsigned)__builtin_clzll(high)
                     : 63u - (unsigned)__builtin_clzll((uint64_t)bits);
}

static uint64_t infinity(const struct soft_format *format)
{
    return (2ull * (unsigned)format->bias + 1) << format->fraction;
}

uint64_t soft_box(const struct soft_format *format, uint64_t bits)
{
    return format->bits == 64 ? bits : 0xffffffff00000000u | (uint32_t)bits;
}

static uint64_t nan_bits(const struct soft_format *format)
{
    return infinity(format) | 1ull << (format->fraction - 1);
}

uint64_t soft_unbox(const struct soft_format *format, uint64_t value)
{
    if (format->bits == 64) {
        return value;
    }
    return value >> 32 == 0xffffffffu ? (uint32_t)value : nan_bits(format);
}

uint64_t soft_nan(const struct soft_format *format)
{
    return soft_box(format, nan_bits(format));
}

struct soft_value soft_unpack(const struct soft_format *format, uint64_t bits)
{
    uint64_t fraction = bits & ((1ull << format->fraction) - 1);
    int biased = (int)(bits >> format->fraction & (2 * (unsigned)format->bias + 1));
    struct soft_value value = {.sign = bits >> (format->bits - 1) & 1};

    if (biased == 2 * format->bias + 1) {
        value.kind = fraction == 0 ? SOFT_INFINITY : SOFT_NAN;
        value.is_signaling = fraction != 0 && fraction >> (format->fraction - 1) == 0;
    } else if (biased != 0 || fraction != 0) {
        value.kind = SOFT_FINITE;
        value.significand = biased == 0 ? fraction : fraction | 1ull << format->fraction;
        value.exponent = (biased == 0 ? 1 : biased) - format->bias - (int)format->fraction;
    }
    return value;
}

/* ---- rounding ---- */

struct rounded {
    soft_bits integer;
    bool is_inexact;
};

/* The magnitude of a value in units of 2^(exponent + drop), rounded. */
static struct rounded round_at(struct soft_value value, int drop, enum sl_rounding mode)
{
    struct rounded result = {0, value.is_inexact};
    bool is_half = false; /* what is dropped is a half or more */
    bool is_more = value.is_inexact;

    if (drop <= 0) {
        result.integer = value.significand << -drop;
    } else if (drop > 127) {
        is_more = true;
    } else {
        soft_bits half = (soft_bits)1 << (drop - 1);
        soft_bits rest = value.significand & ((half << 1) - 1);
        result.integer = value.significand >> drop;
        is_half = rest >= half;
        is_more |= (rest & (half - 1)) != 0;
    }
    result.is_inexact = is_half || is_more;
    bool goes_up = false;
    switch (mode) {
    case SL_ROUNDING_NEAREST_EVEN:
        goes_up = is_half && (is_more || (result.integer & 1) != 0);
        break;
    case SL_ROUNDING_NEAREST_AWAY:
        goes_up = is_half;
        break;
    case SL_ROUNDING_DOWN:
        goes_up = result.is_inexact && value.sign;
        break;
    case SL_ROUNDING_UP:
        goes_up = result.is_inexact && !value.sign;
        break;
    default:
        break;
    }
    result.integer += goes_up;
    return result;
}

static uint64_t overflow(const struct soft_format *format, bool sign, enum sl_rounding mode,
                         unsigned *flags)
{
    bool is_infinite = mode == SL_ROUNDING_NEAREST_EVEN || mode == SL_ROUNDING_NEAREST_AWAY ||
                       mode == (sign ? SL_ROUNDING_DOWN : SL_ROUNDING_UP);

    *flags |= SL_FFLAG_OF | SL_FFLAG_NX;
    return infinity(format) - (is_infinite ? 0 : 1);
}

static uint64_t pack_finite(const struct soft_format *format, struct soft_value value,
                            enum sl_rounding mode, unsigned *flags)
{
    soft_bits hidden = (soft_bits)1 << format->fraction;
    int drop = (int)highest_bit(value.significand) - (int)format->fraction;
    int least = 1 - format->bias - (int)format->fraction; /* exponent of the last place */
    int below = least - (value.exponent + drop);
    bool is_tiny = false;

    if (below > 0) {
        /* Tiny unless rounding with an exponent without limits makes it the least normal number. */
        is_tiny = below > 1 || round_at(value, drop, mode).integer != hidden << 1;
        drop += below;
    }
    struct rounded rounded = round_at(value, drop, mode);
    int biased = value.exponent + drop + format->bias + (int)format->fraction;
    if (rounded.integer == hidden << 1) {
        rounded.integer = hidden;
        biased++;
    }
    if (rounded.is_inexact) {
        *flags |= is_tiny ? SL_FFLAG_NX | SL_FFLAG_UF : SL_FFLAG_NX;
    }
    if (biased > 2 * format->bias) {
        return overflow(format, value.sign, mode, flags);
    }
    if (rounded.integer < hidden) {
        return (uint64_t)rounded.integer; /* subnormal */
    }
    return (uint64_t)biased << format->fraction | (uint64_t)(rounded.integer - hidden);
}

uint64_t soft_pack(const struct soft_format *format, struct soft_value value, enum sl_rounding mode,
                   unsigned *flags)
{
    uint64_t bits = 0;

    switch (value.kind) {
    case SOFT_NAN:
        return soft_nan(format);
    case SOFT_INFINITY:
        bits = infinity(format);
        break;
    case SOFT_FINITE:
        bits = pack_finite(format, value, mode, flags);
        break;
    case SOFT_ZERO:
        break;
    }
    return soft_box(format, bits | (uint64_t)value.sign << (format->bits - 1));
}

/* ---- sums and order ---- */

struct soft_value soft_normalize(struct soft_value value, unsigned top)
{
    unsigned shift = top - highest_bit(value.significand);

    value.significand <<= shift;
    value.exponent -= (int)shift;
    return value;
}

struct soft_value soft_add(struct soft_value a, struct soft_value b, enum sl_rounding mode)
{
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO) {
        a.sign = a.sign == b.sign ? a.sign : mode == SL_ROUNDING_DOWN;
        return a;
    }
    if (a.kind == SOFT_ZERO || b.kind == SOFT_ZERO) {
        return a.kind == SOFT_ZERO ? b : a;
    }
    /* A product has 106 bits at most: from bit 125 down that leaves 20 zeros, so that bits are lost
     * below only where the two are so far apart that the sum keeps its highest bits. */
    a = soft_normalize(a, 125);
    b = soft_normalize(b, 125);
    if (a.exponent < b.exponent) {
        struct soft_value other = a;
        a = b;
        b = other;
    }
    int apart = a.exponent - b.exponent;
    soft_bits low = apart > 127 ? 0 : b.significand >> apart;
    bool is_lost = apart > 127 || low << apart != b.significand;
    if (a.sign == b.sign) {
        a.significand += low;
    } else if (a.significand >= low) {
        a.significand -= low + is_lost;
    } else {
        a.significand = low - a.significand;
        a.sign = b.sign;
    }
    a.is_inexact = is_lost;
    if (a.significand == 0) {
        return (struct soft_value){.sign = mode == SL_ROUNDING_DOWN};
    }
    return a;
}

static int compare_magnitudes(struct soft_value a, struct soft_value b)
{
    if (a.kind != b.kind) {
        return a.kind < b.kind ? -1 : 1;
    }
    if (a.kind != SOFT_FINITE) {
        return 0;
    }
    a = soft_normalize(a, 125);
    b = soft_normalize(b, 125);
    if (a.exponent != b.exponent) {
        return a.exponent < b.exponent ? -1 : 1;
    }
    return (a.significand > b.significand) - (a.significand < b.significand);
}

int soft_compare(struct soft_value a, struct soft_value b)
{
    if (a.kind == SOFT_ZERO && b.kind == SOFT_ZERO) {
        return 0;
    }
    if (a.sign != b.sign) {
        return a.sign ? -1 : 1;
    }
    return a.sign ? -compare_magnitudes(a, b) : compare_magnitudes(a, b);
}

bool soft_is_subnormal(const struct soft_format *format, struct soft_value value)
{
    return value.kind == SOFT_FINITE && value.significand >> format->fraction == 0;
}

/* ---- integers ---- */

static uint64_t extend(uint64_t value, unsigned bits)
{
    return bits == 64 ? value : (uint64_t)(int64_t)(int32_t)(uint32_t)value;
}

uint64_t soft_to_integer(struct soft_value value, unsigned bits, bool is_signed,
                         enum sl_rounding mode, unsigned *flags)
{
    uint64_t most = is_signed ? (1ull << (bits - 1)) - 1 : ~0ull >> (64 - bits);
    uint64_t least = is_signed ? 1ull << (bits - 1) : 0; /* its magnitude */
    uint64_t limit = value.sign && value.kind != SOFT_NAN ? least : most;
    struct rounded rounded = {0, false};

    if (value.kind == SOFT_FINITE && value.exponent <= 64) {
        rounded = round_at(value, -value.exponent, mode);
    }
    bool is_outside = value.kind == SOFT_NAN || value.kind == SOFT_INFINITY ||
                      value.exponent > 64 || rounded.integer > limit;
    if (is_outside) {
        *flags |= SL_FFLAG_NV;
        return extend(limit == least && value.sign ? 0 - least : limit, bits);
    }
    if (rounded.is_inexact) {
        *flags |= SL_FFLAG_NX;
    }
    uint64_t magnitude = (uint64_t)rounded.integer;
    return extend(value.sign ? 0 - magnitude : magnitude, bits);
}

struct soft_value soft_from_integer(uint64_t integer, bool is_signed)
{
    bool is_negative = is_signed && (int64_t)integer < 0;

    return (struct soft_value){
        .kind = integer == 0 ? SOFT_ZERO : SOFT_FINITE,
        .sign = is_negative,
        .significand = is_negative ? 0 - integer : integer,
    };
}
