/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Host side of the relay graph. What is wanted is worked out in plain C from the rules in
 * relay_element.h: which lane takes which place is left to the machine, but how many elements lie
 * in the slack is not, since all allocations after the runners are of one size. */
#include "workloads/common/relay.h"

#include <inttypes.h>
#include <stdio.h>

#include "workloads/common/variant.h"

#define WAIT_LIMIT_MS 60000

const struct relay_options relay_default = RELAY_DEFAULT;

enum sl_status relay_build(struct relay *relay, struct sl_module *module, struct sl_soc *soc,
                           const struct relay_options *options)
{
    *relay = (struct relay){.options = *options, .soc = soc};
    enum sl_status status = sl_graph_create(module, &relay->graph);
    if (status != SL_OK) {
        return status;
    }
    relay->result = sl_alloc(soc, sizeof *relay->result, 0);
    if (relay->result == NULL) {
        return SL_ERROR_MACHINE;
    }
    relay->channel = sl_graph_channel(relay->graph, sizeof(struct relay_element), options->width,
                                      &options->channel);
    const int kernel = variant_kernel(relay->graph, "relay_kernel", options->channel.flags);
    sl_graph_argument(relay->graph, kernel, 2, (uint64_t)relay->channel);
    sl_graph_argument(relay->graph, kernel, 3, (uintptr_t)relay->result);
    sl_graph_argument(relay->graph, kernel, 4, options->fan_out);
    sl_graph_connect(relay->graph, relay->channel, kernel);
    sl_graph_output(relay->graph, kernel, relay->channel, options->fan_out);
    sl_app_use_policy(relay->graph, &options->policy);
    return sl_graph_prepare(relay->graph);
}

/* Elements in the slack of an allocation of `count` elements when `tail` were allocated before. */
static uint64_t in_slack(const struct relay *relay, uint64_t tail, uint64_t count)
{
    const uint64_t width = relay->options.width;
    const uint64_t end = (tail & (width - 1)) + count;
    return end > width ? end - width : 0;
}

static void work_out(struct relay *relay, uint64_t tail)
{
    const struct relay_options *const options = &relay->options;
    relay->wanted = (struct relay_result){.elements = options->runners};
    relay->wanted.in_slack = in_slack(relay, tail, options->runners);
    tail += options->runners;
    for (uint32_t rounds = options->rounds; rounds > 0; rounds--) {
        for (uint32_t runner = 0; runner < options->runners; runner++) {
            for (uint32_t i = rounds == 1 ? 0 : 1; i < options->fan_out; i++) {
                relay->wanted.sum += relay_value(rounds, i);
            }
            relay->wanted.in_slack += in_slack(relay, tail, options->fan_out);
            relay->wanted.elements += options->fan_out;
            tail += options->fan_out;
        }
    }
}

/* Works out besides what has to come of the runners. */
static enum sl_status put_in(struct relay *relay)
{
    const struct sl_channel *const shared = sl_graph_shared_channel(relay->graph, relay->channel);
    const uint32_t runners = relay->options.runners;
    work_out(relay, shared->data_tail);
    *relay->result = (struct relay_result){0};
    void *const elements = sl_graph_talloc(relay->graph, relay->channel, runners);
    if (elements == NULL) {
        return SL_ERROR_USAGE;
    }
    const struct sl_view view = sl_graph_view(relay->graph, relay->channel, elements);
    for (uint32_t i = 0; i < runners; i++) {
        SL_FIELD(view, i, struct relay_element, rounds) = relay->options.rounds;
        SL_FIELD(view, i, struct relay_element, value) = 0;
    }
    return sl_graph_enq(relay->graph, relay->channel, elements, runners);
}

static int is_equal(const char *what, uint64_t got, uint64_t wanted)
{
    if (got != wanted) {
        (void)fprintf(stderr, "relay: %s: 0x%" PRIx64 ", wanted 0x%" PRIx64 "\n", what, got,
                      wanted);
    }
    return got == wanted;
}

static int has_come_out(const struct relay *relay)
{
    const struct sl_channel *const shared = sl_graph_shared_channel(relay->graph, relay->channel);
    const struct relay_result *const wanted = &relay->wanted;
    const uint64_t tail = relay->options.channel.first + relay->passed + wanted->elements;
    const uint64_t group = relay->options.channel.done_group;
    int is_right = is_equal("sum", relay->result->sum, wanted->sum);
    is_right &= is_equal("elements", relay->result->elements, wanted->elements);
    is_right &= is_equal("elements in the slack", relay->result->in_slack, wanted->in_slack);
    is_right &=
        is_equal("elements completed", sl_soc_counts(relay->soc).elements, wanted->elements);
    is_right &= is_equal("data_tail", shared->data_tail, tail);
    is_right &= is_equal("data_head", shared->data_head, tail & ~(group - 1));
    /* A stamped channel counts publications in the upper half. */
    const uint64_t reserved =
        shared->stamps != 0 ? (shared->control_reserve & ~(uint64_t)UINT32_MAX) | (uint32_t)tail
                            : tail;
    is_right &= is_equal("control_reserve", shared->control_reserve, reserved);
    is_right &= is_equal("control_tail", shared->control_tail, tail);
    is_right &= is_equal("control_head", shared->control_head, tail);
    return is_right;
}

enum sl_status relay_run(struct relay *relay, int *is_right)
{
    enum sl_status status = put_in(relay);
    if (status == SL_OK) {
        status = sl_graph_execute(relay->graph);
    }
    if (status == SL_OK) {
        status = sl_soc_wait(relay->soc, WAIT_LIMIT_MS);
    }
    if (status == SL_OK) {
        *is_right = has_come_out(relay);
        relay->passed += relay->wanted.elements;
    }
    return status;
}
