/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Loops, and ways of a branch that meet too late (flow.h). */
#include "flow.h"

#include <algorithm>
#include <map>

namespace
{

/* Nodes that `starts` lead to by `edges`, none of which goes into `barrier`. */
node_set reach(const std::vector<node_list> &edges, const node_list &starts, int barrier)
{
    node_set found(edges.size(), false);
    node_list pending = starts;
    while (!pending.empty()) {
        const int node = pending.back();
        pending.pop_back();
        if (node == barrier || found[node]) {
            continue;
        }
        found[node] = true;
        pending.insert(pending.end(), edges[node].begin(), edges[node].end());
    }
    return found;
}

std::vector<node_list> reversed(const std::vector<node_list> &edges)
{
    std::vector<node_list> back(edges.size());
    for (size_t node = 0; node < edges.size(); node++) {
        for (const int to : edges[node]) {
            back[to].push_back((int)node);
        }
    }
    return back;
}

/* Nodes that are on some way from the entry to the exit. */
node_set find_live(const flow_graph &graph)
{
    node_set live = reach(graph.successors, {graph.entry}, -1);
    const node_set ends = reach(reversed(graph.successors), {graph.exit}, -1);
    std::transform(live.begin(), live.end(), ends.begin(), live.begin(), std::logical_and<bool>());
    return live;
}

std::vector<node_list> live_edges(const flow_graph &graph, const node_set &live)
{
    std::vector<node_list> edges(graph.successors.size());
    for (size_t node = 0; node < edges.size(); node++) {
        for (const int to : graph.successors[node]) {
            if (live[node] && live[to]) {
                edges[node].push_back(to);
            }
        }
    }
    return edges;
}

/* Reverse post-order of what `entry` leads to. */
node_list order_from(const std::vector<node_list> &edges, int entry)
{
    struct visit {
        int node;
        size_t next;
    };
    node_list order;
    node_set seen(edges.size(), false);
    std::vector<visit> stack{{entry, 0}};
    seen[entry] = true;
    while (!stack.empty()) {
        visit &top = stack.back();
        if (top.next == edges[top.node].size()) {
            order.push_back(top.node);
            stack.pop_back();
            continue;
        }
        const int to = edges[top.node][top.next++];
        if (!seen[to]) {
            seen[to] = true;
            stack.push_back({to, 0});
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

/* One round of a loop, or the function: its blocks, inner loops as their headers, and behind the
 * blocks' numbers two nodes of its own: the next round, and the end. */
class round_of
{
  public:
    round_of(const flow_graph &graph, const flow_loops &loops, const flow_loop *loop);
    bool find(flow_join *join) const;
    bool controls(int node) const;

  private:
    int node_of(int block) const;
    node_list count_ways(int node) const;
    void find_postdominators();
    bool join_of(int node, flow_join *join) const;

    const flow_graph &graph;
    const flow_loop *loop;
    std::vector<node_list> block_edges;
    node_list
        outermost; /* of the inner loops that a block is in: its header, or the block itself */
    int next;      /* the next round */
    int end;
    std::vector<node_list> edges;
    node_set has_operation;
    node_set is_loop;
    node_list order;
    node_list place; /* of a node in `order` */
    node_list meets; /* immediate post-dominators */
};

round_of::round_of(const flow_graph &graph, const flow_loops &loops, const flow_loop *loop)
    : graph(graph), loop(loop), next((int)graph.successors.size()), end(next + 1)
{
    const node_set live = find_live(graph);
    const int blocks = next;
    block_edges = live_edges(graph, live);
    has_operation.assign(end + 1, false);
    is_loop.assign(end + 1, false);
    edges.resize(end + 1);
    outermost.resize(blocks);
    for (int block = 0; block < blocks; block++) {
        outermost[block] = block;
    }
    for (const flow_loop &inner : loops.loops) {
        if (&inner == loop ||
            (loop != nullptr && (!loop->members[inner.header] || inner.size >= loop->size))) {
            continue;
        }
        is_loop[inner.header] = true;
        for (int block = 0; block < blocks; block++) {
            if (inner.members[block]) {
                outermost[block] = inner.header;
            }
        }
    }
    for (int block = 0; block < blocks; block++) {
        if (!live[block] || (loop != nullptr && !loop->members[block])) {
            continue;
        }
        const int from = outermost[block];
        if (graph.has_operation[block]) {
            has_operation[from] = true;
            has_operation[next] = loop != nullptr;
        }
        for (const int to : block_edges[block]) {
            const int node = node_of(to);
            if (node != from &&
                std::find(edges[from].begin(), edges[from].end(), node) == edges[from].end()) {
                edges[from].push_back(node);
            }
        }
    }
    edges[next].push_back(end);
    for (int block = 0; block < blocks; block++) {
        if (block == graph.exit || (loop != nullptr && !loop->members[block])) {
            edges[block] = {end};
        }
    }
    order = order_from(edges, loop == nullptr ? graph.entry : loop->header);
    place.assign(edges.size(), -1);
    for (size_t i = 0; i < order.size(); i++) {
        place[order[i]] = (int)i;
    }
    find_postdominators();
}

/* The node that an edge to a block leads to. */
int round_of::node_of(int block) const
{
    if (loop == nullptr) {
        return outermost[block];
    }
    if (block == loop->header) {
        return next;
    }
    return loop->members[block] ? outermost[block] : block;
}

/* Of a graph without circles: the nearest common one of all successors' post-dominators. */
void round_of::find_postdominators()
{
    meets.assign(edges.size(), -1);
    meets[end] = end;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        if (*node == end) {
            continue;
        }
        int meet = edges[*node].front();
        for (int other : edges[*node]) {
            while (meet != other) {
                int &earlier = place[meet] < place[other] ? meet : other;
                earlier = meets[earlier];
            }
        }
        meets[*node] = meet;
    }
}

/* How many ways of a node lead to each other one, before they meet. */
node_list round_of::count_ways(int node) const
{
    node_list ways(edges.size(), 0);
    for (const int way : edges[node]) {
        const node_set found = reach(edges, {way}, meets[node]);
        for (size_t i = 0; i < found.size(); i++) {
            ways[i] += found[i];
        }
    }
    return ways;
}

bool round_of::controls(int node) const
{
    const node_list ways = count_ways(node);
    for (size_t i = 0; i < ways.size(); i++) {
        if (ways[i] > 0 && has_operation[i]) {
            return true;
        }
    }
    return false;
}

/* The join that the ways of one node want, if they do. */
bool round_of::join_of(int node, flow_join *join) const
{
    const node_list ways = count_ways(node);
    /* Lanes leave a loop in different rounds: what one exit leads to, each round's would execute.
     */
    const int many = is_loop[node] ? 1 : 2;
    const std::vector<node_list> back = reversed(edges);
    int operation = -1;
    for (const int shared : order) {
        if (ways[shared] >= many && has_operation[shared]) {
            operation = shared;
            break;
        }
    }
    if (operation < 0) {
        return false;
    }
    const node_set leads = reach(back, {operation}, node);
    int first = -1;
    for (const int shared : order) {
        if (ways[shared] >= many && leads[shared]) {
            first = shared;
            break;
        }
    }
    node_set before = reach(back, {first}, -1);
    for (size_t i = 0; i < before.size(); i++) {
        before[i] = (int)i == node || (before[i] && ways[i] > 0 && (int)i != first);
    }
    *join = {{}, node, first, loop != nullptr ? loop->header : graph.entry};
    for (int block = 0; block < next; block++) {
        const bool is_inside = loop == nullptr || loop->members[block];
        if (graph.has_operation[block] && is_inside &&
            (operation == next || outermost[block] == operation)) {
            join->operation = block;
            break;
        }
    }
    for (int block = 0; block < next; block++) {
        if ((loop != nullptr && !loop->members[block]) || !before[outermost[block]]) {
            continue;
        }
        for (const int to : block_edges[block]) {
            const int target = node_of(to);
            if (target != outermost[block] && !before[target]) {
                join->edges.push_back({block, to});
            }
        }
    }
    /* Those to what the ways share come first. */
    std::stable_partition(
        join->edges.begin(), join->edges.end(),
        [&](const std::pair<int, int> &edge) { return node_of(edge.second) == first; });
    return true;
}

bool round_of::find(flow_join *join) const
{
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        if (edges[*node].size() > 1 && join_of(*node, join)) {
            return true;
        }
    }
    return false;
}

} // namespace

static node_set find_leaving(const flow_graph &graph, const std::vector<node_list> &back,
                             int header, const node_set &members)
{
    const int count = (int)members.size();
    node_set leaving(count, false);
    for (int end = 0; end < count; end++) {
        if (graph.loop[header] == 0 || graph.leaves[end] != graph.loop[header] || members[end]) {
            continue;
        }
        std::vector<node_list> outside = back;
        for (int block = 0; block < count; block++) {
            if (members[block]) {
                outside[block].clear();
            }
        }
        const node_set before = reach(outside, {end}, -1);
        bool has_effect = false;
        bool has_lock = false;
        for (int block = 0; block < count; block++) {
            has_effect |= before[block] && !members[block] && graph.has_effect[block];
            has_lock |= before[block] && !members[block] && graph.has_lock[block];
        }
        for (int block = 0; has_effect && !has_lock && !before[graph.entry] && block < count;
             block++) {
            leaving[block] = leaving[block] || (before[block] && !members[block]);
        }
    }
    return leaving;
}

flow_graph without_forwarders(const flow_graph &graph)
{
    const int count = (int)graph.successors.size();
    flow_graph result(count);
    result.has_operation = graph.has_operation;
    result.has_effect = graph.has_effect;
    result.has_lock = graph.has_lock;
    result.loop = graph.loop;
    result.leaves = graph.leaves;
    result.entry = graph.entry;
    result.exit = graph.exit;
    for (int block = 0; block < count; block++) {
        for (int to : graph.successors[block]) {
            for (int steps = 0;
                 steps < count && to != graph.exit && graph.successors[to].size() == 1 &&
                 !graph.has_operation[to] && graph.loop[to] == 0;
                 steps++) {
                to = graph.successors[to].front();
            }
            node_list &edges = result.successors[block];
            if (std::find(edges.begin(), edges.end(), to) == edges.end()) {
                edges.push_back(to);
            }
        }
    }
    return result;
}

flow_loops find_loops(const flow_graph &graph)
{
    flow_loops result{{}, false};
    const node_set live = find_live(graph);
    const std::vector<node_list> edges = live_edges(graph, live);
    if (!live[graph.entry]) {
        return result;
    }
    const std::vector<node_list> back = reversed(edges);
    const node_list order = order_from(edges, graph.entry);
    node_list place(edges.size(), -1);
    for (size_t i = 0; i < order.size(); i++) {
        place[order[i]] = (int)i;
    }
    std::map<int, node_list> latches;
    for (const int from : order) {
        for (const int to : edges[from]) {
            if (place[to] <= place[from]) {
                latches[to].push_back(from);
            }
        }
    }
    for (const auto &[header, ends] : latches) {
        node_set members = reach(back, ends, header);
        members[header] = true;
        /* A way to a latch that does not pass the header is one into the loop from elsewhere. */
        result.is_irreducible |= members[graph.entry] && header != graph.entry;
        result.loops.push_back({header, members,
                                (int)std::count(members.begin(), members.end(), true),
                                find_leaving(graph, back, header, members)});
    }
    std::stable_sort(result.loops.begin(), result.loops.end(),
                     [](const flow_loop &x, const flow_loop &y) { return x.size < y.size; });
    return result;
}

bool loop_has_operation(const flow_graph &graph, const flow_loop &loop)
{
    for (size_t block = 0; block < loop.members.size(); block++) {
        if (loop.members[block] && graph.has_operation[block]) {
            return true;
        }
    }
    return false;
}

bool controls_operation(const flow_graph &graph, const flow_loops &loops, int branch)
{
    if (loops.is_irreducible || !find_live(graph)[branch]) {
        return false;
    }
    for (const flow_loop &loop : loops.loops) {
        if (loop.members[branch]) {
            return round_of(graph, loops, &loop).controls(branch);
        }
    }
    return round_of(graph, loops, nullptr).controls(branch);
}

/* The join of all ways out of a round of a loop that has blocks without a way to the next one, if
 * it has any: they come before the next round then. */
static bool join_leaving(const flow_graph &graph, const flow_loop &loop, flow_join *join)
{
    const int count = (int)loop.members.size();
    const auto is_inside = [&](int block) { return loop.members[block] || loop.leaving[block]; };
    *join = {{}, loop.header, loop.header, loop.header};
    for (int block = 0; block < count; block++) {
        for (const int to : graph.successors[block]) {
            if (is_inside(block) && (to == loop.header || !is_inside(to))) {
                join->edges.push_back({block, to});
            }
        }
    }
    std::stable_partition(
        join->edges.begin(), join->edges.end(),
        [&](const std::pair<int, int> &edge) { return edge.second == loop.header; });
    return std::find(loop.leaving.begin(), loop.leaving.end(), true) != loop.leaving.end();
}

bool find_join(const flow_graph &graph, const flow_loops &loops, flow_join *join)
{
    if (loops.is_irreducible || !find_live(graph)[graph.entry]) {
        return false;
    }
    for (const flow_loop &loop : loops.loops) {
        if (join_leaving(graph, loop, join) || round_of(graph, loops, &loop).find(join)) {
            return true;
        }
    }
    return round_of(graph, loops, nullptr).find(join);
}
