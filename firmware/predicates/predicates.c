/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of predicates: nothing else knows one of them by name. */
#include "predicates/predicates.h"

const struct predicate *const predicate_table[SL_PREDICATE_COUNT] = {
#define SL_PREDICATE(NAME, name, value, text) [SL_PREDICATE_##NAME] = &predicate_##name,
#include "contract/predicates.def"
#undef SL_PREDICATE
};
