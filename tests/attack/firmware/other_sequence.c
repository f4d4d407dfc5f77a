/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that answers another message than the one that it was sent. */
#include "attack/firmware/right.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    struct sl_message_agg answer = right_run(mailbox, machine);

    answer.sequence += 7;
    mailbox_send(mailbox, &answer);
}
