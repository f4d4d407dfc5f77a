/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What firmware looks at of a run's table of protected memory before it gives its address to the
 * device. Its ranges are the device's to check, which copies them (register PROTECTION). */
#ifndef SLUICE_CHECK_GRAPH_PROTECTION_TABLE_H
#define SLUICE_CHECK_GRAPH_PROTECTION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "check/graph/refusal.h"

/* Whether a struct sl_protection is at an address, which may be anything: inside the shared heap,
 * aligned to SL_RANGE_GRAIN, with the magic number and no more ranges than it has room for. */
bool sl_protection_is_one(uint64_t address, const struct sl_graph_limits *limits);

#endif
