/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that hangs between a message and its run. */
#include "attack/firmware/right.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)machine;
    right_take(mailbox);
    hang();
}
