#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Channel variants (papers/001 section 8.1): results with each on fib and the Cilk programs, down to channels that run
# full; narrow channels that wrap, with counters from anywhere (tests/probes/channels/wrap.c); the number of successful
# compare-and-swaps, which follows from the program alone where each work-item makes its own; equal runs.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

variants=(wavefront workitem padded soa stamped)

# right PROGRAM VARIANT N ARGUMENT...
right() {
    run 0 "$1" "$3" --variant "$2" --quiet --stats stats "${@:4}"
    expect_result "$1($3) = $(fibonacci "$3")"
}

# all_right VARIANT N...
all_right() {
    local n
    for n in "${@:2}"; do
        right fib "$1" "$n"
    done
    note "$(statistic stats gpu.cycles) cycles, $(statistic stats channel.cas_attempts) CAS for fib ${*: -1}"
}

# One for each talloc and each enq of a lane with children; fib(20) - 1 lanes have some.
successes() {
    right fib workitem 20
    local attempts failures
    attempts=$(statistic stats channel.cas_attempts)
    failures=$(statistic stats channel.cas_failures)
    ((attempts - failures == 2 * (6765 - 1))) || fail "$attempts attempts, $failures failures"
}

# Without a variant nothing else is done than with the default one.
default() {
    run 0 fib 20 --quiet --stats stats1
    run 0 fib 20 --variant wavefront --quiet --stats stats2
    expect_same_statistics stats1 stats2
}

# N and the number of solutions
queens() {
    run 0 queens "$2" --variant "$1" --quiet --stats stats "${@:4}"
    expect_result "queens($2) = $3"
}

yielded() {
    (($(statistic stats gpu.yields) > 0)) || fail "no yields"
    note "$(statistic stats gpu.yields) yields"
}

yielding_queens() {
    queens "$1" 11 2680 --columns 2 --width 256 --batch 2
    yielded
}

# The checksum of the sorted keys is one for all variants; the program checks every key.
cilksort() {
    run 0 cilksort "$2" --variant "$1" --quiet --stats stats "${@:3}"
    mv out sorted
    run 0 cilksort "$2" --quiet
    expect_result "$(<sorted)"
}

cilksorts() {
    local n
    for n in 0 64 20001; do
        cilksort "$1" "$n"
    done
}

yielding_sort() {
    cilksort "$1" 30000 --width 512
    yielded
}

# The program checks the product.
strassen() {
    run 0 strassen "$2" --channels "$1" --quiet --stats stats "${@:3}"
    expect out "^strassen\($2\) = "
}

yielding_strassen() {
    strassen "$1" 256 --width 1024
    yielded
}

# Most nodes have one child or none, so that lanes make different numbers of tasks.
trees() {
    local n_sum
    for n_sum in 1:3967065 2:10162398 1000:8574466444 20000:167527993125; do
        tree_sum "$1" $n_sum
    done
}

tree_sum() { # tree_sum VARIANT N:SUM ARGUMENT...
    run 0 tree_sum "${2%:*}" --channels "$1" --quiet --stats stats "${@:3}"
    expect_result "tree_sum(${2%:*}) = ${2#*:}"
}

yielding_tree() {
    tree_sum "$1" 20000:167527993125 --width 256
    yielded
}

repeated() {
    local i
    for i in 1 2; do
        right cilk_fib "$1" 18 --width 256
        mv stats "stats$i"
    done
    expect_same_statistics stats1 stats2
    (($(statistic stats1 gpu.yields) > 0)) || fail "no yields"
    note "$(statistic stats1 gpu.yields) yields"
}

wrap() {
    run 0 wrap --variant "$@"
    expect out '^# 3 of 3 executions right, [1-9][0-9]* control entries in the slack$'
}

# Counters from which something can go wrong, on one width: where indices, and words of 32 and of 64 bits, wrap. With
# SLUICE_TEST_LONG, those beside them too, which the default form of the channels has always (wrap.sh).
wraps() {
    local first firsts=(63 4294967295 18446744073709551609)
    if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
        firsts=(0 61 63 64 4294967232 4294967291 4294967295 9223372036854775805 18446744073709551552
            18446744073709551609 18446744073709551615)
    fi
    for first in "${firsts[@]}"; do
        wrap "$1" --first "$first"
    done
    wrap "$1" --fan-out 8 --runners 1
    wrap "$1" --done-group 16 --fan-out 5 --runners 2
    wrap "$1" --width 128 --fan-out 7 --runners 6
}

# Programs without kernels for other forms of elements than packed ones say so.
no_kernels() {
    run 2 handover 8 --variant "$1"
    expect err "--variant: '$1': this program has kernels for wavefront, workitem and stamped only"
    run 2 strassen 16 --variant seven --channels "$1"
    expect err "--variant seven has kernels for the channels wavefront, workitem and stamped only"
}

# More than the channel holds, each work-item for itself.
overflow() {
    run 3 fib 24 --variant workitem --width 1024
    expect err "channel 0 'fib' overflows: width 1024, a wavefront demands [0-9]+ more elements"
}

stuck() {
    run 3 cilk_fib 20 --variant workitem --width 64 --narrow
    expect err "'tasks level [0-9]+' cannot take what a wavefront demands: level [0-9]+ of 19, width 64"
}

sizes=({1..8} 12 16 20)
[[ -z ${SLUICE_TEST_LONG:-} ]] || sizes=({1..24})
for variant in "${variants[@]}"; do
    check "fib 1 to ${sizes[-1]}, $variant" all_right "$variant" "${sizes[@]}"
    check_rest "fib 24, $variant" all_right "$variant" 24
    # Those of the default are in wrap.sh.
    [[ $variant == wavefront ]] || check_sample 4 "counters that wrap, $variant" wraps "$variant"
    for width in 32768 1024 256; do
        check "cilk_fib 20 in channels of $width, $variant" right cilk_fib "$variant" 20 --width $width
    done
    check "the narrowest, least pool, one compute unit, $variant" right cilk_fib "$variant" 18 --width 256 \
        --continuations 128 --set pool.blocks=17 --set gpu.cus=1
    check "queens 9, $variant" queens "$variant" 9 352
    check_sample 3 "queens 11 in narrow channels, $variant" yielding_queens "$variant"
    check_sample 3 "cilksort 0, 64 and 20001, $variant" cilksorts "$variant"
    check_sample 3 "cilksort in narrow channels, $variant" yielding_sort "$variant"
    check "strassen 64, $variant" strassen "$variant" 64
    check_sample 3 "strassen in narrow channels, $variant" yielding_strassen "$variant"
    check_sample 3 "tree_sum, $variant" trees "$variant"
    check_sample 3 "tree_sum in narrow channels, $variant" yielding_tree "$variant"
    check "16 lanes, $variant" right cilk_fib "$variant" 15 --width 256 --set gpu.lanes=16
    check_sample 3 "repeated, $variant" repeated "$variant"
done
# Restarted wavefronts that each took a part of the space, lane by lane, would all fail, for ever.
check "many that wait, one CAS per work-item" right cilk_fib workitem 20 --width 2048 --continuations 256 \
    --set gpu.lanes=32 --set gpu.contexts=32 --set pool.blocks=70
check "compare-and-swaps of work-items" successes
check "the default" default
check "no kernels for padded" no_kernels padded
check "no kernels for soa" no_kernels soa
check "overflow with one CAS per work-item" overflow
check "too narrow with one CAS per work-item" stuck
