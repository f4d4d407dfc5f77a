/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The naive Fibonacci graph of the core paper (papers/001 Figures 6 and 7): one channel, one
 * kernel that takes an element n and puts in n - 1 and n - 2, or adds 1 to the result where n <= 2.
 * Its kernel is fib_kernel.c. A graph of this kind never yields: the channel has to hold the widest
 * level of the tree, and where it does not, the run ends with an overflow. */
#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/fibonacci.h"
#include "workloads/common/policy.h"
#include "workloads/common/variant.h"

#define N_MAX         40
#define WIDTH_DEFAULT 131072
#define FAN_OUT       2

/* fib_kernel.c has the same. */
struct fib_element {
    int32_t value;
};

struct fib_arguments {
    uint32_t n;
    uint32_t width;
    struct sl_channel_options channel;
    struct policy_option policy;
    uint64_t value; /* the result */
};

enum { KEY_VARIANT = 256, KEY_POLICY, KEY_PREDICATE };

static const struct argp_option fib_option_table[] = {
    {"width", 'w', "ELEMENTS", 0,
     "Elements of the channel, a power of two (default 131072, enough for N up to 27)", 0},
    VARIANT_OPTIONS(KEY_VARIANT),
    POLICY_OPTION(KEY_POLICY),
    PREDICATE_OPTION(KEY_PREDICATE),
    {0},
};

static error_t parse_fib(int key, char *argument, struct argp_state *state)
{
    struct fib_arguments *const fib = state->input;
    switch (key) {
    case 'w':
        fib->width = (uint32_t)sl_app_number(state, "--width", argument, 1, UINT32_MAX);
        return 0;
    case KEY_VARIANT:
        fib->channel.flags |= variant_flags(state, argument, true);
        return 0;
    case KEY_POLICY:
        policy_parse(state, argument, &fib->policy);
        return 0;
    case KEY_PREDICATE:
        predicate_parse(state, argument, &fib->channel);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &fib->n);
    }
}

static const struct argp fib_argp = {
    .options = fib_option_table,
    .parser = parse_fib,
    .args_doc = "N",
    .doc =
        "Compute the Nth Fibonacci number with a channel-flow graph on the simulated accelerator, "
        "and check it.\vN is from 1 to 40. The exit status is 0 where the result is right, 1 where "
        "it "
        "is wrong, 2 for a wrong usage or configuration, 3 where the machine failed.",
};

/* Figure 6, lines 20 to 38. */
static enum sl_status run_fib(struct sl_soc *soc, void *arguments)
{
    struct fib_arguments *const fib = arguments;
    struct sl_module *module;
    struct sl_graph_builder *graph;

    char name[32];
    enum sl_status status = sl_app_load(
        soc, variant_file("fib", fib->channel.flags, false, name, sizeof name), &module);
    if (status != SL_OK) {
        return status;
    }
    status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    uint64_t *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_MACHINE;
    }

    const int channel =
        sl_graph_channel(graph, sizeof(struct fib_element), fib->width, &fib->channel);
    const int kernel =
        sl_graph_kernel(graph, variant_kernel("fib_kernel", fib->channel.flags, name, sizeof name));
    sl_graph_argument(graph, kernel, 2, (uint64_t)channel);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)result);
    sl_graph_connect(graph, channel, kernel);
    sl_graph_output(graph, kernel, channel, FAN_OUT);
    policy_apply(graph, &fib->policy);
    status = sl_graph_prepare(graph);
    if (status != SL_OK) {
        return status;
    }

    void *const element = sl_graph_talloc(graph, channel, 1);
    if (element == NULL) {
        return SL_ERROR_USAGE;
    }
    const struct sl_view view = sl_graph_view(graph, channel, element);
    SL_FIELD(view, 0, struct fib_element, value) = (int32_t)fib->n;
    status = sl_graph_enq(graph, channel, element, 1);
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        fib->value = *result;
        sl_app_result("fib(%" PRIu32 ") = %" PRIu64, fib->n, fib->value);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct fib_arguments *const fib = arguments;
    const uint64_t right = fibonacci(fib->n);

    if (fib->value != right) {
        (void)fprintf(stderr, "fib: wrong: fib(%" PRIu32 ") is %" PRIu64 "\n", fib->n, right);
    }
    return fib->value == right;
}

int main(int argc, char **argv)
{
    struct fib_arguments fib = {.width = WIDTH_DEFAULT,
                                .channel = {.name = "fib", .flags = SL_CHANNEL_NARROW}};
    const struct sl_app app = {
        .argp = &fib_argp, .arguments = &fib, .run = run_fib, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
