#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs of the evaluation of hybrid caching (docs/know/hybrid-programs.md) whose wavefronts access words side by side, or one
# for all lanes, or words evenly apart: potentials of atoms, lattice-Boltzmann method, magnetic resonance, product of
# matrices, stencil. Right at the smallest and at odd sizes, on every memory system that the build has, with wavefronts of
# 8, 32 and 64 lanes, on one compute unit and 16, where results are the same; launches as they are described; what
# wavefronts access as Table 4.2 of papers/003 says; equal runs equal. The long suites run them by default,
# on the machine of the thesis.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/hybrid.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/hybrid.sh"

# patterns WORDS PROGRAM ARGUMENT...: accesses of wavefronts are of these kinds, and of no others; none of them is atomic, and
# nothing is called
patterns() {
    local kind count
    same "$2" "${hybrid_machine[@]}" --stats stats "${@:3}"
    expect_statistics simt.atomics 0 simt.calls 0
    for kind in $hybrid_patterns; do
        count=$(statistic stats simt.pattern."$kind")
        if [[ " $1 " == *" $kind "* ]]; then
            ((count > 0)) || fail "none is $kind"
        else
            ((count == 0)) || fail "$count are $kind"
        fi
    done
}

# layouts ARGUMENT...: whatever hybrid_lbm's layout is, the result is the same
layouts() {
    right hybrid_lbm --layout aos "$@"
    right hybrid_lbm --layout soa "$@"
}

for n in 1 4 5 8 9 17; do
    check_sample 3 "hybrid_cutcp $n" right hybrid_cutcp $n
done
check "hybrid_cutcp, one atom" right hybrid_cutcp --atoms 1 10
check "hybrid_cutcp, more atoms than points" right hybrid_cutcp --atoms 700 7
check "hybrid_cutcp on every shape" shapes hybrid_cutcp 13
# 2 x 3 x 3 tiles of 32 items are 5 groups of 128
check "hybrid_cutcp, one run" launches 1 5 hybrid_cutcp 12
check "hybrid_cutcp, side by side and broadcast" patterns "unit_stride broadcast" hybrid_cutcp 16

for n in 3 33; do
    check_sample 3 "hybrid_lbm $n" layouts --depth 5 --steps 3 $n
done
check "hybrid_lbm, three planes" layouts --depth 3 --steps 2 20
check "hybrid_lbm, one step" layouts --depth 9 --steps 1 10
for layout in aos soa; do
    check_sample 3 "hybrid_lbm on every shape, $layout" shapes hybrid_lbm --layout $layout --depth 5 --steps 2 13
    # 2000 cells
    check_sample 3 "hybrid_lbm, one run, $layout" launches 4 64 hybrid_lbm --layout $layout --depth 5 --steps 4 20
done
check "hybrid_lbm, cells apart" patterns strided hybrid_lbm --layout aos --depth 4 16
check "hybrid_lbm, cells side by side" patterns unit_stride hybrid_lbm --layout soa --depth 4 16

for n in 1 2 5 19; do
    check_sample 3 "hybrid_mriq $n" right hybrid_mriq $n
done
for samples in 1 32 33 8160; do
    check_sample 3 "hybrid_mriq, $samples samples" right hybrid_mriq --samples $samples 4
done
check "hybrid_mriq on every shape" shapes hybrid_mriq 13
# a group for 70 samples, and for each of three blocks 4 for 1000 voxels
check "hybrid_mriq, one run" launches 4 13 hybrid_mriq --samples 70 10
check "hybrid_mriq, side by side and broadcast" patterns "unit_stride broadcast" hybrid_mriq 16

for n in 1 2 127 129; do
    check_sample 3 "hybrid_sgemm $n" right hybrid_sgemm --inner 17 $n
done
for inner in 1 200; do
    check_sample 3 "hybrid_sgemm, $inner columns" right hybrid_sgemm --inner $inner 60
done
check "hybrid_sgemm on every shape" shapes hybrid_sgemm --inner 20 130
# 2 x 8 groups of 128 x 32 elements
check "hybrid_sgemm, one run" launches 1 16 hybrid_sgemm --inner 20 130
check "hybrid_sgemm, side by side and broadcast" patterns "unit_stride broadcast" hybrid_sgemm --inner 40 128

for n in 3 4 33 70; do
    check_sample 3 "hybrid_stencil $n" right hybrid_stencil --depth 7 --steps 3 $n
done
check "hybrid_stencil, three planes" right hybrid_stencil --depth 3 40
check "hybrid_stencil, one step" right hybrid_stencil --depth 9 --steps 1 40
check "hybrid_stencil on every shape" shapes hybrid_stencil --depth 5 --steps 3 45
# 2 x 5 groups
check "hybrid_stencil, one run" launches 3 30 hybrid_stencil --depth 5 --steps 3 40
check "hybrid_stencil, side by side" patterns unit_stride hybrid_stencil --depth 5 96

for program in "cutcp 12" "lbm --depth 5 --steps 3 13" "mriq 10" "sgemm --inner 20 100" "stencil --depth 5 40"; do
    # shellcheck disable=SC2086 # the words of a command
    check_sample 3 "repeated, hybrid_${program%% *}" equal_runs hybrid_$program "${hybrid_machine[@]}"
done
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "hybrid_cutcp, its data" data "hybrid_cutcp(64) = 0.6807"
    check "hybrid_lbm, its data" data "hybrid_lbm(64) = 0.999942227"
    check "hybrid_lbm, its data, soa" data "hybrid_lbm(64) = 0.999942227" --layout soa
    check "hybrid_mriq, its data" data "hybrid_mriq(60) = 5.945"
    check "hybrid_sgemm, its data" data "hybrid_sgemm(768) = -0.00687885857"
    check "hybrid_stencil, its data" data "hybrid_stencil(256) = 0.000221927125"
fi
