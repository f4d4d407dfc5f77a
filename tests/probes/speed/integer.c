/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The integer kernel that the simulator's speed is measured with: elements enough for every
 * wavefront context of the default machine, all put in by the host, each of which computes in
 * registers for N rounds. */

#include "probes/speed/integer.h"
#include "sluice/program.h"

#define ELEMENTS 20480 /* 8 compute units x 40 contexts x 64 lanes */
#define WIDTH    32768

struct arguments {
    uint32_t rounds;
    struct sl_app_policy policy;
    uint64_t wrong; /* lanes */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, rounds)},
    SL_POLICY_ROW(struct arguments, policy),
    {0},
};

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
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    uint64_t *const results = sl_app_alloc(soc, ELEMENTS * sizeof *results, 0);
    uint64_t sum;

    const struct sl_channel_options options = {.name = "integer"};
    const int channel = sl_graph_channel(graph, sizeof(struct integer_element), WIDTH, &options);
    const int kernel = sl_graph_kernel(graph, "integer_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)results);
    sl_graph_argument(graph, kernel, 3, arguments->rounds);
    sl_graph_connect(graph, channel, kernel);
    sl_app_use_policy(graph, &arguments->policy);
    for (uint64_t i = 0; i < ELEMENTS; i++) {
        *(struct integer_element *)sl_app_put(graph, channel, 1) =
            (struct integer_element){.number = i};
    }
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        arguments->wrong = count_wrong(results, arguments->rounds, &sum);
        sl_app_result("integer(%" PRIu32 ") = %" PRIu64, arguments->rounds, sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return sl_app_check(arguments->wrong == 0, "the sums of %" PRIu64 " lanes", arguments->wrong);
}

static const struct sl_app app = {
    .doc = "Run N rounds of a random number generator in each of 20480 lanes, and check the sums.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "integer.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
