#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Strassen as a Cilk program, with eight products and with seven: the core paper's own wavefront count,
# products within their error bounds on every shape of the machine and with channels down to the narrowest
# that the checks admit, and below it the error that names level and demand; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# right ARGUMENT...: the program checks itself; the first argument is N
right() {
    run 0 strassen "$@" --quiet --stats stats
    expect out "^strassen\($1\) = -?[0-9.e+]+$"
    note "$(statistic stats gpu.wavefronts) wavefronts, $(statistic stats gpu.yields) yields," \
        "$(statistic stats gpu.cycles) cycles"
}

# The line that compares with the paper is for its input alone.
paper() {
    run 0 strassen 512
    expect out "^# paper's Table 3 +587 wavefronts; ours 587, \+0\.0 %$"
    run 0 strassen 64
    ! grep -q paper out || fail "64: $(cat out)"
}

# counts N VARIANT WAVEFRONTS ELEMENTS: at the paper's width
counts() {
    right "$1" --variant "$2"
    (($(statistic stats gpu.wavefronts) == $3)) || fail "wavefronts: $(statistic stats gpu.wavefronts)"
    (($(statistic stats gpu.elements) == $4)) || fail "elements: $(statistic stats gpu.elements)"
    (($(statistic stats gpu.restarts) == $(statistic stats gpu.yields))) || fail "restarts: $(cat stats)"
}

# narrow VARIANT WIDTH ARGUMENT...: wavefronts have to yield
narrow() {
    right "$n" --variant "$1" --width "$2" "${@:3}"
    local yields
    yields=$(statistic stats gpu.yields)
    ((yields > 0)) || fail "no yields at width $2"
    (($(statistic stats gpu.restarts) == yields)) || fail "restarts: $(cat stats)"
    (($(statistic stats gpu.yield_bytes) >= 856 * yields)) || fail "bytes: $(cat stats)"
}

# The least pool is the one that the refusal of a smaller one names.
least_pool() {
    run 2 strassen "$n" --variant "$1" --set pool.blocks=1
    local blocks
    blocks=$(sed -n 's/.*set pool\.blocks to \([0-9]*\) or more.*/\1/p' err)
    [[ -n $blocks ]] || fail "no least pool: $(cat err)"
    narrow "$1" 1024 --set pool.blocks="$blocks" "${@:2}"
}

# The order of additions is fixed, so that where they happen does not matter.
same_product() {
    local wanted setting
    run 0 strassen 128 --variant seven --quiet
    wanted=$(<out)
    for setting in gpu.cus=1 gpu.cus=64 gpu.lanes=32 "gpu.lanes=16 --width 256"; do
        # shellcheck disable=SC2086 # two options
        run 0 strassen 128 --variant seven --quiet --set $setting
        expect_result "$wanted"
    done
}

# fails STATUS PATTERN ARGUMENT...
fails() {
    run "$1" strassen --quiet "${@:3}"
    expect err "$2"
    [[ ! -s out ]] || fail "a result all the same: $(cat out)"
}

for n in 16 32 64 128 256; do
    check "eight products, $n" right $n
    check "seven products, $n" right $n --variant seven
done
check "another seed" right 64 --seed 7
# Tasks of levels 0 to 5 are 8 to the power of the level: 1 + 1 + 1 + 8 + 64 + 512 wavefronts.
check "512 as in the paper's Table 3" counts 512 eight 587 $(((8 ** 6 - 1) / 7))
check_rest "the paper's wavefronts beside ours" paper
# 7^d tasks at level d: 1 + 1 + 1 + 6 + 38 wavefronts; at all levels but the last, two continuations each: 2 x 9;
# sums, and combinations, of all tasks of a level together, split down from 1 to 8^4, 7 x 8^3, 49 x 8^2 and 343 x 8
# parts: 75 + 65 + 57 + 49 wavefronts, twice.
check "256 with seven products" counts 256 seven $((47 + 2 * 9 + 2 * 246)) $((2801 + 2 * 400 + 2 * 15440))
n=256
for width in 2048 1024; do
    check_sample 3 "eight products, width $width" narrow eight $width
done
for width in 4096 2048 1024; do
    check_sample 3 "seven products, width $width" narrow seven $width
done
for variant in eight seven; do
    check_sample 3 "$variant, one compute unit" narrow $variant 1024 --set gpu.cus=1
    check_sample 3 "$variant, least pool" least_pool $variant
    check_sample 3 "$variant, 16 lanes" narrow $variant 256 --set gpu.lanes=16
    if [[ $variant == eight || -n ${SLUICE_TEST_LONG:-} ]]; then
        check_sample 3 "$variant, least pool, one compute unit" least_pool $variant --set gpu.cus=1
        check_sample 3 "$variant, one context for each SIMD unit" least_pool $variant --set gpu.cus=1 --set gpu.contexts=4
        check_sample 3 "$variant, 32 lanes" narrow $variant 512 --set gpu.lanes=32
        check_sample 3 "$variant, repeated" equal_runs strassen 256 --variant $variant --width 1024
    fi
    check "$variant, too narrow is refused" fails 2 \
        "width 512 is less than a wavefront of 64 lanes can demand .* make it 1024 or more" \
        --variant $variant --width 512 256
    check "$variant, too narrow on request" fails 3 \
        "level [0-9]+' cannot take what a wavefront demands: level [0-9]+ of [56], width 256, 512 elements demanded" \
        --variant $variant --width 256 --narrow 256
done
check_rest "seven products are the same everywhere" same_product
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    # One level more than 256: 1 + 1 + 1 + 6 + 38 + 263 wavefronts of tasks, 2 x 47 of continuations, and twice
    # 587 + 513 + 449 + 392 + 339 of sums.
    check "512 with seven products" counts 512 seven $((310 + 2 * 47 + 2 * 2280)) $((19608 + 2 * 2801 + 2 * 145529))
    n=512
    for variant in eight seven; do
        for ((width = 8192; width >= 1024; width /= 2)); do
            check_sample 3 "$variant, 512, width $width" narrow $variant $width
            check_sample 3 "$variant, 512, width $width, one compute unit" narrow $variant $width --set gpu.cus=1
        done
        check_sample 3 "$variant, 512, least pool" least_pool $variant
        check_sample 3 "$variant, 512, least pool, one compute unit" least_pool $variant --set gpu.cus=1
        check_sample 3 "$variant, 512, 16 lanes" narrow $variant 256 --set gpu.lanes=16
    done
    check "seven, 512, narrowest continuations" narrow seven 1024 --continuations 128
    check_sample 3 "seven, 512, narrowest continuations, least pool, one compute unit" \
        least_pool seven --continuations 128 --set gpu.cus=1
fi
