/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of guards: nothing else knows one of them by name. */
#include "guards/guards.h"

const struct guard_kind *const guard_table[SL_GUARD_COUNT] = {
#define SL_GUARD(NAME, name, value, text) [SL_GUARD_##NAME] = &guard_##name,
#include "contract/guards.def"
#undef SL_GUARD
};
