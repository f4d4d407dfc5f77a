/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host mailbox, seen from the firmware: two rings with one producer each (struct sl_mailbox).
 *
 * The host's tail is read from register HOST_TAIL alone, which the plugin latches, so that a run
 * does not depend on when the host writes (docs/know/design.md, rule 2). The waits have no limit:
 * simulated time stands still in them, and the host ends them or QEMU. */
#ifndef SLUICE_FIRMWARE_QUEUES_MAILBOX_H
#define SLUICE_FIRMWARE_QUEUES_MAILBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/layouts.h"

struct mailbox {
    struct sl_mailbox *shared;
    uint32_t host_head; /* messages read */
    uint32_t agg_tail;  /* messages written */
};

/* Begins with both rings empty, as they are at reset. */
void mailbox_init(struct mailbox *mailbox, struct sl_mailbox *shared);

/* Waits for the next message from the host and takes it out of the ring. */
void mailbox_receive(struct mailbox *mailbox, struct sl_message_host *message);

/* Waits for the next message and leaves it in the ring, with what it points to, until it is
 * released. */
const struct sl_message_host *mailbox_next(struct mailbox *mailbox);
void mailbox_release(struct mailbox *mailbox);

/* Writes a message and wakes the host; waits while the ring is full. */
void mailbox_send(struct mailbox *mailbox, const struct sl_message_agg *message);

/* The same without waiting: returns false where the ring is full. */
bool mailbox_try_send(struct mailbox *mailbox, const struct sl_message_agg *message);

#endif
