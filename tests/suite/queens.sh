#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Queens on channel stacks: a number of children that varies, base cases, the wavefronts beside the core
# paper's, and results in narrow channels, from few blocks and on machines of other shapes.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

solutions=([4]=2 [5]=10 [6]=4 [7]=40 [8]=92 [9]=352 [10]=724 [11]=2680 [12]=14200 [13]=73712 [14]=365596)

# right N ARGUMENT...
right() {
    run 0 queens "$@" --quiet --stats stats
    expect_result "queens($1) = ${solutions[$1]}"
}

# Of 13 queens, 4 rows and 4 columns: 58,942 tasks in 926 wavefronts and 10,962 continuations in 176, each level
# rounded up, and the paper's 1,114 beside them; however the base case finishes.
paper() {
    run 0 queens 13 --stats stats "$@"
    expect_result "queens(13) = 73712"
    (($(statistic stats gpu.wavefronts) == 926 + 176)) || fail "wavefronts: $(statistic stats gpu.wavefronts)"
    (($(statistic stats gpu.elements) == 58942 + 10962)) || fail "elements: $(statistic stats gpu.elements)"
    expect out "^# paper's Table 3 +1114 wavefronts; ours 1102, -1\.1 %$"
    note "$(statistic stats gpu.cycles) cycles"
}

# Only where the input, the width and the lanes are the paper's.
no_paper() {
    run 0 queens "$@"
    ! grep -q "paper" out || fail "the paper does not have this: $(cat out)"
}

# elements COUNT N ARGUMENT...: tasks and continuations
elements() {
    right "${@:2}"
    (($(statistic stats gpu.elements) == $1)) || fail "elements: $(statistic stats gpu.elements)"
}

# Lanes on their own stacks touch no LDS; lanes that share issue fewer instructions than those that do not.
bases() {
    local base
    for base in stacks lds shared; do
        right 10 --serial 7 --base $base
        cp stats $base
    done
    (($(statistic stacks simt.lds_accesses) == 0)) || fail "stacks: accesses of LDS: $(cat stacks)"
    (($(statistic shared simt.wave_instructions) < $(statistic lds simt.wave_instructions))) ||
        fail "shared: $(statistic shared simt.wave_instructions) instructions, alone $(statistic lds simt.wave_instructions)"
    for base in lds shared; do
        (($(statistic $base simt.lds_conflict_cycles) * 20 < $(statistic $base simt.lds_cycles))) ||
            fail "$base: conflicts: $(cat $base)"
    done
}

# narrow YIELDS N ARGUMENT...: at least so many yields, a restart for each
narrow() {
    right "${@:2}"
    local yields
    yields=$(statistic stats gpu.yields)
    (($(statistic stats gpu.restarts) == yields)) || fail "restarts: $(cat stats)"
    ((yields >= $1)) || fail "yields: $yields"
    note "$(statistic stats gpu.wavefronts) wavefronts, $yields yields, $(statistic stats gpu.cycles) cycles"
}

# bad STATUS PATTERN ARGUMENT...
bad() {
    run "$1" queens --quiet "${@:3}"
    expect err "$2"
    [[ ! -s out ]] || fail "a result all the same: $(cat out)"
}

for n in 4 5 6 7 8 9 10 11 12; do
    check "queens $n" right "$n"
done
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "queens 14" right 14
fi
check "queens 13 beside the paper's Table 3" paper
check_rest "queens 13, each lane on its own stack" paper --base stacks
check_rest "queens 13, each lane by itself in LDS" paper --base lds
check "base cases" bases
for base in stacks lds; do
    for n in 4 5 6 7 8 9 10; do
        check "queens $n, $base" right "$n" --base $base --serial 5
    done
done
# Each has a board of its own size, and most have none: whole subtrees change lanes.
for rows in 7 9; do
    check "shared, $rows rows" right 11 --serial $rows --columns 0
    check "shared, $rows rows, 32 lanes" right 11 --serial $rows --columns 0 --set gpu.lanes=32
