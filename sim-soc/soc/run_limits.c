/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

#include "soc/run_limits.h"
#include "sluice/config.h"

/* Time for firmware to check a large graph before its first dispatch, and to end one that has
 * reached a limit. */
#define FIRMWARE_GRACE_PS 10000000000ull

/* Instructions that it executes in that time where memory answers at once. With fewer it may only
 * have waited for memory. */
#define FIRMWARE_GRACE_INSTRUCTIONS 5000000u

/* What firmware has besides: of both limits the shorter one, and twice the absolute one at most. */
static uint64_t grace_cycles(uint64_t cycle_limit, uint64_t progress_limit)
{
    return progress_limit != 0 && progress_limit < 2 * cycle_limit ? progress_limit
                                                                   : 2 * cycle_limit;
}

void limits_init(struct limits *limits, const struct sl_config *config, uint64_t cycle_ps)
{
    const uint64_t cycles = (uint64_t)config->number[SL_CFG_GPU_CYCLE_LIMIT];
    const uint64_t progress = (uint64_t)config->number[SL_CFG_GPU_PROGRESS_LIMIT];

    *limits = (struct limits){
        .cycles = cycles,
        .span_ps = cycles * cycle_ps,
        .grace_ps = grace_cycles(cycles, progress) * cycle_ps + FIRMWARE_GRACE_PS,
        .limit_ps = LIMIT_NEVER,
        .hang_ps = LIMIT_NEVER,
    };
}

static uint64_t left(uint64_t span_ps, uint64_t used_ps)
{
    return used_ps < span_ps ? span_ps - used_ps : 0;
}

void limits_begin(struct limits *limits, uint32_t message)
{
    if (message == 0 || message != limits->message) {
        limits->used_ps = 0;
    }
    limits->message = message;
    limits->instructions = 0;
    limits->limit_ps = LIMIT_NEVER;
    limits->hang_ps = left(limits->span_ps + limits->grace_ps, limits->used_ps);
    if (limits->hang_ps > limits->grace_ps) {
        limits->hang_ps = limits->grace_ps;
    }
}

void limits_start(struct limits *limits, uint64_t now_ps)
{
    limits->limit_ps = now_ps + left(limits->span_ps, limits->used_ps);
    limits->hang_ps = LIMIT_NEVER;
}

void limits_reached(struct limits *limits, uint64_t now_ps, uint64_t instructions)
{
    limits->limit_ps = LIMIT_NEVER;
    limits->hang_ps = now_ps + limits->grace_ps;
    limits->instructions = instructions;
}

bool limits_hangs(struct limits *limits, uint64_t now_ps, uint64_t instructions)
{
    if (instructions - limits->instructions >= FIRMWARE_GRACE_INSTRUCTIONS) {
        return true;
    }
    limits->hang_ps = now_ps + limits->grace_ps;
    return false;
}

void limits_end(struct limits *limits, uint64_t now_ps)
{
    limits->used_ps += now_ps;
}
