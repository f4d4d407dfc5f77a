/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Packets that firmware has written come in: in order, each with its kernel record, checked. */
#ifndef SLUICE_FRONT_INTAKE_H
#define SLUICE_FRONT_INTAKE_H

#include "front/port.h"
#include "sluice/layouts.h"

struct dispatcher;

/* What the next packet of the ring still needs. */
enum intake_state {
    INTAKE_IDLE,
    INTAKE_BUSY,  /* a move is under way */
    INTAKE_PACKET /* the packet and its kernel record are here, but a free slot is not */
};

struct intake {
    struct port_move move;
    struct dispatcher *dispatcher;
    enum intake_state state;
    struct sl_dispatch packet;
};

void intake_reset(struct intake *intake);

/* Doorbell: firmware has written packets up to `tail`. */
void intake_doorbell(struct dispatcher *dispatcher, uint32_t tail);

/* Takes packets while there are any and a slot is free. */
void intake_take(struct dispatcher *dispatcher);

#endif
