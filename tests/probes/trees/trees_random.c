/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random programs of forks, joins, emits and maps on a task vector, one after the other on one
 * machine, each checked against a recursive oracle (docs/know/trees.md). Its kernels are
 * trees_random_kernel.c. */
#include "probes/trees/trees_random.h"

#include "sluice/program.h"
#include "workloads/common/trees.h"

#define DEPTH_MAX 6

struct arguments {
    uint32_t n;
    uint32_t seed; /* of the first one */
    struct trees_options trees;
    uint32_t rights;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 100000, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, trees, trees_map_rows),
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed), "Seed of the first program"},
    {0},
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

static enum sl_status run_one(struct sl_soc *soc, struct sl_task_vector *trees,
                              const struct trees_options *options, uint32_t seed,
                              struct effects *effects, uint32_t *rights)
{
    const uint32_t depth = 1 + seed % DEPTH_MAX;
    struct trees_arguments first = {0};
    struct effects right = {0};
    uint64_t result;

    trees_put_u32(&first, seed);
    trees_put_u32(&first, depth);
    trees_put_u32(&first, seed);
    trees_put_pointer(&first, effects);
    *effects = right;
    const enum sl_status status = trees_execute(soc, trees, options, NODE, &first, &result);
    if (status != SL_OK) {
        return status;
    }
    const uint32_t wanted = oracle(seed, seed, depth, &right);
    const uint32_t found = (uint32_t)result;
    *rights += sl_app_check(
        found == wanted && effects->tasks == right.tasks && effects->mapped == right.mapped,
        "seed %" PRIu32 ": %" PRIu32 ", %" PRIu32 " tasks, %" PRIu32 " by maps; should be %" PRIu32
        ", %" PRIu32 ", %" PRIu32,
        seed, found, effects->tasks, effects->mapped, wanted, right.tasks, right.mapped);
    return SL_OK;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_task_vector *trees;
    const struct trees_program program = {
        .name = "trees_random",
        .map_kernel = "trees_random_maps",
        .capacity = 65536,
        .arguments = 6,
        .functions = FUNCTIONS,
        .maps = MAPS,
    };

    arguments->trees.map_group = arguments->trees.group;
    enum sl_status status = trees_create(soc, &program, &arguments->trees, &trees);
    if (status != SL_OK) {
        return status;
    }
    struct effects *const effects = sl_app_alloc(soc, sizeof *effects, 0);
    sl_statistics_accumulate(soc);
    for (uint32_t i = 0; status == SL_OK && i < arguments->n; i++) {
        status = run_one(soc, trees, &arguments->trees, arguments->seed + i, effects,
                         &arguments->rights);
    }
    if (status == SL_OK) {
        sl_app_result("trees_random(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->rights);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    return arguments->rights == arguments->n;
}

static const struct sl_app app = {
    .doc = "Run N random programs of forks, joins, emits and maps on a task vector; the result is "
           "the number of those that did what a recursive oracle does.\vMaps have work-groups of "
           "the same size as epochs; epochs written are the last program's.",
    .table = table,
    .arguments = &(struct arguments){.seed = 1},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
