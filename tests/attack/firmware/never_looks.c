/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that never looks for a message. */
#include "attack/firmware/right.h"

#include "aggregator/device.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)mailbox;
    (void)machine;
    agg_register_write(SL_REG_HOST_WAIT, 0);
    hang();
}
