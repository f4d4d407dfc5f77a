/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The scheduling policy of a program's graph, as an option. */
#ifndef SLUICE_PROGRAMS_POLICY_H
#define SLUICE_PROGRAMS_POLICY_H

#include <argp.h>

#include "host/sluice.h"

/* A line of an argp option table. */
#define POLICY_OPTION(key)                                                                         \
    {                                                                                              \
        "policy", key, "NAME", 0, "Scheduling policy (default: flat, levelized for stacks)", 0     \
    }

/* The option's argument, for policy_apply(). What is no policy ends the program with a message that
 * lists those that there are. */
const char *policy_checked(const struct argp_state *state, const char *name);

/* Makes a policy that was checked, or none for NULL, that of a graph. */
void policy_apply(struct sl_graph_builder *graph, const char *name);

#endif
