/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that rings its doorbell for ever. */
#include "attack/firmware/right.h"

#include "aggregator/device.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)machine;
    right_take(mailbox);
    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    agg_register_write(SL_REG_RESET, 1);
    for (;;) {
        agg_register_write(SL_REG_DISPATCH_TAIL, 0);
    }
}
