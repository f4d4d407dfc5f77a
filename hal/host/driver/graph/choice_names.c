/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The names of scheduling policies, their flags, and predicates (hal/contract). */
#include "check/graph/policy_check.h"
#include "sluice/sluice.h"

const char *sl_policy_name(unsigned policy)
{
    return policy < SL_SCHEDULER_COUNT ? sl_policy_names[policy] : NULL;
}

uint32_t sl_policy_known_flags(unsigned policy)
{
    return policy < SL_SCHEDULER_COUNT ? sl_policy_flags(policy) : 0;
}

const char *sl_policy_flag_name(unsigned bit)
{
    static const char *const names[] = {
#define SL_POLICY_FLAG(NAME, name, bit, text) [bit] = #name,
#include "contract/policy_flags.def"
#undef SL_POLICY_FLAG
    };
    return bit < SL_POLICY_FLAG_COUNT ? names[bit] : NULL;
}

const char *sl_predicate_name(unsigned predicate)
{
    static const char *const names[] = {
#define SL_PREDICATE(NAME, name, value, text) [SL_PREDICATE_##NAME] = #name,
#include "contract/predicates.def"
#undef SL_PREDICATE
    };
    return predicate < SL_PREDICATE_COUNT ? names[predicate] : NULL;
}
