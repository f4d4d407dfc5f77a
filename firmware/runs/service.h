/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Serving the host: one message, one answer. */
#ifndef SLUICE_FIRMWARE_SERVICE_H
#define SLUICE_FIRMWARE_SERVICE_H

#include "graph/run.h"
#include "queues/mailbox.h"

/* Tells the host that the firmware has booted. */
void service_announce(struct mailbox *mailbox);

/* Waits for a message, does what it says, and answers. One to an open graph that has ended is
 * forgotten. */
void service_next(struct mailbox *mailbox, const struct machine *machine);

#endif
