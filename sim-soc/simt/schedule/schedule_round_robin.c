/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Round robin (papers/001 Table 2): the next ready slot behind the one that issued last. A ready
 * wavefront waits for one instruction of each other at the most, paused or not. */
#include "simt/schedule/issue_scheduler.h"
#include "simt/unit/unit.h"

static uint32_t choose(const struct simd *simd, uint64_t ready)
{
    uint64_t behind = ready & ~((2ull << simd->turn) - 1);

    return (uint32_t)__builtin_ctzll(behind != 0 ? behind : ready);
}

const struct simt_scheduler simt_round_robin = {.name = "round_robin", .choose = choose};
