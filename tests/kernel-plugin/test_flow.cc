/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Joins that scripts/kernel-plugin/flow.cc finds in constructs of C, worked out by hand. A block is
 * named by its number: 0 is the entry and 1 the exit, as in GCC; comments show the source. The
 * number of blocks stands for the next round of a loop. */
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>

extern "C" {
#include <cmocka.h>
}

#include "kernel-plugin/flow.h"

using edge_list = std::vector<std::pair<int, int>>;

/* From each block its successors, in the order of the source; `operations` are blocks. */
static flow_graph make_graph(const std::vector<node_list> &successors, const node_list &operations)
{
    flow_graph graph((int)successors.size());
    graph.successors = successors;
    for (const int block : operations) {
        graph.has_operation[block] = true;
        graph.has_effect[block] = true;
    }
    return graph;
}

static void expect_none(const flow_graph &graph)
{
    flow_join join;
    assert_false(find_join(graph, find_loops(graph), &join));
}

static void expect_join(const flow_graph &graph, int branch, int first, int operation,
                        const edge_list &edges)
{
    flow_join join;
    assert_true(find_join(graph, find_loops(graph), &join));
    assert_int_equal(join.branch, branch);
    assert_int_equal(join.first, first);
    assert_int_equal(join.operation, operation);
    assert_true(join.edges == edges);
}

/* ---- branches ---- */

/* 2: if (a) { 3: op(); } else { 4: op(); } 5: */
static void test_if_else(void **)
{
    expect_none(make_graph({{2}, {}, {3, 4}, {5}, {5}, {1}}, {3, 4}));
}

/* if (2: a || 3: b) { 4: op(); } 5: */
static void test_or(void **)
{
    expect_join(make_graph({{2}, {}, {4, 3}, {4, 5}, {5}, {1}}, {4}), 2, 4, 4,
                {{2, 4}, {3, 4}, {3, 5}});
    expect_none(make_graph({{2}, {}, {4, 3}, {4, 5}, {5}, {1}}, {5}));
}

/* if (2: a && 3: b) { 4: op(); } else { 5: op(); } 6: */
static void test_and_else(void **)
{
    expect_join(make_graph({{2}, {}, {3, 5}, {4, 5}, {6}, {6}, {1}}, {4, 5}), 2, 5, 5,
                {{2, 5}, {3, 5}, {3, 4}});
    /* Without an operation in the else part nothing is shared. */
    expect_none(make_graph({{2}, {}, {3, 5}, {4, 5}, {6}, {6}, {1}}, {4}));
}

/* switch (2: a) { case 0: 3: case 1: 4: op(); } 5: */
static void test_fall_through(void **)
{
    expect_join(make_graph({{2}, {}, {3, 4, 5}, {4}, {5}, {1}}, {4}), 2, 4, 4,
                {{2, 4}, {3, 4}, {2, 5}});
}

/* if (2: a) { if (3: b) { 4: trap(); } } 5: op(); */
static void test_trap(void **)
{
    expect_none(make_graph({{2}, {}, {3, 5}, {4, 5}, {}, {1}}, {5}));
}

/* The shared block leads to the operation: if (2: a || 3: b) { 4: c(); if (5: d) { 6: op(); } } 7:
 */
static void test_before_operation(void **)
{
    expect_join(make_graph({{2}, {}, {4, 3}, {4, 7}, {5}, {6, 7}, {7}, {1}}, {6}), 2, 4, 6,
                {{2, 4}, {3, 4}, {3, 7}});
}

/* ---- loops ---- */

/* while (2: c) { if (3: a) { if (4: b) { break; } } 5: op(); } 6: */
static void test_break(void **)
{
    expect_join(make_graph({{2}, {}, {3, 6}, {4, 5}, {6, 5}, {2}, {1}}, {5}), 3, 5, 5,
                {{3, 5}, {4, 5}, {4, 6}});
}

/* while (2: c) { if (3: a) { continue; } 4: op(); } 5: */
static void test_continue(void **)
{
    expect_none(make_graph({{2}, {}, {3, 5}, {2, 4}, {2}, {1}}, {4}));
    /* for (; 2: c; 6: i++) { if (3: a) { if (4: b) { continue; } } 5: op(); } 7: */
    expect_join(make_graph({{2}, {}, {3, 7}, {4, 5}, {6, 5}, {6}, {2}, {1}}, {5}), 3, 5, 5,
                {{3, 5}, {4, 5}, {4, 6}});
}

/* while (2: c) { while (3: d) { if (4: a) { 8: return; } 5: op(); } 6: op(); } 7:
 * Lanes return in different rounds of the inner loop, in front of block 6. */
