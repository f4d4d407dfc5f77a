/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Which number up to N has the longest Collatz chain? A graph of two channels and two kernels. */
#include <sluice/program.h>

#include "the_program.h"

struct arguments {
    uint32_t n;
    uint32_t width; /* of both channels */
    struct sl_app_policy policy;
    const struct result *result; /* the machine's */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, n)},
    SL_WIDTH_ROW(struct arguments, width),
    SL_POLICY_ROW(struct arguments, policy),
    {0},
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    struct result *const result = sl_app_alloc(soc, sizeof *result, 0);

    const int ranges = sl_graph_channel(graph, sizeof(struct range), arguments->width,
                                        &(struct sl_channel_options){.name = "ranges"});
    const int numbers = sl_graph_channel(graph, sizeof(struct number), arguments->width,
                                         &(struct sl_channel_options){.name = "numbers"});
    const int split = sl_graph_consumer(graph, ranges, "split_kernel", SL_VALUES(ranges, numbers));
    const int walk = sl_graph_consumer(graph, numbers, "walk_kernel", SL_VALUES(numbers, result));
    sl_graph_output(graph, split, ranges, HALVES);
    sl_graph_output(graph, split, numbers, NUMBERS_AT_ONCE);
    sl_graph_output(graph, walk, numbers, 1);
    sl_app_use_policy(graph, &arguments->policy);

    struct range *const all = sl_app_put(graph, ranges, 1);
    *all = (struct range){.first = 1, .count = arguments->n};
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        arguments->result = result;
        sl_app_result("the_program(%" PRIu32 ") = %" PRIu32, arguments->n,
                      longest_start(result->longest));
    }
    return status;
}

/* The same in plain C, to check the machine's answer with. */
static uint64_t longest_in_plain_c(uint32_t n)
{
    uint64_t longest = 0;
    for (uint32_t start = 1; start <= n; start++) {
        uint32_t steps = 0;
        for (uint64_t value = start; value != 1; steps++) {
            value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        }
        const uint64_t key = longest_key(steps, start);
        longest = key > longest ? key : longest;
    }
    return longest;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct result *const result = arguments->result;
    return sl_app_check(
        result->longest == longest_in_plain_c(arguments->n) && result->arrived == arguments->n,
        "%" PRIu64 " numbers arrived, key %#" PRIx64, result->arrived, result->longest);
}

static const struct sl_app app = {
    .doc = "Find the number up to N with the longest Collatz chain on the simulated accelerator, "
           "and check it.",
    .table = table,
    .arguments = &(struct arguments){.width = 131072},
    .kernels = "the_program.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
