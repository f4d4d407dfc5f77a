#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The Cilk programs on task vectors (docs/know/trees-programs.md, "TREES beside levelized channels"): results of many sizes on
# machines of several shapes, counts that follow from the tasks, vectors that are exactly full, LDS of work-groups, bad
# arguments, equal runs.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

solutions=([4]=2 [5]=10 [6]=4 [7]=40 [8]=92 [9]=352 [10]=724 [11]=2680 [12]=14200 [13]=73712)

# The programs check themselves against plain C; of the queens the counts are known.
queens() {
    run 0 trees_nqueens "$@" --quiet --stats stats
    expect_result "trees_nqueens($1) = ${solutions[$1]}"
}

# same PROGRAM SIBLING N ARGUMENT...: the value of the program on channels
same() {
    local right
    run 0 "$2" "$3" --quiet
    right=$(<out)
    run 0 "$1" "${@:3}" --quiet --stats stats
    expect_result "$1${right#"$2"}"
}

tree() {
    same trees_tree_sum tree_sum "$@"
}

matmul() {
    run 0 trees_matmul "$@" --quiet --stats stats
    expect out "^trees_matmul\($1\) = "
}

# A level of tasks is an epoch, and each level with continuations another one. Of 13 queens, 4 rows and 4 columns: 58,942
# tasks, of which 10,962 have children, as queens has them; 8 levels, of which the last has no continuations. Bytes are 5 words
# for each slot, the stack of epochs, which has a word of 16 bytes for each of its 4,096, and the description.
queens_counts() {
    queens 13
    expect_statistics trees.slots_max 58942 trees.forks 58941 trees.epochs 15 gpu.dispatches 15 trees.empty_epochs 0 \
        trees.bytes $((5 * 4 * 58942 + 16 * 4096 + 832))
    note "$(statistic stats gpu.cycles) cycles"
}

# Boards of 8 queens by filled rows: 1, 8, 42, 140, 344, 568, 550, 312 that are tasks when all go down to the last row. Those of
# one row left have children that are no tasks' boards: they finish by a search.
queens_deep() {
    queens 8 --serial 1 --columns 0
    expect_statistics trees.slots_max $((1 + 8 + 42 + 140 + 344 + 568 + 550 + 312)) trees.epochs 15
}

# 1 + 8 + 64 + 512 tasks, 4 epochs; nobody joins. Wavefronts of 64: one in each of the first three, 8 in the last. A wavefront
# that forks does one atomic add: three of them, with 1, 8 and 64 tasks.
matmul_counts() {
    matmul 128
    expect_statistics trees.slots_max 585 trees.lanes 585 trees.epochs 4 gpu.wavefronts 11 trees.fork_atomics 3
}

# A list, in effect: each node has a child or none.
tree_counts() {
    tree 2
    expect_statistics trees.slots_max 2 trees.epochs 3 trees.forks 1 trees.fork_atomics 1
    tree 20000
    expect_statistics trees.slots_max 20000 trees.forks 19999 trees.epochs 63
}

# As wide as the tasks are many; then a slot short. SLOTS PROGRAM N ARGUMENT...
full() {
    local slots=$1
    shift
    run 0 "$@" --quiet --capacity "$slots" --stats stats
    expect_statistics trees.slots_max "$slots"
    run 3 "$@" --quiet --capacity $((slots - 1))
    expect err "the task vector is full: $slots slots are wanted, it has $((slots - 1)); make its capacity larger"
    [[ ! -s out ]] || fail "a result all the same: $(cat out)"
}

# small ARGUMENT...: all three
small() {
    queens 7 "$@"
    queens 9 --columns 2 --serial 2 "$@"
    tree 1500 "$@"
    matmul 64 "$@"
}

# Each wavefront has its own part of its group's LDS: whatever the groups are, and in wavefronts of 32 lanes.
bases() {
    local base group
    for base in stacks lds shared; do
        for group in 64 100 256; do
            queens 9 --serial 7 --base $base --group $group "$@"
        done
    done
}

no_lds() {
    queens 8 --base stacks
    expect_statistics simt.lds_accesses 0
    queens 8 --base shared
    (($(statistic stats simt.lds_accesses) > 0)) || fail "no accesses of LDS"
}

for n in 4 5 6 7 8 9 10; do
    check "trees_nqueens $n" queens $n
done
check "trees_nqueens, counts" queens_counts
check "trees_nqueens, down to the last row" queens_deep
check "trees_nqueens, all serial" queens 8 --serial 8
check "trees_nqueens, bases and groups" bases
check "trees_nqueens, bases and groups, 32 lanes" bases --set gpu.lanes=32
check "trees_nqueens, accesses of LDS" no_lds
for n in 1 2 63 64 65 5000; do
    check "trees_tree_sum $n" tree $n
done
check "trees_tree_sum, counts" tree_counts
for n in 16 32 64 128; do
    check "trees_matmul $n" matmul $n
done
check "trees_matmul, counts" matmul_counts
check "trees_matmul, other elements" matmul 64 --seed 7
for system in flat moesi; do
    for cus in 1 8 64; do
        for lanes in 32 64; do
            check "memory $system, $cus compute units, $lanes lanes" small --set mem.system=$system --set gpu.cus=$cus \
                --set gpu.lanes=$lanes
        done
    done
done
check "exactly full, trees_nqueens" full $((1 + 8 + 42 + 140)) trees_nqueens 8 --serial 5 --columns 0
check "exactly full, trees_tree_sum" full 777 trees_tree_sum 777
check "exactly full, trees_matmul" full 73 trees_matmul 64
check "equal runs, trees_nqueens" equal_runs trees_nqueens 9
check "equal runs, trees_tree_sum" equal_runs trees_tree_sum 3000
check "equal runs, trees_matmul" equal_runs trees_matmul 64
check "groups whose LDS no compute unit has" bad_arguments 'a work-group needs 73728 bytes of LDS, a compute unit has 65536' \
    trees_nqueens 13 --group 768
