/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* All ways in which a litmus test may go on one of the machines of order.h: a search through its
 * states, each of which is visited once however it is reached. */
#ifndef SLUICE_LITMUS_EXPLORE_H
#define SLUICE_LITMUS_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>

#include "litmus/order.h"

enum litmus_explored {
    LITMUS_EXPLORED,
    LITMUS_EXPLORE_LIMIT,  /* there are more than so many states */
    LITMUS_EXPLORE_MEMORY, /* the host has no memory for them */
};

/* Calls `end` for each state in which the test has ended; some outcomes come more than once. False
 * from it ends the search: LITMUS_EXPLORE_MEMORY. */
enum litmus_explored litmus_explore(const struct litmus_test *test,
                                    const struct litmus_order *order, size_t limit,
                                    bool (*end)(void *user, const struct litmus_outcome *outcome),
                                    void *user);

#endif
