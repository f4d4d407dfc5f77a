/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* attack CAMPAIGN...: attacks on machines by seed, in numbers, and what came of them
 * (docs/know/trust.md). The exit status is 1 where anything was believed. */
#include <argp.h>

#include "attack/campaign.h"
#include "sluice/program.h"

#define NAMES "stores|gadgets|calls|descriptors|files"

/* In the order of their names. */
static const struct campaign *const campaigns[] = {
    &campaign_stores, &campaign_gadgets, &campaign_calls, &campaign_descriptors, &campaign_files,
};
#define CAMPAIGNS (sizeof campaigns / sizeof campaigns[0])

struct arguments {
    struct campaign_options options;
    bool is_chosen[CAMPAIGNS];
};

static const struct argp_option option_table[] = {
    {"seed", 's', "N", 0, "Seed of all random choices (default 1)", 0},
    {"first", 'f', "N", 0, "First run (default 0)", 0},
    {"count", 'n', "N", 0, "Runs (default: as the campaign has)", 0},
    {"open", 'o', NULL, 0, "Without protection of memory: what is believed is to be seen", 0},
    {"verbose", 'v', NULL, 0, "Tell of each run", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 's':
        arguments->options.seed = sl_argument_number("--seed", argument, 0, UINT64_MAX);
        return 0;
    case 'f':
        arguments->options.first = sl_argument_number("--first", argument, 0, UINT32_MAX);
        return 0;
    case 'n':
        arguments->options.count = sl_argument_number("--count", argument, 1, UINT32_MAX);
        return 0;
    case 'o':
        arguments->options.is_open = true;
        return 0;
    case 'v':
        arguments->options.is_verbose = true;
        return 0;
    case ARGP_KEY_ARG:
        arguments->is_chosen[sl_argument_choice("CAMPAIGN", argument, NAMES)] = true;
        return 0;
    case ARGP_KEY_NO_ARGS:
        sl_argument_fail("the argument CAMPAIGN is missing: one of " NAMES);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        .options = option_table,
        .parser = parse,
        .args_doc = "CAMPAIGN...",
        .doc = "Attack machines, and count what was refused, faulted, told, right, or believed.",
    };
    struct arguments arguments = {.options = {.seed = 1}};
    uint64_t believed = 0;
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0) {
        return SL_APP_USAGE;
    }
    for (size_t i = 0; i < CAMPAIGNS; i++) {
        if (arguments.is_chosen[i]) {
            believed += campaign_run(campaigns[i], i, &arguments.options);
        }
    }
    return believed == 0 ? SL_APP_RIGHT : SL_APP_WRONG;
}
