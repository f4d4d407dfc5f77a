/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A channel whose elements go from hand to hand: a wavefront of makers fills all of it in each of N
 * rounds, as soon as it is empty, waiting in place for the head to move; those who take the
 * elements overwrite them before they give them back. Values of one round lie where those of the
 * round before were, so that a producer, a consumer or the aggregator that does not see, or
 * overtakes, what another one did gives a wrong sum, or never ends. */
#include "probes/channels/handover.h"

#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/variant.h"

#define WIDTH      (HANDOVER_MAKERS * HANDOVER_GOODS)
#define ROUNDS_MAX 1000

struct arguments {
    uint32_t rounds;
    uint32_t variant;
    struct handover_result got;
};

enum { KEY_VARIANT = 256 };

static const struct argp_option option_table[] = {VARIANT_OPTIONS(KEY_VARIANT), {0}};

static error_t parse_handover(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == KEY_VARIANT) {
        arguments->variant = variant_flags(state, argument, false);
        return 0;
    }
    return sl_app_n(key, argument, state, 1, ROUNDS_MAX, &arguments->rounds);
}

static const struct argp handover_argp = {
    .options = option_table,
    .parser = parse_handover,
    .args_doc = "N",
    .doc = "Fill a channel N times, each time with the elements of the time before, and check the "
           "sum of what is taken out.",
};

static void describe(struct sl_graph_builder *graph, const struct arguments *arguments,
                     const struct handover_result *result, int *makers)
{
    const struct sl_channel_options of_makers = {.name = "makers"};
    const struct sl_channel_options of_goods = {
        .name = "goods", .done_group = 16, .flags = SL_CHANNEL_NARROW | arguments->variant};

    *makers = sl_graph_channel(graph, sizeof(struct handover_maker), WIDTH, &of_makers);
    const int goods = sl_graph_channel(graph, sizeof(struct handover_good), WIDTH, &of_goods);
    const int make = sl_graph_kernel(graph, "handover_make");
    sl_graph_argument(graph, make, 2, (uint64_t)goods);
    sl_graph_argument(graph, make, 3, arguments->rounds);
    sl_graph_connect(graph, *makers, make);
    sl_graph_output(graph, make, goods, HANDOVER_GOODS);
    const int take = sl_graph_kernel(graph, "handover_take");
    sl_graph_argument(graph, take, 2, (uintptr_t)result);
    sl_graph_connect(graph, goods, take);
}

static enum sl_status put_in(struct sl_graph_builder *graph, int makers)
{
    enum sl_status status = SL_OK;

    for (uint32_t i = 0; status == SL_OK && i < HANDOVER_MAKERS; i++) {
        struct handover_maker *const maker = sl_graph_talloc(graph, makers, 1);
        if (maker == NULL) {
            return SL_ERROR_USAGE;
        }
        maker->number = i;
        status = sl_graph_enq(graph, makers, maker, 1);
    }
    return status;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;
    struct sl_graph_builder *graph;
    int makers;

    char file[32];
    enum sl_status status = sl_app_load(
        soc, variant_file("handover", arguments->variant, false, file, sizeof file), &module);
    if (status == SL_OK) {
        status = sl_graph_create(module, &graph);
    }
    if (status != SL_OK) {
        return status;
    }
    struct handover_result *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_MACHINE;
    }
    *result = (struct handover_result){0};
    describe(graph, arguments, result, &makers);
    status = sl_graph_prepare(graph);
    if (status == SL_OK) {
        status = put_in(graph, makers);
    }
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        arguments->got = *result;
        sl_app_result("handover(%" PRIu32 ") = %" PRIu64, arguments->rounds, result->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t count = (uint64_t)arguments->rounds * WIDTH;
    const uint64_t sum = count * (count + 1) / 2; /* the values are 1 to count */

    if (arguments->got.sum == sum && arguments->got.count == count) {
        return true;
    }
    (void)fprintf(stderr,
                  "handover: wrong: %" PRIu64 " elements, %" PRIu64 " is right; sum %" PRIu64 "\n",
                  arguments->got.count, count, sum);
    return false;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &handover_argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
