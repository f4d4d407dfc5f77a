/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A channel whose elements go from hand to hand: a wavefront of makers fills all of it in each of N
 * rounds, as soon as it is empty, waiting in place for the head to move; those who take the
 * elements overwrite them before they give them back. Values of one round lie where those of the
 * round before were, so that a producer, a consumer or the aggregator that does not see, or
 * overtakes, what another one did gives a wrong sum, or never ends. */
#include "probes/channels/handover.h"

#include "sluice/program.h"
#include "workloads/common/variant.h"

#define WIDTH (HANDOVER_MAKERS * HANDOVER_GOODS)

struct arguments {
    uint32_t rounds;
    struct sl_channel_options goods;
    struct handover_result got;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000, SL_INTO(struct arguments, rounds)},
    VARIANT_ROWS_PACKED(struct arguments, goods),
    {0},
};

/* Returns the channel of makers. */
static int describe(struct sl_graph_builder *graph, const struct arguments *arguments,
                    const struct handover_result *result)
{
    const struct sl_channel_options of_makers = {.name = "makers"};

    const int makers = sl_graph_channel(graph, sizeof(struct handover_maker), WIDTH, &of_makers);
    const int goods =
        sl_graph_channel(graph, sizeof(struct handover_good), WIDTH, &arguments->goods);
    const int make = sl_graph_kernel(graph, "handover_make");
    sl_graph_argument(graph, make, 2, (uint64_t)goods);
    sl_graph_argument(graph, make, 3, arguments->rounds);
    sl_graph_connect(graph, makers, make);
    sl_graph_output(graph, make, goods, HANDOVER_GOODS);
    const int take = sl_graph_kernel(graph, "handover_take");
    sl_graph_argument(graph, take, 2, (uintptr_t)result);
    sl_graph_connect(graph, goods, take);
    return makers;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    variant_load(soc, "handover", arguments->goods.flags, false);
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    struct handover_result *const result = sl_app_alloc(soc, sizeof *result, 0);
    *result = (struct handover_result){0};
    const int makers = describe(graph, arguments, result);
    for (uint32_t i = 0; i < HANDOVER_MAKERS; i++) {
        *(struct handover_maker *)sl_app_put(graph, makers, 1) =
            (struct handover_maker){.number = i};
    }
    const enum sl_status status = sl_app_execute(graph);
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

    return sl_app_check(arguments->got.sum == sum && arguments->got.count == count,
                        "%" PRIu64 " elements, %" PRIu64 " is right; sum %" PRIu64,
                        arguments->got.count, count, sum);
}

static const struct sl_app app = {
    .doc = "Fill a channel N times, each time with the elements of the time before, and check the "
           "sum of what is taken out.",
    .table = table,
    .arguments = &(
        struct arguments){.goods = {.name = "goods", .done_group = 16, .flags = SL_CHANNEL_NARROW}},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
