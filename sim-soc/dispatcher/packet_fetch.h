/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Packets that firmware has written come in: in order, each with its kernel record, checked. */
#ifndef SLUICE_DISPATCHER_PACKET_FETCH_H
#define SLUICE_DISPATCHER_PACKET_FETCH_H

#include "dispatcher/dispatcher_state.h"

void intake_reset(struct intake *intake);

/* Doorbell: firmware has written packets up to `tail`. */
void intake_doorbell(struct dispatcher *dispatcher, uint64_t tail);

/* Takes packets while there are any and a slot is free. */
void intake_take(struct dispatcher *dispatcher);

#endif
