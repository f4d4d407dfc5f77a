/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Joins of random reducible graphs, put in as joins.cc does until none is wanted: that comes to an
 * end, each edge of the original leads to where it did, by way of new blocks alone, and no
 * operation is on two ways of one branch before these meet. The last is checked on the whole graph
 * with its loops, by the definition of post-dominators, in which flow.cc has no part. */
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

extern "C" {
#include <cmocka.h>
}

#include <algorithm>

#include "kernel-plugin/flow.h"

static const int graphs = 4000;
static const int blocks_max = 12;
static const int joins_max = 200;

static uint64_t random_state;

static int random_below(int limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)limit);
}

/* Blocks that `start` leads to without `avoided`, which may be -1. */
static node_set find_reached(const flow_graph &graph, int start, int avoided)
{
    node_set reached(graph.successors.size(), false);
    node_list pending{start};
    while (!pending.empty()) {
        const int block = pending.back();
        pending.pop_back();
        if (block != avoided && !reached[block]) {
            reached[block] = true;
            pending.insert(pending.end(), graph.successors[block].begin(),
                           graph.successors[block].end());
        }
    }
    return reached;
}

static void add_edge(flow_graph *graph, int from, int to)
{
    node_list &edges = graph->successors[from];
    if (std::find(edges.begin(), edges.end(), to) == edges.end()) {
        edges.push_back(to);
    }
}

/* Edges forward at random, and back to blocks that all ways pass. */
static flow_graph random_graph()
{
    const int count = 3 + random_below(blocks_max - 2);
    const int loops = random_below(4);
    const int operations = 1 + random_below(4);
    flow_graph graph(count);
    const auto later = [&](int block) {
        const int to = block + 1 + random_below(std::min(4, count - block));
        return to >= count ? graph.exit : to;
    };
    graph.successors[graph.entry] = {2};
    for (int block = 2; block < count; block++) {
        const int kind = random_below(16);
        const int edges = kind == 0 ? 0 : kind < 6 ? 1 : kind < 15 ? 2 : 3;
        for (int i = 0; i < edges; i++) {
            add_edge(&graph, block, i == 0 && block + 1 < count ? block + 1 : later(block));
        }
        graph.has_operation[block] = random_below(6) < operations;
    }
    for (int i = 0; i < loops; i++) {
        const int from = 2 + random_below(count - 2);
        const int to = 2 + random_below(from - 1);
        if (to == from || !find_reached(graph, graph.entry, to)[from]) {
            add_edge(&graph, from, to);
        }
    }
    return graph;
}

static int new_block(flow_graph *graph)
{
    graph->successors.emplace_back();
    graph->has_operation.push_back(false);
    graph->has_effect.push_back(false);
    graph->has_lock.push_back(false);
    graph->loop.push_back(0);
    graph->leaves.push_back(0);
    return (int)graph->successors.size() - 1;
}

/* make_join() of joins.cc: a block on each edge, which leads to the join, and a chain behind it. */
static void apply(flow_graph *graph, const flow_join &join)
{
    const int meeting = new_block(graph);
    node_list targets;
    for (const auto &[from, to] : join.edges) {
        const int middle = new_block(graph);
        node_list &edges = graph->successors[from];
        *std::find(edges.begin(), edges.end(), to) = middle;
        graph->successors[middle] = {meeting};
        if (std::find(targets.begin(), targets.end(), to) == targets.end()) {
            targets.push_back(to);
        }
    }
    int block = meeting;
    for (size_t i = 0; i < targets.size(); i++) {
        graph->successors[block].push_back(targets[i]);
        if (i + 2 < targets.size()) {
            const int next = new_block(graph);
            graph->successors[block].push_back(next);
            block = next;
        }
    }
}

