/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search by two worklists that swap roles until one is empty: a sequence of four
 * launches that repeats, whose grids are as large as the lists have become. Its kernels are
 * worklist_kernel.c. */
#include "workloads/bfs/worklist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sluice/program.h"
#include "sluice/sluice.h"

#define N_MAX         4194304
#define GROUP_DEFAULT 256

struct arguments {
    uint32_t n;
    uint32_t group;
    const struct search *search; /* the machine's */
    uint32_t depth;              /* the largest distance: the result */
};

static const struct argp_option option_table[] = {
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, 1 to 1024 (default 256)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'g':
        arguments->group = (uint32_t)sl_app_number(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Search a graph of N nodes breadth first on the simulated accelerator, and check all "
           "distances; the result is the largest.\vN is from 1 to 4194304.",
};

/* Node 0 is reached, and in the first list. */
static struct search *make(struct sl_soc *soc, uint32_t nodes)
{
    struct search *const search = sl_alloc(soc, sizeof *search, 0);
    uint32_t *const words = search != NULL ? sl_alloc(soc, 3 * nodes * sizeof *words, 0) : NULL;
    if (words == NULL) {
        return NULL;
    }
    *search = (struct search){.nodes = nodes,
                              .count = {1, 0},
                              .list = {words, words + nodes},
                              .distance = words + 2 * (size_t)nodes};
    for (uint32_t i = 1; i < nodes; i++) {
        search->distance[i] = NOT_REACHED;
    }
    return search;
}

/* Each list is read by as many work-items as it has nodes, and emptied after that. */
static enum sl_status launch(struct sl_module *module, const struct search *search, uint32_t group)
{
    struct sl_launch_step steps[4];
    for (uint32_t list = 0; list < 2; list++) {
        steps[2 * list] = (struct sl_launch_step){.kernel = "worklist_visit",
                                                  .grid = {search->nodes, 1, 1},
                                                  .group = {group, 1, 1},
                                                  .grid_word = &search->count[list],
                                                  .argument_count = 2,
                                                  .argument = {(uintptr_t)search, list}};
        steps[2 * list + 1] = (struct sl_launch_step){.kernel = "worklist_clear",
                                                      .grid = {1, 1, 1},
                                                      .group = {1, 1, 1},
                                                      .argument_count = 2,
                                                      .argument = {(uintptr_t)search, list}};
    }
    return sl_launch_sequence(module, steps, 4, 0, 3, &search->count[0]);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "worklist.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    const struct search *const search = make(soc, arguments->n);
    if (search == NULL) {
        return SL_ERROR_USAGE;
    }
    status = launch(module, search, arguments->group);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        for (uint32_t i = 0; i < arguments->n; i++) {
            const uint32_t distance = search->distance[i];
            arguments->depth = distance > arguments->depth ? distance : arguments->depth;
        }
        arguments->search = search;
        sl_app_result("worklist(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->depth);
    }
    return status;
}

/* In plain C, with one list; all nodes can be reached. */
static void search_in_plain_c(uint32_t *distance, uint32_t *list, uint32_t nodes)
{
    uint32_t tail = 1;

    for (uint32_t i = 0; i < nodes; i++) {
        distance[i] = i == 0 ? 0 : NOT_REACHED;
    }
    list[0] = 0;
    for (uint32_t head = 0; head < tail; head++) {
        for (uint32_t edge = 0; edge < NEIGHBOURS; edge++) {
            const uint32_t next = neighbour(list[head], edge, nodes);
            if (distance[next] == NOT_REACHED) {
                distance[next] = distance[list[head]] + 1;
                list[tail++] = next;
            }
        }
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    uint32_t *const right = malloc(2 * (size_t)n * sizeof *right);
    bool is_equal = right != NULL;

    if (right == NULL) {
        (void)fprintf(stderr, "worklist: no memory for %" PRIu32 " nodes\n", n);
        return false;
    }
    search_in_plain_c(right, right + n, n);
    for (uint32_t i = 0; is_equal && i < n; i++) {
        is_equal = arguments->search->distance[i] == right[i];
        if (!is_equal) {
            (void)fprintf(stderr,
                          "worklist: wrong: node %" PRIu32 " has distance %" PRIu32
                          ", should have %" PRIu32 "\n",
                          i, arguments->search->distance[i], right[i]);
        }
    }
    free(right);
    return is_equal;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.group = GROUP_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
