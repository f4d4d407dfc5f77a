#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs of the evaluation of hybrid caching (docs/hybrid-programs-B.md): stencil, product of matrices, lattice-Boltzmann
# method, sparse matrix by vector, gridding. Right at the smallest and at odd sizes, on every memory system that the build
# has, with wavefronts of 8, 32 and 64 lanes, on one compute unit and 16, where results are the same; launches as they are
# described; what wavefronts access as Table 4.2 of papers/003 says; equal runs equal; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/hybrid.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/hybrid.sh"

# patterns WORDS PROGRAM ARGUMENT...: accesses of wavefronts are of these kinds, and of no others; none of them is atomic, none
# to a stack
patterns() {
    local kind count
    same "$2" "${hybrid_machine[@]}" --stats stats "${@:3}"
    expect_statistics simt.atomics 0
    for kind in unit_stride strided broadcast scattered; do
        count=$(statistic stats simt.pattern.$kind)
        if [[ " $1 " == *" $kind "* ]]; then
            ((count > 0)) || fail "none is $kind"
        else
            ((count == 0)) || fail "$count are $kind"
        fi
    done
}

# mostly KIND PERCENT PROGRAM ARGUMENT...: accesses of this kind are at least so many of all
mostly() {
    local kind all=0
    same "$3" "${hybrid_machine[@]}" --stats stats "${@:4}"
    expect_statistics simt.atomics 0
    for kind in unit_stride strided broadcast scattered; do
        all=$((all + $(statistic stats simt.pattern.$kind)))
    done
    (($(statistic stats simt.pattern."$1") * 100 >= $2 * all)) || fail "$(statistic stats simt.pattern."$1") of $all"
}

# layouts ARGUMENT...: whatever hybrid_lbm's layout is, the result is the same
layouts() {
    right hybrid_lbm --layout aos "$@"
    right hybrid_lbm --layout soa "$@"
}

# by_default PROGRAM N: with more data than the largest L2 of papers/003 holds
by_default() {
    run 0 "$1" "${hybrid_machine[@]}" "${@:3}" --quiet --stats stats
    expect out "^$1\($2\) = "
    (($(statistic stats dram.bytes) >= 4 << 20)) || fail "$(statistic stats dram.bytes) bytes"
    note "$(statistic stats simt.wave_instructions) wavefront instructions"
}

for n in 3 4 33 100; do
    check "hybrid_stencil $n" right hybrid_stencil --depth 7 $n
done
check "hybrid_stencil, three planes" right hybrid_stencil --depth 3 40
check "hybrid_stencil, one step" right hybrid_stencil --depth 9 --steps 1 40
check "hybrid_stencil on every shape" shapes hybrid_stencil --depth 5 45
# 2 x 5 groups
check "hybrid_stencil, one run" launches 3 30 hybrid_stencil --depth 5 --steps 3 40
check "hybrid_stencil, side by side" patterns unit_stride hybrid_stencil --depth 5 96

for n in 1 2 127 129 200; do
    check "hybrid_sgemm $n" right hybrid_sgemm --inner 17 $n
done
for inner in 1 300; do
    check "hybrid_sgemm, $inner columns" right hybrid_sgemm --inner $inner 60
done
check "hybrid_sgemm on every shape" shapes hybrid_sgemm --inner 20 130
# 2 x 8 groups of 128 x 32 elements
check "hybrid_sgemm, one run" launches 1 16 hybrid_sgemm --inner 20 130
check "hybrid_sgemm, side by side and broadcast" patterns "unit_stride broadcast" hybrid_sgemm --inner 40 128

for n in 3 4 17 40; do
    check "hybrid_lbm $n" layouts --depth 7 --steps 4 $n
done
check "hybrid_lbm, three planes" layouts --depth 3 30
check "hybrid_lbm, one step" layouts --depth 9 --steps 1 20
for layout in aos soa; do
    check "hybrid_lbm on every shape, $layout" shapes hybrid_lbm --layout $layout --depth 6 --steps 3 21
    # 2000 cells
    check "hybrid_lbm, one run, $layout" launches 4 64 hybrid_lbm --layout $layout --depth 5 --steps 4 20
done
check "hybrid_lbm, cells apart" patterns strided hybrid_lbm --layout aos --depth 4 16
check "hybrid_lbm, cells side by side" patterns unit_stride hybrid_lbm --layout soa --depth 4 16

for n in 1 2 63 1001 5000; do
    check "hybrid_spmv $n" right hybrid_spmv $n
done
for times in 1 8; do
    check "hybrid_spmv, $times times" right hybrid_spmv --times $times 300
done
check "hybrid_spmv on every shape" shapes hybrid_spmv 1000
# 16 rows a group
check "hybrid_spmv, one run" launches 3 189 hybrid_spmv --times 3 1000
check "hybrid_spmv, rows and vector from anywhere" mostly scattered 60 hybrid_spmv 2000

for n in 1 2 9 20 33; do
    check "hybrid_gridding $n" right hybrid_gridding --samples 1000 $n
done
for samples in 1 2 95 97 30000; do
    check "hybrid_gridding, $samples samples" right hybrid_gridding --samples $samples 12
done
check "hybrid_gridding on every shape" shapes hybrid_gridding --samples 3000 18
# for each of three digits 3 + 1 + 1 + 1 + 3 groups; 3 x 8 of samples, and 2 x 3 x 3 of points
check "hybrid_gridding, one run" launches 19 69 hybrid_gridding --samples 1000 12
check "hybrid_gridding, samples are broadcast" mostly broadcast 75 hybrid_gridding --samples 8000 30

for program in "stencil --depth 5 40" "sgemm --inner 20 100" "lbm --depth 5 20" "spmv 1000" "gridding --samples 2000 15"; do
    # shellcheck disable=SC2086 # the words of a command
    check "repeated, hybrid_${program%% *}" equal_runs hybrid_$program "${hybrid_machine[@]}"
done
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "hybrid_stencil by default" by_default hybrid_stencil 256
    check "hybrid_sgemm by default" by_default hybrid_sgemm 768
    check "hybrid_lbm by default" by_default hybrid_lbm 64
    check "hybrid_lbm by default, soa" by_default hybrid_lbm 64 --layout soa
    check "hybrid_spmv by default" by_default hybrid_spmv 49152
    check "hybrid_gridding by default" by_default hybrid_gridding 64
fi

hybrid_refusals hybrid_stencil 3 1024
hybrid_refusals hybrid_sgemm 1 2048
hybrid_refusals hybrid_lbm 3 512
hybrid_refusals hybrid_spmv 1 1048576
hybrid_refusals hybrid_gridding 1 256
check "hybrid_stencil, two planes" bad_arguments "--depth: '2' is not a number from 3 to 1024" hybrid_stencil --depth 2
check "hybrid_stencil, no steps" bad_arguments "--steps: '0' is not a number from 1 to 256" hybrid_stencil --steps 0
check "hybrid_sgemm, no columns" bad_arguments "--inner: '0' is not a number from 1 to 2048" hybrid_sgemm --inner 0
check "hybrid_lbm, too many planes" bad_arguments "--depth: '513' is not a number from 3 to 512" hybrid_lbm --depth 513
check "hybrid_lbm, no such layout" bad_arguments "--layout: 'csr' is neither aos nor soa" hybrid_lbm --layout csr
check "hybrid_spmv never" bad_arguments "--times: '0' is not a number from 1 to 64" hybrid_spmv --times 0
check "hybrid_gridding, no samples" bad_arguments "--samples: '0' is not a number from 1 to 4194304" hybrid_gridding --samples 0
