/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The guards of a graph (docs/know/scheduling.md, "Guards"); private to the graph check. */
#ifndef SLUICE_CHECK_GRAPH_GUARD_CHECK_H
#define SLUICE_CHECK_GRAPH_GUARD_CHECK_H

#include "check/graph/memory_claims.h"

/* A step of the check, for a graph whose channels and kernels have passed theirs: no guards can
 * keep channels back for ever. Returns 0, or -1. */
int sl_check_guards(struct sl_check *check);

#endif
