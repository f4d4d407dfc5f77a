/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Backward branches, counted: what of the search for deadlocks every loop pays for (deadlock.h). A
 * wavefront that takes the same one lock.spin_limit times in a row, each time with the same depth
 * of its stack and the same lanes, is looked at. */
#ifndef SLUICE_SIMT_DEADLOCK_SPIN_LOOP_H
#define SLUICE_SIMT_DEADLOCK_SPIN_LOOP_H

#include "simt/unit/unit.h"

/* The wavefront has taken the branch at its program counter, where it is looked at, for the
 * lock.spin_limit-th time, or once more while it is. */
void detector_round(struct wave *wave);

/* It is at another branch than before, or its stack is another one. */
void detector_other_branch(struct wave *wave);

/* All active lanes take a branch or a jump at the wavefront's program counter. */
static inline void spin_branch(struct wave *wave, uint32_t target)
{
    const struct stack_entry *top = simt_stack_top(&wave->stack);
    struct wave_spin *spin = &wave->spin;

    if (target > top->pc) {
        return;
    }
    if (spin->pc == top->pc && spin->depth == wave->stack.depth && spin->mask == top->mask) {
        if (--spin->left == 0) {
            detector_round(wave);
        }
    } else {
        detector_other_branch(wave);
    }
}

#endif
