#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Cilk programs on channel stacks: the core paper's own wavefront count, results on every shape of the
# machine and with channels down to the narrowest that the checks admit, and below it the error that names
# level and demand.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# right N ARGUMENT...
right() {
    run 0 cilk_fib "$@" --quiet --stats stats
    expect_result "cilk_fib($1) = $(fibonacci "$1")"
}

# Table 3: 1,458 wavefronts of tasks and 734 of continuations, and channels of 32,768 do not run full.
paper() {
    right 24
    (($(statistic stats gpu.wavefronts) == 2192)) || fail "wavefronts: $(statistic stats gpu.wavefronts)"
    (($(statistic stats gpu.yields) == 0)) || fail "yields: $(statistic stats gpu.yields)"
    # 2 fib(24) - 1 tasks, fib(24) - 1 continuations
    (($(statistic stats gpu.elements) == 3 * 46368 - 2)) || fail "elements: $(statistic stats gpu.elements)"
}

# Yields and restarts come in pairs; wavefronts grow fewer per element as channels get wider.
narrow() {
    local width=$1
    right "${@:2}" --width "$width"
    local yields
    yields=$(statistic stats gpu.yields)
    (($(statistic stats gpu.restarts) == yields)) || fail "restarts: $(cat stats)"
    ((width >= 16384 || yields > 0)) || fail "no yields at width $width"
    ((yields == 0 || $(statistic stats gpu.yield_bytes) >= 856 * yields)) || fail "bytes: $(cat stats)"
    note "$(statistic stats gpu.wavefronts) wavefronts, $yields yields, $(statistic stats gpu.cycles) cycles"
}

# With live registers alone, results are the same, and less is saved; what is not saved is lost.
live() {
    narrow "$@" --set gpu.yield_saves=used
    local used=$(($(statistic stats gpu.yield_bytes) / $(statistic stats gpu.yields)))
    narrow "$@" --set gpu.yield_saves=live
    local live=$(($(statistic stats gpu.yield_bytes) / $(statistic stats gpu.yields)))
    ((4 * live < 3 * used)) || fail "$live bytes a yield, $used with all registers used"
    note "$live bytes a yield, $used with all registers used"
}

# Without yield, every level's channel would have to hold all that comes into it, however wide they are now.
memory() {
    local width need=0
    for width in 256 32768; do
        right 22 --width $width
        local now
        now=$(statistic stats memory.help_first_channel_bytes)
        ((need == 0 || now == need)) || fail "without yield $need bytes at one width, $now at the other"
        need=$now
        ((width > 256 || $(statistic stats memory.channel_bytes) < need)) || fail "narrow channels: $(cat stats)"
        note "$(statistic stats memory.channel_bytes) bytes of channels, $need without yield"
        (($(statistic stats memory.wavefront_state_bytes) >= $(statistic stats memory.help_first_state_bytes))) ||
            fail "blocks: $(cat stats)"
    done
    run 0 cilk_fib 22 --width 256
    expect out '^# memory +[0-9.]+ MiB of channels, [0-9.]+ MiB of wavefront state; help-first without yield: [0-9.]+ MiB and [0-9.]+ MiB$'
}

# A done count has 4 bytes; there are 19 channels of tasks and 18 of continuations, of 32,768 elements each.
done_group() {
    right 20
    mv stats default
    right 20 --done-group 64
    expect_same_statistics default stats
    right 20 --done-group "$1"
    local more=$((37 * 4 * (32768 / $1 - 32768 / 64)))
    (($(statistic stats memory.channel_bytes) - $(statistic default memory.channel_bytes) == more)) ||
        fail "$(statistic stats memory.channel_bytes) bytes of channels, not $more more than $(statistic default memory.channel_bytes)"
    narrow 1024 22 --done-group "$1"
    note "$(statistic stats agg.phase.retire_cycles) of $(statistic stats agg.cycles) aggregator cycles deallocate"
    run 0 queens 8 --done-group "$1" --quiet
    expect_result "queens(8) = 92"
    run 0 cilksort 5000 --done-group "$1" --quiet
    run 0 strassen 64 --done-group "$1" --quiet
}

