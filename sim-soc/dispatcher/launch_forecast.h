/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Whether the front end, or firmware behind it, may still launch something though no wavefront that
 * is resident ever ends: what those who wait could be waiting for. */
#ifndef SLUICE_DISPATCHER_LAUNCH_FORECAST_H
#define SLUICE_DISPATCHER_LAUNCH_FORECAST_H

#include "dispatcher/dispatcher_state.h"

/* For the compute units (struct cu_listener); nobody has yielded. */
bool dispatcher_may_launch(void *dispatcher);

#endif
