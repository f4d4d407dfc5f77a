#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Searches of graphs by tasks, by worklists and by topology (docs/know/trees-programs.md): all distances right, whatever graph,
# size, shape of the machine and memory system, and equal whatever the way; epochs, launches and atomics worked out by hand;
# what has no room.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# same WHAT ARGUMENT...: bfs or sssp in all three ways, whose last argument is N. Each checks itself.
same() {
    local program distance=
    for program in "trees_$1" "$1_worklist" "$1_topology"; do
        run 0 "$program" "${@:2}" --quiet
        expect out "^$program\(${*: -1}\) = [0-9]+$"
        [[ $(sed 's/.* //' out) == "${distance:=$(sed 's/.* //' out)}" ]] || fail "longest distance $distance, $(<out)"
    done
}

sizes() {
    local n
    for n in 1 2 3 4 5 63 65 257 1000; do
        same "$@" $n
    done
}

shapes() {
    local cus lanes
    for cus in 1 8; do
        for lanes in 32 64; do
            same "$@" --set gpu.cus=$cus --set gpu.lanes=$lanes 2000
        done
    done
}

seeds() {
    local seed
    for seed in 0 2 3 4294967295; do
        same "$@" --seed $seed 600
    done
}

# A grid of 4 x 4 has 1, 2, 3, 4, 3, 2 and 1 nodes at distances 0 to 6, each of them a task behind the first one's, which
# only forks: 17 slots.
epochs() {
    run 0 trees_bfs --graph grid 16 --quiet --epochs epochs --stats stats
    expect_result "trees_bfs(16) = 6"
    diff epochs - <<'END' || fail "other epochs"
# epoch first end old_next_free next_free joined maps depth
0 0 1 1 2 0 0 1
1 1 2 2 4 0 0 1
2 2 4 4 7 0 0 1
3 4 7 7 11 0 0 1
4 7 11 11 14 0 0 1
5 11 14 14 16 0 0 1
6 14 16 16 17 0 0 1
7 16 17 17 16 0 0 0
END
    [[ $(statistic stats trees.forks) == 16 ]] || fail "$(statistic stats trees.forks) forks"
}

# The same lists, each a launch of one wavefront. The one of distance 6 is the first again, and fills nothing: so none
# follows. Of atomics there is one more with tasks, by which the first one forks.
lists() {
    local atomics
    run 0 trees_bfs --graph grid 16 --quiet --stats stats
    atomics=$(statistic stats simt.atomics)
    run 0 bfs_worklist --graph grid 16 --quiet --stats stats
    expect_result "bfs_worklist(16) = 6"
    for name in dispatches wavefronts; do
        [[ $(statistic stats gpu.$name) == 7 ]] || fail "$(statistic stats gpu.$name) $name"
    done
    (($(statistic stats simt.atomics) == atomics - 1)) || fail "$(statistic stats simt.atomics) atomics, $atomics of tasks"
}

# Rounds come in pairs, and the last pair finds nothing in its second. All 16 nodes are a wavefront, whose lanes do not see what
# others find in the same round.
rounds() {
    run 0 bfs_topology --graph grid 16 --quiet --stats stats
    expect_result "bfs_topology(16) = 6"
    [[ $(statistic stats gpu.wavefronts) == 8 ]] || fail "$(statistic stats gpu.wavefronts) wavefronts"
}

# The longest list of that grid has 4 nodes.
full() {
    run 0 bfs_worklist --graph grid --capacity 4 16 --quiet
    run 3 bfs_worklist --graph grid --capacity 3 16
    expect err 'kernel trap 16 \(operands 0x4 and 0x3\)'
    run 0 trees_bfs --graph grid --capacity 17 16 --quiet
    run 3 trees_bfs --graph grid --capacity 16 16
    expect err 'the task vector is full: 17 slots are wanted, it has 16; make its capacity larger'
}

# Without edges to them nodes have no distance.
unreached() {
    run 0 "$1" --degree 1 1000
    expect out '^# graph +1000 nodes, 1000 edges; [1-9][0-9]{0,2} nodes reached$'
}

programs='trees_bfs trees_sssp bfs_worklist sssp_worklist bfs_topology sssp_topology'

for what in bfs sssp; do
    for graph in rmat grid; do
        check_sample 3 "$what, $graph" sizes $what --graph $graph
        for system in flat moesi; do
            check_sample 3 "$what, $graph, memory $system, 1 and 8 CUs, 32 and 64 lanes" shapes $what --graph $graph --set mem.system=$system
        done
        check_sample 3 "$what, $graph, memory wt" same $what --graph $graph --set mem.system=wt 1500
        check_sample 3 "$what, $graph, work-groups of 100" same $what --graph $graph --group 100 1500
    done
    check_sample 3 "$what, seeds" seeds $what
    check_sample 3 "$what, seeds of a grid" seeds $what --graph grid
    check_sample 3 "$what, many edges" same $what --degree 64 500
done
check "epochs by hand" epochs
check "lists by hand" lists
check "rounds by hand" rounds
check "no room" full
for program in $programs; do
    check "$program, nodes that nothing leads to" unreached "$program"
    check_sample 3 "$program repeated" equal_runs "$program" 1000
done
