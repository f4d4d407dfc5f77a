/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Programs that search graphs: the same graphs, options, results and checks for all ways to do it
 * (docs/know/trees-programs.md). */
#ifndef SLUICE_WORKLOADS_COMMON_SEARCH_SEARCH_MAIN_H
#define SLUICE_WORKLOADS_COMMON_SEARCH_SEARCH_MAIN_H

#include <stdbool.h>

#include "sluice/sluice.h"
#include "workloads/common/search/input.h"
#include "workloads/common/search/search.h"
#include "workloads/common/trees.h"

/* What a way to search is given. */
struct search_run {
    struct sl_soc *soc;
    const char *name;            /* of the program, its kernel file and its kernel */
    const struct search *search; /* in the shared heap, as what it points at; node 0 is reached */
    bool has_lengths;
    uint32_t n; /* nodes */
    uint32_t edges;
    struct trees_options options; /* group and capacity also where there is no task vector */
};

/* A way to search. */
struct search_way {
    const char *how; /* for --help */
    const struct sl_argument
        *table; /* of a struct trees_options: those of its options that it has */
    enum sl_status (*run)(const struct search_run *run);
};

/* By tasks (docs/know/trees.md). */
extern const struct search_way search_by_tasks;

/* By two worklists, of which one is read while the other is filled, until there is nothing in it
 * (papers/000 section 5.6.4). */
extern const struct search_way search_by_worklists;

/* By looking at all nodes until none comes nearer. */
extern const struct search_way search_by_topology;

/* The main() of a program of this name, whose edges have lengths or are 1. */
int search_main(const char *name, const struct search_way *way, bool has_lengths, int argc,
                char **argv);

#endif
