/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Immediate post-dominators: ranks nodes by how they can end, orders them by a depth-first walk of
 * the reversed graph from the virtual exit, then intersects until nothing changes. No recursion: a
 * function may have as many blocks as memory holds. */
#include "host/driver/code/postdom.h"

#include <stdbool.h>
#include <stdlib.h>

/* How far a node can get; the lower the better. An edge to a node of another rank is left out. */
enum rank { RANK_LEAVES = 1, RANK_STOPS, RANK_ENDLESS };

struct node {
    uint32_t predecessor_from; /* where its predecessors begin; they end where the next one's do */
    uint32_t place;            /* how far a walk has got in them */
    uint32_t order;            /* post-order number; the exit has the highest */
    enum rank rank;            /* 0: none yet */
    bool is_root;              /* has an edge to the virtual exit */
    bool is_known;             /* its post-dominator counts */
};

struct analysis {
    const struct sl_flow_node *nodes;
    uint32_t count;
    uint32_t exit;  /* number of the virtual exit: count */
    struct node *n; /* of count nodes, the exit, and one that only ends */
    uint32_t *predecessors;
    uint32_t *stack; /* of the walks */
    uint32_t *by_order;
    uint32_t ordered;
};

static void analysis_free(struct analysis *a)
{
    free(a->n);
    free(a->predecessors);
    free(a->stack);
    free(a->by_order);
}

static int analysis_init(struct analysis *a, const struct sl_flow_node *nodes, uint32_t count)
{
    const size_t edges = (size_t)count * SL_FLOW_SUCCESSORS;
    *a = (struct analysis){.nodes = nodes, .count = count, .exit = count};
    a->n = calloc((size_t)count + 2, sizeof *a->n);
    a->predecessors = calloc(edges + 1, sizeof *a->predecessors);
    a->stack = calloc((size_t)count + 1, sizeof *a->stack);
    a->by_order = calloc((size_t)count + 1, sizeof *a->by_order);
    if (a->n == NULL || a->predecessors == NULL || a->stack == NULL || a->by_order == NULL) {
        analysis_free(a);
        return -1;
    }
    return 0;
}

static void find_predecessors(struct analysis *a)
{
    for (uint32_t n = 0; n < a->count; n++) {
        for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
            uint32_t next = a->nodes[n].next[i];
            if (next != SL_FLOW_NONE) {
                a->n[next + 1].predecessor_from++;
            }
        }
    }
    for (uint32_t n = 0; n < a->count; n++) {
        a->n[n + 1].predecessor_from += a->n[n].predecessor_from;
        a->n[n].place = a->n[n].predecessor_from;
    }
    for (uint32_t n = 0; n < a->count; n++) {
        for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
            uint32_t next = a->nodes[n].next[i];
            if (next != SL_FLOW_NONE) {
                a->predecessors[a->n[next].place++] = n;
            }
        }
    }
}

/* Gives `rank` to a node and to all that reach it and have none yet. */
static void rank_from(struct analysis *a, uint32_t node, enum rank rank)
{
    uint32_t depth = 0;
    a->n[node].rank = rank;
    a->stack[depth++] = node;
    while (depth > 0) {
        uint32_t n = a->stack[--depth];
        for (uint32_t p = a->n[n].predecessor_from; p < a->n[n + 1].predecessor_from; p++) {
            uint32_t before = a->predecessors[p];
            if (a->n[before].rank == 0) {
                a->n[before].rank = rank;
                a->stack[depth++] = before;
            }
        }
    }
}

static void rank_nodes(struct analysis *a)
{
    static const enum sl_flow_end ends[] = {SL_FLOW_LEAVES, SL_FLOW_STOPS};
    static const enum rank ranks[] = {RANK_LEAVES, RANK_STOPS};

    for (int i = 0; i < 2; i++) {
        for (uint32_t n = 0; n < a->count; n++) {
            if (a->nodes[n].end != ends[i]) {
                continue;
            }
            a->n[n].is_root = true;
            if (a->n[n].rank == 0) {
                rank_from(a, n, ranks[i]);
            }
        }
    }
    for (uint32_t n = a->count; n-- > 0;) {
        if (a->n[n].rank == 0) {
            a->n[n].is_root = true;
            rank_from(a, n, RANK_ENDLESS);
        }
    }
}

/* Numbers the nodes in post-order of a walk against the edges from one root. */
static void order_from(struct analysis *a, uint32_t root)
{
    uint32_t depth = 0;
    a->stack[depth++] = root;
    a->n[root].place = a->n[root].predecessor_from;
    a->n[root].order = 0; /* on the stack */
    while (depth > 0) {
        uint32_t n = a->stack[depth - 1];
        if (a->n[n].place < a->n[n + 1].predecessor_from) {
            uint32_t before = a->predecessors[a->n[n].place++];
            if (a->n[before].order == SL_FLOW_NONE && a->n[before].rank == a->n[n].rank) {
                a->n[before].order = 0;
                a->n[before].place = a->n[before].predecessor_from;
                a->stack[depth++] = before;
            }
        } else {
            a->by_order[a->ordered] = n;
            a->n[n].order = a->ordered++;
            depth--;
        }
    }
}

static void order_nodes(struct analysis *a)
{
    for (uint32_t n = 0; n < a->count; n++) {
        a->n[n].order = SL_FLOW_NONE;
    }
    for (uint32_t n = 0; n < a->count; n++) {
        if (a->n[n].is_root && a->n[n].order == SL_FLOW_NONE) {
            order_from(a, n);
        }
    }
    a->n[a->exit].order = a->ordered;
}

/* The nearest common post-dominator of two nodes whose own are known so far. */
static uint32_t intersect(const struct analysis *a, const uint32_t *ipdom, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (a->n[x].order < a->n[y].order) {
            x = ipdom[x] == SL_FLOW_NONE ? a->exit : ipdom[x];
        }
        while (a->n[y].order < a->n[x].order) {
            y = ipdom[y] == SL_FLOW_NONE ? a->exit : ipdom[y];
        }
    }
    return x;
}

/* What a node's successors have in common so far; those whose own is known count. */
static uint32_t common_of(const struct analysis *a, const uint32_t *ipdom, uint32_t n)
{
    uint32_t common = a->n[n].is_root ? a->exit : SL_FLOW_NONE;
    for (uint32_t i = 0; i < SL_FLOW_SUCCESSORS; i++) {
        uint32_t next = a->nodes[n].next[i];
        if (next != SL_FLOW_NONE && a->n[next].rank == a->n[n].rank && a->n[next].is_known) {
            common = common == SL_FLOW_NONE ? next : intersect(a, ipdom, common, next);
        }
    }
    return common == a->exit ? SL_FLOW_NONE : common;
}

int sl_postdom(const struct sl_flow_node *nodes, uint32_t count, uint32_t *ipdom)
{
    struct analysis a;
    if (analysis_init(&a, nodes, count) != 0) {
        return -1;
    }
    find_predecessors(&a);
    rank_nodes(&a);
    order_nodes(&a);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = a.ordered; i-- > 0;) {
            uint32_t n = a.by_order[i];
            uint32_t common = common_of(&a, ipdom, n);
            if (!a.n[n].is_known || ipdom[n] != common) {
                a.n[n].is_known = true;
                ipdom[n] = common;
                changed = true;
            }
        }
    }
    analysis_free(&a);
    return 0;
}
