/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Machines whose wavefronts are profiled, and what their instructions have cost. */
#ifndef SLUICE_TESTS_KERNEL_COSTS_H
#define SLUICE_TESTS_KERNEL_COSTS_H

#include "common/kernel_laws.h"
#include "soc/common/machine.h"

/* A machine whose wavefronts are profiled. */
struct watched {
    struct machine *m;
    struct kernel_laws *laws;
};

static inline struct watched monitor(struct machine *m)
{
    return (struct watched){m, kernel_laws_create(m->gpu, &m->config)};
}

static inline void finish(struct watched *w)
{
    kernel_laws_end_run(w->laws);
    kernel_laws_check(w->laws);
    machine_destroy(w->m);
    kernel_laws_destroy(w->laws);
}

static inline const struct sl_kernel_cost *cost_at(const struct watched *w, unsigned instruction)
{
    const struct sl_kernel_profile *profile = kernel_laws_profile(w->laws);

    for (uint64_t i = 0; i < profile->row_count; i++) {
        if (profile->rows[i].pc == SL_KERNEL_BASE + 4 * instruction) {
            assert_int_equal(profile->rows[i].kernel, 0x5eed);
            return &profile->rows[i].cost;
        }
    }
    fail_msg("instruction %u has no row", instruction);
    return NULL;
}

/* An instruction of so many executions waits so long for one thing, and for nothing else. */
static inline void expect(const struct watched *w, unsigned instruction, uint64_t executions,
                          enum sl_stall stall, uint64_t cycles)
{
    const struct sl_kernel_cost *cost = cost_at(w, instruction);

    assert_int_equal(cost->wave_instructions, executions);
    assert_int_equal(cost->cycles[SL_STALL_ISSUE], 4 * executions);
    for (unsigned other = SL_STALL_ISSUE + 1; other < SL_STALL_COUNT; other++) {
        if (cost->cycles[other] != (other == stall ? cycles : 0)) {
            fail_msg("instruction %u: %llu cycles of reason %u", instruction,
                     (unsigned long long)cost->cycles[other], other);
        }
    }
}

#define EXPECT_NONE(w, instruction) expect(w, instruction, 1, SL_STALL_ISSUE, 0)

#endif
