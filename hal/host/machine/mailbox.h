/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Talking to the firmware: two rings in shared memory with one producer each (struct sl_mailbox).
 */
#ifndef SLUICE_HOST_MAILBOX_H
#define SLUICE_HOST_MAILBOX_H

#include <stdbool.h>

#include "sluice/layouts.h"

/* Puts a message into the host's ring and wakes the plugin. Returns false where the ring is full.
 */
bool sl_mailbox_send(struct sl_mailbox *mailbox, const struct sl_message_host *message);

/* Tells the plugin to end QEMU. */
void sl_mailbox_quit(struct sl_mailbox *mailbox);

enum sl_mailbox_result {
    SL_MAILBOX_EMPTY,
    SL_MAILBOX_MESSAGE,
    SL_MAILBOX_CORRUPT, /* the ring's counters contradict each other */
};

/* Takes the oldest message out of the firmware's ring, if there is one. */
enum sl_mailbox_result sl_mailbox_receive(struct sl_mailbox *mailbox,
                                          struct sl_message_agg *message);

/* Sleeps until the firmware's ring is not empty, at most for limit_ms; may return early. */
void sl_mailbox_sleep(const struct sl_mailbox *mailbox, int limit_ms);

#endif
