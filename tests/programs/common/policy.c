/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Policies by name. */
#include "programs/common/policy.h"

#include <string.h>

#include "programs/common/options.h"

#define NAMES_BYTES 256

typedef const char *name_function(unsigned number);

/* The number of a name, of whose first `length` characters there are any; NULL names end a table.
 * Where there is none, ends the program with a message that lists them. */
static unsigned find(const struct argp_state *state, const char *option, name_function *name_of,
                     const char *name, size_t length)
{
    char names[NAMES_BYTES] = "";
    unsigned number = 0;

    for (; name_of(number) != NULL; number++) {
        const char *const one = name_of(number);
        if (strlen(one) == length && strncmp(one, name, length) == 0) {
            return number;
        }
        (void)strncat(names, number == 0 ? "" : ", ", NAMES_BYTES - strlen(names) - 1);
        (void)strncat(names, one, NAMES_BYTES - strlen(names) - 1);
    }
    argp_failure(state, PROGRAM_USAGE, 0, "%s: '%s' is none of %s", option, name, names);
    return number;
}

void policy_parse(const struct argp_state *state, const char *name, struct policy_option *option)
{
    option->policy = (enum sl_scheduler)find(state, "--policy", sl_policy_name, name, strlen(name));
    option->is_given = true;
}

void policy_apply(struct sl_graph_builder *graph, const struct policy_option *option)
{
    if (option->is_given) {
        sl_graph_policy(graph, option->policy);
    }
}

void predicate_parse(const struct argp_state *state, const char *text,
                     struct sl_channel_options *channel)
{
    const size_t length = strcspn(text, ":");

    channel->predicate =
        (enum sl_predicate)find(state, "--predicate", sl_predicate_name, text, length);
    if (text[length] == ':') {
        channel->predicate_argument =
            (uint32_t)options_number(state, "--predicate", text + length + 1, 0, UINT32_MAX);
    }
}
