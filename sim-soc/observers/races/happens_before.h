/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The orders that a model's happens-before is made of. drf and hrf-indirect have one, which is
 * closed over all synchronization (papers/002, sidebar of page 7). hrf-direct has one for each
 * scope instance S, (po u so_S)+, and two operations are ordered where any of them has it (sidebar
 * of page 4); of a thread these are the device's, the system's and its work-group's, since that of
 * a wavefront holds no other thread. Beside them the order of hrf-indirect is kept, to say of a
 * race that a chain of several scopes would be one. */
#ifndef SLUICE_OBSERVERS_RACES_HAPPENS_BEFORE_H
#define SLUICE_OBSERVERS_RACES_HAPPENS_BEFORE_H

#include "observers/races/races.h"

enum race_order {
    ORDER_CHAIN, /* drf's, hrf-indirect's */
    ORDER_DEVICE,
    ORDER_SYSTEM,
    ORDER_GROUP,
    ORDERS
};

/* What a release leaves in a word or an object, for one scope instance: ORDER_CHAIN's clock, and
 * with hrf-direct also that of the instance's order. */
#define RELEASED_CLOCKS 2u

/* Scope as the model has it. */
static inline enum sl_scope order_scope(enum race_model model, enum sl_scope scope)
{
    return model == RACE_DRF ? SL_SCOPE_SYSTEM : scope;
}

/* The order of a scope's instance with hrf-direct. */
static inline enum race_order order_of(enum sl_scope scope)
{
    return scope == SL_SCOPE_SYSTEM   ? ORDER_SYSTEM
           : scope == SL_SCOPE_DEVICE ? ORDER_DEVICE
                                      : ORDER_GROUP;
}

/* That in which launches acquire, and which decides on what may be forgotten. */
static inline enum race_order order_of_launches(enum race_model model)
{
    return model == RACE_HRF_DIRECT ? ORDER_DEVICE : ORDER_CHAIN;
}

#endif
