/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The part of the graph check that looks at one channel. Private to hal/check/graph. */
#ifndef SLUICE_CHECK_GRAPH_CHANNEL_CHECK_H
#define SLUICE_CHECK_GRAPH_CHANNEL_CHECK_H

#include "check/graph/memory_claims.h"

/* Checks the graph's channel i and claims its data array. The channels in front of it were good, as
 * were head and tables. Returns 0, or -1 with a refusal. */
int sl_check_channel(struct sl_check *check, uint32_t i);

/* Claims the control array, done counts and stamps of one that is good otherwise: after the data
 * arrays of all, since the host puts them behind these, and ranges that come in ascending order
 * need no sorting. Likewise. */
int sl_check_channel_books(struct sl_check *check, uint32_t i);

#endif
