#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sorts and Fourier transforms on task vectors (docs/know/trees-programs.md): right for odd sizes and inputs, on every shape of
# the machine and both kinds of memory; counts worked out by hand; vectors exactly full; equal runs.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

ways="--naive --map --cilk"

# sorts N OPTION...: in each way, with one result
sorts() {
    local way wanted=
    for way in $ways; do
        run 0 trees_sort "$1" "$way" --quiet "${@:2}"
        expect_result "${wanted:=$(<out)}"
    done
    [[ $wanted == "trees_sort($1) = "* ]] || fail "result line '$wanted'"
}

inputs() {
    local input
    for input in random sorted reversed equal; do
        sorts "$1" --input "$input"
    done
}

# Sorts of 8, 4, 2 and 1 keys, and merges of 2, 4 and 8: ranges of 1, 2, 4, 8, 4, 2 and 1 slots.
naive_by_hand() {
    run 0 trees_sort 8 --quiet --stats stats
    expect_statistics trees.epochs 7 trees.forks 14 trees.lanes 22 trees.empty_epochs 0 trees.maps 0
    slots 15 5
}

# 2048 keys are 4 blocks. Sorts of 2048 and of 1024 keys, and of blocks; for the merges of 1024 a step and the blocks; for
# that of 2048 two steps and the blocks. Behind blocks an epoch is empty. A step of 1024 keys, 512 pairs, is 2 maps of 256.
map_by_hand() {
    run 0 trees_sort --map 2048 --quiet --stats stats
    expect_statistics trees.epochs $((3 + 1 + 2 + 1 + 3 + 1)) trees.empty_epochs 3 trees.maps $((4 + 2 * 4 + 3 * 4)) \
        trees.forks $((2 + 4 + 4 + 2 + 4)) gpu.dispatches $((11 + 1 + 2 + 3))
    run 0 trees_sort --map --skip-empty 2048 --quiet --stats stats
    expect_statistics trees.epochs 8 trees.empty_epochs 0 trees.maps 24 gpu.dispatches 14
    run 0 trees_sort --map --maps 1 2048 --quiet --stats stats
    expect_statistics trees.epochs 11 trees.maps $((4 + 2 + 4 + 1 + 2 + 4))
}

# As many launches of maps as bitonic has in all.
map_as_bitonic() {
    local launches
    run 0 bitonic 5000 --quiet --stats stats
    launches=$(statistic stats gpu.dispatches)
    run 0 trees_sort --map 5000 --quiet --stats stats
    (($(statistic stats gpu.dispatches) - $(statistic stats trees.epochs) == launches)) || fail "$(cat stats)"
}

# 256 keys: a sort, its four quarters, two merges of these and one of the halves, of 128 and 256 keys each: tasks that merge
# alone. 1024 keys: quarters are as before, halves are merged by a task, all by three.
cilk_by_hand() {
    run 0 trees_sort --cilk 256 --quiet --stats stats
    expect_statistics trees.epochs 6 trees.forks $((4 + 2 + 1)) trees.slots_max 5
    run 0 trees_sort --cilk 1024 --quiet --stats stats
    expect_statistics trees.epochs $((3 + 2 + 2 + 2 + 3)) trees.forks $((4 + 4 * (4 + 2 + 1) + 2 + 3))
}

# slots SLOTS ARGUMENTS: the vector had room for so many, beside what else it takes, and all were in use
slots() {
    expect_statistics trees.slots_max "$1" trees.bytes $(($1 * 4 * (1 + $2) + 16 * 4096 + 832))
}

# 256 points: transforms of 256 to 8 points, 63 tasks; then combinations of blocks of 8 to 64 points by 4 tasks each, and of
# 128 by 8, which are an epoch of forks and one of butterflies. The first of these have 64 slots behind those of 31
# transforms, which stay taken. Of 64 points, with a task for each butterfly: blocks of 16 and 32 points take 8 tasks first,
# whose slots stay taken, too.
fft_by_hand() {
    run 0 trees_fft 256 --quiet --stats stats
    expect_statistics trees.forks $((62 + 4 * (16 + 8 + 4 + 2) + 8)) trees.epochs $((6 + 5 * 2))
    slots $((31 + 64)) 9
    run 0 trees_fft 64 --grain 1 --quiet --stats stats
    expect_statistics trees.forks $((14 + 4 * 8 + 2 * (8 + 16) + 8 + 32)) trees.epochs $((4 + 2 + 3 + 3))
    slots $((7 + 2 * 8 + 8 + 32)) 9
}

# full PROGRAM ARGUMENT...: runs with as many slots as it says that it takes at most, and not with one less
full() {
    local slots
    run 0 "$@" --quiet --stats stats
    slots=$(statistic stats trees.slots_max)
    run 0 "$@" --quiet --capacity "$slots"
    run 3 "$@" --quiet --capacity $((slots - 1))
    expect err "the task vector is full: .* it has $((slots - 1)); make its capacity larger"
}

shapes() {
    sorts 1500 "$@"
    run 0 trees_fft 1024 --quiet "$@"
    expect out '^trees_fft\(1024\) = '
}

for n in 1 2 3 16 17 255 511 512 513 5000; do
    check_sample 3 "sort $n, in all ways" sorts $n
done
check_sample 3 "sort 1025, in all ways, all inputs" inputs 1025
check_sample 3 "sort 70000, in all ways" sorts 70000
check "naive, counts by hand" naive_by_hand
check "with maps, counts by hand" map_by_hand
check "with maps, launches of bitonic" map_as_bitonic
check "as cilksort, counts by hand" cilk_by_hand
for maps in 1 2 64; do
    check_sample 3 "$maps maps for a step" run 0 trees_sort --map --maps $maps 9000 --quiet
done
check "no empty epochs" run 0 trees_sort --map --skip-empty 9000 --quiet
for n in 8 16 32 128 4096; do
    for grain in 1 2 16 4194304; do
        check_sample 3 "fft $n, $grain butterflies a task" run 0 trees_fft $n --grain $grain --quiet
    done
done
check "fft, counts by hand" fft_by_hand
check "fft of another input" run 0 trees_fft 512 --seed 5 --quiet
check "exactly full: naive" full trees_sort 300
check "exactly full: as cilksort" full trees_sort --cilk 5000
check "exactly full: with maps" full trees_sort --map 9000
check "exactly full: fft" full trees_fft 2048
for system in flat moesi; do
    for cus in 1 8; do
        for lanes in 32 64; do
            check_sample 3 "memory $system, $cus compute units, $lanes lanes" shapes --set mem.system=$system --set gpu.cus=$cus \
                --set gpu.lanes=$lanes
        done
    done
done
for way in $ways; do
    check_sample 3 "equal runs, $way" equal_runs trees_sort "$way" 3000
done
check_sample 3 "equal runs, fft" equal_runs trees_fft 512
