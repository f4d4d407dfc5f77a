/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The integer kernel that the simulator's speed is measured with: elements enough for every
 * wavefront context of the default machine, all put in by the host, each of which computes in
 * registers for N rounds. */
#include <inttypes.h>
#include <stdio.h>

#include "probes/speed/integer.h"
#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/policy.h"

#define ELEMENTS   20480 /* 8 compute units x 40 contexts x 64 lanes */
#define WIDTH      32768
#define ROUNDS_MAX 1000000

struct arguments {
    uint32_t rounds;
    struct policy_option policy;
    uint64_t wrong; /* lanes */
};

enum { KEY_POLICY = 256 };

static const struct argp_option option_table[] = {POLICY_OPTION(KEY_POLICY), {0}};

static error_t parse_integer(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == KEY_POLICY) {
        policy_parse(state, argument, &arguments->policy);
        return 0;
    }
    return sl_app_n(key, argument, state, 1, ROUNDS_MAX, &arguments->rounds);
}

static const struct argp integer_argp = {
    .options = option_table,
    .parser = parse_integer,
    .args_doc = "N",
    .doc = "Run N rounds of a random number generator in each of 20480 lanes, and check the sums.",
};

static enum sl_status put_in(struct sl_graph_builder *graph, int channel)
{
    enum sl_status status = SL_OK;
    for (uint64_t i = 0; status == SL_OK && i < ELEMENTS; i++) {
        struct integer_element *const element = sl_graph_talloc(graph, channel, 1);
        if (element == NULL) {
            return SL_ERROR_USAGE;
        }
        element->number = i;
        status = sl_graph_enq(graph, channel, element, 1);
    }
    return status;
}

static uint64_t count_wrong(const uint64_t *results, uint32_t rounds, uint64_t *sum)
{
    uint64_t wrong = 0;
    *sum = 0;
    for (uint64_t i = 0; i < ELEMENTS; i++) {
        wrong += results[i] != integer_rounds(i, rounds);
        *sum += results[i];
    }
    return wrong;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;
    struct sl_graph_builder *graph;
    uint64_t sum;

    enum sl_status status = sl_app_load(soc, "integer.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    uint64_t *const results = sl_alloc(soc, ELEMENTS * sizeof *results, 0);
    if (results == NULL) {
        return SL_ERROR_MACHINE;
    }
    const struct sl_channel_options options = {.name = "integer"};
    const int channel = sl_graph_channel(graph, sizeof(struct integer_element), WIDTH, &options);
    const int kernel = sl_graph_kernel(graph, "integer_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)results);
    sl_graph_argument(graph, kernel, 3, arguments->rounds);
    sl_graph_connect(graph, channel, kernel);
    policy_apply(graph, &arguments->policy);
    status = sl_graph_prepare(graph);
    if (status == SL_OK) {
        status = put_in(graph, channel);
    }
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        arguments->wrong = count_wrong(results, arguments->rounds, &sum);
        sl_app_result("integer(%" PRIu32 ") = %" PRIu64, arguments->rounds, sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    if (arguments->wrong > 0) {
        (void)fprintf(stderr, "integer: wrong: the sums of %" PRIu64 " lanes\n", arguments->wrong);
    }
    return arguments->wrong == 0;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &integer_argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
