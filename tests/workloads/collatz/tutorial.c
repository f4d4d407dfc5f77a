/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host program of the tutorial (docs/learn/programming.md): which number up to N has the
 * longest Collatz chain? Two channels, two kernels: "ranges" feeds itself and "numbers", "numbers"
 * feeds itself. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/collatz/tutorial.h"
#include "workloads/common/policy.h"

#define N_MAX     1000000
#define WIDTH_MIN 1024

struct arguments {
    uint32_t n;
    uint32_t width; /* of both channels; 0: as wide as N needs */
    struct policy_option policy;
    struct result answer; /* the machine's */
};

enum { KEY_POLICY = 256 };

static const struct argp_option option_table[] = {
    {"width", 'w', "ELEMENTS", 0, "Elements of each channel, a power of two (default: enough)", 0},
    POLICY_OPTION(KEY_POLICY),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'w':
        arguments->width = (uint32_t)sl_app_number(state, "--width", argument, 1, UINT32_MAX);
        return 0;
    case KEY_POLICY:
        policy_parse(state, argument, &arguments->policy);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc =
        "Find the number up to N with the longest Collatz chain on the simulated accelerator, "
        "and check it.\vN is from 1 to 1000000. docs/learn/programming.md explains this program.",
};

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

/* At most N numbers are on their way at once, and each takes a new element before it gives back its
 * old one; as much again is space that waits to be deallocated in order. */
static uint32_t enough_for(uint32_t n)
{
    uint32_t width = WIDTH_MIN;
    while (width < 4 * n) {
        width *= 2;
    }
    return width;
}

static void build(struct sl_graph_builder *graph, uint32_t width, struct result *result,
                  int *first_channel)
{
    const struct sl_channel_options ranges_options = {.name = "ranges"};
    const struct sl_channel_options numbers_options = {.name = "numbers"};
    const int ranges = sl_graph_channel(graph, sizeof(struct range), width, &ranges_options);
    const int numbers = sl_graph_channel(graph, sizeof(struct number), width, &numbers_options);
    const int split = sl_graph_kernel(graph, "split_kernel");
    const int walk = sl_graph_kernel(graph, "walk_kernel");

    sl_graph_argument(graph, split, 2, (uint64_t)ranges);
    sl_graph_argument(graph, split, 3, (uint64_t)numbers);
    sl_graph_argument(graph, walk, 2, (uint64_t)numbers);
    sl_graph_argument(graph, walk, 3, (uintptr_t)result);

    sl_graph_connect(graph, ranges, split);
    sl_graph_connect(graph, numbers, walk);
    sl_graph_output(graph, split, ranges, HALVES);
    sl_graph_output(graph, split, numbers, NUMBERS_AT_ONCE);
    sl_graph_output(graph, walk, numbers, 1);
    *first_channel = ranges;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t width = arguments->width != 0 ? arguments->width : enough_for(arguments->n);
    struct sl_module *module;
    struct sl_graph_builder *graph;
    int ranges;

    enum sl_status status = sl_app_load(soc, "tutorial.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    struct result *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_USAGE;
    }
    build(graph, width, result, &ranges);
    policy_apply(graph, &arguments->policy);

    struct range *const all = sl_graph_talloc(graph, ranges, 1);
    if (all == NULL) {
        return SL_ERROR_USAGE;
    }
    *all = (struct range){.first = 1, .count = arguments->n};
    status = sl_graph_enq(graph, ranges, all, 1);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        arguments->answer = *result;
        sl_app_result("tutorial(%" PRIu32 ") = %" PRIu32, arguments->n,
                      longest_start(result->longest));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct result *const answer = &arguments->answer;
    if (answer->longest == longest_in_plain_c(arguments->n) && answer->arrived == arguments->n) {
        return true;
    }
    (void)fprintf(stderr, "tutorial: wrong: %" PRIu64 " numbers arrived, key %#" PRIx64 "\n",
                  answer->arrived, answer->longest);
    return false;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = 0, .width = 0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
