#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Task vectors in epochs (docs/know/trees.md): counts worked out by hand, what papers/000 leaves open and what is refused
# (tests/probes/trees/trees_cases.c), random programs against an oracle, every shape of the machine and every memory system, a delay as of a host CPU, limits,
# equal runs, one run with all epochs.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cases=$("$bin/trees_cases" --list)

all() {
    # shellcheck disable=SC2086 # one word each
    run 0 trees_cases $cases "$@"
    expect_result "trees_cases($(wc -w <<<"$cases")) = $(wc -w <<<"$cases")"
}

# A call of fib(n) for n > 2 forks two: 2 x 46,368 - 1 calls. Down from epoch 0, fib(24), to epoch 22, fib(2), and up without
# that one: 45. Of the 92,735 slots all but the 2 of epoch 22 have a continuation or a sibling of one, and are looked at
# twice. A wavefront that forks does one atomic add, and any of those before epoch 21 has a call to fork.
by_hand() {
    run 0 trees_fib 24 --quiet --stats stats
    expect_result "trees_fib(24) = 46368"
    expect_statistics trees.epochs 45 gpu.dispatches 45 trees.forks 92734 trees.slots_max 92735 trees.lanes $((2 * 92735 - 2)) \
        gpu.wavefronts 2915 trees.empty_epochs 0 trees.maps 0 \
        trees.bytes $((3 * 4 * 92735 + 16 * 4096 + 832))
}

# fib(8): epochs of 1, 2, 4, 8, 14, 10 and 2 slots. The last one forks nothing, each of the others is a wavefront that does
# one add.
one_add() {
    run 0 trees_fib 8 --quiet --stats stats --epochs epochs
    expect_statistics trees.forks 40 trees.fork_atomics 6 gpu.wavefronts 13 trees.epochs 13
    [[ $(awk '!/^#/ { printf "%d ", $3 - $2 }' epochs) == "1 2 4 8 14 10 2 10 14 8 4 2 1 " ]] || fail "$(cat epochs)"
}

# Rows of Table 5.1: ranges of 1, 2, 4, 6, 4, 2 and 1 slots; 13 slots at most.
table() {
    run 0 trees_orders 6 --quiet --stats stats --epochs epochs
    diff epochs - <<'END' || fail "not Table 5.1"
# epoch first end old_next_free next_free joined maps depth
0 0 1 1 3 1 0 2
1 1 3 3 7 1 0 3
2 3 7 7 13 1 0 4
3 7 13 13 7 0 0 3
2 3 7 7 3 0 0 2
1 1 3 3 1 0 0 1
0 0 1 1 0 0 0 0
END
    expect_result "trees_orders(6) = 6"
    expect_statistics trees.epochs 7 trees.lanes 20 trees.slots_max 13 trees.forks 12 trees.fork_atomics 3
    run 0 trees_orders --order preorder 6 --quiet --stats stats
    expect_statistics trees.epochs 4 trees.lanes 13 trees.slots_max 13
}

right() {
    run 0 trees_fib 17 --quiet "$@"
    expect_result "trees_fib(17) = 1597"
    for order in preorder postorder; do
        run 0 trees_orders --order "$order" --seed 7 3000 --quiet "$@"
        expect_result "trees_orders(3000) = 3000"
    done
    run 0 trees_tsp 8 --quiet "$@"
    expect_result "trees_tsp(8) = 2910"
    run 0 trees_anneal 40 --rounds 3 --steps 16 --quiet "$@"
    expect_result "trees_anneal(40) = 22166"
}

# What a task of trees_tsp leaves out depends on the epochs before its own, not on when tasks of its own epoch run.
bounds() {
    local cus forks=
    for cus in 1 8 64; do
        run 0 trees_tsp 10 --quiet --stats stats --set gpu.cus=$cus
        expect_result "trees_tsp(10) = 3324"
        expect_statistics trees.epochs 19 trees.forks "${forks:=$(statistic stats trees.forks)}"
    done
    ((forks < 1000)) || fail "$forks tasks"
}

# Each round of trees_anneal keeps one more slot, since its continuation forks again.
anneal() {
    run 0 trees_anneal 64 --steps 1 --rounds 16 --quiet --stats stats
    expect_statistics trees.epochs 97 trees.slots_max $((1 + 16 + 8 + 64)) trees.forks $((16 * (1 + 8 + 64)))
    run 0 trees_anneal 1 --cities 4 --steps 100 --rounds 40 --quiet
    run 0 trees_anneal 9 --cities 20 --steps 30 --seed 5 --group 7 --quiet
}

# (papers/000 section 5.4.1) What an epoch costs does not vary with the number of compute units.
one_task() {
    local cus cycles=
    for cus in 1 8 64; do
        run 0 trees_fib 2 --quiet --stats stats --set gpu.cus=$cus
        [[ $(statistic stats gpu.cycles) == "${cycles:=$(statistic stats gpu.cycles)}" ]] ||
            fail "$cycles cycles, on $cus compute units $(statistic stats gpu.cycles)"
    done
}

