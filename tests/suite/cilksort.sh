#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Merge sort as a Cilk program with two syncs and parallel merges: right for odd sizes and inputs, the
# million keys of the core paper's Table 3, channels down to the narrowest that the checks admit, the least
# pool, every shape of the machine, both kinds of base cases, and the errors that name what is too small.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# right N ARGUMENT...: the program checks all keys itself
right() {
    run 0 cilksort "$@" --quiet --stats stats
    expect out "^cilksort\($1\) = [0-9]+$"
    (($(statistic stats gpu.restarts) == $(statistic stats gpu.yields))) || fail "restarts: $(cat stats)"
}

inputs() {
    local input sums=
    for input in random sorted reversed equal; do
        right "$1" --input "$input"
        sums+="$(sort -u out)"$'\n'
    done
    (($1 < 3 || $(sort -u <<<"$sums" | grep -c .) == 4)) || fail "equal results for different inputs: $sums"
}

# FNV-1a over the bytes of the sorted keys, which are 0, 3, ... 27.
checksum() {
    run 0 cilksort 10 --input sorted --quiet
    expect_result "cilksort(10) = 9000937541340717694"
}

# Sorts of 1 + 4 + ... + 4^7 pieces, of which those of 64 keys are the base: 344 wavefronts. Continuations for
# 1 + ... + 4^6 of them, twice: 2 * 88. Merges: the rest, 3,344 of 128 keys or 912 of 512.
paper() { # paper MERGE_BASE WAVEFRONTS
    run 0 cilksort 1000000 --merge-base "$1" --stats stats
    expect out "^# paper's Table 3 +4238 wavefronts; ours $2, -[0-9.]+ %$"
    local wavefronts
    wavefronts=$(statistic stats gpu.wavefronts)
    ((wavefronts == $2)) || fail "wavefronts: $wavefronts"
    (($(statistic stats gpu.yields) == 0)) || fail "yields: $(statistic stats gpu.yields)"
    note "$wavefronts wavefronts, 4238 in the paper's Table 3; $(statistic stats gpu.cycles) cycles"
    run 0 cilksort 1000
    ! grep -q "paper" out || fail "the paper does not have this: $(cat out)"
}

# Merges split by rank, not by key: what is dispatched does not depend on the keys.
same_work() {
    local input first
    for input in random reversed equal; do
        right 30000 --input "$input"
        : "${first:=$(statistic stats gpu.wavefronts)}"
        (($(statistic stats gpu.wavefronts) == first)) || fail "$input: $(statistic stats gpu.wavefronts), not $first"
    done
}

# Both kinds of base cases give the same keys; that of the network hardly has a branch at which lanes part.
bases() {
    local n input
    for n in 1 64 65 143 4097; do
        for input in random sorted reversed equal; do
            run 0 cilksort "$n" --input "$input" --quiet
            mv out network
            run 0 cilksort "$n" --input "$input" --base branchy --quiet
            expect_result "$(<network)"
        done
    done
}

divergence() {
    right 60000
    local network
    network=$(statistic stats gpu.simd_utilization_pct)
    right 60000 --base branchy
    note "SIMD utilisation: $network % with the network, $(statistic stats gpu.simd_utilization_pct) % branchy"
    ((${network%.*} > 80 && $(statistic stats gpu.simd_utilization_pct | cut -d. -f1) < 60)) ||
        fail "utilisation: $network %, branchy $(statistic stats gpu.simd_utilization_pct) %"
}

# Larger base merges make fewer of them and nothing else. Small ones are by lines, of runs that begin and end anywhere
# in a line, and larger ones by keys.
merge_bases() {
    local base input last=1000000
    for base in 32 64 256; do
        for input in random sorted reversed equal; do
            right 12345 --input "$input" --merge-base "$base"
        done
    done
    run 0 cilksort 50000 --quiet
    mv out first
    for base in 32 33 100 128 1000 33554432; do
        run 0 cilksort 50000 --merge-base "$base" --quiet --stats stats
        expect_result "$(<first)"
        (($(statistic stats gpu.elements) < last || base == 33)) || fail "base $base: $(statistic stats gpu.elements) elements"
        last=$(statistic stats gpu.elements)
    done
}

# yields N ARGUMENT...
yields() {
    right "$@"
    (($(statistic stats gpu.yields) > 0)) || fail "no yields"
    note "$(statistic stats gpu.wavefronts) wavefronts, $(statistic stats gpu.yields) yields, $(statistic stats gpu.cycles) cycles"
}

# bad STATUS PATTERN ARGUMENT...
bad() {
    run "$1" cilksort --quiet "${@:3}"
    expect err "$2"
    [[ ! -s out ]] || fail "a result all the same: $(cat out)"
}

for n in 0 1 2 63 64 65 127 129 256 257 1000 4097; do
    check "$n keys, all inputs" inputs "$n"
done
for n in 12345 77777 200001; do
    check_sample 3 "$n keys" right "$n" --seed "$n"
done
check "checksum" checksum
check "1000000 keys as in the paper's Table 3" paper 512 1432
check_rest "1000000 keys, base merges of 128 keys" paper 128 3864
check_rest "base cases give the same" bases
check "base cases diverge, or not" divergence
check_rest "base merges" merge_bases
check "work does not depend on keys" same_work
for ((w = 16384; w >= 2048; w /= 2)); do
    check_sample 4 "width $w" right 150000 --width "$w"
done
for w in 1024 512; do
    check "width $w" yields 150000 --width "$w"
done
least=(100000 --width 512 --continuations 128 --merges 256 --merge-base 128)
check_rest "the narrowest" yields "${least[@]}"
check_rest "the narrowest, one compute unit" yields "${least[@]}" --set gpu.cus=1
check_rest "the narrowest, least pool" yields "${least[@]}" --set pool.blocks=24
check "the narrowest, least pool, one compute unit" yields "${least[@]}" --set pool.blocks=24 --set gpu.cus=1
check_rest "the narrowest, least pool, one context for each SIMD unit" yields "${least[@]}" --set pool.blocks=24 --set gpu.cus=1 --set gpu.contexts=4
for lanes in 16 32; do
    check "$lanes lanes" right 20000 --width 512 --set gpu.lanes=$lanes
    check "$lanes lanes, branchy" right 20000 --base branchy --set gpu.lanes=$lanes
done
check "repeated" equal_runs cilksort 20000 --width 512
check "too narrow is refused" bad 2 "'sorts level 0': width 256 is less than a wavefront" 100000 --width 256
check "merges too narrow on request" bad 3 "'merges level [0-9]+' cannot take what a wavefront demands: level [0-9]+ of 12, width 64, 128 elements demanded, [0-9]+ free" 100000 --merges 64 --narrow --merge-base 128
check "stack of merges too low" bad 3 "'merges level 9': a level below the deepest of a channel stack of 10 levels" 100000 --height 10 --merge-base 128
check "pool too small" bad 2 "up to 24 wavefronts wait for each other in a chain.* pool has 23: set pool.blocks to 24" 100000 --merge-base 128 --set pool.blocks=23
