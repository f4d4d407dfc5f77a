/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Starting a run. */
#ifndef SLUICE_HOST_START_H
#define SLUICE_HOST_START_H

#include "host/sluice.h"

/* Sends the message that starts a run, with an address in shared memory. */
enum sl_status sl_run_start(struct sl_soc *soc, enum sl_message_host_type type, uint64_t address);

/* The same for what the library has not described, or not as a launch. */
enum sl_status sl_run_start_unchecked(struct sl_soc *soc, enum sl_message_host_type type,
                                      uint64_t address);

#endif
