/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Greedy-then-oldest: the wavefront that issued last goes on while it is ready; when it is not, the
 * oldest ready one follows.
 *
 * Age counts from the launch, or from the last pause. Wavefronts that wait for another one and
 * pause in their loop so get behind it, each after a bounded number of instructions; by launch age
 * alone, enough older ones would keep the unit busy for ever. */
#include "simt/schedule/issue_scheduler.h"
#include "simt/unit/unit.h"

static uint32_t choose(const struct simd *simd, uint64_t ready)
{
    if (simd->last < CU_CONTEXTS_MAX && (ready >> simd->last & 1) != 0) {
        return simd->last;
    }
    uint32_t oldest = (uint32_t)__builtin_ctzll(ready);
    for (uint64_t rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(rest);
        if (simd->stamp[slot] < simd->stamp[oldest]) {
            oldest = slot;
        }
    }
    return oldest;
}

const struct simt_scheduler simt_greedy_oldest = {.name = "greedy_oldest", .choose = choose};
