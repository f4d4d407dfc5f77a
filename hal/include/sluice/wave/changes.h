/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Registers that the routines of channel_routines.S change, in addition to those of their
 * arguments. Assembly that calls a routine lists them as clobbers; the call itself changes ra.
 * tests/unit/code/test_routine_changes.c checks the lists. */
#ifndef SLUICE_WAVE_CHANGES_H
#define SLUICE_WAVE_CHANGES_H

/* For all three variants of talloc, which also change a0, the result. */
#define SL_TALLOC_CHANGES                                                                          \
    "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "t6"

/* sl_enq also changes a1 and a2. */
#define SL_ENQ_CHANGES "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "t6"

/* sl_tfree changes none of its arguments. */
#define SL_TFREE_CHANGES "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5"

#endif
