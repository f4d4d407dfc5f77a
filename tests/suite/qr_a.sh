#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs of the evaluation of QuickRelease after Rodinia's (docs/know/quickrelease-programs.md): nearest neighbours,
# k-means, breadth-first search, back propagation, LU decomposition, alignment, diffusion, stencil. Right at sizes from
# the smallest on, on each memory system that there is, with other options and shapes of the machine; launches as one
# run; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

systems=$(memory_systems)

# right PROGRAM ARGUMENT...: the program checks itself; the last argument is N
right() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = -?[0-9.]+$"
}

# everywhere PROGRAM ARGUMENT...: the same result in each memory system, or in the two whose turn it is
everywhere() {
    local system line=
    for system in $(in_turn "$systems"); do
        right "$1" --set mem.system="$system" "${@:2}"
        [[ -z $line || $(<out) == "$line" ]] || fail "$(<out) with $system, $line before"
        line=$(<out)
    done
    [[ -n $line ]] || fail "no memory systems"
}

# The default size, without N.
default() {
    run 0 "$1" --quiet
    expect_result "$2"
}

# counts DISPATCHES WORK_GROUPS PROGRAM ARGUMENT...
counts() {
    run 0 "${@:3}" --quiet --stats stats
    (($(statistic stats gpu.dispatches) == $1)) || fail "$(statistic stats gpu.dispatches) launches"
    (($(statistic stats gpu.workgroups) == $2)) || fail "$(statistic stats gpu.workgroups) work-groups"
}

# Two launches for each distance, and two more that reach nothing.
bfs_counts() {
    local depth
    run 0 qr_bfs 1000 --quiet --stats stats
    depth=$(sed -n 's/^qr_bfs(1000) = //p' out)
    (($(statistic stats gpu.dispatches) == 2 * (depth + 1))) || fail "$depth: $(statistic stats gpu.dispatches) launches"
}

# No point moves in the last round, so that rounds are left.
converges() {
    run 0 qr_kmeans 300 --clusters 3 --rounds 1000 --stats stats
    rounds=$(sed -n 's/^# rounds *//p' out)
    ((rounds > 2 && rounds < 1000)) || fail "$rounds rounds"
    (($(statistic stats gpu.dispatches) == 1 + 3 * rounds)) || fail "$rounds: $(statistic stats gpu.dispatches) launches"
}

nearest() {
    run 0 qr_nn 1000 --nearest "$1" --points "$2"
    (($(grep -c '^# point .* at a distance of ' out) == $1 * $2)) || fail "$(cat out)"
    sort -c -k 3,3n -k 10,10g <(grep '^# point' out) || fail "not in order: $(cat out)"
}

# What is nearest in a few is all that there are.
nearest_of_few() {
    run 0 qr_nn 3
    (($(grep -c '^# point' out) == 3)) || fail "$(cat out)"
}

for n in 1 2 63 257 5000; do
    check_sample 3 "qr_nn $n" everywhere qr_nn $n
done
for n in 1 2 3 65 1000 4001; do
    check_sample 3 "qr_bfs $n" everywhere qr_bfs $n
done
for n in 1 2 5 63 257 1000; do
    check_sample 3 "qr_kmeans $n" everywhere qr_kmeans $n
done
for n in 1 2 15 16 17 255 1000; do
    check_sample 3 "qr_backprop $n" everywhere qr_backprop $n
done
for n in 1 2 15 16 17 47 80; do
    check_sample 3 "qr_lud $n" everywhere qr_lud $n
done
for n in 1 2 16 17 100; do
    check_sample 3 "qr_nw $n" everywhere qr_nw $n
done
for n in 2 3 16 33 100; do
    check_sample 3 "qr_srad $n" everywhere qr_srad $n
done
for n in 1 2 3 12 13 64 100; do
    check_sample 3 "qr_hotspot $n" everywhere qr_hotspot $n
done

check "qr_nn, nearest of five points" nearest 7 5
check "qr_nn, one of one" nearest 1 1
check "qr_nn, nearest of few" nearest_of_few
for degree in 1 32; do
    check_sample 3 "qr_bfs, degree $degree" everywhere qr_bfs --degree $degree --seed 7 700
done
check_sample 3 "qr_kmeans, a cluster for each point" everywhere qr_kmeans --clusters 40 --rounds 3 40
check_sample 3 "qr_kmeans, one cluster of one coordinate" everywhere qr_kmeans --clusters 1 --features 1 500
check_sample 3 "qr_kmeans, most coordinates" everywhere qr_kmeans --clusters 3 --features 64 300
check "qr_kmeans, until no point moves" converges
check_sample 3 "qr_backprop, ten epochs" everywhere qr_backprop --epochs 10 100
check_sample 3 "qr_nw, nothing for letters that are left out" everywhere qr_nw --penalty 0 50
check_sample 3 "qr_srad, ten iterations" everywhere qr_srad --iterations 10 20
for at_once in 1 3 7; do
    check_sample 3 "qr_hotspot, $at_once steps at once" everywhere qr_hotspot --at-once $at_once --steps 10 37
done
for shape in cus=1 cus=64 lanes=8 lanes=32; do
    for program in nn bfs kmeans backprop lud nw srad hotspot; do
        check_sample 3 "qr_$program, $shape" right qr_$program --set gpu.$shape --set gpu.simd_lanes=8 70
    done
done

check_sample 3 "qr_nn, default" default qr_nn "qr_nn(262144) = 236658"
check_sample 3 "qr_bfs, default" default qr_bfs "qr_bfs(32768) = 9"
check_sample 3 "qr_kmeans, default" default qr_kmeans "qr_kmeans(8192) = -0.226133558"
check_sample 3 "qr_backprop, default" default qr_backprop "qr_backprop(8192) = 0.0968295932"
check_sample 3 "qr_lud, default" default qr_lud "qr_lud(256) = 65786.9524"
check_sample 3 "qr_nw, default" default qr_nw "qr_nw(512) = 982"
check_sample 3 "qr_srad, default" default qr_srad "qr_srad(256) = 0.12032789"
check_sample 3 "qr_hotspot, default" default qr_hotspot "qr_hotspot(256) = 328.137286"

# 4 groups of 256 for each of 3 points
check "qr_nn, one run" counts 3 12 qr_nn --points 3 1000
check "qr_bfs, one run" bfs_counts
# 1 + 2 (1 + 1 + 1) launches; 4 groups transpose, and twice 4 assign, 5 x 16 centres, 1 decides
check "qr_kmeans, one run" counts 7 174 qr_kmeans --rounds 2 1000
# 63 groups of 16 inputs forward and back, and one of each that is between
check "qr_backprop, one run" counts 8 256 qr_backprop --epochs 2 1000
# 3 blocks: 1 + 2 + 4, 1 + 1 + 1, 1
check "qr_lud, one run" counts 7 11 qr_lud 48
# diagonals of 1, 2, 3, 2, 1 blocks
check "qr_nw, one run" counts 5 9 qr_nw 40
# 32 groups and 1 add up, 7 x 7 x 32 / 256 work twice
check "qr_srad, one run" counts 8 94 qr_srad --iterations 2 40
# 3 + 3 + 1 steps: 10 x 10 cells of a group, then 14 x 14
check "qr_hotspot, one run" counts 3 59 qr_hotspot --at-once 3 --steps 7 42
for program in nn bfs kmeans backprop lud nw srad hotspot; do
    check_sample 3 "repeated, qr_$program" equal_runs qr_$program 60
done

check "qr_kmeans, more clusters than points" bad_arguments "--clusters: 9 are more than the 8 points" qr_kmeans --clusters 9 8
