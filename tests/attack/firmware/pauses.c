/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Firmware that pauses in a run again and again, and does nothing else. */
#include "attack/firmware/right.h"

#include "aggregator/device.h"

void service_next(struct mailbox *mailbox, const struct machine *machine)
{
    (void)machine;
    right_take(mailbox);
    agg_register_write(SL_REG_MARK, SL_MARK_BEGIN);
    for (;;) {
        agg_register_write(SL_REG_MARK, SL_MARK_PAUSE);
        for (volatile uint32_t i = 0; i < 100000; i++) {
        }
        agg_register_write(SL_REG_MARK, SL_MARK_RESUME);
    }
}