static void test_return(void **)
{
    expect_join(make_graph({{2}, {}, {3, 7}, {4, 6}, {8, 5}, {3}, {2}, {1}, {1}}, {5, 6}), 3, 6, 6,
                {{3, 6}, {4, 8}});
    /* Without an operation behind the inner loop, the outer one's next round has those of the
     * inner. */
    expect_join(make_graph({{2}, {}, {3, 7}, {4, 6}, {8, 5}, {3}, {2}, {1}, {1}}, {5}), 3, 6, 5,
                {{3, 6}, {4, 8}});
}

/* for (;;) { 2: while (3: a) { 4: op(); } if (5: b) { break; } } 6:
 * Without the mark of the outer loop, there is one of two latches; block 6 forwards. */
static void test_loop_begins_with_loop(void **)
{
    flow_graph graph = make_graph({{2}, {}, {3}, {4, 5}, {3}, {6, 2}, {1}}, {4});
    graph.loop[2] = 1;
    graph.loop[3] = 2;
    graph = without_forwarders(graph);
    assert_int_equal(find_loops(graph).loops.size(), 2);
    expect_none(graph);
    graph.loop[2] = 0;
    graph = without_forwarders(graph);
    assert_int_equal(find_loops(graph).loops.size(), 1);
    expect_join(graph, 3, 7, 4, {{4, 3}, {5, 3}, {5, 1}});
}

/* 2: if (a) { goto 4; } 3: ... 4: goto 3, a loop with two entries. */
static void test_irreducible(void **)
{
    const flow_graph graph = make_graph({{2}, {}, {3, 4}, {4, 5}, {3}, {1}}, {3, 4});
    assert_true(find_loops(graph).is_irreducible);
    expect_none(graph);
    assert_false(controls_operation(graph, find_loops(graph), 2));
}

/* Inner loops come first; each has what leads to its latches. */
static void test_find_loops(void **)
{
    const flow_graph graph = make_graph({{2}, {}, {3, 6}, {4, 5}, {3}, {2}, {1}}, {4});
    const flow_loops loops = find_loops(graph);
    assert_false(loops.is_irreducible);
    assert_int_equal(loops.loops.size(), 2);
    assert_int_equal(loops.loops[0].header, 3);
    assert_int_equal(loops.loops[0].size, 2);
    assert_int_equal(loops.loops[1].header, 2);
    assert_int_equal(loops.loops[1].size, 4);
    assert_true(loop_has_operation(graph, loops.loops[0]));
    assert_true(controls_operation(graph, loops, 2));
    assert_false(controls_operation(make_graph(graph.successors, {6}), loops, 2));
}

/* for (;;) { 2: if (3: a) { 4: effect(); break; } } 5: */
static void test_leaving(void **)
{
    flow_graph graph = make_graph({{2}, {}, {3}, {4, 2}, {5}, {1}}, {});
    graph.loop[2] = 1;
    graph.leaves[4] = 1;
    expect_none(graph);
    assert_false(find_loops(graph).loops[0].leaving[4]);
    graph.has_effect[4] = true;
    assert_true(find_loops(graph).loops[0].leaving[4]);
    assert_false(find_loops(graph).loops[0].leaving[5]);
    expect_join(graph, 2, 2, 2, {{3, 2}, {4, 5}});
    graph.has_lock[4] = true; /* locks have a rule of their own */
    expect_none(graph);
}

/* ---- graphs ---- */

/* 3 and 4 lead on alone; 5 has an operation, 6 a mark. */
static void test_without_forwarders(void **)
{
    flow_graph graph = make_graph({{2}, {}, {3, 4, 5}, {4}, {6}, {6}, {1}}, {5});
    graph.loop[6] = 1;
    const flow_graph result = without_forwarders(graph);
    assert_true(result.successors[0] == node_list{2});
    assert_true((result.successors[2] == node_list{6, 5}));
    assert_true(result.successors[5] == node_list{6});
    assert_true(result.successors[6] == node_list{1});
    assert_true(result.has_operation[5]);
    assert_int_equal(result.loop[6], 1);
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_else),     cmocka_unit_test(test_or),
        cmocka_unit_test(test_and_else),    cmocka_unit_test(test_fall_through),
        cmocka_unit_test(test_trap),        cmocka_unit_test(test_before_operation),
        cmocka_unit_test(test_break),       cmocka_unit_test(test_continue),
        cmocka_unit_test(test_return),      cmocka_unit_test(test_loop_begins_with_loop),
        cmocka_unit_test(test_irreducible), cmocka_unit_test(test_find_loops),
        cmocka_unit_test(test_leaving),     cmocka_unit_test(test_without_forwarders),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
