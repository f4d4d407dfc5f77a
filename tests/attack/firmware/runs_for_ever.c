/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that runs again and again and never answers. */
#include "attack/firmware/right.h"

#include "aggregator/device.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)machine;
    right_take(mailbox);
    for (;;) {
        agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
        agg_register_write(SL_REG_DISPATCH_TAIL, 0);
        for (volatile uint32_t i = 0; i < 1000; i++) {
        }
        agg_register_write(SL_REG_MARK, SL_MARK_END);
    }
}
