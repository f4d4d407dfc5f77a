#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The second half of the programs of docs/know/quickrelease-programs.md: right by default, at odd sizes and the smallest, on
# every memory system that the build has, where results are the same; launches as they are described; equal runs
# equal.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

systems=$(memory_systems)

# right PROGRAM ARGUMENT...: the program checks itself, on all memory systems, or on the two whose turn it is; the last
# argument is N
right() {
    local system wanted=
    for system in $(in_turn "$systems"); do
        run 0 "$@" --quiet --set mem.system="$system"
        expect out "^$1\(${*: -1}\) = -?[0-9.e+-]+$"
        [[ -z $wanted || $(<out) == "$wanted" ]] || fail "$system: $(<out), before: $wanted"
        wanted=$(<out)
    done
    [[ -n $wanted ]] || fail "no memory systems: '$systems'"
}

# dispatches NUMBER PROGRAM ARGUMENT...: so many launches
dispatches() {
    run 0 "${@:2}" --quiet --stats stats
    (($(statistic stats gpu.dispatches) == $1)) || fail "$(statistic stats gpu.dispatches) dispatches, wanted $1"
}

# by_default PROGRAM N LAUNCHES
by_default() {
    dispatches "$3" "$1"
    expect out "^$1\($2\) = "
    note "$(statistic stats gpu.cycles) cycles"
}

inputs() {
    local input
    for input in random sorted reversed equal; do
        right qr_sort --input "$input" "$1"
    done
    expect_result "qr_sort($1) = 42"
}

# launches N ARGUMENT...: qr_apsp says how many it took, with one before each; the last one found nothing
launches() {
    local times
    run 0 qr_apsp "${@:2}" --stats stats
    expect out "^qr_apsp\($1\) = "
    times=$(sed -n 's/^# launches *\([0-9]*\) until none found a shorter path$/\1/p' out)
    ((times >= 2)) || fail "launches: '$times'"
    (($(statistic stats gpu.dispatches) == 2 * times)) || fail "$times launches, $(statistic stats gpu.dispatches) dispatches"
    note "$times launches, $(statistic stats gpu.cycles) cycles"
}

# It comes to no end in so few cycles, and says which launch it had come to.
endless() {
    run 3 qr_apsp 64 --set gpu.cycle_limit=20000
    expect err 'cycle limit reached: .*; step [01] of 0 to 1, kernel apsp_(begin|relax), repeat [0-9]+'
}

# shapes PROGRAM ARGUMENT...
shapes() {
    local shape
    for shape in gpu.cus=1 gpu.cus=64 "gpu.lanes=32 --set gpu.simd_lanes=8"; do
        # shellcheck disable=SC2086 # two options
        run 0 "$1" --set $shape "${@:2}" --quiet
    done
}

for n in 1 2 24 257 5001; do
    check "qr_spmv $n" right qr_spmv $n
done
for times in 1 7; do
    check "qr_spmv, $times times" right qr_spmv --times $times 300
done
check_rest "qr_spmv by default" by_default qr_spmv 16384 4
check_sample 3 "qr_spmv on every shape" shapes qr_spmv 3000
check_sample 3 "qr_spmv repeated" equal_runs qr_spmv 3000

for n in 1 31 32 33 100; do
    check "qr_matrixmul $n" right qr_matrixmul $n
done
check_rest "qr_matrixmul by default" by_default qr_matrixmul 320 1
check_sample 3 "qr_matrixmul on every shape" shapes qr_matrixmul 64
check_sample 3 "qr_matrixmul repeated" equal_runs qr_matrixmul 64

for n in 1 7 8 9 100; do
    check "qr_dct $n" right qr_dct $n
done
check_rest "qr_dct by default" by_default qr_dct 384 2
check_sample 3 "qr_dct on every shape" shapes qr_dct 64
check_sample 3 "qr_dct repeated" equal_runs qr_dct 64

for n in 1 3 4 16383 16385 100003; do
    check "qr_histogram $n" right qr_histogram $n
done
for parts in 1 3 128; do
    check_sample 3 "qr_histogram in $parts parts" right qr_histogram --parts $parts 70001
done
check_rest "qr_histogram by default" by_default qr_histogram 2097152 8
check_sample 3 "qr_histogram of five blocks in four parts" dispatches 6 qr_histogram 70001
check_sample 3 "qr_histogram on every shape" shapes qr_histogram 70001
check_sample 3 "qr_histogram repeated" equal_runs qr_histogram 70001

for n in 1 2 255 256 257 65536 65537; do
    check "qr_reduction $n" right qr_reduction $n
done
check_rest "qr_reduction by default" by_default qr_reduction 524288 3
check "qr_reduction of a block" dispatches 1 qr_reduction 256
check_sample 3 "qr_reduction of more than 256 blocks" dispatches 3 qr_reduction 65537
check_sample 3 "qr_reduction, 64 times" dispatches 128 qr_reduction --times 64 5000
check_sample 3 "qr_reduction on every shape" shapes qr_reduction 5000
check_sample 3 "qr_reduction repeated" equal_runs qr_reduction 5000

for n in 1 2 63 64 65 257 5001; do
    check_sample 3 "qr_sort $n, all inputs" inputs $n
done
check_rest "qr_sort by default" by_default qr_sort 16384 16
check_sample 3 "qr_sort on every shape" shapes qr_sort 3000
check_sample 3 "qr_sort repeated" equal_runs qr_sort 3000

for n in 1 2 3 63 65 257; do
    check "qr_apsp $n" right qr_apsp $n
done
check_rest "qr_apsp by default" launches 256
check "qr_apsp of three" launches 3 3
check_sample 3 "qr_apsp on every shape" shapes qr_apsp 70
check_sample 3 "qr_apsp repeated" equal_runs qr_apsp 70
check "qr_apsp without end" endless