# alone PROGRAM N MORE: Table 3's "one-wavefront execution (channel width=64, input=largest with no yields)". A channel has
# a wavefront's elements, so that wavefronts run one after the other; of MORE, one demands more than a channel has.
alone() {
    run 0 "$1" "$2" --width 64 --narrow --quiet --stats stats
    local wavefronts
    wavefronts=$(statistic stats gpu.wavefronts)
    (($(statistic stats gpu.resident_max) == 1 && wavefronts > 1)) || fail "$(statistic stats gpu.resident_max) at once, of $wavefronts"
    (($(statistic stats gpu.yields) == 0)) || fail "yields: $(statistic stats gpu.yields)"
    run 3 "$1" "$3" --width 64 --narrow
    expect err "cannot take what a wavefront demands: .*, width 64, [0-9]+ elements demanded"
    note "$wavefronts wavefronts, $(statistic stats gpu.cycles) cycles, of them $(statistic stats gpu.blocked_on_agg_pct) % without one"
}

# below STATUS PATTERN ARGUMENT...
below() {
    run "$1" cilk_fib 20 --quiet "${@:3}"
    expect err "$2"
    [[ ! -s out ]] || fail "a result all the same: $(cat out)"
}

for n in 1 2 3 4 5 6 7 8 10 12 15 18 20 22 26; do
    check "cilk_fib $n" right "$n"
done
check "cilk_fib 24 as in the paper's Table 3" paper
for ((w = 16384; w >= 256; w /= 2)); do
    check_sample 3 "width $w" narrow "$w" 24
done
least=(256 22 --continuations 128)
check_sample 3 "the narrowest" narrow "${least[@]}"
check_sample 3 "the narrowest, one compute unit" narrow "${least[@]}" --set gpu.cus=1
check_sample 3 "the narrowest, least pool" narrow "${least[@]}" --set pool.blocks=21
check_sample 3 "the narrowest, least pool, one compute unit" narrow "${least[@]}" --set pool.blocks=21 --set gpu.cus=1
check_sample 3 "the narrowest, one context for each SIMD unit" narrow "${least[@]}" --set gpu.cus=1 --set gpu.contexts=4 --set pool.blocks=21
check_sample 3 "the narrowest, pool of twice the contexts" narrow "${least[@]}" --set pool.blocks=640
check_sample 3 "live registers" live 1024 26
check_sample 3 "live registers, the narrowest, one compute unit" live "${least[@]}" --set gpu.cus=1
check_sample 3 "live registers, 16 lanes" live 256 20 --set gpu.lanes=16
check_sample 3 "live registers, reconvergence stacks spilled" live 256 20 --set gpu.divergence_depth=4
check "memory" memory
for lanes in 16 32; do
    check_sample 3 "$lanes lanes" right 18 --width 256 --set gpu.lanes=$lanes
done
check "repeated" equal_runs cilk_fib 20 --width 512
for group in 1 16 256; do
    check_sample 3 "done counts of $group elements" done_group $group
done
check "too narrow is refused" below 2 "'tasks level 0': width 128 is less than a wavefront" --width 128
check "too narrow on request" below 3 "'tasks level [0-9]+' cannot take what a wavefront demands: level [0-9]+ of 19, width 64, 128 elements demanded, [0-9]+ free" --width 64 --narrow
check "pool too small" below 2 "up to 19 wavefronts wait for each other in a chain.* pool has 18: set pool.blocks to 19" --set pool.blocks=18
check "one wavefront at a time, cilk_fib" alone cilk_fib 11 12
check "one wavefront at a time, queens" alone queens 8 9
check "one wavefront at a time, cilksort" alone cilksort 4096 4097
check "one wavefront at a time, strassen" alone strassen 64 128
check "done counts of 48 elements" below 2 "--done-group: 48 is not a power of two" --done-group 48
check "done counts of more than a channel" below 2 \
    "'tasks level 0': a done-count group of 1024 elements is larger than the channel's width of 512" \
    --done-group 1024 --width 512
