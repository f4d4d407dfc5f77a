/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Three stages that guards keep apart (docs/know/scheduling.md, "Guards"). N seeds, in one channel
 * or several, make PARTS parts each, in a channel that is too narrow for all of them: seeds go only
 * as it has space, which the guards of their channels share. Parts add to a sum; looks, which say
 * what the sum is, are ready from the beginning, and go only when no seeds and no parts are
 * outstanding. So each of them has to see the sum of all. The kernels are stages_kernel.c. */
#include "probes/channels/stages.h"

#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/policy.h"

#define N_MAX         65536
#define LOOKS         100
#define WIDTH_DEFAULT 1024
#define SOURCES_MAX   8

struct arguments {
    uint32_t n;
    uint32_t width;
    uint32_t sources;
    bool is_unguarded;
    struct sl_channel_options parts;
    struct policy_option policy;
    uint64_t sums[LOOKS]; /* the results */
};

enum { KEY_UNGUARDED = 256, KEY_SOURCES, KEY_POLICY, KEY_PREDICATE };

static const struct argp_option option_table[] = {
    {"width", 'w', "ELEMENTS", 0, "Elements of the channel of parts (default 1024)", 0},
    {"sources", KEY_SOURCES, "N", 0, "Channels of seeds, 1 to 8 (default 1)", 0},
    {"unguarded", KEY_UNGUARDED, 0, 0, "Without guards: parts overflow their channel", 0},
    POLICY_OPTION(KEY_POLICY),
    PREDICATE_OPTION(KEY_PREDICATE),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'w':
        arguments->width = sl_app_power_of_two(state, "--width", argument, SL_CHANNEL_WIDTH_MIN,
                                               SL_CHANNEL_WIDTH_MAX);
        return 0;
    case KEY_SOURCES:
        arguments->sources = sl_app_number(state, "--sources", argument, 1, SOURCES_MAX);
        return 0;
    case KEY_UNGUARDED:
        arguments->is_unguarded = true;
        return 0;
    case KEY_POLICY:
        policy_parse(state, argument, &arguments->policy);
        return 0;
    case KEY_PREDICATE:
        predicate_parse(state, argument, &arguments->parts);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Let N seeds make 8 parts each, add them up, and look at the sum 100 times: guards see "
           "to it that no part finds its channel full, and that all looks come last.\vN is from 1 "
           "to 65536.",
};

/* The graph's nodes. */
struct stages {
    struct sl_graph_builder *graph;
    int seeds[SOURCES_MAX];
    uint32_t sources;
    int parts;
    int looks;
};

static enum sl_status build(struct sl_module *module, const struct arguments *arguments,
                            uint64_t *sum, struct stages *stages)
{
    struct sl_graph_builder *graph;
    const enum sl_status status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    uint32_t width = SL_CHANNEL_WIDTH_MIN;
    while (width < arguments->n) {
        width *= 2;
    }
    *stages = (struct stages){.graph = graph, .sources = arguments->sources};
    for (uint32_t i = 0; i < stages->sources; i++) {
        stages->seeds[i] = sl_graph_channel(graph, sizeof(struct seed), width,
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
    for (uint32_t i = 0; i < stages->sources; i++) {
        const int seeds = stages->seeds[i];
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
    policy_apply(graph, &arguments->policy);
    stages->parts = parts;
    stages->looks = looks;
    return sl_graph_prepare(graph);
}

/* Looks first: without their guards they would see nothing of the sum. */
static enum sl_status fill(const struct stages *stages, uint32_t n, uint64_t *sums)
{
    enum sl_status status = SL_OK;

    for (uint32_t i = 0; status == SL_OK && i < LOOKS; i++) {
        struct look *const look = sl_graph_talloc(stages->graph, stages->looks, 1);
        if (look == NULL) {
            return SL_ERROR_USAGE;
        }
        look->sum = &sums[i];
        status = sl_graph_enq(stages->graph, stages->looks, look, 1);
    }
    for (uint32_t i = 0; status == SL_OK && i < n; i++) {
        const int seeds = stages->seeds[i % stages->sources];
        struct seed *const seed = sl_graph_talloc(stages->graph, seeds, 1);
        if (seed == NULL) {
            return SL_ERROR_USAGE;
        }
        seed->number = i;
        status = sl_graph_enq(stages->graph, seeds, seed, 1);
    }
    return status;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;
    struct stages stages;

    enum sl_status status = sl_app_load(soc, "stages.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    uint64_t *const sum = sl_alloc(soc, (1 + LOOKS) * sizeof *sum, 0);
    if (sum == NULL) {
        return SL_ERROR_MACHINE;
    }
    status = build(module, arguments, sum, &stages);
    if (status == SL_OK) {
        status = fill(&stages, arguments->n, sum + 1);
    }
    if (status == SL_OK) {
        status = sl_graph_execute(stages.graph);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, stages.graph);
    }
    if (status == SL_OK) {
        for (uint32_t i = 0; i < LOOKS; i++) {
            arguments->sums[i] = sum[1 + i];
        }
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
        if (arguments->sums[i] != right) {
            (void)fprintf(stderr,
                          "stages: wrong: look %" PRIu32 " saw a sum of %" PRIu64
                          ", should have seen %" PRIu64 "\n",
                          i, arguments->sums[i], right);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.width = WIDTH_DEFAULT,
                                  .sources = 1,
                                  .parts = {.name = "parts", .flags = SL_CHANNEL_NARROW}};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
