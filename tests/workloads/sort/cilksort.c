/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Merge sort as a Cilk program (papers/001 section 7.1 and Table 3): four-way split down to 64
 * keys, parallel merges. Its graph has four kernels and four channel stacks: sorts, the two
 * continuations of a sort, and merges, which are levels below the sort that they belong to. Its
 * kernels are cilksort_kernel.c; docs/know/cilk-sort.md explains it. */
#include "workloads/sort/cilksort.h"

#include <inttypes.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/cilk.h"
#include "workloads/common/keys.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"

#define N_MAX            16777216
#define WIDTH_DEFAULT    32768   /* Table 3 */
#define PAPER_N          1000000 /* Table 3 */
#define PAPER_WAVEFRONTS 4238

/* More than any sort has: each level of sorts divides by four, each level of merges by two. */
#define HEIGHT_MAX 64

/* More than any merge has. */
#define MERGE_BASE_MAX 33554432

enum { KEY_MERGES = 512, KEY_HEIGHT, KEY_SEED, KEY_BASE, KEY_MERGE_BASE };

struct sort_arguments {
    struct keys keys;
    uint32_t merge_width; /* 0: as the others */
    uint32_t height;      /* of the stack of merges; 0: as high as N needs */
    uint32_t merge_base;  /* keys that a work-item merges */
    bool is_branchy;      /* base cases as for a CPU */
    struct cilk_options cilk;
    uint32_t *sorted;
};

static const struct argp_option sort_option_table[] = {
    {"input", 'i', "KIND", 0, "Keys: random (default), sorted, reversed or equal", 0},
    {"seed", KEY_SEED, "NUMBER", 0, "Of random keys (default 0)", 0},
    {"merges", KEY_MERGES, "ELEMENTS", 0,
     "Elements of each channel of merges (default: as the others)", 0},
    {"height", KEY_HEIGHT, "LEVELS", 0,
     "Levels of the stack of merges (default: as many as N needs; with fewer the run ends with an "
     "error)",
     0},
    {"base", KEY_BASE, "KIND", 0,
     "Base cases: network (default), without branches that depend on keys, or branchy, as for a "
     "CPU",
     0},
    {"merge-base", KEY_MERGE_BASE, "KEYS", 0, "Keys that a work-item merges (default 512)", 0},
    {0},
};

static bool parse_base(const struct argp_state *state, const char *argument)
{
    const bool is_branchy = strcmp(argument, "branchy") == 0;
    if (!is_branchy && strcmp(argument, "network") != 0) {
        argp_failure(state, SL_APP_USAGE, 0, "--base: '%s' is none of network, branchy", argument);
    }
    return is_branchy;
}

static error_t parse_sort(int key, char *argument, struct argp_state *state)
{
    struct sort_arguments *const sort = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &sort->cilk;
        return 0;
    case 'i':
        sort->keys.pattern = keys_pattern(state, argument);
        return 0;
    case KEY_SEED:
        sort->keys.seed = (uint32_t)sl_app_number(state, "--seed", argument, 0, UINT32_MAX);
        return 0;
    case KEY_MERGES:
        sort->merge_width = (uint32_t)sl_app_number(state, "--merges", argument, 1, UINT32_MAX);
        return 0;
    case KEY_HEIGHT:
        sort->height = (uint32_t)sl_app_number(state, "--height", argument, 1, HEIGHT_MAX);
        return 0;
    case KEY_BASE:
        sort->is_branchy = parse_base(state, argument);
        return 0;
    case KEY_MERGE_BASE:
        sort->merge_base = (uint32_t)sl_app_number(state, "--merge-base", argument, MERGE_BASE_MIN,
                                                   MERGE_BASE_MAX);
        return 0;
    default:
        return sl_app_n(key, argument, state, 0, N_MAX, &sort->keys.n);
    }
}

static const struct argp_child sort_children[] = {{&cilk_argp, 0, NULL, 0}, {0}};
static const struct argp sort_argp = {
    .options = sort_option_table,
    .parser = parse_sort,
    .args_doc = "N",
    .doc = "Sort N keys of 32 bits as a Cilk program on channel stacks, and check them against "
           "qsort(); the result is a checksum of the sorted keys.\v"
           "N is from 0 to 16777216. The exit status is 0 where the result is right, 1 where it is "
           "wrong, 2 for a wrong usage or configuration, 3 where the machine failed.",
    .children = sort_children,
};

/* Levels of a merge of up to `count` keys, that one included. The first half is never the smaller
 * one. */
static uint32_t merge_levels(uint32_t count, uint32_t base)
{
    uint32_t levels = 1;
    while (count > base) {
        count = sort_half(count);
        levels++;
    }
    return levels;
}

/* Levels of the stacks: of sorts, of their continuations, and of merges. */
struct heights {
    uint32_t sorts;
    uint32_t continuations;
    uint32_t merges;
};

/* Sorts of the greatest size that a level has descend deepest; the last quarter is larger than the
 * others where these were rounded down. A merge for a sort of level d begins at level d + 1. */
