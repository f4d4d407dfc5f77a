/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The wrap of channels (docs/know/design.md, "Wrap"): a narrow channel is passed hundreds of times
 * by elements that lanes allocate some at a time, so that allocations begin at every offset and
 * reach into the slack behind the data array; with counters that start anywhere, such as just below
 * 2^32 or 2^64.
 */
#include <stdio.h>

#include "sluice/program.h"
#include "workloads/common/relay.h"
#include "workloads/common/variant.h"

#define EXECUTIONS 3

struct arguments {
    struct relay_options relay;
    int rights;        /* executions whose result was right */
    uint64_t in_slack; /* elements: the result */
    uint64_t entries;  /* control entries in the slack */
};

static const struct sl_argument table[] = {
    SL_WIDTH_ROW(struct arguments, relay.width),
    {"first", 0, SL_NUMBER, 0, 0, SL_INTO(struct arguments, relay.channel.first),
     "Where the channel's counters start", "COUNT"},
    {"fan-out", 0, SL_NUMBER, 2, 16, SL_INTO(struct arguments, relay.fan_out),
     "Elements that a lane allocates at once", "ELEMENTS"},
    {"done-group", 0, SL_NUMBER, 1, 64, SL_INTO(struct arguments, relay.channel.done_group),
     "Elements that share a done count", "ELEMENTS"},
    {"runners", 0, SL_NUMBER, 1, 16, SL_INTO(struct arguments, relay.runners),
     "Runners, at most the fan-out", "COUNT"},
    {"rounds", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, relay.rounds),
     "Rounds of each runner", "COUNT"},
    VARIANT_ROWS(struct arguments, relay.channel),
    SL_POLICY_ROW(struct arguments, relay.policy),
    {0},
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

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const wrap = input;
    struct relay_options options = wrap->relay;
    struct relay relay;

    if (options.runners > options.fan_out) {
        options.runners = options.fan_out;
    }
    variant_load(soc, "wrap", options.channel.flags, false);
    enum sl_status status = relay_build(&relay, sl_app_kernels(soc), soc, &options);
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
        sl_app_result("wrap(%" PRIu64 ") = %" PRIu64, options.channel.first, wrap->in_slack);
        (void)printf("# %d of %d executions right, %" PRIu64 " control entries in the slack\n",
                     wrap->rights, EXECUTIONS, wrap->entries);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const wrap = input;

    return sl_app_check(wrap->rights == EXECUTIONS && wrap->in_slack > 0 && wrap->entries > 0,
                        "%d of %d executions right, %" PRIu64 " in the slack", wrap->rights,
                        EXECUTIONS, wrap->in_slack);
}

static const struct sl_app app = {
    .doc = "Let elements pass through a narrow channel until it has wrapped many times, and check "
           "every counter. The value is the number of elements that lay in the slack.",
    .table = table,
    .arguments = &(struct arguments){.relay = RELAY_DEFAULT},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