/* Whether each edge still leads there, by new blocks alone. */
static bool is_kept(const flow_graph &before, const flow_graph &after)
{
    const int count = (int)before.successors.size();
    for (int from = 0; from < count; from++) {
        flow_graph cut = after;
        for (int block = 0; block < count; block++) {
            if (block != from) {
                cut.successors[block].clear();
            }
        }
        const node_set reached = find_reached(cut, from, -1);
        for (const int to : before.successors[from]) {
            if (!reached[to]) {
                return false;
            }
        }
    }
    return true;
}

/* Where the ways of a block meet: the one that all ways to the exit pass, and pass first. */
static int find_meeting(const flow_graph &graph, int block)
{
    const int count = (int)graph.successors.size();
    for (int meeting = 0; meeting < count; meeting++) {
        if (meeting == block || find_reached(graph, block, meeting)[graph.exit]) {
            continue; /* does not post-dominate */
        }
        bool is_first = true;
        for (int other = 0; other < count && is_first; other++) {
            if (other != block && other != meeting &&
                !find_reached(graph, block, other)[graph.exit] &&
                !find_reached(graph, other, meeting)[graph.exit]) {
                is_first = false; /* `other` comes earlier */
            }
        }
        if (is_first) {
            return meeting;
        }
    }
    return -1;
}

/* Lanes from which no way leads to the exit meet nowhere. */
static void remove_dead(flow_graph *graph)
{
    const int count = (int)graph->successors.size();
    for (int block = 0; block < count; block++) {
        node_list live;
        for (const int to : graph->successors[block]) {
            if (find_reached(*graph, to, -1)[graph->exit]) {
                live.push_back(to);
            }
        }
        graph->successors[block] = live;
    }
}

/* The first branch of which several ways lead to one operation, or -1. */
static int find_parted(const flow_graph &graph)
{
    const int count = (int)graph.successors.size();
    const node_set executed = find_reached(graph, graph.entry, -1);
    for (int block = 0; block < count; block++) {
        if (!executed[block] || graph.successors[block].size() < 2) {
            continue;
        }
        const int meeting = find_meeting(graph, block);
        node_list ways(count, 0);
        for (const int way : graph.successors[block]) {
            const node_set reached = find_reached(graph, way, meeting);
            for (int i = 0; i < count; i++) {
                ways[i] += reached[i];
                if (ways[i] > 1 && graph.has_operation[i]) {
                    return block;
                }
            }
        }
    }
    return -1;
}

static void print(const char *what, const flow_graph &graph)
{
    print_error("%s:\n", what);
    for (size_t block = 0; block < graph.successors.size(); block++) {
        print_error("%zu%s:", block, graph.has_operation[block] ? " op" : "");
        for (const int to : graph.successors[block]) {
            print_error(" %d", to);
        }
        print_error("\n");
    }
}

static void test_random(void **)
{
    int with_joins = 0;
    int with_parted = 0;
    int with_loops = 0;
    random_state = 1;
    for (int number = 0; number < graphs; number++) {
        const flow_graph graph = random_graph();
        flow_graph joined = graph;
        flow_join join;
        int joins = 0;
        with_loops += !find_loops(graph).loops.empty();
        assert_false(find_loops(graph).is_irreducible);
        while (joins < joins_max && find_join(joined, find_loops(joined), &join)) {
            apply(&joined, join);
            joins++;
        }
        const bool is_complete = joins < joins_max && is_kept(graph, joined);
        remove_dead(&joined);
        const int parted = is_complete ? find_parted(joined) : -1;
        if (!is_complete || parted >= 0) {
            print("graph", graph);
            print("with joins", joined);
            fail_msg("graph %d: %d joins; ways of block %d share an operation", number, joins,
                     parted);
        }
        with_joins += joins > 0;
        flow_graph live = graph;
        remove_dead(&live);
        with_parted += find_parted(live) >= 0;
    }
    print_message("%d graphs with joins, %d with parted\n", with_joins, with_parted);
    assert_true(with_joins > graphs / 4);
    assert_true(with_loops > graphs / 4);
}

int main()
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
