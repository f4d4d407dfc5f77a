/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The table of the cycle stack's classes, and their groups. */
#include "host/base/cycle_stack.h"

#include <string.h>

const struct sl_stack_row sl_stack_table[SL_STACK_CLASSES] = {
#define SL_AGG_STACK(ID, name, words, text) {SL_STAT_AGG_STACK_##ID, name, words},
#include "contract/agg_stack.def"
};

const char *const sl_stack_groups[SL_STACK_GROUPS] = {"retiring", "bad speculation", "front end",
                                                      "memory", "core"};

enum sl_stack_group sl_stack_group_of(enum sl_stack_class what)
{
    static const char *const beginnings[SL_STACK_GROUPS] = {"retiring", "bad_speculation",
                                                            "frontend.", "memory.", "core."};
    const char *const name = sl_stack_table[what].name;
    unsigned group = 0;

    while (group < SL_STACK_GROUPS - 1 &&
           strncmp(name, beginnings[group], strlen(beginnings[group])) != 0) {
        group++;
    }
    return (enum sl_stack_group)group;
}
