/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options that make a tree. */
#include "workloads/uts/options.h"

#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

/* T1 to T5 as the benchmark has them, with about four million nodes (-full), and those of
 * papers/002 section 8.1, with about 125,000, which leaves out T3. */
static const struct {
    const char *name;
    struct uts_tree tree;
} trees[] = {
    {"T1", {UTS_T1}},
    {"T2", {UTS_GEOMETRIC, UTS_CYCLIC, .depth = 12, .b = 6, .seed = 105, UTS_REST}},
    {"T4", {UTS_HYBRID, UTS_LINEAR, .depth = 12, .b = 6, .q = 0.234375, .m = 4, .seed = 30}},
    {"T5", {UTS_GEOMETRIC, UTS_LINEAR, .depth = 15, .b = 4, .seed = 27, UTS_REST}},
    {"T1-full", {UTS_GEOMETRIC, UTS_FIXED, .depth = 10, .b = 4, .seed = 19, UTS_REST}},
    {"T2-full", {UTS_GEOMETRIC, UTS_CYCLIC, .depth = 16, .b = 6, .seed = 502, UTS_REST}},
    {"T3-full",
     {UTS_BINOMIAL, UTS_LINEAR, .depth = 6, .b = 2000, .q = 0.124875, .m = 8, .seed = 42}},
    {"T4-full", {UTS_HYBRID, UTS_LINEAR, .depth = 16, .b = 6, .q = 0.234375, .m = 4, .seed = 1}},
    {"T5-full", {UTS_GEOMETRIC, UTS_LINEAR, .depth = 20, .b = 4, .seed = 34, UTS_REST}},
};
#define TREES (sizeof trees / sizeof trees[0])

/* The options of which something depends. */
static void write_options(const struct uts_tree *tree, char *out, size_t bytes)
{
    int length = snprintf(out, bytes, "-t %d", (int)tree->type);

    if (tree->type != UTS_BINOMIAL) {
        length += snprintf(out + length, bytes - (size_t)length, " -a %d -d %" PRIu32,
                           (int)tree->shape, tree->depth);
    }
    length += snprintf(out + length, bytes - (size_t)length, " -b %g", tree->b);
    if (tree->type != UTS_GEOMETRIC) {
        length +=
            snprintf(out + length, bytes - (size_t)length, " -q %g -m %" PRIu32, tree->q, tree->m);
    }
    (void)snprintf(out + length, bytes - (size_t)length, " -r %" PRIu32, tree->seed);
}

const char *uts_name(const struct uts_tree *tree, char out[UTS_NAME_BYTES])
{
    char other[UTS_NAME_BYTES];

    write_options(tree, out, UTS_NAME_BYTES);
    for (size_t i = 0; i < TREES; i++) {
        write_options(&trees[i].tree, other, sizeof other);
        if (strcmp(out, other) == 0) {
            return trees[i].name;
        }
    }
    return out;
}

static void take_tree(const char *what, const char *name, void *field)
{
    for (size_t i = 0; i < TREES; i++) {
        if (strcmp(trees[i].name, name) == 0) {
            *(struct uts_tree *)field = trees[i].tree;
            return;
        }
    }
    sl_argument_fail("%s: '%s' is none of T1, T2, T4, T5, T1-full, T2-full, T3-full, T4-full, "
                     "T5-full",
                     what, name);
}

void uts_count(struct uts_input *input)
{
    const char *const reason = uts_walk(&input->tree, &input->right);
    char name[UTS_NAME_BYTES];

    if (reason != NULL) {
        sl_argument_fail("the tree %s %s", uts_name(&input->tree, name), reason);
    }
}

#define OF_TREE " (default: the tree's)"
const struct sl_argument uts_tree_rows[] = {
    {"tree", 0, SL_TAKE, 0, 0, .bytes = sizeof(struct uts_tree),
     "A tree with a name, for options behind it to change: T1 (the default), T2, T4, T5, or of "
     "four million nodes T1-full to T5-full",
     "NAME", take_tree},
    {"type", 't', SL_NUMBER, 0, UTS_HYBRID, SL_INTO(struct uts_tree, type),
     "Binomial, geometric, or geometric and then binomial" OF_TREE, "0|1|2"},
    {"shape", 'a', SL_NUMBER, 0, UTS_FIXED, SL_INTO(struct uts_tree, shape),
     "How a geometric tree's branching changes with depth: linear, polynomial, cyclic, "
     "fixed" OF_TREE,
     "0|1|2|3"},
    {"depth", 'd', SL_NUMBER, 2, UTS_DEPTH_MAX, SL_INTO(struct uts_tree, depth),
     "Of a geometric tree" OF_TREE, "DEPTH"},
    {"branching", 'b', SL_REAL, 1, UTS_ROOT_CHILDREN_MAX, SL_INTO(struct uts_tree, b),
     "Children of the root: expected, or exact in a binomial tree" OF_TREE, "B"},
    {"probability", 'q', SL_REAL, 0, 1, SL_INTO(struct uts_tree, q),
     "That a binomial node has children" OF_TREE, "Q"},
    {"children", 'm', SL_NUMBER, 0, UTS_CHILDREN_MAX, SL_INTO(struct uts_tree, m),
     "Children of a binomial node that has some" OF_TREE, "M"},
    {"root", 'r', SL_NUMBER, 0, INT32_MAX, SL_INTO(struct uts_tree, seed),
     "The root's number" OF_TREE, "SEED"},
    {0},
};
