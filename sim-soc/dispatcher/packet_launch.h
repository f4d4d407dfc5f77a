/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Packets are accepted and launched: in order, one wavefront every gpu.launch_cycles, compute units
 * in turn; restarts go before them (wave_restart.h). */
#ifndef SLUICE_DISPATCHER_PACKET_LAUNCH_H
#define SLUICE_DISPATCHER_PACKET_LAUNCH_H

#include "dispatcher/dispatcher_state.h"

/* A packet with its kernel record, of which `kernel` is a copy, is to be launched. Returns 0, or -1
 * with a reason that may be zero where it is bad. There is a free slot (launch_has_slot()). */
int launch_accept(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                  const struct sl_kernel *kernel, enum sl_refusal *reason);
bool launch_has_slot(const struct dispatcher *dispatcher);

/* The dispatcher's event: restarts or launches what is next. */
void launch_event(struct event *event);

#endif
