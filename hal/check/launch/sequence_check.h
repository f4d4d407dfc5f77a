/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Checks a sequence of launches before anything runs it, by the host library and by the firmware.
 */
#ifndef SLUICE_CHECK_LAUNCH_SEQUENCE_CHECK_H
#define SLUICE_CHECK_LAUNCH_SEQUENCE_CHECK_H

#include "check/launch/launch_check.h"

/* The launches of a sequence: they follow it in memory. */
static inline struct sl_launch *sl_sequence_launches(const struct sl_sequence *sequence)
{
    return (struct sl_launch *)(uintptr_t)(sequence + 1);
}

/* A whole sequence in shared memory. Returns 0; or -1 with *refusal filled as for a launch, and
 * with the step that the reason is about (0 where it is about the sequence). */
int sl_sequence_check(const struct sl_sequence *sequence, const struct sl_graph_limits *limits,
                      const struct sl_cu_shape *cu, struct sl_graph_refusal *refusal,
                      struct sl_graph_scratch *scratch);

#endif
