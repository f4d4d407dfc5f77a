/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Search by tasks: one for each node that has come nearer. */
#include "programs/common/search/search_main.h"

/* As the kernels' SL_TASKS() numbers them. */
enum { VISIT = 1, START, FUNCTIONS = START };

/* Visits of a node where edges have lengths, on the average; it is half of this in the graphs that
 * are made here. */
#define VISITS 16

const struct argp_option search_by_tasks_options[] = {SEARCH_OPTIONS, TREES_OPTIONS, {0}};

/* No slot is freed before the end, since no task joins. Without lengths a node is visited once. */
static uint32_t slots(const struct search_run *run)
{
    return 1 + (run->search->lengths != NULL ? VISITS : 1) * run->n;
}

enum sl_status search_by_tasks(const struct search_run *run)
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
