/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Overwrites dead registers. */
#include "fuzz/dead.h"

#include <string.h>

#define DEAD_BYTE 0x5a

static uint64_t overwrite(const struct gpu *gpu, struct wave *wave, uint64_t kept)
{
    uint64_t live = kept | 1;

    for (uint32_t i = 0; i < wave->stack.depth; i++) {
        live |= simt_program_live(&gpu->env.program, wave->stack.entries[i].pc);
    }
    for (uint64_t rest = ~live; rest != 0; rest &= rest - 1) {
        memset(wave->x[lowest_lane(rest)], DEAD_BYTE, sizeof wave->x[0]);
    }
    wave->has_float = true;
    return (uint64_t)__builtin_popcountll(~live);
}

uint64_t dead_overwrite(struct gpu *gpu, uint64_t kept)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < gpu->cu_count * gpu->cus[0].shape.contexts; i++) {
        if (gpu->waves[i].state == WAVE_RUNNING) {
            count += overwrite(gpu, &gpu->waves[i], kept);
        }
    }
    return count;
}
