/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Policies, their flags and predicates by name. */
#include "workloads/common/policy.h"

#include <string.h>

#include "sluice/program.h"

#define NAMES_BYTES 256

typedef const char *name_function(unsigned number);

#define ALL_NUMBERS UINT32_MAX

/* The number of a name, of whose first `length` characters there are any; NULL names end a table,
 * of which only the numbers count whose bit is in `numbers`. Where there is none, ends the program
 * with a message that lists them. */
static unsigned find(const struct argp_state *state, const char *option, name_function *name_of,
                     uint32_t numbers, const char *name, size_t length)
{
    char names[NAMES_BYTES] = "";
    unsigned number = 0;

    for (; name_of(number) != NULL; number++) {
        const char *const one = name_of(number);
        if ((numbers >> number & 1) == 0) {
            continue;
        }
        if (strlen(one) == length && strncmp(one, name, length) == 0) {
            return number;
        }
        (void)strncat(names, names[0] == '\0' ? "" : ", ", NAMES_BYTES - strlen(names) - 1);
        (void)strncat(names, one, NAMES_BYTES - strlen(names) - 1);
    }
    argp_failure(state, SL_APP_USAGE, 0, "%s: '%.*s' is none of %s", option, (int)length, name,
                 names);
    return number;
}

/* Names of flags with commas between them. */
static uint32_t parse_flags(const struct argp_state *state, const char *text, unsigned policy)
{
    const uint32_t known = sl_policy_known_flags(policy);
    uint32_t flags = 0;

    if (known == 0) {
        argp_failure(state, SL_APP_USAGE, 0, "--policy: '%s': %s has no flags", text,
                     sl_policy_name(policy));
    }
    for (;;) {
        const size_t length = strcspn(text, ",");
        flags |= 1u << find(state, "--policy", sl_policy_flag_name, known, text, length);
        if (text[length] == '\0') {
            return flags;
        }
        text += length + 1;
    }
}

void policy_parse(const struct argp_state *state, const char *text, struct policy_option *option)
{
    const size_t length = strcspn(text, ":");

    option->policy =
        (enum sl_scheduler)find(state, "--policy", sl_policy_name, ALL_NUMBERS, text, length);
    option->flags = text[length] == ':' ? parse_flags(state, text + length + 1, option->policy) : 0;
    option->is_given = true;
}

void policy_apply(struct sl_graph_builder *graph, const struct policy_option *option)
{
    if (option->is_given) {
        sl_graph_policy(graph, option->policy);
        sl_graph_policy_flags(graph, option->flags);
    }
}

void predicate_parse(const struct argp_state *state, const char *text,
                     struct sl_channel_options *channel)
{
    const size_t length = strcspn(text, ":");

    channel->predicate =
        (enum sl_predicate)find(state, "--predicate", sl_predicate_name, ALL_NUMBERS, text, length);
    if (text[length] == ':') {
        channel->predicate_argument =
            (uint32_t)sl_app_number(state, "--predicate", text + length + 1, 0, UINT32_MAX);
    }
}
