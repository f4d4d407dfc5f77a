/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Where data accesses were served, as parts of the statistics' JSON object. */
#ifndef SLUICE_HOST_SERVED_H
#define SLUICE_HOST_SERVED_H

#include <jansson.h>

#include "config/config.h"
#include "sluice/served.h"

/* Adds another run's figures to some. */
void sl_served_add(struct sl_served *served, const struct sl_served *run);

/* Puts the figures into an object that a machine of this configuration has: those of each requester
 * and the latencies, where its memory system has any, and with mem.matrix those by structure.
 * Returns 0, or -1 when out of memory. */
int sl_served_put(json_t *object, const struct sl_served *served, const struct sl_config *config);

#endif
