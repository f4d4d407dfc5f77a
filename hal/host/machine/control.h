/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The control socket of a running program (debug.control): one command per connection. */
#ifndef SLUICE_HOST_CONTROL_H
#define SLUICE_HOST_CONTROL_H

#include "host/sluice.h"

/* Opens the socket that the configuration names, if it names one. SL_ERROR_USAGE where that is not
 * possible. */
enum sl_status sl_control_open(struct sl_soc *soc);

/* Answers the connections that wait; returns at once where there are none. Called by every wait of
 * the library, so that it needs no thread. */
void sl_control_serve(struct sl_soc *soc);

/* Closes and removes the socket. */
void sl_control_close(struct sl_soc *soc);

#endif
