/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observers of a machine: those of sim-soc/observers/observers.def. */
#ifndef SLUICE_SOC_OBSERVER_TABLE_H
#define SLUICE_SOC_OBSERVER_TABLE_H

#include "observers/observers.h"

/* Makes all that are wanted and subscribes them. Returns 0, or -1 when out of memory. */
int observers_create(const struct observer_parts *parts, struct stream *stream);
void observers_destroy(struct stream *stream);

#endif
