/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels for tests/soc/simt/test_control_kernels.c: control flow that diverges in every way that C
 * has, and ways to go wrong. */
#include "sluice/wave/wave.h"

#include "soc/simt/control_cases.h"

/* out[lane] = the case's function of the lane. */
SL_KERNEL void control_run(int source, int lane, uint64_t *out, unsigned number)
{
    (void)source;
    out[lane] = control_case(number, (uint64_t)lane);
}

/* Some lanes end earlier than others, from inside a loop. */
SL_KERNEL void control_early(int source, int lane, uint64_t *out)
{
    (void)source;
    for (int i = 0;; i++) {
        out[lane] = (uint64_t)i;
        if (i == lane % 10) {
            return;
        }
        CONTROL_KEEP(i);
    }
}

static CONTROL_NOINLINE uint64_t deep(uint64_t n)
{
    if (n == 0) {
        return 0;
    }
    uint64_t below = deep(n - 1);
    CONTROL_KEEP(below);
    return below + n;
}

/* Lane n goes n calls deep, times a factor. */
SL_KERNEL void control_deep(int source, int lane, uint64_t *out, uint64_t factor)
{
    (void)source;
    out[lane] = deep((uint64_t)lane * factor);
}

static CONTROL_NOINLINE void trap_here(uint64_t lane)
{
    if (lane % 8 == 5) {
        sl_trap(SL_TRAP_USER, lane, 0);
    }
}

SL_KERNEL void control_trap(int source, int lane, uint64_t *out)
{
    (void)source;
    trap_here((uint64_t)lane);
    out[lane] = 1;
}

/* Lanes 32 and up never come back. */
SL_KERNEL void control_endless(int source, int lane, uint64_t *out)
{
    (void)source;
    while (lane >= 32) {
        __asm__ volatile("" : : : "memory");
    }
    out[lane] = 1;
}

/* A return to where nobody called from, in odd lanes. */
SL_KERNEL void control_astray(int source, int lane, uint64_t *out)
{
    (void)source;
    (void)out;
    __asm__ volatile("andi t1, %0, 1\n"
                     "slli t1, t1, 2\n"
                     "add ra, ra, t1\n"
                     "ret"
                     :
                     : "r"(lane)
                     : "ra", "t1", "memory");
}
