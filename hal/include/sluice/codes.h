/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* C enumerations of hal/contract/codes.def. */
#ifndef SLUICE_CODES_H
#define SLUICE_CODES_H

#include <assert.h>

#define SL_ENUM_BEGIN(name, PREFIX, text)                                                          \
    enum sl_##name                                                                                 \
    {
#define SL_ENUM_VALUE(PREFIX, NAME, value, text) SL_##PREFIX##_##NAME = (value),
#define SL_ENUM_END(name)                                                                          \
    }                                                                                              \
    ;
#include "contract/codes.def"
#undef SL_ENUM_BEGIN
#undef SL_ENUM_VALUE
#undef SL_ENUM_END

/* One more than the largest phase. */
#define SL_PHASE_COUNT 8

/* Numbers of policies, of their flags, of guards and of predicates. That values, and the flags'
 * bits, are 0 and up without a gap, so that tables can be indexed by them, is checked here. */
enum {
#define SL_POLICY(NAME, name, value, graphs, flags, text) SL_SCHEDULER_PLACE_##NAME,
#include "contract/policies.def"
#undef SL_POLICY
    SL_SCHEDULER_COUNT
};
enum {
#define SL_GUARD(NAME, name, value, text) SL_GUARD_PLACE_##NAME,
#include "contract/guards.def"
#undef SL_GUARD
    SL_GUARD_COUNT
};
enum {
#define SL_POLICY_FLAG(NAME, name, bit, text) SL_POLICY_PLACE_##NAME,
#include "contract/policy_flags.def"
#undef SL_POLICY_FLAG
    SL_POLICY_FLAG_COUNT
};
enum {
#define SL_PREDICATE(NAME, name, value, text) SL_PREDICATE_PLACE_##NAME,
#include "contract/predicates.def"
#undef SL_PREDICATE
    SL_PREDICATE_COUNT
};
#define SL_POLICY(NAME, name, value, graphs, flags, text)                                          \
    static_assert((value) == SL_SCHEDULER_PLACE_##NAME, "value of SL_SCHEDULER_" #NAME);
#include "contract/policies.def"
#undef SL_POLICY
#define SL_GUARD(NAME, name, value, text)                                                          \
    static_assert((value) == SL_GUARD_PLACE_##NAME, "value of SL_GUARD_" #NAME);
#include "contract/guards.def"
#undef SL_GUARD
#define SL_POLICY_FLAG(NAME, name, bit, text)                                                      \
    static_assert((bit) == SL_POLICY_PLACE_##NAME, "bit of SL_POLICY_" #NAME);
#include "contract/policy_flags.def"
#undef SL_POLICY_FLAG
#define SL_PREDICATE(NAME, name, value, text)                                                      \
    static_assert((value) == SL_PREDICATE_PLACE_##NAME, "value of SL_PREDICATE_" #NAME);
#include "contract/predicates.def"
#undef SL_PREDICATE

#endif
