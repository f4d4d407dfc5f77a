/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Three stages that guards keep apart (docs/know/scheduling.md, "Guards"). N seeds, in one channel
 * or several, make PARTS parts each, in a channel that is too narrow for all of them: seeds go only
 * as it has space, which the guards of their channels share. Parts add to a sum; looks, which say
 * what the sum is, are ready from the beginning, and go only when no seeds and no parts are
 * outstanding. So each of them has to see the sum of all. The kernels are stages_kernel.c. */
#include "probes/channels/stages.h"

#include <string.h>

#include "sluice/program.h"

#define LOOKS       100
#define SOURCES_MAX 8

struct arguments {
    uint32_t n;
    uint32_t width;
    uint32_t sources;
    bool is_unguarded;
    struct sl_channel_options parts;
    struct sl_app_policy policy;
    uint64_t sums[LOOKS]; /* the results */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 65536, SL_INTO(struct arguments, n)},
    {"width", 'w', SL_POWER_OF_TWO, SL_CHANNEL_WIDTH_MIN, SL_CHANNEL_WIDTH_MAX,
     SL_INTO(struct arguments, width), "Elements of the channel of parts", "ELEMENTS"},
    {"sources", 0, SL_NUMBER, 1, SOURCES_MAX, SL_INTO(struct arguments, sources),
     "Channels of seeds"},
    {"unguarded", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, is_unguarded),
     "Without guards: parts overflow their channel"},
    SL_POLICY_ROW(struct arguments, policy),
    SL_PREDICATE_ROW(struct arguments, parts),
    {0},
};

/* The channels that the host fills. */
struct stages {
    int seeds[SOURCES_MAX];
    int looks;
};

static struct stages build(struct sl_graph_builder *graph, const struct arguments *arguments,
                           uint64_t *sum)
{
    struct stages stages;
    uint32_t width = SL_CHANNEL_WIDTH_MIN;
    while (width < arguments->n) {
        width *= 2;
    }
    for (uint32_t i = 0; i < arguments->sources; i++) {
        stages.seeds[i] = sl_graph_channel(graph, sizeof(struct seed), width,
                                           &(struct sl_channel_options){.name = "seeds"});
    }
    const int parts =
        sl_graph_channel(graph, sizeof(struct part), arguments->width, &arguments->parts);
    const int looks = sl_graph_channel(graph, sizeof(struct look), 128,
                                       &(struct sl_channel_options){.name = "looks"});
    const int seed = sl_graph_kernel(graph, "seed_kernel");
    const int part = sl_graph_kernel(graph, "part_kernel");
    const int look = sl_graph_kernel(graph, "look_kernel");
    sl_graph_argument(graph, seed, 2, (uint64_t)parts);
    sl_graph_argument(graph, part, 2, (uintptr_t)sum);
    sl_graph_argument(graph, look, 2, (uintptr_t)sum);
    for (uint32_t i = 0; i < arguments->sources; i++) {
        const int seeds = stages.seeds[i];
        sl_graph_connect(graph, seeds, seed);
        if (!arguments->is_unguarded) {
            sl_graph_guard(graph, seeds, SL_GUARD_SPACE, parts, PARTS);
            sl_graph_guard(graph, looks, SL_GUARD_EMPTY, seeds, 0);
        }
    }
    sl_graph_connect(graph, parts, part);
    sl_graph_connect(graph, looks, look);
    sl_graph_output(graph, seed, parts, PARTS);
    if (!arguments->is_unguarded) {
        sl_graph_guard(graph, looks, SL_GUARD_EMPTY, parts, 0);
    }
    sl_app_use_policy(graph, &arguments->policy);
    stages.looks = looks;
    return stages;
}

/* Looks first: without their guards they would see nothing of the sum. */
static void fill(struct sl_graph_builder *graph, const struct stages *stages,
                 const struct arguments *arguments, uint64_t *sums)
{
    for (uint32_t i = 0; i < LOOKS; i++) {
        *(struct look *)sl_app_put(graph, stages->looks, 1) = (struct look){.sum = &sums[i]};
    }
    for (uint32_t i = 0; i < arguments->n; i++) {
        *(struct seed *)sl_app_put(graph, stages->seeds[i % arguments->sources], 1) =
            (struct seed){.number = i};
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    uint64_t *const sum = sl_app_alloc(soc, (1 + LOOKS) * sizeof *sum, 0);
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const struct stages stages = build(graph, arguments, sum);

    fill(graph, &stages, arguments, sum + 1);
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        memcpy(arguments->sums, sum + 1, sizeof arguments->sums);
        sl_app_result("stages(%" PRIu32 ") = %" PRIu64, arguments->n, *sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    uint64_t right = 0;

    for (uint32_t value = 0; value < arguments->n * PARTS; value++) {
        right += weight(value);
    }
    for (uint32_t i = 0; i < LOOKS; i++) {
        if (!sl_app_check(arguments->sums[i] == right,
                          "look %" PRIu32 " saw a sum of %" PRIu64 ", should have seen %" PRIu64, i,
                          arguments->sums[i], right)) {
            return false;
        }
    }
    return true;
}

static const struct sl_app app = {
    .doc = "Let N seeds make 8 parts each, add them up, and look at the sum 100 times: guards see "
           "to it that no part finds its channel full, and that all looks come last.",
    .table = table,
    .arguments = &(struct arguments){.width = 1024,
                                     .sources = 1,
                                     .parts = {.name = "parts", .flags = SL_CHANNEL_NARROW}},
    .kernels = "stages.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
