#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs of the evaluation of hybrid caching (docs/know/hybrid-programs.md) whose data says what is accessed: breadth-first
# search, gridding, histogram, sparse matrix by vector. Right at the smallest and at odd sizes, on every memory system that
# the build has, with wavefronts of 8, 32 and 64 lanes, on one compute unit and 16, where results are the same; launches as
# they are described; what wavefronts access as Table 4.2 of papers/003 says; equal runs equal. The long
# suites run them by default, on the machine of the thesis.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/hybrid.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/hybrid.sh"

# Two launches for each distance, and one that finds nothing.
bfs_launches() {
    local depth
    same hybrid_bfs "${hybrid_machine[@]}" --stats stats 3000
    depth=$(sed -n 's/^hybrid_bfs(3000) = //p' out)
    expect_statistics gpu.dispatches $((2 * depth + 1)) simt.lds_accesses 0 simt.barriers 0
}

# What is counted of the second image is less: bins that are full since the first one are left out.
histo_fills() {
    local one two
    run 0 hybrid_histo --bins 16 --images 1 5000 --quiet --stats one
    run 0 hybrid_histo --bins 16 --images 2 5000 --quiet --stats two
    one=$(statistic one simt.atomics) two=$(statistic two simt.atomics)
    ((one > 0 && two < 2 * one)) || fail "$one atomics for an image, $two for two"
}

# mostly KIND PERCENT PROGRAM ARGUMENT...: accesses of this kind are at least so many of all; none of them is atomic
mostly() {
    local kind all=0
    same "$3" "${hybrid_machine[@]}" --stats stats "${@:4}"
    expect_statistics simt.atomics 0
    for kind in $hybrid_patterns; do
        all=$((all + $(statistic stats simt.pattern."$kind")))
    done
    (($(statistic stats simt.pattern."$1") * 100 >= $2 * all)) || fail "$(statistic stats simt.pattern."$1") of $all"
}

for n in 1 2 3 65 9011; do
    check_sample 3 "hybrid_bfs $n" right hybrid_bfs $n
done
for degree in 1 32; do
    check_sample 3 "hybrid_bfs, degree $degree" right hybrid_bfs --degree $degree --seed 7 700
done
check "hybrid_bfs on every shape" shapes hybrid_bfs 3000
check "hybrid_bfs, one run" bfs_launches

for n in 1 2 9 21; do
    check_sample 3 "hybrid_gridding $n" right hybrid_gridding --samples 700 $n
done
for samples in 1 2 95 97 9000; do
    check_sample 3 "hybrid_gridding, $samples samples" right hybrid_gridding --samples $samples 12
done
check "hybrid_gridding on every shape" shapes hybrid_gridding --samples 3000 18
# for each of three digits 3 + 1 + 1 + 1 + 3 groups; 3 x 8 of samples, and 2 x 3 x 3 of points
check "hybrid_gridding, one run" launches 19 69 hybrid_gridding --samples 1000 12
check "hybrid_gridding, samples are broadcast" mostly broadcast 75 hybrid_gridding --samples 6000 25

for n in 1 2 31 4095 4097; do
    check_sample 3 "hybrid_histo $n" right hybrid_histo --bins 5003 $n
done
for bins in 1 7 8; do
    check_sample 3 "hybrid_histo, $bins bins" right hybrid_histo --bins $bins --images 3 3000
done
check "hybrid_histo, more bins than pixels" right hybrid_histo --bins 32769 --images 1 5000
check "hybrid_histo, 64 images" right hybrid_histo --bins 100 --images 64 200
check "hybrid_histo on every shape" shapes hybrid_histo --bins 3000 10000
# of 5000 pixels two slices: 2 + 2 + 8 x 2 groups, and 1000 bins are 4
check "hybrid_histo, one run" launches 8 48 hybrid_histo --images 2 --bins 1000 5000
check "hybrid_histo, full bins" histo_fills

for n in 1 2 63 1001; do
    check_sample 3 "hybrid_spmv $n" right hybrid_spmv $n
done
for times in 1 8; do
    check_sample 3 "hybrid_spmv, $times times" right hybrid_spmv --times $times 300
done
check "hybrid_spmv on every shape" shapes hybrid_spmv --times 2 1000
# 16 rows a group
check "hybrid_spmv, one run" launches 3 189 hybrid_spmv --times 3 1000
check "hybrid_spmv, rows and vector from anywhere" mostly scattered 60 hybrid_spmv --times 2 2000

for program in "bfs 3000" "gridding --samples 2000 15" "histo --bins 3000 5000" "spmv --times 2 1000"; do
    # shellcheck disable=SC2086 # the words of a command
    check_sample 3 "repeated, hybrid_${program%% *}" equal_runs hybrid_$program "${hybrid_machine[@]}"
done
check_rest "hybrid_bfs by default" by_default "hybrid_bfs(262144) = 11" --set mem.system=flat
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "hybrid_bfs, its data" data "hybrid_bfs(262144) = 11"
    check "hybrid_gridding, its data" data "hybrid_gridding(64) = 1.387102"
    check "hybrid_histo, its data" data "hybrid_histo(524288) = 836659"
    check "hybrid_spmv, its data" data "hybrid_spmv(49152) = -0.00199418418"
fi
