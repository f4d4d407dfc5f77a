/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The predicates by enum sl_predicate, from hal/regs/predicates.def. */
#ifndef SLUICE_FIRMWARE_PREDICATE_TABLE_H
#define SLUICE_FIRMWARE_PREDICATE_TABLE_H

#include "core/predicate.h"
#include "sluice/codes.h"

extern const struct predicate *const predicate_table[SL_PREDICATE_COUNT];

#endif
