/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The wrap of channels (docs/know/design.md, "Wrap"): a narrow channel is passed hundreds of times
 * by elements that lanes allocate some at a time, so that allocations begin at every offset and
 * reach into the slack behind the data array; with counters that start anywhere, such as just below
 * 2^32 or 2^64.
 */
#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/policy.h"
#include "workloads/common/relay.h"
#include "workloads/common/variant.h"

#define EXECUTIONS 3

struct wrap_arguments {
    struct relay_options relay;
    int rights;        /* executions whose result was right */
    uint64_t in_slack; /* elements: the result */
    uint64_t entries;  /* control entries in the slack */
};

enum { KEY_FIRST = 256, KEY_FAN_OUT, KEY_GROUP, KEY_RUNNERS, KEY_ROUNDS, KEY_VARIANT, KEY_POLICY };

static const struct argp_option wrap_option_table[] = {
    {"width", 'w', "ELEMENTS", 0, "Width of the channel (default 64, the least)", 0},
    {"first", KEY_FIRST, "COUNT", 0, "Where the channel's counters start (default 0)", 0},
    {"fan-out", KEY_FAN_OUT, "ELEMENTS", 0, "Elements that a lane allocates at once (default 3)",
     0},
    {"done-group", KEY_GROUP, "ELEMENTS", 0, "Elements that share a done count (default 4)", 0},
    {"runners", KEY_RUNNERS, "COUNT", 0, "Runners, at most the fan-out (default 3)", 0},
    {"rounds", KEY_ROUNDS, "COUNT", 0, "Rounds of each runner (default 500)", 0},
    VARIANT_OPTIONS(KEY_VARIANT),
    POLICY_OPTION(KEY_POLICY),
    {0},
};

static error_t parse_wrap(int key, char *argument, struct argp_state *state)
{
    struct relay_options *const options = &((struct wrap_arguments *)state->input)->relay;
    switch (key) {
    case 'w':
        options->width = (uint32_t)sl_app_number(state, "--width", argument, 1, UINT32_MAX);
        return 0;
    case KEY_FIRST:
        options->first = sl_app_number(state, "--first", argument, 0, UINT64_MAX);
        return 0;
    case KEY_FAN_OUT:
        options->fan_out = (uint32_t)sl_app_number(state, "--fan-out", argument, 2, 16);
        return 0;
    case KEY_GROUP:
        options->done_group = (uint32_t)sl_app_number(state, "--done-group", argument, 1, 64);
        return 0;
    case KEY_RUNNERS:
        options->runners = (uint32_t)sl_app_number(state, "--runners", argument, 1, 16);
        return 0;
    case KEY_ROUNDS:
        options->rounds = (uint32_t)sl_app_number(state, "--rounds", argument, 1, 1000000);
        return 0;
    case KEY_VARIANT:
        options->variant = variant_flags(state, argument, true);
        return 0;
    case KEY_POLICY:
        policy_parse(state, argument, &options->policy);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp wrap_argp = {
    .options = wrap_option_table,
    .parser = parse_wrap,
    .doc = "Let elements pass through a narrow channel until it has wrapped many times, and check "
           "every counter. The value is the number of elements that lay in the slack.",
};

/* Control entries of the last elements: the array holds twice the width of them. */
static uint64_t entries_in_slack(const struct relay *relay)
{
    const struct sl_channel *const shared = sl_graph_shared_channel(relay->graph, relay->channel);
    const uint32_t *const control = (const uint32_t *)(uintptr_t)shared->control;
    uint64_t count = 0;
    for (uint32_t i = 0; i < 2 * shared->width; i++) {
        count += control[i] >= shared->width;
    }
    return count;
}

static enum sl_status run_wrap(struct sl_soc *soc, void *arguments)
{
    struct wrap_arguments *const wrap = arguments;
    struct relay_options options = wrap->relay;
    struct sl_module *module;
    struct relay relay;

    if (options.runners > options.fan_out) {
        options.runners = options.fan_out;
    }
    char file[32];
    enum sl_status status =
        sl_app_load(soc, variant_file("wrap", options.variant, false, file, sizeof file), &module);
    if (status == SL_OK) {
        status = relay_build(&relay, module, soc, &options);
    }
    for (int i = 0; status == SL_OK && i < EXECUTIONS; i++) {
        int is_right = 0;
        status = relay_run(&relay, &is_right);
        if (status == SL_OK) {
            wrap->rights += is_right;
            wrap->in_slack += relay.result->in_slack;
            wrap->entries += entries_in_slack(&relay);
        }
    }
    if (status == SL_OK) {
        sl_app_result("wrap(%" PRIu64 ") = %" PRIu64, options.first, wrap->in_slack);
        (void)printf("# %d of %d executions right, %" PRIu64 " control entries in the slack\n",
                     wrap->rights, EXECUTIONS, wrap->entries);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct wrap_arguments *const wrap = arguments;

    if (wrap->rights == EXECUTIONS && wrap->in_slack > 0 && wrap->entries > 0) {
        return true;
    }
    (void)fprintf(stderr, "wrap: wrong: %d of %d executions right, %" PRIu64 " in the slack\n",
                  wrap->rights, EXECUTIONS, wrap->in_slack);
    return false;
}

int main(int argc, char **argv)
{
    struct wrap_arguments wrap = {.relay = relay_default};
    const struct sl_app app = {
        .argp = &wrap_argp, .arguments = &wrap, .run = run_wrap, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
