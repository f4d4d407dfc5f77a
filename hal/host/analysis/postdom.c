/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Immediate post-dominators: ranks nodes by how they can end, orders them by a depth-first walk of
 * the reversed graph from the virtual exit, then intersects until nothing changes. No recursion: a
 * function may have as many blocks as memory holds. */
#include "host/analysis/postdom.h"

#include <stdbool.h>
#include <stdlib.h>

/* How far a node can get; the lower the better. An edge to a node of another rank is left out. */
enum rank { RANK_LEAVES = 1, RANK_STOPS, RANK_ENDLESS };

struct analysis {
    const struct sl_flow_node *nodes;
    uint32_t count;
    uint32_t exit;              /* number of the virtual exit: count */
    uint32_t *predecessor_from; /* per node, and one more: where its predecessors begin */
    uint32_t *predecessors;
    uint8_t *rank;
    bool *root;      /* has an edge to the virtual exit */
    uint32_t *stack; /* of the walks */
    uint32_t *place; /* per node: how far the walk has got in its predecessors */
    uint32_t *order; /* post-order number; the exit has the highest */
    uint32_t *by_order;
    uint32_t ordered;
};

/* Successors are numbered: the two of every node, then those of a table. */
static uint32_t successor_count(const struct sl_flow_node *node)
{
    return 2 + node->more_count;
}

static uint32_t successor(const struct sl_flow_node *node, uint32_t number)
{
    return number < 2 ? node->next[number] : node->more[number - 2];
}

static void analysis_free(struct analysis *a)
{
    free(a->predecessor_from);
    free(a->predecessors);
    free(a->rank);
    free(a->root);
    free(a->stack);
    free(a->place);
    free(a->order);
    free(a->by_order);
}

static int analysis_init(struct analysis *a, const struct sl_flow_node *nodes, uint32_t count)
{
    size_t n = (size_t)count + 2;
    size_t edges = 0;
    for (uint32_t i = 0; i < count; i++) {
        edges += successor_count(&nodes[i]);
    }
    *a = (struct analysis){.nodes = nodes, .count = count, .exit = count};
    a->predecessor_from = calloc(n, sizeof *a->predecessor_from);
    a->predecessors = calloc(edges + 1, sizeof *a->predecessors);
    a->rank = calloc(n, sizeof *a->rank);
    a->root = calloc(n, sizeof *a->root);
    a->stack = calloc(n, sizeof *a->stack);
    a->place = calloc(n, sizeof *a->place);
    a->order = calloc(n, sizeof *a->order);
    a->by_order = calloc(n, sizeof *a->by_order);
    if (!a->predecessor_from || !a->predecessors || !a->rank || !a->root || !a->stack ||
        !a->place || !a->order || !a->by_order) {
        analysis_free(a);
        return -1;
    }
    return 0;
}

static void find_predecessors(struct analysis *a)
{
    uint32_t *from = a->predecessor_from;
    for (uint32_t n = 0; n < a->count; n++) {
        for (uint32_t i = 0; i < successor_count(&a->nodes[n]); i++) {
            uint32_t next = successor(&a->nodes[n], i);
            if (next != SL_FLOW_NONE) {
                from[next + 1]++;
            }
        }
    }
    for (uint32_t n = 0; n < a->count; n++) {
        from[n + 1] += from[n];
        a->place[n] = from[n];
    }
    for (uint32_t n = 0; n < a->count; n++) {
        for (uint32_t i = 0; i < successor_count(&a->nodes[n]); i++) {
            uint32_t next = successor(&a->nodes[n], i);
            if (next != SL_FLOW_NONE) {
                a->predecessors[a->place[next]++] = n;
            }
        }
    }
}

/* Gives `rank` to a node and to all that reach it and have none yet. */
static void rank_from(struct analysis *a, uint32_t node, enum rank rank)
{
    uint32_t depth = 0;
    a->rank[node] = (uint8_t)rank;
    a->stack[depth++] = node;
    while (depth > 0) {
        uint32_t n = a->stack[--depth];
        for (uint32_t p = a->predecessor_from[n]; p < a->predecessor_from[n + 1]; p++) {
            uint32_t before = a->predecessors[p];
            if (a->rank[before] == 0) {
                a->rank[before] = (uint8_t)rank;
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
            a->root[n] = true;
            if (a->rank[n] == 0) {
                rank_from(a, n, ranks[i]);
            }
        }
    }
    for (uint32_t n = a->count; n-- > 0;) {
        if (a->rank[n] == 0) {
            a->root[n] = true;
            rank_from(a, n, RANK_ENDLESS);
        }
    }
}

/* Numbers the nodes in post-order of a walk against the edges from one root. */
static void order_from(struct analysis *a, uint32_t root)
{
    uint32_t depth = 0;
    a->stack[depth++] = root;
    a->place[root] = a->predecessor_from[root];
    a->order[root] = 0; /* on the stack */
    while (depth > 0) {
        uint32_t n = a->stack[depth - 1];
        if (a->place[n] < a->predecessor_from[n + 1]) {
            uint32_t before = a->predecessors[a->place[n]++];
            if (a->order[before] == SL_FLOW_NONE && a->rank[before] == a->rank[n]) {
                a->order[before] = 0;
                a->place[before] = a->predecessor_from[before];
                a->stack[depth++] = before;
            }
        } else {
            a->by_order[a->ordered] = n;
            a->order[n] = a->ordered++;
            depth--;
        }
    }
}

static void order_nodes(struct analysis *a)
{
    for (uint32_t n = 0; n < a->count; n++) {
        a->order[n] = SL_FLOW_NONE;
    }
    for (uint32_t n = 0; n < a->count; n++) {
        if (a->root[n] && a->order[n] == SL_FLOW_NONE) {
            order_from(a, n);
        }
    }
    a->order[a->exit] = a->ordered;
}

/* The nearest common post-dominator of two nodes whose own are known so far. */
static uint32_t intersect(const struct analysis *a, const uint32_t *ipdom, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (a->order[x] < a->order[y]) {
            x = ipdom[x] == SL_FLOW_NONE ? a->exit : ipdom[x];
        }
        while (a->order[y] < a->order[x]) {
            y = ipdom[y] == SL_FLOW_NONE ? a->exit : ipdom[y];
        }
    }
    return x;
}

/* What a node's successors have in common so far; `known` says which of them count yet. */
static uint32_t common_of(const struct analysis *a, const uint32_t *ipdom, const bool *known,
                          uint32_t n)
{
    uint32_t common = a->root[n] ? a->exit : SL_FLOW_NONE;
    for (uint32_t i = 0; i < successor_count(&a->nodes[n]); i++) {
        uint32_t next = successor(&a->nodes[n], i);
        if (next != SL_FLOW_NONE && a->rank[next] == a->rank[n] && known[next]) {
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
    bool *known = calloc((size_t)count + 1, sizeof *known);
    if (known == NULL) {
        analysis_free(&a);
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
            uint32_t common = common_of(&a, ipdom, known, n);
            if (!known[n] || ipdom[n] != common) {
                known[n] = true;
                ipdom[n] = common;
                changed = true;
            }
        }
    }
    free(known);
    analysis_free(&a);
    return 0;
}
