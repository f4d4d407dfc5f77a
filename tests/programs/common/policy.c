/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Policies by name. */
#include "programs/common/policy.h"

#include <string.h>

#include "programs/common/options.h"

#define NAMES_BYTES 256

/* The policy of this name; SL_SCHEDULER_COUNT for none. */
static unsigned find(const char *name)
{
    unsigned policy = 0;
    while (policy < SL_SCHEDULER_COUNT && strcmp(name, sl_policy_name(policy)) != 0) {
        policy++;
    }
    return policy;
}

const char *policy_checked(const struct argp_state *state, const char *name)
{
    if (find(name) == SL_SCHEDULER_COUNT) {
        char names[NAMES_BYTES] = "";
        for (unsigned policy = 0; policy < SL_SCHEDULER_COUNT; policy++) {
            (void)strncat(names, policy == 0 ? "" : ", ", NAMES_BYTES - strlen(names) - 1);
            (void)strncat(names, sl_policy_name(policy), NAMES_BYTES - strlen(names) - 1);
        }
        argp_failure(state, PROGRAM_USAGE, 0, "--policy: '%s' is none of %s", name, names);
    }
    return name;
}

void policy_apply(struct sl_graph_builder *graph, const char *name)
{
    if (name != NULL) {
        sl_graph_policy(graph, (enum sl_scheduler)find(name));
    }
}
