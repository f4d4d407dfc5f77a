/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The cycle stack of the aggregator's core (hal/contract/agg_stack.def) for who shows it: each
 * class with its statistic, its words, and its group. */
#ifndef SLUICE_HOST_BASE_CYCLE_STACK_H
#define SLUICE_HOST_BASE_CYCLE_STACK_H

#include "recordings/observation.h"
#include "sluice/sluice.h"

/* Those of one class come first. */
enum sl_stack_group {
    SL_STACK_GROUP_RETIRING,
    SL_STACK_GROUP_BAD_SPECULATION,
    SL_STACK_GROUP_FRONTEND,
    SL_STACK_GROUP_MEMORY,
    SL_STACK_GROUP_CORE,
    SL_STACK_GROUPS
};

struct sl_stack_row {
    enum sl_statistic id;
    const char *name; /* behind `agg.stack.` */
    const char *words;
};

/* The classes, in the contract's order. */
extern const struct sl_stack_row sl_stack_table[SL_STACK_CLASSES];

/* The groups' words. */
extern const char *const sl_stack_groups[SL_STACK_GROUPS];

/* The group that the name of a class begins with. */
enum sl_stack_group sl_stack_group_of(enum sl_stack_class what);

#endif
