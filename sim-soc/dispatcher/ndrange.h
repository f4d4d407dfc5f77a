/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* NDRange packets: their check, and the placing of their work-groups, which the dispatcher calls.
 */
#ifndef SLUICE_DISPATCHER_NDRANGE_H
#define SLUICE_DISPATCHER_NDRANGE_H

#include "dispatcher/dispatcher_state.h"

/* Notes what the work-groups of a packet need. Returns 0, or why no compute unit can ever hold one.
 */
enum sl_refusal ndrange_prepare(const struct gpu *gpu, struct dispatcher_packet *slot);

/* Places the packet's next work-group on a compute unit that has room for it. `launch` is what all
 * its wavefronts have in common. Returns how many wavefronts it has. */
uint32_t ndrange_place(struct dispatcher *dispatcher, struct dispatcher_packet *slot, uint32_t cu,
                       const struct wave_launch *launch);

#endif
