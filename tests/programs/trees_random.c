/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random programs of forks, joins, emits and maps on a task vector, one after the other on one
 * machine, each checked against a recursive oracle (docs/trees.md). Its kernels are
 * trees_random_kernel.c. */
#include "programs/trees_random.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/sluice.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/report.h"

#define N_MAX         100000
#define DEPTH_MAX     6
#define CAPACITY      65536
#define WAIT_LIMIT_MS 20000

struct arguments {
    uint32_t n;
    uint32_t seed; /* of the first one */
    uint32_t flags;
    uint32_t group; /* of epochs and of maps */
    uint32_t rights;
};

enum { OPTION_SKIP = 256 };

static const struct argp_option option_table[] = {
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, 1 to 1024 (default 64)", 0},
    {"seed", 's', "SEED", 0, "Seed of the first program (default 1)", 0},
    {"skip-empty", OPTION_SKIP, NULL, 0, "Run no epochs over slots of maps alone", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'g':
        arguments->group = (uint32_t)options_number(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    case 's':
        arguments->seed = (uint32_t)options_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case OPTION_SKIP:
        arguments->flags = SL_TREES_SKIP_EMPTY;
        return 0;
    default:
        return options_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Run N random programs of forks, joins, emits and maps on a task vector; the result is "
           "the number of those that did what a recursive oracle does.\vN is from 1 to 100000.",
};

/* What a task leaves in argument 0 of its slot: without join and emit, its number. */
static uint32_t oracle(uint32_t seed, uint32_t id, uint32_t depth, struct effects *effects)
{
    const struct step step = step_of(seed, id, depth);
    uint32_t sum = step.value;

    effects->tasks++;
    effects->mapped += step.maps ? step.value : 0;
    for (uint32_t i = 0; i < step.children; i++) {
        sum = 7 * sum + oracle(seed, child_of(id, i), depth - 1, effects);
    }
    if (step.is_silent) {
        return id;
    }
    const uint32_t again = step.children > 0 && step.forks_again ? AGAIN : 0;
    for (uint32_t i = 0; i < again; i++) {
        sum = 31 * sum + oracle(seed, child_of(id, CHILDREN + i), 0, effects);
    }
    return sum;
}

static enum sl_status run_one(struct sl_soc *soc, struct sl_task_vector *trees, uint32_t seed,
                              struct effects *effects, uint32_t *rights)
{
    const uint32_t depth = 1 + seed % DEPTH_MAX;
    const uint64_t address = (uintptr_t)effects;
    const uint32_t pieces[] = {seed, depth, seed, (uint32_t)address, (uint32_t)(address >> 32)};
    struct effects right = {0};

    *effects = right;
    enum sl_status status = sl_trees_execute(trees, NODE, pieces, 5);
    if (status == SL_OK) {
        status = sl_soc_wait(soc, WAIT_LIMIT_MS);
    }
    if (status != SL_OK) {
        return status;
    }
    const uint32_t wanted = oracle(seed, seed, depth, &right);
    const uint32_t found = (uint32_t)sl_trees_result(trees);
    if (found == wanted && effects->tasks == right.tasks && effects->mapped == right.mapped) {
        ++*rights;
    } else {
        (void)fprintf(
            stderr,
            "trees_random: wrong: seed %" PRIu32 ": %" PRIu32 ", %" PRIu32 " tasks, %" PRIu32
            " by maps; should be %" PRIu32 ", %" PRIu32 ", %" PRIu32 "\n",
            seed, found, effects->tasks, effects->mapped, wanted, right.tasks, right.mapped);
    }
    return SL_OK;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;
    struct sl_task_vector *trees;
    const struct sl_trees_options options = {
        .capacity = CAPACITY,
        .arguments = 6,
        .functions = FUNCTIONS,
        .maps = MAPS,
        .group = arguments->group,
        .map_group = arguments->group,
        .flags = arguments->flags,
    };

    enum sl_status status = program_load(soc, "trees_random.elf", &module);
    if (status == SL_OK) {
        status = sl_trees_create(module, "trees_random", "trees_random_maps", &options, &trees);
    }
    if (status != SL_OK) {
        return status;
    }
    struct effects *const effects = sl_alloc(soc, sizeof *effects, 0);
    if (effects == NULL) {
        return SL_ERROR_USAGE;
    }
    sl_statistics_accumulate(soc);
    for (uint32_t i = 0; status == SL_OK && i < arguments->n; i++) {
        status = run_one(soc, trees, arguments->seed + i, effects, &arguments->rights);
    }
    if (status == SL_OK) {
        report_result("trees_random(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->rights);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    return arguments->rights == arguments->n;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.seed = 1, .group = 64};
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return program_main(&program, argc, argv);
}
