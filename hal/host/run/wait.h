/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Waiting for the firmware. */
#ifndef SLUICE_HOST_WAIT_H
#define SLUICE_HOST_WAIT_H

#include <stdint.h>

#include "host/sluice.h"

/* Waits until the firmware is ready, or sl_wall_ms() has reached deadline_ms. */
enum sl_status sl_wait_boot(struct sl_soc *soc, int64_t deadline_ms);

#endif