static struct heights heights_of(uint32_t n, uint32_t merge_base)
{
    struct heights heights = {1, 1, 1};
    uint32_t level = 0;
    while (n > SORT_BASE) {
        const uint32_t merges = level + 1 + merge_levels(n, merge_base);
        const uint32_t quarter = sort_quarter(n);
        const uint32_t last = n - 3 * quarter;
        heights.merges = merges > heights.merges ? merges : heights.merges;
        n = last > quarter ? last : quarter;
        level++;
        heights.continuations = level;
    }
    heights.sorts = level + 1;
    return heights;
}

/* Returns the stack of sorts. */
static int build(struct sl_graph_builder *graph, const struct sort_arguments *arguments,
                 const uint32_t *keys, const uint32_t *temporary)
{
    const struct heights heights =
        heights_of(sort_whole_lines(arguments->keys.n), arguments->merge_base);
    const uint32_t merge_height = arguments->height != 0 ? arguments->height : heights.merges;
    struct cilk_options merge_options = arguments->cilk;
    int sort;
    int quarter;
    int half;
    int merge;

    if (arguments->merge_width != 0) {
        merge_options.width = arguments->merge_width;
    }
    const int sorts =
        cilk_tasks(graph, &arguments->cilk, "sorts", sizeof(struct sort_piece), heights.sorts,
                   arguments->is_branchy ? "sort_spawn_branchy" : "sort_spawn", &sort);
    const int quarters = cilk_joins(graph, &arguments->cilk, "quarters", sizeof(struct sort_piece),
                                    heights.continuations, "sort_merge_quarters", &quarter);
    const int halves = cilk_joins(graph, &arguments->cilk, "halves", sizeof(struct sort_piece),
                                  heights.continuations, "sort_merge_halves", &half);
    const int merges =
        cilk_tasks(graph, &merge_options, "merges", sizeof(struct sort_merge), merge_height,
                   arguments->is_branchy ? "merge_spawn_branchy" : "merge_spawn", &merge);
    sl_graph_argument(graph, sort, 2, (uint64_t)quarters);
    sl_graph_argument(graph, sort, 3, (uintptr_t)keys);
    sl_graph_output_stack(graph, sort, sorts, 4, 1);
    sl_graph_output_stack(graph, sort, quarters, 1, 0);
    sl_graph_argument(graph, quarter, 2, (uint64_t)halves);
    sl_graph_argument(graph, quarter, 3, (uint64_t)merges);
    sl_graph_output_stack(graph, quarter, merges, 2, 1);
    sl_graph_output_stack(graph, quarter, halves, 1, 0);
    sl_graph_argument(graph, half, 2, (uint64_t)merges);
    sl_graph_output_stack(graph, half, merges, 1, 1);
    sl_graph_argument(graph, merge, 2, (uintptr_t)keys);
    sl_graph_argument(graph, merge, 3, (uintptr_t)temporary);
    sl_graph_argument(graph, merge, 4, arguments->merge_base);
    sl_graph_output_stack(graph, merge, merges, 2, 1);
    return sorts;
}

static enum sl_status run_sort(struct sl_soc *soc, void *arguments)
{
    struct sort_arguments *const sort = arguments;
    const uint32_t count = sort_whole_lines(sort->keys.n);
    const size_t bytes = ((size_t)count + 1) * sizeof(uint32_t); /* merges read a key too many */
    struct sl_graph_builder *graph;
    char file[32];

    enum sl_status status = cilk_begin(
        soc, &sort->cilk,
        variant_file("cilksort", sort->cilk.channel.flags, true, file, sizeof file), &graph);
    if (status != SL_OK) {
        return status;
    }
    uint32_t *const keys = sl_alloc(soc, bytes, 0);
    const uint32_t *const temporary = keys != NULL ? sl_alloc(soc, bytes, 0) : NULL;
    if (temporary == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < sort->keys.n; i++) {
        keys[i] = keys_at(&sort->keys, i);
    }
    for (uint32_t i = sort->keys.n; i < count; i++) {
        keys[i] = UINT32_MAX;
    }
    sort->sorted = keys;
    struct cilk_root root;
    status = cilk_root_make(graph, build(graph, sort, keys, temporary), &root);
    if (status != SL_OK) {
        return status;
    }
    SL_FIELD(root.view, 0, struct sort_piece, first) = 0;
    SL_FIELD(root.view, 0, struct sort_piece, count) = count;
    status = cilk_root_run(soc, graph, &root);
    if (status == SL_OK) {
        sl_app_result("cilksort(%" PRIu32 ") = %" PRIu64, sort->keys.n,
                      sl_app_checksum(keys, sort->keys.n * sizeof *keys));
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct sort_arguments *const sort = arguments;
    return keys_are_right(&sort->keys, sort->sorted, "cilksort");
}

static void print_paper(const struct sl_soc *soc, const void *arguments)
{
    const struct sort_arguments *const sort = arguments;
    if (sort->keys.n == PAPER_N && sort->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

int main(int argc, char **argv)
{
    struct sort_arguments sort = {.merge_base = MERGE_BASE,
                                  .cilk = {.width = WIDTH_DEFAULT, .has_forms = true}};
    const struct sl_app app = {
        .argp = &sort_argp,
        .arguments = &sort,
        .run = run_sort,
        .is_right = is_right,
        .print_after = print_paper,
    };

    return sl_app_main(&app, argc, argv);
}
