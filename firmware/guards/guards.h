/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kinds of guards by their numbers. */
#ifndef SLUICE_FIRMWARE_GUARDS_H
#define SLUICE_FIRMWARE_GUARDS_H

#include "graph/guard.h"
#include "sluice/codes.h"

extern const struct guard_kind *const guard_table[SL_GUARD_COUNT];

#endif
