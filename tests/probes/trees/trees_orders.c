/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Preorder and postorder traversal of a binary tree on a task vector (papers/000 Figures 5.2 and
 * 5.3, Table 5.1; docs/know/trees.md). Its kernel is trees_orders_kernel.c. */
#include "probes/trees/trees_orders.h"

#include "sluice/program.h"
#include "workloads/common/random_below.h"
#include "workloads/common/trees.h"

/* As the kernel's SL_TASKS() numbers them: for two of them as Table 5.1 does. */
enum { POSTORDER = 1, PREORDER = 3, FUNCTIONS = 3 };

struct arguments {
    uint32_t n;
    bool is_postorder;
    uint32_t seed; /* 0: a heap's shape, in which node i has children 2i + 1 and 2i + 2 */
    struct trees_options trees;
    struct node *nodes; /* the machine's */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, trees, trees_rows),
    {"order", 'o', SL_CHOICE, 0, 0, SL_INTO(struct arguments, is_postorder), "Order of the visits",
     "preorder|postorder"},
    {"seed", 's', SL_SEED, 0, 0, SL_INTO(struct arguments, seed),
     "A random shape; 0, the default, is that of a heap"},
    {0},
};

/* A place that has no node yet, from node 0 down, to the left or to the right by chance. */
static struct node **random_place(struct node *root, uint32_t *state)
{
    struct node **place = &root->left;
    for (struct node *node = root; node != NULL; node = *place) {
        place = random_below(state, 2) == 0 ? &node->left : &node->right;
    }
    return place;
}

static struct node **heap_place(struct node *nodes, uint32_t i)
{
    struct node *const parent = &nodes[(i - 1) / 2];
    return i % 2 == 1 ? &parent->left : &parent->right;
}

/* A child comes behind its parent. */
static struct node *make(struct sl_soc *soc, const struct arguments *arguments)
{
    const uint32_t n = arguments->n;
    uint32_t state = arguments->seed;
    struct node *const nodes = sl_app_alloc(soc, n * sizeof *nodes, 0);
    uint32_t *const counter = sl_app_alloc(soc, sizeof *counter, 0);

    nodes[0].counter = counter;
    for (uint32_t i = 1; i < n; i++) {
        nodes[i].counter = counter;
        *(arguments->seed != 0 ? random_place(nodes, &state) : heap_place(nodes, i)) = &nodes[i];
    }
    return nodes;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t slots = 2 * arguments->n + 1; /* one for each node and each child that is none */
    const struct trees_program program = {
        .name = "trees_orders",
        .capacity = slots,
        .arguments = 2,
        .functions = FUNCTIONS,
        .log = slots, /* down and up a tree that is one long branch */
    };
    struct trees_arguments root = {0};

    arguments->nodes = make(soc, arguments);
    trees_put_pointer(&root, arguments->nodes);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, arguments->is_postorder ? POSTORDER : PREORDER,
                  &root, NULL);
    if (status == SL_OK) {
        sl_app_result("trees_orders(%" PRIu32 ") = %" PRIu32, arguments->n,
                      *arguments->nodes->counter);
    }
    return status;
}

/* A node comes after its children, or before them. */
static bool is_in_order(const struct node *node, const struct node *child, bool is_postorder)
{
    return child == NULL || (node->order > child->order) == is_postorder;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    for (uint32_t i = 0; i < arguments->n; i++) {
        const struct node *const node = &arguments->nodes[i];
        if (!sl_app_check(node->visits == 1 &&
                              is_in_order(node, node->left, arguments->is_postorder) &&
                              is_in_order(node, node->right, arguments->is_postorder),
                          "node %" PRIu32 ": %" PRIu32 " visits, the last as number %" PRIu32, i,
                          node->visits, node->order)) {
            return false;
        }
    }
    return *arguments->nodes->counter == arguments->n;
}

static const struct sl_app app = {
    .doc = "Traverse a binary tree of N nodes by fork and join on a task vector, and check the "
           "order; the result is the number of nodes visited.\vWithout a seed, 6 nodes are the "
           "tree of the paper's Table 5.1: A has B and C, B has D and E, C has F.",
    .table = table,
    .arguments = &(struct arguments){.is_postorder = true},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
