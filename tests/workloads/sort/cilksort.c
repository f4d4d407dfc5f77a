/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Merge sort as a Cilk program (papers/001 section 7.1 and Table 3): four-way split down to 64
 * keys, parallel merges. Its graph has four kernels and four channel stacks: sorts, the two
 * continuations of a sort, and merges, which are levels below the sort that they belong to. Its
 * kernels are cilksort_kernel.c; docs/know/cilk-sort.md explains it. */
#include "workloads/sort/cilksort.h"

#include "sluice/program.h"
#include "workloads/common/cilk.h"
#include "workloads/common/keys.h"
#include "workloads/common/paper.h"
#include "workloads/common/variant.h"

#define WIDTH_DEFAULT    32768   /* Table 3 */
#define PAPER_N          1000000 /* Table 3 */
#define PAPER_WAVEFRONTS 4238

struct arguments {
    struct keys keys;
    uint32_t merge_width; /* 0: as the others */
    uint32_t height;      /* of the stack of merges; 0: as high as N needs */
    uint32_t merge_base;  /* keys that a work-item merges */
    bool is_branchy;      /* base cases as for a CPU */
    struct cilk_options cilk;
    uint32_t *sorted;
};

/* The greatest height and base are more than any sort or merge has: each level of sorts divides by
 * four, each level of merges by two. */
static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 0, 16777216, SL_INTO(struct arguments, keys.n)},
    SL_ROWS(struct arguments, cilk, cilk_rows),
    VARIANT_ROWS(struct arguments, cilk.channel),
    KEYS_INPUT_ROW(struct arguments, keys),
    {"seed", 0, SL_SEED, 0, 0, SL_INTO(struct arguments, keys.seed), "Of random keys"},
    {"merges", 0, SL_NUMBER, 1, 0, SL_INTO(struct arguments, merge_width),
     "Elements of each channel of merges (default: as the others)", "ELEMENTS"},
    {"height", 0, SL_NUMBER, 1, 64, SL_INTO(struct arguments, height),
     "Levels of the stack of merges (default: as many as N needs; with fewer the run ends with an "
     "error)",
     "LEVELS"},
    {"base", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_branchy),
     "Base cases: network (default), without branches that depend on keys, or branchy, as for a "
     "CPU",
     "network|branchy"},
    {"merge-base", 0, SL_NUMBER, MERGE_BASE_MIN, 33554432, SL_INTO(struct arguments, merge_base),
     "Keys that a work-item merges", "KEYS"},
    {0},
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
static int build(struct sl_graph_builder *graph, const struct arguments *arguments,
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

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const sort = input;
    const uint32_t count = sort_whole_lines(sort->keys.n);
    const size_t bytes = ((size_t)count + 1) * sizeof(uint32_t); /* merges read a key too many */
    struct sl_graph_builder *const graph = cilk_begin(soc, &sort->cilk, "cilksort");
    uint32_t *const keys = sl_app_alloc(soc, bytes, 0);
    const uint32_t *const temporary = sl_app_alloc(soc, bytes, 0);

    for (uint32_t i = 0; i < count; i++) {
        keys[i] = i < sort->keys.n ? keys_at(&sort->keys, i) : UINT32_MAX;
    }
    sort->sorted = keys;
    const struct sl_view root = cilk_root(graph, build(graph, sort, keys, temporary));
    SL_FIELD(root, 0, struct sort_piece, first) = 0;
    SL_FIELD(root, 0, struct sort_piece, count) = count;
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        sl_app_result("cilksort(%" PRIu32 ") = %" PRIu64, sort->keys.n,
                      sl_app_checksum(keys, sort->keys.n * sizeof *keys));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const sort = input;
    return keys_are_right(&sort->keys, sort->sorted);
}

static void print_paper(const struct sl_soc *soc, const void *input)
{
    const struct arguments *const sort = input;
    if (sort->keys.n == PAPER_N && sort->cilk.width == WIDTH_DEFAULT) {
        paper_wavefronts(soc, PAPER_WAVEFRONTS);
    }
}

static const struct sl_app app = {
    .doc = "Sort N keys of 32 bits as a Cilk program on channel stacks, and check them against "
           "qsort(); the result is a checksum of the sorted keys.",
    .table = table,
    .arguments = &(struct arguments){.merge_base = MERGE_BASE, .cilk.width = WIDTH_DEFAULT},
    .run = run,
    .is_right = is_right,
    .print_after = print_paper,
};
SL_PROGRAM(app)
