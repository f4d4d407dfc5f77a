/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Xsluice operations over the active lanes of a wavefront (docs/look-up/isa.md). */
#include "simt/issue/issue.h"
#include "simt/unit/register_file.h"

static uint64_t combine(enum sl_cross_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case SL_CROSS_ADD:
        return a + b;
    case SL_CROSS_MIN:
        return (int64_t)a < (int64_t)b ? a : b;
    case SL_CROSS_MAX:
        return (int64_t)a > (int64_t)b ? a : b;
    case SL_CROSS_MINU:
        return a < b ? a : b;
    case SL_CROSS_MAXU:
        return a > b ? a : b;
    case SL_CROSS_AND:
        return a & b;
    case SL_CROSS_OR:
        return a | b;
    case SL_CROSS_XOR:
        return a ^ b;
    }
    return 0;
}

static uint64_t identity(enum sl_cross_op op)
{
    switch (op) {
    case SL_CROSS_MIN:
        return INT64_MAX;
    case SL_CROSS_MAX:
        return (uint64_t)INT64_MIN;
    case SL_CROSS_MINU:
    case SL_CROSS_AND:
        return UINT64_MAX;
    case SL_CROSS_ADD:
    case SL_CROSS_MAXU:
    case SL_CROSS_OR:
    case SL_CROSS_XOR:
        break;
    }
    return 0;
}

static void scan(struct wave *wave, const struct simt_op *op)
{
    uint64_t sum = identity(op->variant);
    lane_vector before;

    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        before[lane] = sum;
        sum = combine(op->variant, sum, wave->x[op->rs1][lane]);
    }
    wave_set_lanes(wave, op->rd, before);
}

static uint64_t reduce(const struct wave *wave, const struct simt_op *op)
{
    uint64_t sum = identity(op->variant);

    FOR_EACH_LANE(lane, wave_mask(wave))
    {
        sum = combine(op->variant, sum, wave->x[op->rs1][lane]);
    }
    return sum;
}

static void shuffle(struct wave *wave, const struct simt_op *op)
{
    uint64_t mask = wave_mask(wave);
    lane_vector result;

    FOR_EACH_LANE(lane, mask)
    {
        uint64_t source = wave->x[op->rs2][lane];
        bool is_active = source < LANES && (mask >> source & 1) != 0;
        result[lane] = is_active ? wave->x[op->rs1][source] : 0;
    }
    wave_set_lanes(wave, op->rd, result);
}

static void identify(struct wave *wave, const struct simt_op *op)
{
    switch ((enum sl_id_kind)op->variant) {
    case SL_ID_LANE:
        FOR_EACH_LANE(lane, wave_mask(wave))
        {
            wave->x[op->rd][lane] = lane;
        }
        break;
    case SL_ID_LANES:
        wave_set(wave, op->rd, wave_cu(wave)->shape.lanes);
        break;
    case SL_ID_WAVEFRONT:
        wave_set(wave, op->rd, wave->number);
        break;
    case SL_ID_CU:
        wave_set(wave, op->rd, wave_cu(wave)->number);
        break;
    case SL_ID_CONTEXT:
        wave_set(wave, op->rd, wave->context);
        break;
    case SL_ID_CUS:
        wave_set(wave, op->rd, wave_cu(wave)->env->cus);
        break;
    case SL_ID_LIMITS:
        wave_set(wave, op->rd, wave->launch.limits);
        break;
    case SL_ID_LIMIT_COUNT:
        wave_set(wave, op->rd, wave->launch.limit_count);
        break;
    default:
        identity_execute(wave, op);
        break;
    }
}

void cross_execute(struct wave *wave, const struct simt_op *op)
{
    uint64_t mask = wave_mask(wave);
    uint64_t ballot = 0;

    switch (op->id) {
    case SL_INSN_SL_ID:
        identify(wave, op);
        break;
    case SL_INSN_SL_BALLOT:
        FOR_EACH_LANE(lane, mask)
        {
            ballot |= (uint64_t)(wave->x[op->rs1][lane] != 0) << lane;
        }
        wave_set(wave, op->rd, ballot);
        break;
    case SL_INSN_SL_ELECT:
        wave_set(wave, op->rd, 0);
        wave->x[op->rd][lowest_lane(mask)] = 1;
        break;
    case SL_INSN_SL_FIRST:
        wave_set(wave, op->rd, wave->x[op->rs1][lowest_lane(mask)]);
        break;
    case SL_INSN_SL_SHUFFLE:
        shuffle(wave, op);
        break;
    case SL_INSN_SL_SCAN:
        scan(wave, op);
        break;
    case SL_INSN_SL_REDUCE:
        wave_set(wave, op->rd, reduce(wave, op));
        break;
    default:
        break;
    }
}
