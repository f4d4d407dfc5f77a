/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Running the machine: its boot, and graphs on it. */
#ifndef SLUICE_HOST_RUN_H
#define SLUICE_HOST_RUN_H

#include <stdint.h>

#include "host/sluice.h"

/* Waits until the firmware is ready, or sl_wall_ms() has reached deadline_ms. */
enum sl_status sl_run_boot(struct sl_soc *soc, int64_t deadline_ms);

/* Sends the message that starts a run, with an address in shared memory. */
enum sl_status sl_run_start(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address);

/* The same for what the library has not described, or not as a launch. */
enum sl_status sl_run_start_unchecked(struct sl_soc *soc, enum sl_message_host_type type,
                                      uint64_t address);

#endif
