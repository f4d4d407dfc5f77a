/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of sequence.c. Each notes that its step ran: work-item 0 without any atomic
 * operation, since it relies on seeing what the step before wrote. */
#include "probes/launches/step_log.h"

#include "sluice/wave/wave.h"
#include "workloads/common/relay_kernel.h"

static void note(struct step_log *log, uint32_t step)
{
    __atomic_fetch_add(&log->items, 1, __ATOMIC_RELAXED);
    if (sl_global_id(0) == 0) {
        log->entry[log->count] = step;
        log->count++;
    }
}

SL_KERNEL void step_log(struct step_log *log, uint32_t step)
{
    note(log, step);
}

SL_KERNEL void step_set(struct step_log *log, uint32_t step, uint32_t *word, uint32_t value)
{
    note(log, step);
    *word = value;
}

SL_KERNEL void step_down(struct step_log *log, uint32_t step, uint32_t *word)
{
    note(log, step);
    (*word)--;
}

/* Faults once the word is 0. */
SL_KERNEL void step_fault(struct step_log *log, uint32_t step, const uint32_t *word)
{
    note(log, step);
    if (*word == 0) {
        sl_trap(SL_TRAP_USER, step, 0);
    }
}
