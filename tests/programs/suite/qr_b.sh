#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The second half of the programs of docs/quickrelease-programs-b.md: right by default, at odd sizes and the smallest, on
# every memory system that the build has, where results are the same; launches as they are described; equal runs
# equal; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

systems=$("$bin/sluice" config explain mem.system | sed -n 's/^ *choices *//p')

# right PROGRAM ARGUMENT...: the program checks itself, on all memory systems; the last argument is N
right() {
    local system wanted=
    for system in $systems; do
        run 0 "$@" --quiet --set mem.system="$system"
        expect out "^$1\(${*: -1}\) = -?[0-9.e+-]+$"
        [[ -z $wanted || $(<out) == "$wanted" ]] || fail "$system: $(<out), before: $wanted"
        wanted=$(<out)
    done
    [[ -n $wanted ]] || fail "no memory systems: '$systems'"
}

# by_default PROGRAM N DISPATCHES: no arguments; so many launches are not empty
by_default() {
    run 0 "$1" --quiet --stats stats
    expect out "^$1\($2\) = "
    (($(statistic stats gpu.dispatches) == $3)) || fail "$(statistic stats gpu.dispatches) dispatches, wanted $3"
    note "$(statistic stats gpu.cycles) cycles"
}

repeated() {
    local i
    for i in 1 2; do
        run 0 "$@" --quiet --stats "stats$i"
        mv out "out$i"
    done
    expect_same_statistics stats1 stats2
    cmp out1 out2 || fail "results differ"
}

# shapes PROGRAM ARGUMENT...
shapes() {
    local shape
    for shape in gpu.cus=1 gpu.cus=64 "gpu.lanes=32 --set gpu.simd_lanes=8"; do
        # shellcheck disable=SC2086 # two options
        run 0 "$1" --set $shape "${@:2}" --quiet
    done
}

# bad PATTERN PROGRAM ARGUMENT...
bad() {
    run 2 "${@:2}"
    expect err "$1"
    [[ ! -s out ]] || fail "something on standard output: $(cat out)"
}


for n in 1 2 24 257 5001; do
    check "qr_spmv $n" right qr_spmv $n
done
for times in 1 7; do
    check "qr_spmv, $times times" right qr_spmv --times $times 300
done
check "qr_spmv by default" by_default qr_spmv 16384 4
check "qr_spmv on every shape" shapes qr_spmv 3000
check "qr_spmv repeated" repeated qr_spmv 3000
check "qr_spmv of nothing" bad "N: '0' is not a number from 1 to 1048576" qr_spmv 0
check "qr_spmv never" bad "--times: '0' is not a number from 1 to 256" qr_spmv --times 0
check "qr_spmv of two" bad "one argument" qr_spmv 10 11

for n in 1 31 32 33 100; do
    check "qr_matrixmul $n" right qr_matrixmul $n
done
check "qr_matrixmul by default" by_default qr_matrixmul 384 1
check "qr_matrixmul on every shape" shapes qr_matrixmul 64
check "qr_matrixmul repeated" repeated qr_matrixmul 64
check "qr_matrixmul of too many" bad "N: '1025' is not a number from 1 to 1024" qr_matrixmul 1025

for n in 1 7 8 9 100; do
    check "qr_dct $n" right qr_dct $n
done
check "qr_dct by default" by_default qr_dct 384 2
check "qr_dct on every shape" shapes qr_dct 64
check "qr_dct repeated" repeated qr_dct 64
check "qr_dct of words" bad "N: 'image' is not a number from 1 to 4096" qr_dct image
