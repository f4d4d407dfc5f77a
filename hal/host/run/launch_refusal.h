/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Why a launch is refused, in words. */
#ifndef SLUICE_HOST_LAUNCH_REFUSAL_H
#define SLUICE_HOST_LAUNCH_REFUSAL_H

#include "graph/refusal.h"
#include "host/sluice.h"

/* "a work-group of 2048 work-items (group is 64 x 32 x 1)...", without naming the launch's kernel.
 * The configuration may be NULL. */
void sl_launch_refusal_text(const struct sl_config *config, const struct sl_graph_refusal *refusal,
                            char *out, size_t bytes);

#endif
