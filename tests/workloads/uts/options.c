/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Options that make a tree. */
#include "workloads/uts/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

enum { KEY_TREE = 256 };

/* T1 to T5 as the benchmark has them, with about four million nodes (-full), and those of
 * papers/002 section 8.1, with about 125,000, which leaves out T3. What a tree has no use for is
 * what the benchmark has where nothing is said. */
#define REST .q = 0.234375, .m = 4
static const struct {
    const char *name;
    struct uts_tree tree;
} trees[] = {
    {"T1", {UTS_GEOMETRIC, UTS_FIXED, .depth = 8, .b = 4, .seed = 21, REST}},
    {"T2", {UTS_GEOMETRIC, UTS_CYCLIC, .depth = 12, .b = 6, .seed = 105, REST}},
    {"T4", {UTS_HYBRID, UTS_LINEAR, .depth = 12, .b = 6, .q = 0.234375, .m = 4, .seed = 30}},
    {"T5", {UTS_GEOMETRIC, UTS_LINEAR, .depth = 15, .b = 4, .seed = 27, REST}},
    {"T1-full", {UTS_GEOMETRIC, UTS_FIXED, .depth = 10, .b = 4, .seed = 19, REST}},
    {"T2-full", {UTS_GEOMETRIC, UTS_CYCLIC, .depth = 16, .b = 6, .seed = 502, REST}},
    {"T3-full",
     {UTS_BINOMIAL, UTS_LINEAR, .depth = 6, .b = 2000, .q = 0.124875, .m = 8, .seed = 42}},
    {"T4-full", {UTS_HYBRID, UTS_LINEAR, .depth = 16, .b = 6, .q = 0.234375, .m = 4, .seed = 1}},
    {"T5-full", {UTS_GEOMETRIC, UTS_LINEAR, .depth = 20, .b = 4, .seed = 34, REST}},
};
#undef REST
#define TREES (sizeof trees / sizeof trees[0])

static const struct argp_option option_table[] = {
    {"tree", KEY_TREE, "NAME", 0,
     "A tree with a name, for options behind it to change: T1 (the default), T2, T4, T5, or of "
     "four "
     "million nodes T1-full to T5-full",
     2},
    {"type", 't', "0|1|2", 0, "Binomial, geometric, or geometric and then binomial", 2},
    {"shape", 'a', "0|1|2|3", 0,
     "How a geometric tree's branching changes with depth: linear, polynomial, cyclic, fixed", 2},
    {"depth", 'd', "DEPTH", 0, "Of a geometric tree, 2 to 16384", 2},
    {"branching", 'b', "B", 0, "Children of the root, 1 to 65536: expected, or of a binomial tree",
     2},
    {"probability", 'q', "Q", 0, "That a binomial node has children, 0 to 1", 2},
    {"children", 'm', "M", 0, "Children of a binomial node that has some, 0 to 100", 2},
    {"root", 'r', "SEED", 0, "The root's number, 0 to 2147483647", 2},
    {0},
};

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

static struct uts_tree named(const struct argp_state *state, const char *name)
{
    for (size_t i = 0; i < TREES; i++) {
        if (strcmp(trees[i].name, name) == 0) {
            return trees[i].tree;
        }
    }
    argp_failure(state, SL_APP_USAGE, 0,
                 "--tree: '%s' is none of T1, T2, T4, T5, T1-full, T2-full, T3-full, T4-full, "
                 "T5-full",
                 name);
    return trees[0].tree;
}

static void count(const struct argp_state *state, struct uts_input *input)
{
    const char *const reason = uts_walk(&input->tree, &input->right);
    if (reason != NULL) {
        char name[UTS_NAME_BYTES];
        argp_failure(state, SL_APP_USAGE, 0, "the tree %s %s", uts_name(&input->tree, name),
                     reason);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct uts_input *const input = state->input;
    struct uts_tree *const tree = &input->tree;
    switch (key) {
    case ARGP_KEY_INIT:
        *tree = trees[0].tree;
        return 0;
    case KEY_TREE:
        *tree = named(state, argument);
        return 0;
    case 't':
        tree->type = (enum uts_type)sl_app_number(state, "-t", argument, 0, UTS_HYBRID);
        return 0;
    case 'a':
        tree->shape = (enum uts_shape)sl_app_number(state, "-a", argument, 0, UTS_FIXED);
        return 0;
    case 'd':
        tree->depth = (uint32_t)sl_app_number(state, "-d", argument, 2, UTS_DEPTH_MAX);
        return 0;
    case 'b':
        tree->b = sl_app_real(state, "-b", argument, 1, UTS_ROOT_CHILDREN_MAX);
        return 0;
    case 'q':
        tree->q = sl_app_real(state, "-q", argument, 0, 1);
        return 0;
    case 'm':
        tree->m = (uint32_t)sl_app_number(state, "-m", argument, 0, UTS_CHILDREN_MAX);
        return 0;
    case 'r':
        tree->seed = (uint32_t)sl_app_number(state, "-r", argument, 0, INT32_MAX);
        return 0;
    case ARGP_KEY_END:
        count(state, input);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp uts_tree_argp = {.options = option_table, .parser = parse};
