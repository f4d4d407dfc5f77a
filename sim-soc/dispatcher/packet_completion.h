/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Wavefronts end, packets are complete, and completion records say so, in the order of the ends. */
#ifndef SLUICE_DISPATCHER_PACKET_COMPLETION_H
#define SLUICE_DISPATCHER_PACKET_COMPLETION_H

#include "dispatcher/dispatcher_state.h"

/* For the compute units (struct cu_listener). */
void completion_wave_ended(void *dispatcher, const struct wave *wave);

/* A completion record is where firmware sees it (output_rings.h): the packet's slot is free. */
void completion_seen(void *dispatcher, void *packet);

/* Firmware has read completion records: there may be space for more. */
void completion_flush(struct dispatcher *dispatcher);

#endif