# trees_anneal 1 has epochs of one task alone, two for each round: cycles of 64 of them, behind 65 others.
epochs_of_one() {
    local before
    run 0 trees_anneal 1 --cities 4 --steps 1 --rounds 32 --quiet --stats stats --set gpu.cus="$1"
    expect_statistics trees.epochs 65 gpu.wavefronts 65
    before=$(statistic stats gpu.cycles)
    run 0 trees_anneal 1 --cities 4 --steps 1 --rounds 64 --quiet --stats stats --set gpu.cus="$1"
    expect_statistics trees.epochs 129 gpu.wavefronts 129
    cycles=$(($(statistic stats gpu.cycles) - before))
}

# The next epoch is on the next compute unit, whose first-level caches hold nothing of this one: that is worth a few % to a
# single one. Beyond that the number does not matter: what differs is when the firmware looks.
critical_path() {
    local cycles eight
    epochs_of_one 8
    eight=$cycles
    epochs_of_one 64
    ((cycles * 200 >= eight * 199 && cycles * 200 <= eight * 201)) || fail "$eight cycles, on 64 compute units $cycles"
    epochs_of_one 1
    ((cycles * 100 >= eight * 94 && cycles < eight)) || fail "$eight cycles, on one compute unit $cycles"
}

random() {
    run 0 trees_random 300 --group 64 "$@" --quiet
    expect_result "trees_random(300) = 300"
}

# 12 delays in 13 epochs.
delay() {
    local without with
    run 0 trees_fib 8 --quiet --stats stats
    without=$(statistic stats gpu.cycles)
    for us in 1 10 100; do
        run 0 trees_fib 8 --quiet --stats stats --set trees.host_delay=${us}us
        with=$(statistic stats gpu.cycles)
        ((with >= without + 12000 * us && with < without + 12000 * us + 12 * 300)) || fail "$without, with $us us $with"
    done
}

# fib(12) has 287 calls.
exactly_full() {
    run 0 trees_fib 12 --quiet --capacity 287
    run 3 trees_fib 12 --quiet --capacity 286
    expect err 'the task vector is full: 287 slots are wanted, it has 286; make its capacity larger'
    run 0 trees_fib 12 --quiet --stack 11
    run 3 trees_fib 12 --quiet --stack 10
    expect err 'the stack of epochs has 10 entries, and epoch 10 needs one more; make it larger; epoch 9, after 9 others'
}

# What an epoch finds in caches, the one before it has left there: all of the data is 287 x 12 bytes.
caches() {
    run 0 trees_fib 12 --quiet --stats stats
    (($(statistic stats dram.reads) < 500)) || fail "$(statistic stats dram.reads) lines read in $(statistic stats trees.epochs) epochs"
}

# Other runs have none of these figures.
others() {
    local name
    run 0 fib 10 --quiet --stats stats
    for name in epochs empty_epochs forks fork_atomics lanes maps slots_max bytes; do
        expect_statistics trees.$name 0
    done
}

timeline() {
    run 0 trees_fib 8 --quiet --timeline timeline
    expect timeline '"trees"'
    expect timeline 'trees_fib'
}

check "all cases on one machine, each with a good graph after it" all
check "one compute unit, 32 lanes" all --set gpu.cus=1 --set gpu.lanes=32 --set gpu.simd_lanes=8
check "counts by hand" by_hand
check "one atomic add for each wavefront" one_add
check "Table 5.1" table
for n in 0 1 2 3 4; do
    check "trees_fib $n" run 0 trees_fib $n --quiet
done
for cus in 1 8 64; do
    for lanes in 32 64; do
        check_sample 3 "$cus compute units, $lanes lanes" right --set gpu.cus=$cus --set gpu.lanes=$lanes
    done
done
for system in flat nol1 wt quickrelease scoped partition hybrid; do
    check_sample 3 "memory $system" right --set mem.system=$system
    check_sample 3 "memory $system, all cases" all --set mem.system=$system
done
for group in 1 100 1024; do
    check_sample 3 "groups of $group" run 0 trees_fib 12 --group $group --quiet
done
check "an epoch of one task" one_task
check "epochs of one task" critical_path
for n in 2 3; do
    check_sample 3 "trees_tsp $n" run 0 trees_tsp $n --quiet
done
check "bounds of trees_tsp" bounds
check "rounds of trees_anneal" anneal
check "random programs" random
check "random programs, no empty epochs" random --skip-empty
check "random programs, one compute unit, 32 lanes" random --seed 1000 --set gpu.cus=1 --set gpu.lanes=32
check "random programs, wavefronts of 4 lanes one after the other" random --group 4 --set gpu.lanes=4 --set gpu.simd_lanes=4 \
    --set gpu.cus=1 --set gpu.simds=1 --set gpu.contexts=2
check "random programs, 64 compute units" random --seed 4000 --set gpu.cus=64
check "random programs, words in lines of their own" random --seed 3000 --words apart
check "random programs, memory wt" random --seed 2000 --set mem.system=wt
check "delay before epochs" delay
check "exactly full" exactly_full
check "caches are empty once" caches
check "other runs" others
check "timeline" timeline
check "equal runs" equal_runs trees_fib 15
check "equal runs with bounds" equal_runs trees_tsp 9
check "equal runs with maps" equal_runs trees_random 20 --words apart
