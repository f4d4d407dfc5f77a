/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that hangs in a run, before it has begun anything. */
#include "attack/firmware/right.h"

#include "aggregator/device.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)machine;
    right_take(mailbox);
    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    hang();
}
