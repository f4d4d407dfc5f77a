#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs of the evaluation of hybrid caching (docs/hybrid-programs-A.md): breadth-first search, histogram, potentials,
# magnetic resonance. Right by default, at the smallest and at odd sizes, on every memory system that the build has, with
# wavefronts of 8, 32 and 64 lanes, on one compute unit and 16, where results are the same; launches as they are described,
# without LDS; equal runs equal; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

systems=$(memory_systems)

# The machine that they are made for, as far as memory systems have it in common.
machine=(--set gpu.cus=16 --set gpu.lanes=32 --set gpu.simd_lanes=16 --set gpu.contexts=64)

# same PROGRAM ARGUMENT...: the program checks itself, and has the result that the test's runs before had; the last
# argument is N
same() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = -?[0-9.e+-]+$"
    [[ ! -f result ]] || cmp result out || fail "$* gives $(<out), before: $(<result)"
    cp out result
}

# right PROGRAM ARGUMENT...: in each memory system, or in the two whose turn it is
right() {
    local system
    [[ -n $systems ]] || fail "no memory systems"
    for system in $(in_turn "$systems"); do
        same "$1" "${machine[@]}" --set mem.system="$system" "${@:2}"
    done
}

# shapes PROGRAM ARGUMENT...
shapes() {
    local cus lanes
    for cus in 1 16; do
        for lanes in 8 32 64; do
            same "$1" --set gpu.cus=$cus --set gpu.lanes=$lanes --set gpu.simd_lanes=8 "${@:2}"
        done
    done
}

# launches DISPATCHES WORK_GROUPS PROGRAM ARGUMENT...: so many, and none that uses LDS or barriers
launches() {
    same "$3" --stats stats "${@:4}"
    expect_statistics gpu.dispatches "$1" gpu.workgroups "$2" simt.lds_accesses 0 simt.barriers 0
}

# Two launches for each distance, and one that finds nothing.
bfs_launches() {
    local depth
    run 0 hybrid_bfs 3000 --quiet --stats stats
    depth=$(sed -n 's/^hybrid_bfs(3000) = //p' out)
    expect_statistics gpu.dispatches $((2 * depth + 1)) simt.lds_accesses 0 simt.barriers 0
}

# lines PROGRAM ARGUMENT...: a wavefront loads one word for all lanes, or words side by side, and stores these; nothing is
# on a stack
lines() {
    run 0 "$1" "${machine[@]}" "${@:2}" --quiet --stats stats
    expect_statistics simt.pattern.strided 0 simt.pattern.scattered 0 simt.calls 0
    (($(statistic stats simt.pattern.broadcast) > 0 && $(statistic stats simt.pattern.unit_stride) > 0)) ||
        fail "none broadcast, or none side by side"
}

# What is counted of the second image is less: bins that are full since the first one are left out.
histo_fills() {
    local one two
    run 0 hybrid_histo --bins 16 --images 1 5000 --quiet --stats one
    run 0 hybrid_histo --bins 16 --images 2 5000 --quiet --stats two
    one=$(statistic one simt.atomics) two=$(statistic two simt.atomics)
    ((one > 0 && two < 2 * one)) || fail "$one atomics for an image, $two for two"
}

# by_default PROGRAM RESULT: without N, with a footprint of some MiB
by_default() {
    run 0 "$1" "${machine[@]}" --set mem.system=flat --quiet --stats stats
    expect_result "$2"
    note "$(statistic stats simt.wave_instructions) wavefront instructions"
}

for n in 1 2 3 65 1000 20011; do
    check "hybrid_bfs $n" right hybrid_bfs $n
done
for degree in 1 32; do
    check "hybrid_bfs, degree $degree" right hybrid_bfs --degree $degree --seed 7 700
done
for n in 1 2 31 4095 4097 30011; do
    check "hybrid_histo $n" right hybrid_histo --bins 5003 $n
done
for bins in 1 7 8 1001; do
    check "hybrid_histo, $bins bins" right hybrid_histo --bins $bins --images 3 5000
done
check "hybrid_histo, more bins than pixels" right hybrid_histo --bins 1048577 --images 1 5000
check "hybrid_histo, 64 images" right hybrid_histo --bins 100 --images 64 200
for n in 1 4 5 8 9 33; do
    check "hybrid_cutcp $n" right hybrid_cutcp $n
done
check "hybrid_cutcp, one atom" right hybrid_cutcp --atoms 1 10
check "hybrid_cutcp, more atoms than points" right hybrid_cutcp --atoms 700 7
for n in 1 2 5 32; do
    check "hybrid_mriq $n" right hybrid_mriq $n
done
for samples in 1 32 33 8160; do
    check "hybrid_mriq, $samples samples" right hybrid_mriq --samples $samples 4
done

check "hybrid_bfs on every shape" shapes hybrid_bfs 3000
check "hybrid_histo on every shape" shapes hybrid_histo --bins 3000 10000
check "hybrid_cutcp on every shape" shapes hybrid_cutcp 21
check "hybrid_mriq on every shape" shapes hybrid_mriq 13

check "hybrid_bfs, one run" bfs_launches
# of 5000 pixels two slices: 2 + 2 + 8 x 2 groups, and 1000 bins are 4
check "hybrid_histo, one run" launches 8 48 hybrid_histo --images 2 --bins 1000 5000
# 2 x 3 x 3 tiles of 32 items are 5 groups of 128
check "hybrid_cutcp, one run" launches 1 5 hybrid_cutcp 12
# a group for 70 samples, and for each of three blocks 4 for 1000 voxels
check "hybrid_mriq, one run" launches 4 13 hybrid_mriq --samples 70 10

check "hybrid_bfs, default" by_default hybrid_bfs "hybrid_bfs(262144) = 11"
check "hybrid_histo, default" by_default hybrid_histo "hybrid_histo(524288) = 836659"
check "hybrid_cutcp, default" by_default hybrid_cutcp "hybrid_cutcp(64) = 0.6807"
check "hybrid_mriq, default" by_default hybrid_mriq "hybrid_mriq(60) = 5.945"

check "hybrid_cutcp, whole lines" lines hybrid_cutcp 24
check "hybrid_mriq, whole lines" lines hybrid_mriq 16
check "hybrid_histo, full bins" histo_fills
for program in bfs:3000 histo:5000 cutcp:20 mriq:10; do
    check "repeated, hybrid_${program%:*}" equal_runs hybrid_"${program%:*}" "${machine[@]}" "${program#*:}"
done

for program in bfs:1048576 histo:16777216 cutcp:160 mriq:256; do
    name=hybrid_${program%:*} most=${program#*:}
    check "$name of nothing" bad_arguments "N: '0' is not a number from 1 to $most" "$name" 0
    check "$name of too much" bad_arguments "N: '$((most + 1))' is not a number from 1 to $most" "$name" $((most + 1))
    check "$name of two" bad_arguments "one argument, N, is expected, and '9' is another" "$name" 8 9
done
check "hybrid_bfs, no edges" bad_arguments "--degree: '0' is not a number from 1 to 32" hybrid_bfs --degree 0
check "hybrid_histo, no bins" bad_arguments "--bins: '0' is not a number from 1 to 16777216" hybrid_histo --bins 0
check "hybrid_histo, too many images" bad_arguments "--images: '65' is not a number from 1 to 64" hybrid_histo --images 65
check "hybrid_cutcp, no atoms" bad_arguments "--atoms: '0' is not a number from 1 to 4194304" hybrid_cutcp --atoms 0
check "hybrid_mriq, too many samples" bad_arguments "--samples: '8161' is not a number from 1 to 8160" hybrid_mriq --samples 8161
