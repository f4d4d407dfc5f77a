/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that answers twice. */
#include "attack/firmware/right.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    const struct sl_message_agg answer = right_run(mailbox, machine);

    mailbox_send(mailbox, &answer);
    mailbox_send(mailbox, &answer);
}
