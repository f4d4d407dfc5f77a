/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that hangs between a run and its answer. */
#include "attack/firmware/right.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)right_run(mailbox, machine);
    hang();
}
