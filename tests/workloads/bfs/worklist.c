/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Breadth-first search by two worklists that swap roles until one is empty: a sequence of four
 * launches that repeats, whose grids are as large as the lists have become. Its kernels are
 * worklist_kernel.c. */
#include "workloads/bfs/worklist.h"

#include <stdlib.h>

#include "sluice/program.h"

struct arguments {
    uint32_t n;
    uint32_t group;
    const struct search *search; /* the machine's */
    uint32_t depth;              /* the largest distance: the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 4194304, SL_INTO(struct arguments, n)},
    {"group", 'g', SL_NUMBER, 1, SL_GROUP_ITEMS, SL_INTO(struct arguments, group),
     "Work-items of a work-group", "ITEMS"},
    {0},
};

/* Node 0 is reached, and in the first list. */
static struct search *make(struct sl_soc *soc, uint32_t nodes)
{
    struct search *const search = sl_app_alloc(soc, sizeof *search, 0);
    uint32_t *const words = sl_app_alloc(soc, 3 * nodes * sizeof *words, 0);

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

    const struct search *const search = make(soc, arguments->n);
    enum sl_status status = launch(sl_app_kernels(soc), search, arguments->group);
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
    uint32_t *const right = sl_app_memory(2 * (size_t)n, sizeof *right);
    bool is_equal = true;

    search_in_plain_c(right, right + n, n);
    for (uint32_t i = 0; is_equal && i < n; i++) {
        const uint32_t distance = arguments->search->distance[i];
        is_equal = sl_app_check(distance == right[i],
                                "node %" PRIu32 " has distance %" PRIu32 ", should have %" PRIu32,
                                i, distance, right[i]);
    }
    free(right);
    return is_equal;
}

static const struct sl_app app = {
    .doc = "Search a graph of N nodes breadth first on the simulated accelerator, and check all "
           "distances; the result is the largest.",
    .table = table,
    .arguments = &(struct arguments){.group = 256},
    .kernels = "worklist.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
