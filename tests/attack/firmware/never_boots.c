/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that is never ready. */
#include "attack/firmware/hang.h"
#include "runs/service.h"

void service_announce(struct mailbox *mailbox)
{
    (void)mailbox;
    hang();
}

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)mailbox;
    (void)machine;
}
