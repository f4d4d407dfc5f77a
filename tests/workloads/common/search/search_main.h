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

enum { SEARCH_KEY_GRAPH = 256 };

/* Lines of an argp option table. */
#define SEARCH_OPTIONS                                                                             \
    {"degree", 'd', "EDGES", 0, "Edges of a node, on the average, 1 to 64 (default 8)", 0},        \
        {"graph", SEARCH_KEY_GRAPH, "KIND", 0, "rmat (default), or grid, without --degree", 0},    \
    {                                                                                              \
        "seed", 's', "NUMBER", 0, "Of the graph (default 1)", 0                                    \
    }

/* A program's text for --help: what it searches for, and how. */
#define SEARCH_DOC(what, how)                                                                      \
    what " of a graph of N nodes on the simulated accelerator, " how ", and check all distances; " \
         "the result is the largest.\vN is from 1 to 4194304, 65536 where it is not given."

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

struct search_program {
    const char *name;
    const char *doc;                   /* SEARCH_DOC() */
    const struct argp_option *options; /* all: those of its way have SEARCH_OPTIONS, too */
    bool has_lengths;                  /* of edges, which are 1 without */
    enum sl_status (*run)(const struct search_run *run);
};

/* Returns the exit status (enum program_exit). */
int search_main(const struct search_program *program, int argc, char **argv);

/* Of the three ways: options, and the run. By tasks (docs/know/trees.md). */
extern const struct argp_option search_by_tasks_options[];
enum sl_status search_by_tasks(const struct search_run *run);

/* By two worklists, of which one is read while the other is filled, until there is nothing in it
 * (papers/000 section 5.6.4). */
extern const struct argp_option search_by_worklists_options[];
enum sl_status search_by_worklists(const struct search_run *run);

/* By looking at all nodes until none comes nearer. */
extern const struct argp_option search_by_topology_options[];
enum sl_status search_by_topology(const struct search_run *run);

#endif
