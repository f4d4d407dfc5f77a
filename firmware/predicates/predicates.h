/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The predicates by enum sl_predicate, from hal/contract/predicates.def. */
#ifndef SLUICE_FIRMWARE_PREDICATES_H
#define SLUICE_FIRMWARE_PREDICATES_H

#include "queues/predicate.h"
#include "sluice/codes.h"

extern const struct predicate *const predicate_table[SL_PREDICATE_COUNT];

#endif
