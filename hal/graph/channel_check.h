/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of the graph check that looks at one channel. Private to hal/graph. */
#ifndef SLUICE_GRAPH_CHANNEL_CHECK_H
#define SLUICE_GRAPH_CHANNEL_CHECK_H

#include "graph/claim.h"

/* Checks the graph's channel i and claims its arrays. The channels in front of it were good, as
 * were head, tables and kernels. Returns 0, or -1 with a refusal. */
int sl_check_channel(struct sl_check *check, uint32_t i);

#endif
