/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Arguments that programs with graphs share: policies, their flags, and predicates, by name. */
#include <string.h>

#include "host/base/text.h"
#include "sluice/argument.h"

#define NAMES_BYTES 256
#define ALL_NUMBERS UINT32_MAX

typedef const char *name_function(unsigned number);

/* The number of a name, the first `length` characters of `name`. NULL ends the names, of which only
 * those count whose bit is in `numbers`. Ends the program if there is none. */
static unsigned find(const char *what, name_function *name_of, uint32_t numbers, const char *name,
                     size_t length)
{
    char names[NAMES_BYTES] = "";

    for (unsigned number = 0; name_of(number) != NULL; number++) {
        const char *const one = name_of(number);
        if ((numbers >> number & 1) == 0) {
            continue;
        }
        if (strlen(one) == length && strncmp(one, name, length) == 0) {
            return number;
        }
        sl_text_append(names, sizeof names, "%s%s", names[0] == '\0' ? "" : ", ", one);
    }
    sl_argument_fail("%s: '%.*s' is none of %s", what, (int)length, name, names);
}

/* Names of flags with commas between them. */
static uint32_t read_flags(const char *what, const char *text, unsigned policy)
{
    const uint32_t known = sl_policy_known_flags(policy);
    uint32_t flags = 0;

    if (known == 0) {
        sl_argument_fail("%s: '%s': %s has no flags", what, text, sl_policy_name(policy));
    }
    for (;;) {
        const size_t length = strcspn(text, ",");
        flags |= 1u << find(what, sl_policy_flag_name, known, text, length);
        if (text[length] == '\0') {
            return flags;
        }
        text += length + 1;
    }
}

void sl_app_take_policy(const char *what, const char *text, void *field)
{
    struct sl_app_policy *const policy = field;
    const size_t length = strcspn(text, ":");

    policy->policy = (enum sl_scheduler)find(what, sl_policy_name, ALL_NUMBERS, text, length);
    policy->flags = text[length] == ':' ? read_flags(what, text + length + 1, policy->policy) : 0;
    policy->is_given = true;
}

void sl_app_use_policy(struct sl_graph_builder *graph, const struct sl_app_policy *policy)
{
    if (policy->is_given) {
        sl_graph_policy(graph, policy->policy);
        sl_graph_policy_flags(graph, policy->flags);
    }
}

void sl_app_take_predicate(const char *what, const char *text, void *field)
{
    struct sl_channel_options *const channel = field;
    const size_t length = strcspn(text, ":");

    channel->predicate =
        (enum sl_predicate)find(what, sl_predicate_name, ALL_NUMBERS, text, length);
    if (text[length] == ':') {
        channel->predicate_argument =
            (uint32_t)sl_argument_number(what, text + length + 1, 0, UINT32_MAX);
    }
}
