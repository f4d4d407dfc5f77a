/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Immediate post-dominators against the definition: d post-dominates n where no path from n to the
 * exit avoids d. Random graphs with fixed seeds, and graphs too large for recursion. */
#include <stdlib.h>

#include "common/check.h"
#include "host/driver/code/postdom.h"

#define NODES_MAX 14
#define GRAPHS    20000

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

static uint32_t random_graph(struct sl_flow_node *nodes)
{
    uint32_t count = 1 + random_below(NODES_MAX);
    uint32_t leaving = random_below(8); /* graphs with many ways out, and with none */
    for (uint32_t n = 0; n < count; n++) {
        nodes[n] = (struct sl_flow_node){{SL_FLOW_NONE, SL_FLOW_NONE}, SL_FLOW_GOES_ON};
        uint32_t kind = random_below(16);
        if (kind == 0) {
            nodes[n].end = SL_FLOW_STOPS;
            continue;
        }
        if (kind <= leaving) {
            nodes[n].end = SL_FLOW_LEAVES;
        }
        uint32_t edges = nodes[n].end == SL_FLOW_LEAVES ? random_below(2) : 1 + random_below(2);
        for (uint32_t e = 0; e < edges; e++) {
            nodes[n].next[e] = random_below(count);
        }
    }
    return count;
}

/* Sets of nodes are bit masks. The nodes that reach one of `roots` through `allowed` nodes alone.
 */
static uint32_t reaching(const struct sl_flow_node *nodes, uint32_t count, uint32_t roots,
                         uint32_t allowed)
{
    uint32_t reached = roots & allowed;
    for (uint32_t round = 0; round < count; round++) {
        for (uint32_t n = 0; n < count; n++) {
            for (int e = 0; e < 2; e++) {
                uint32_t next = nodes[n].next[e];
                if (next != SL_FLOW_NONE && reached >> next & 1 && allowed >> n & 1) {
                    reached |= 1u << n;
                }
            }
        }
    }
    return reached;
}

static uint32_t ending(const struct sl_flow_node *nodes, uint32_t count, enum sl_flow_end end)
{
    uint32_t set = 0;
    for (uint32_t n = 0; n < count; n++) {
        set |= (uint32_t)(nodes[n].end == end) << n;
    }
    return set;
}

/* Within one group of nodes, all of which reach `roots`. */
static void naive_group(const struct sl_flow_node *nodes, uint32_t count, uint32_t group,
                        uint32_t roots, uint32_t *ipdom)
{
    uint32_t dominators[NODES_MAX] = {0}; /* strict post-dominators of each node */
    for (uint32_t d = 0; d < count; d++) {
        if (group >> d & 1) {
            uint32_t without = reaching(nodes, count, roots, group & ~(1u << d));
            for (uint32_t n = 0; n < count; n++) {
                dominators[n] |= (uint32_t)(n != d && !(without >> n & 1)) << d;
            }
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        if (!(group >> n & 1)) {
            continue;
        }
        ipdom[n] = SL_FLOW_NONE;
        for (uint32_t d = 0; d < count; d++) { /* the nearest: all others post-dominate it */
            if (dominators[n] >> d & 1 && (dominators[n] & ~(1u << d)) == dominators[d]) {
                ipdom[n] = d;
            }
        }
    }
}

static void naive(const struct sl_flow_node *nodes, uint32_t count, uint32_t *ipdom)
{
    uint32_t all = (1u << count) - 1;
    uint32_t leaves = ending(nodes, count, SL_FLOW_LEAVES);
    uint32_t group = reaching(nodes, count, leaves, all);
    uint32_t grouped = group;
    naive_group(nodes, count, group, leaves, ipdom);

    uint32_t stops = ending(nodes, count, SL_FLOW_STOPS);
    group = reaching(nodes, count, stops, all) & ~grouped;
    grouped |= group;
    naive_group(nodes, count, group, stops, ipdom);

    uint32_t roots = 0;
    for (uint32_t n = count; n-- > 0;) {
        if (!(grouped >> n & 1) && !(reaching(nodes, count, roots, all & ~grouped) >> n & 1)) {
            roots |= 1u << n;
        }
    }
    naive_group(nodes, count, all & ~grouped, roots, ipdom);
}

TEST(test_random)
{
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        struct sl_flow_node nodes[NODES_MAX];
        uint32_t expected[NODES_MAX];
        uint32_t ipdom[NODES_MAX];
        random_state = seed;
        uint32_t count = random_graph(nodes);
        naive(nodes, count, expected);
        assert_int_equal(sl_postdom(nodes, count, ipdom), 0);
        for (uint32_t n = 0; n < count; n++) {
            if (ipdom[n] != expected[n]) {
                fail_msg("seed %llu: node %u of %u has %d, not %d", (unsigned long long)seed, n,
                         count, (int)ipdom[n], (int)expected[n]);
            }
        }
    }
}

/* A chain of n diamonds: 3k -> 3k+1, 3k+2 -> 3k+3. */
TEST(test_large)
{
    uint32_t diamonds = 200000;
    uint32_t count = 3 * diamonds + 1;
    struct sl_flow_node *nodes = calloc(count, sizeof *nodes);
    uint32_t *ipdom = calloc(count, sizeof *ipdom);
    assert_non_null(nodes);
    assert_non_null(ipdom);
    for (uint32_t k = 0; k < diamonds; k++) {
        nodes[3 * k] = (struct sl_flow_node){{3 * k + 1, 3 * k + 2}, SL_FLOW_GOES_ON};
        nodes[3 * k + 1] = (struct sl_flow_node){{3 * k + 3, SL_FLOW_NONE}, SL_FLOW_GOES_ON};
        nodes[3 * k + 2] = (struct sl_flow_node){{3 * k + 3, SL_FLOW_NONE}, SL_FLOW_GOES_ON};
    }
    nodes[count - 1] = (struct sl_flow_node){{SL_FLOW_NONE, SL_FLOW_NONE}, SL_FLOW_LEAVES};
    assert_int_equal(sl_postdom(nodes, count, ipdom), 0);
    for (uint32_t k = 0; k < diamonds; k++) {
        assert_int_equal(ipdom[3 * k], 3 * k + 3);
        assert_int_equal(ipdom[3 * k + 1], 3 * k + 3);
    }
    assert_int_equal(ipdom[count - 1], SL_FLOW_NONE);
    free(nodes);
    free(ipdom);
}
