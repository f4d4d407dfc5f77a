/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that hangs between a message and its run. */
#include "attack/firmware/right.h"

void service_announce(struct mailbox *mailbox)
{
    right_announce(mailbox);
}

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    struct sl_message_host message;

    (void)machine;
    mailbox_receive(mailbox, &message);
    hang();
}
