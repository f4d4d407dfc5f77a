/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Floating-point instructions of a wavefront: rounding modes and exception flags of its lanes.
 *
 * Lanes with the same rounding mode compute together on the host's vector unit, with that mode; the
 * flags that it raises are read once for all of them, and forgotten where no instruction of the
 * program names them. Only where one of these is new to some lane are the flags of that lane found
 * by software (soft_float.h), unless all that was raised is NX and the lane is seen to be exact
 * (float_exact.c). Software also computes what the host cannot: ties away from zero, and the cases
 * that float_exec.c does not vouch for. Hosts other than x86-64, whose underflow may be detected
 * before rounding, compute in software alone. */
#include <string.h>

#include "simt/float/float.h"
#include "simt/float/soft_float.h"
#include "simt/lifecycle/lifecycle.h"
#include "simt/unit/register_file.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* MXCSR: all exceptions masked, subnormals handled as IEEE 754 says; rounding mode and flags. */
#define MXCSR_DEFAULT        0x1f80u
#define MXCSR_ROUNDING_SHIFT 13
#define MXCSR_FLAGS          0x3fu

static bool compute_on_host(const struct wave *wave, const struct simt_op *op,
                            enum sl_rounding mode, const uint64_t *select, uint64_t *result,
                            unsigned *flags)
{
    static const uint8_t rounding[] = {
        [SL_ROUNDING_NEAREST_EVEN] = 0,
        [SL_ROUNDING_ZERO] = 3,
        [SL_ROUNDING_DOWN] = 1,
        [SL_ROUNDING_UP] = 2,
    };
    const uint64_t *a = wave->x[op->rs1];
    const uint64_t *b = wave->x[op->rs2];
    const uint64_t *c = wave->x[op->rs3];

    *flags = 0;
    if (!op->rounds) {
        return op->compute(result, a, b, c, select);
    }
    if (mode == SL_ROUNDING_NEAREST_AWAY) {
        return false;
    }
    uint32_t before = _mm_getcsr();
    _mm_setcsr(MXCSR_DEFAULT | (uint32_t)rounding[mode] << MXCSR_ROUNDING_SHIFT);
    bool is_right = op->compute(result, a, b, c, select);
    uint32_t raised = _mm_getcsr() & MXCSR_FLAGS;
    _mm_setcsr(before);
    if (raised != 0) {
        *flags = (raised & _MM_EXCEPT_INVALID ? SL_FFLAG_NV : 0) |
                 (raised & _MM_EXCEPT_DIV_ZERO ? SL_FFLAG_DZ : 0) |
                 (raised & _MM_EXCEPT_OVERFLOW ? SL_FFLAG_OF : 0) |
                 (raised & _MM_EXCEPT_UNDERFLOW ? SL_FFLAG_UF : 0) |
                 (raised & _MM_EXCEPT_INEXACT ? SL_FFLAG_NX : 0);
    }
    return is_right;
}
#else
static bool compute_on_host(const struct wave *wave, const struct simt_op *op,
                            enum sl_rounding mode, const uint64_t *select, uint64_t *result,
                            unsigned *flags)
{
    (void)wave, (void)op, (void)mode, (void)select, (void)result, (void)flags;
    return false;
}
#endif

static void raise(struct wave *wave, uint64_t lane, unsigned flags)
{
    for (unsigned bit = 0; flags >> bit != 0; bit++) {
        wave->fcsr.flags[bit] |= (uint64_t)(flags >> bit & 1) << lane;
    }
}

static void compute_in_software(struct wave *wave, const struct simt_op *op, enum sl_rounding mode,
                                uint64_t lanes, uint64_t *result)
{
    FOR_EACH_LANE(lane, lanes)
    {
        unsigned flags;
        result[lane] = soft_float(op->id, wave->x[op->rs1][lane], wave->x[op->rs2][lane],
                                  wave->x[op->rs3][lane], mode, &flags);
        raise(wave, lane, flags);
    }
}

/* The lanes of a mask that do not have all of these flags yet. */
static uint64_t lacking(const struct wave *wave, uint64_t mask, unsigned flags)
{
    uint64_t lanes = 0;

    for (unsigned bit = 0; flags >> bit != 0; bit++) {
        if (flags >> bit & 1) {
            lanes |= mask & ~wave->fcsr.flags[bit];
        }
    }
    return lanes;
}

#if defined(__x86_64__)
/* Of lanes that may have raised NX, when that was all that was raised, those that software has to
 * look at. The others are exact. */
static uint64_t doubtful(const struct cu *cu, const struct wave *wave, const struct simt_op *op,
                         uint64_t lanes, const uint64_t *result)
{
    lanes_doubtful_fn find = cu->lanes->doubtful[op->id];

    if (lanes == 0 || find == NULL) {
        return lanes;
    }
    uint32_t before = _mm_getcsr();
    _mm_setcsr(MXCSR_DEFAULT);
    lanes &= find(result, wave->x[op->rs1], wave->x[op->rs2], wave->x[op->rs3]);
    _mm_setcsr(before);
    return lanes;
}
#else
static uint64_t doubtful(const struct cu *cu, const struct wave *wave, const struct simt_op *op,
                         uint64_t lanes, const uint64_t *result)
{
    (void)cu, (void)wave, (void)op, (void)result;
    return lanes;
}
#endif

