/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What becomes of a trap of the firmware itself: a report on the console and to the host, then the
 * end. */
#ifndef SLUICE_FIRMWARE_TRAP_H
#define SLUICE_FIRMWARE_TRAP_H

#include "queues/mailbox.h"

/* Where to report traps to from here on; before, they go to the console only. */
void trap_report_to(struct mailbox *mailbox);

#endif
