/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Search by tasks: one for each node that has come nearer. */
#include "workloads/common/search/search_main.h"

/* As the kernels' SL_TASKS() numbers them. */
enum { VISIT = 1, START, FUNCTIONS = START };

/* Room for so many visits of a node, on the average, where edges have lengths: they grow with the
 * width of a grid, and are 15 in one of 65,536 nodes. */
#define VISITS 32

/* No slot is freed before the end, since no task joins. Without lengths a node is visited once. */
static uint32_t slots(const struct search_run *run)
{
    const uint32_t wanted = 1 + (run->has_lengths ? VISITS : 1) * run->n;
    return wanted < SL_TREES_SLOTS ? wanted : SL_TREES_SLOTS;
}

static enum sl_status search(const struct search_run *run)
{
    const struct trees_program program = {
        .name = run->name,
        .capacity = slots(run),
        .arguments = 2,
        .functions = FUNCTIONS,
    };
    struct trees_arguments arguments = {0};

    trees_put_pointer(&arguments, run->search);
    return trees_run(run->soc, &program, &run->options, START, &arguments, NULL);
}

const struct search_way search_by_tasks = {"tasks in epochs", trees_rows, search};