done
check_rest "shared, 11 rows" right 11 --serial 11 --columns 0
check_rest "shared, 11 rows, 32 lanes" right 11 --serial 11 --columns 0 --set gpu.lanes=32
check "shared, 15 queens' stacks" right 8 --serial 15 --columns 15
check "no paper beside other sizes" no_paper 12
check_rest "no paper beside other widths" no_paper 13 --width 8192 --serial 9
check_rest "no paper beside other lanes" no_paper 13 --serial 9 --set gpu.lanes=32

# Boards of 8 queens by filled rows: 1, 8, 42, 140, 344, 568, 550, 312, 92. Of those with up to 6 rows, 424 have
# no free column: they have no continuation.
check "down to the last row" elements $((2 * (1 + 8 + 42 + 140 + 344 + 568 + 550) - 424 + 312)) 8 --serial 1 --columns 0
check "three rows filled" elements $((2 * (1 + 8 + 42) + 140)) 8 --serial 5 --columns 0
check "all serial" elements 1 8 --serial 8
check "more serial rows than there are" elements 1 8 --serial 15
check "all serial for its columns" elements 1 8 --columns 8
check "all serial, each lane by itself in LDS" elements 1 8 --serial 8 --base lds

deep=(11 --columns 1 --serial 4)
for width in 16384 8192 4096 2048 1024; do
    check_sample 2 "width $width" narrow $((width < 8192)) "${deep[@]}" --width $width
done
for width_batch in 512:7 512:4 256:3 256:2 128:1; do
    check_sample 5 "width ${width_batch%:*}, batches of ${width_batch#*:}" narrow 1 "${deep[@]}" --width "${width_batch%:*}" \
        --batch "${width_batch#*:}"
done
least=("${deep[@]}" --width 1024 --continuations 128)
check "the narrowest" narrow 1 "${least[@]}"
check_rest "the narrowest, in batches" narrow 1 "${least[@]}" --width 128 --batch 1
check_rest "the narrowest, one compute unit" narrow 1 "${least[@]}" --set gpu.cus=1
check_rest "the narrowest, least pool" narrow 1 "${least[@]}" --set pool.blocks=9
check_rest "the narrowest, least pool, in batches" narrow 1 "${least[@]}" --width 128 --batch 1 --set pool.blocks=9
check "the narrowest, least pool, one compute unit" narrow 1 "${least[@]}" --set pool.blocks=9 --set gpu.cus=1
check_rest "a pool that many wavefronts yield from" narrow 1 12 --columns 1 --width 8192 --set pool.blocks=40
for base in stacks lds; do
    check_rest "the narrowest, least pool, $base" narrow 1 "${least[@]}" --set pool.blocks=9 --base $base
done
# 1,024 bytes, and 512 for each of 7 rows: no board of 11 queens can have one column free before 4 are filled.
check "room for one wavefront in LDS" narrow 1 "${least[@]}" --set gpu.lds=5KiB --set gpu.cus=2
for lanes in 16 32; do
    check "$lanes lanes" narrow 1 "${deep[@]}" --width $((32 * lanes)) --set gpu.lanes=$lanes
done
check "repeated" equal_runs queens 11 --columns 2 --width 1024
check "too narrow is refused" bad 2 "'tasks level 0': width 512 is less than a wavefront.*make it 1024 or more" 13 --width 512
check "too narrow for batches" bad 2 "'tasks level 0': width 64 is less than a wavefront.*make it 128 or more" 13 --width 64 --batch 1
check "too narrow on request" bad 3 "'tasks level [0-9]+' cannot take what a wavefront demands: level [0-9]+ of 10, width 256, [0-9]+ elements demanded, [0-9]+ free" 13 --width 256 --narrow
check "pool too small" bad 2 "up to 9 wavefronts wait for each other in a chain.* pool has 8: set pool.blocks to 9" "${deep[@]}" --set pool.blocks=8
check "too little LDS" bad 2 "kernel 0 'queens_spawn': a wavefront needs 5632 bytes of LDS, a compute unit has 4096 \(gpu\.lds is 4 KiB\)" 12 --set gpu.lds=4KiB
check "no LDS needed" right 10 --base stacks --set gpu.lds=1KiB