/* Executes in lanes of one rounding mode. */
static void execute_group(struct wave *wave, const struct simt_op *op, uint64_t mask,
                          enum sl_rounding mode)
{
    const struct cu *cu = wave_cu(wave);
    lane_vector result;
    lane_vector group;
    const uint64_t *select = group;
    unsigned flags;

    if (mask == wave_mask(wave)) {
        select = wave_select(wave);
    } else {
        cu->lanes->expand(group, mask);
    }
    if (!compute_on_host(wave, op, mode, select, result, &flags)) {
        compute_in_software(wave, op, mode, mask, result);
    } else if (flags != 0 && cu->env->program.reads_flags) {
        uint64_t lanes = lacking(wave, mask, flags);
        if (flags == SL_FFLAG_NX) {
            lanes = doubtful(cu, wave, op, lanes, result);
        }
        compute_in_software(wave, op, mode, lanes, result);
    }
    if (mask == ~0ull) {
        memcpy(wave->x[op->rd], result, sizeof(result));
    } else {
        cu->lanes->copy(wave->x[op->rd], result, select);
    }
}

/* The lanes whose frm is `mode`. */
static uint64_t lanes_in_mode(const struct fcsr *fcsr, unsigned mode)
{
    return (mode & 1 ? fcsr->mode[0] : ~fcsr->mode[0]) &
           (mode & 2 ? fcsr->mode[1] : ~fcsr->mode[1]) &
           (mode & 4 ? fcsr->mode[2] : ~fcsr->mode[2]);
}

bool float_execute(struct wave *wave, const struct simt_op *op)
{
    const struct fcsr *fcsr = &wave->fcsr;
    uint64_t mask = wave_mask(wave);

    if (op->rounding != SL_ROUNDING_DYNAMIC) {
        execute_group(wave, op, mask, op->rounding);
        return true;
    }
    if (((fcsr->mode[0] | fcsr->mode[1] | fcsr->mode[2]) & mask) == 0) {
        execute_group(wave, op, mask, SL_ROUNDING_NEAREST_EVEN);
        return true;
    }
    uint64_t invalid = mask & fcsr->mode[2] & (fcsr->mode[0] | fcsr->mode[1]);
    if (invalid != 0) {
        wave_fault(wave, SL_FAULT_ILLEGAL_INSTRUCTION, invalid, op, 0);
        return false;
    }
    for (unsigned mode = 0; mode < SL_ROUNDING_COUNT; mode++) {
        uint64_t group = mask & lanes_in_mode(fcsr, mode);
        if (group != 0) {
            execute_group(wave, op, group, mode);
        }
    }
    return true;
}

/* ---- fcsr: frm above fflags ---- */

#define FLAG_BITS 5
#define MODE_BITS 3

static uint64_t fcsr_read(const struct fcsr *fcsr, uint64_t lane)
{
    uint64_t value = 0;

    for (unsigned bit = 0; bit < FLAG_BITS; bit++) {
        value |= (fcsr->flags[bit] >> lane & 1) << bit;
    }
    for (unsigned bit = 0; bit < MODE_BITS; bit++) {
        value |= (fcsr->mode[bit] >> lane & 1) << (FLAG_BITS + bit);
    }
    return value;
}

static void set_bit(uint64_t *word, uint64_t lane, uint64_t bit)
{
    *word = (*word & ~(1ull << lane)) | (bit & 1) << lane;
}

static void fcsr_write(struct fcsr *fcsr, uint64_t lane, uint64_t value)
{
    for (unsigned bit = 0; bit < FLAG_BITS; bit++) {
        set_bit(&fcsr->flags[bit], lane, value >> bit);
    }
    for (unsigned bit = 0; bit < MODE_BITS; bit++) {
        set_bit(&fcsr->mode[bit], lane, value >> (FLAG_BITS + bit));
    }
}

void csr_execute(struct wave *wave, const struct simt_op *op)
{
    unsigned shift = op->variant == SL_CSR_FRM ? FLAG_BITS : 0;
    uint64_t field = op->variant == SL_CSR_FFLAGS ? (1u << FLAG_BITS) - 1
                     : op->variant == SL_CSR_FRM  ? (1u << MODE_BITS) - 1
                                                  : (1u << (FLAG_BITS + MODE_BITS)) - 1;

    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        uint64_t operand =
            op->id >= SL_INSN_CSRRWI ? (uint64_t)op->immediate : wave->x[op->rs1][lane];
        uint64_t whole = fcsr_read(&wave->fcsr, lane);
        uint64_t old = whole >> shift & field;
        uint64_t value = operand;
        if (op->id == SL_INSN_CSRRS || op->id == SL_INSN_CSRRSI) {
            value = old | operand;
        } else if (op->id == SL_INSN_CSRRC || op->id == SL_INSN_CSRRCI) {
            value = old & ~operand;
        }
        fcsr_write(&wave->fcsr, lane, (whole & ~(field << shift)) | (value & field) << shift);
        wave->x[op->rd][lane] = old;
    }
}
