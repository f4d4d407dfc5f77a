/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of policies: nothing else knows one of them by name. */
#include "policies/policies.h"

const struct scheduler *const policy_table[SL_SCHEDULER_COUNT] = {
#define SL_POLICY(NAME, name, value, graphs, flags, text) [SL_SCHEDULER_##NAME] = &scheduler_##name,
#include "contract/policies.def"
#undef SL_POLICY
};
