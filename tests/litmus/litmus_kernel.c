/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernel of litmus.c: runs the rounds of one set of work-groups. Around the test itself it
 * neither acquires nor releases, so that nothing is ordered but what the test orders; wavefronts
 * meet through relaxed atomics. */
#include "litmus/plan.h"
#include "sluice/wave/wave.h"

/* The test's code is put here before the kernel is loaded (litmus/code.h). By the calling
 * convention: the number of a thread's code, the address of its instance's first variable, bytes
 * from one variable to the next, and the address for its registers. */
__asm__(".pushsection .text.litmus, \"ax\", @progbits\n\t"
        ".balign 64\n\t.globl litmus_code\n\t.type litmus_code, @function\n"
        "litmus_code:\n\t.rept 1024\n\tret\n\t.endr\n\t"
        ".size litmus_code, . - litmus_code\n\t.popsection");
_Static_assert(LITMUS_CODE_WORDS == 1024, "as many as there are above");

void litmus_code(uint64_t number, uint64_t variables, uint64_t variable_bytes, uint64_t results);

/* Longer than all sets before take, which may have to end first. */
#define POLLS_MAX (1u << 22)

/* Waits until so many wavefronts have come, counted from the beginning. */
static void meet(uint32_t *arrived, uint32_t count)
{
    if (sl_elect()) {
        uint32_t polls = 0;
        uint32_t seen;
        sl_atomic_add_u32(arrived, 1);
        do {
            seen = sl_load_relaxed_u32_device(arrived);
            polls++;
        } while (seen < count && polls < POLLS_MAX);
        SL_ASSERT(seen >= count, seen);
    }
}

/* Brings variables into the L1 cache; they are there when it returns. */
static void warm(uint64_t variables, uint64_t variable_bytes, uint32_t which)
{
    for (; which != 0; which >>= 1) {
        if (which & 1) {
            uint64_t value;
            __asm__ volatile("ld %0, (%1)\n\tand %0, %0, zero"
                             : "=&r"(value)
                             : "r"(variables)
                             : "memory");
            variables += value;
        }
        variables += variable_bytes;
    }
}

SL_KERNEL void litmus_kernel(const struct litmus_plan *plan)
{
    const uint32_t set = sl_group_id(0) / plan->groups;
    const uint32_t group = sl_group_id(0) % plan->groups;
    const struct litmus_wave *const wave = &plan->wave[group][sl_group_wavefront_id()];
    struct litmus_meeting *const meeting = (struct litmus_meeting *)plan->meetings + set;
    const struct litmus_round *const rounds = (const struct litmus_round *)plan->rounds;
    uint32_t meetings = 0;

    if (wave->count == 0) {
        return;
    }
    const uint32_t thread = wave->thread[sl_lane_id() % wave->count];
    const uint32_t number = sl_lane_id() / wave->count;
    meeting->cu[group] = sl_cu_id();
    for (uint32_t i = set; i < plan->round_count; i += plan->sets) {
        const struct litmus_round *const round = &rounds[i];
        const uint64_t instance = round->instance + number;
        const uint64_t variables = plan->variables + instance * plan->instance_bytes;
        const uint64_t results = plan->results + (instance * LITMUS_THREADS_MAX + thread) *
                                                     (LITMUS_REGISTERS * sizeof(int64_t));
        const struct litmus_start start = round->start[thread];
        const uint64_t variable_bytes = plan->variable_bytes;
        const uint32_t code = thread + start.late * plan->threads;
        const bool takes_part = number < round->instances;
        if (takes_part) {
            warm(variables, variable_bytes, start.warm);
        }
        meetings += plan->waves;
        meet(&meeting->arrived, meetings);
        sl_pause_for(start.delay_cycles);
        if (takes_part) {
            litmus_code(code, variables, variable_bytes, results);
        }
    }
}
