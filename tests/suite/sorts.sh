#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Integer programs over an NDRange: prefix sum and bitonic sort, in several launches, and N queens. Right for
# odd sizes, work-groups and inputs, and on every shape of the machine; equal runs equal; statistics of
# several launches together; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# right PROGRAM ARGUMENT...: the program checks itself; the last argument is N
right() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = [0-9]+$"
}

# result LINE PROGRAM ARGUMENT...
result() {
    run 0 "${@:2}" --quiet
    expect_result "$1"
}

inputs() {
    local input
    for input in random sorted reversed equal; do
        right bitonic --input "$input" "$1"
    done
    expect_result "bitonic($1) = 42"
}

# All launches count: 40 groups that scan blocks of 256, 1 that scans their sums, 40 that add them.
scan_counts() {
    run 0 scan 10240 --quiet --stats stats
    (($(statistic stats gpu.workgroups) == 40 + 1 + 40)) || fail "work-groups: $(cat stats)"
    (($(statistic stats gpu.wavefronts) == 160 + 1 + 160)) || fail "wavefronts: $(cat stats)"
    # 2 in each wavefront that scans
    (($(statistic stats simt.barriers) == 2 * (160 + 1))) || fail "barriers: $(cat stats)"
}

# 2048 keys: 4 groups with blocks of 512 keys. Launches: blocks; sequences of 1024: 1 step and the rest; of
# 2048: 2 steps and the rest. Strides in LDS: 1 + 2 + ... + 9 to sort blocks, 9 to merge them.
bitonic_counts() {
    run 0 bitonic 2048 --quiet --stats stats "$@"
    (($(statistic stats gpu.workgroups) == 4 * (1 + 2 + 3))) || fail "work-groups: $(cat stats)"
    (($(statistic stats gpu.wavefronts) == 16 * (1 + 2 + 3))) || fail "wavefronts: $(cat stats)"
    (($(statistic stats simt.barriers) == 16 * (1 + 45 + 2 * (1 + 9)))) || fail "barriers: $(cat stats)"
}

# A work-item for each placement of the rows that the host of NQU fills: all but ten, two at least. Two queens have
# (N - 1)(N - 2) placements, three have 1,030 on 13 columns.
nqu_rows() { # nqu_rows N PLACEMENTS
    run 0 nqueens --style nqu "$1" --quiet --stats stats
    (($(statistic stats gpu.workgroups) == ($2 + 63) / 64)) || fail "work-groups: $(statistic stats gpu.workgroups)"
}

for n in 1 2 63 64 65 255 256 257 1000 65537; do
    check_sample 3 "scan $n" right scan $n
done
for group in 2 3 100 1024; do
    check_sample 3 "scan in groups of $group" right scan --group $group 3001
done
for n in 1 2 3 64 511 513 5000; do
    check_sample 3 "bitonic $n, all inputs" inputs $n
done
for group in 1 2 32 1024; do
    check_sample 3 "bitonic in groups of $group" right bitonic --group $group 700
done
for solutions in 4:2 5:10 6:4 7:40 8:92 9:352 10:724 11:2680; do
    for style in packed nqu; do
        check_sample 3 "nqueens ${solutions%:*}, $style" result "nqueens(${solutions%:*}) = ${solutions#*:}" nqueens \
            --style $style "${solutions%:*}"
    done
done
for rows in 1 2 7; do
    for style in packed nqu; do
        check_sample 3 "nqueens 8 with $rows rows filled, $style" result "nqueens(8) = 92" nqueens --style $style --rows $rows 8
    done
done
for shape in cus=1 cus=8 cus=64 lanes=32; do
    check_sample 3 "scan, $shape" right scan --set gpu.$shape 20001
    check_sample 3 "bitonic, $shape" right bitonic --set gpu.$shape 3000
    check_sample 3 "nqueens, $shape" right nqueens --set gpu.$shape 9
    check_sample 3 "nqueens, nqu, $shape" right nqueens --style nqu --set gpu.$shape 9
done
check "more wavefronts in a group than lanes" right scan --set gpu.lanes=8 --set gpu.simd_lanes=8 \
    --set gpu.contexts=64 --group 512 5000
check_rest "the default, 13 queens" result "nqueens(13) = 73712" nqueens
check_rest "nqu leaves ten rows" nqu_rows 13 1030
check "nqu fills two rows" nqu_rows 12 110
check "nqu fills two rows of few" nqu_rows 5 12
check "scan 1000000" right scan 1000000
check "counts of all launches, scan" scan_counts
check "counts of all launches, bitonic" bitonic_counts
check "counts of all launches, bitonic, a run each" bitonic_counts --separate
check "repeated, scan" equal_runs scan 20001
check "repeated, bitonic" equal_runs bitonic 3000
check "repeated, nqueens" equal_runs nqueens 10
check "queens in all rows" bad_arguments "--rows: 8 rows of 8 leave none" nqueens --rows 8 8
