/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The naive Fibonacci graph of the core paper (papers/001 Figures 6 and 7): one channel, one
 * kernel that takes an element n and puts in n - 1 and n - 2, or adds 1 to the result where n <= 2.
 * Its kernel is fib_kernel.c. A graph of this kind never yields: the channel has to hold the widest
 * level of the tree, and where it does not, the run ends with an overflow. */

#include "sluice/program.h"
#include "workloads/common/fibonacci.h"
#include "workloads/common/variant.h"

#define FAN_OUT 2

/* fib_kernel.c has the same. */
struct fib_element {
    int32_t value;
};

struct arguments {
    uint32_t n;
    uint32_t width;
    struct sl_channel_options channel;
    struct sl_app_policy policy;
    uint64_t value; /* the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 40, SL_INTO(struct arguments, n)},
    {"width", 'w', SL_NUMBER, 1, 0, SL_INTO(struct arguments, width),
     "Elements of the channel, a power of two (default 131072, enough for N up to 27)", "ELEMENTS"},
    VARIANT_ROWS(struct arguments, channel),
    SL_POLICY_ROW(struct arguments, policy),
    SL_PREDICATE_ROW(struct arguments, channel),
    {0},
};

/* Figure 6, lines 20 to 38. */
static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const fib = input;

    variant_load(soc, "fib", fib->channel.flags, false);
    uint64_t *const result = sl_app_alloc(soc, sizeof *result, 0);
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const int channel =
        sl_graph_channel(graph, sizeof(struct fib_element), fib->width, &fib->channel);
    const int kernel = variant_kernel(graph, "fib_kernel", fib->channel.flags);
    sl_graph_argument(graph, kernel, 2, (uint64_t)channel);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)result);
    sl_graph_connect(graph, channel, kernel);
    sl_graph_output(graph, kernel, channel, FAN_OUT);
    sl_app_use_policy(graph, &fib->policy);

    const struct sl_view root = sl_graph_view(graph, channel, sl_app_put(graph, channel, 1));
    SL_FIELD(root, 0, struct fib_element, value) = (int32_t)fib->n;
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        fib->value = *result;
        sl_app_result("fib(%" PRIu32 ") = %" PRIu64, fib->n, fib->value);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const fib = input;
    const uint64_t right = fibonacci(fib->n);

    return sl_app_check(fib->value == right, "fib(%" PRIu32 ") is %" PRIu64, fib->n, right);
}

static const struct sl_app app = {
    .doc = "Compute the Nth Fibonacci number with a channel-flow graph on the simulated "
           "accelerator, and check it.",
    .table = table,
    .arguments = &(struct arguments){.width = 131072,
                                     .channel = {.name = "fib", .flags = SL_CHANNEL_NARROW}},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
