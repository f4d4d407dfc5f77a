/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The registers that the routines of channel_routines.S change beside those of their arguments, as
 * assembly that calls one names them; ra is changed by the call.
 * tests/unit/code/test_routine_changes.c compares.
 */
#ifndef SLUICE_WAVE_CHANGES_H
#define SLUICE_WAVE_CHANGES_H

/* All three of them; they change a0, too, which is the result. */
#define SL_TALLOC_CHANGES                                                                          \
    "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "t6"

/* And a1 and a2. */
#define SL_ENQ_CHANGES "a3", "a4", "a5", "a6", "a7", "t0", "t1", "t2", "t3", "t4", "t5", "t6"

/* No argument. */
#define SL_TFREE_CHANGES "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5"

#endif
