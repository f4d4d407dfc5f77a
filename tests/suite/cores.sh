#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Every core of the aggregator under the real firmware: right results, the same statistics each time, laws of
# the statistics, and a GPU that waits less for a better core. What each core costs is in tests/soc/aggregator/test_agg_cores.c.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cores="simple 2-stage 5-stage 2way-light-ooo 2way-ooo 4way-ooo"

results() {
    local core
    for core in $cores; do
        run 0 fib 18 --quiet --set "agg.core=$core"
        expect out '^fib\(18\) = 2584$'
        run 0 cilk_fib 15 --quiet --set "agg.core=$core"
        expect out '= 610$'
        run 0 nqueens 8 --quiet --set "agg.core=$core"
        expect out '= 92$'
    done
}

same_twice() {
    local core
    for core in $cores; do
        run 0 fib 16 --quiet --set "agg.core=$core" --stats first
        run 0 fib 16 --quiet --set "agg.core=$core" --stats second
        expect_same_statistics first second
    done
}

laws() {
    local core phase sum branches wrong
    for core in $cores; do
        run 0 fib 18 --quiet --set "agg.core=$core" --stats stats
        sum=0
        for phase in poll predicate schedule dispatch retire yield mailbox other; do
            sum=$((sum + $(statistic stats "agg.phase.${phase}_cycles")))
        done
        ((sum == $(statistic stats agg.cycles))) || fail "$core: phases add up to $sum: $(cat stats)"
        branches=$(statistic stats agg.branches)
        wrong=$(statistic stats agg.mispredictions)
        ((branches > 0 && branches < $(statistic stats agg.instructions))) || fail "$core: $branches branches"
        if [[ $core == simple ]]; then
            ((wrong == 0)) || fail "simple predicts nothing, but $wrong were wrong"
        else
            ((wrong > 0 && wrong < branches)) || fail "$core: $wrong of $branches branches mispredicted"
        fi
        (($(statistic stats agg.forwarded_loads) < $(statistic stats agg.loads))) ||
            fail "$core: more loads forwarded than there were"
    done
}

# Table 5 of the core paper, its order: on fib the GPU waits most for simple.
blocked() {
    local core share last=100
    for core in simple 2way-light-ooo 2way-ooo 4way-ooo; do
        run 0 fib 20 --quiet --set "agg.core=$core" --stats stats
        share=$(statistic stats gpu.blocked_on_agg_pct)
        awk "BEGIN { exit !($share < $last) }" || fail "$core: blocked for $share %, the core before for $last %"
        last=$share
    done
}

# A key that is set beats the core's table, before it or after it.
overrides() {
    run 0 fib 16 --quiet --set agg.core=2way-ooo --set core.rob=4 --stats after
    run 0 fib 16 --quiet --set core.rob=4 --set agg.core=2way-ooo --stats before
    run 0 fib 16 --quiet --set agg.core=2way-ooo --stats default
    expect_same_statistics after before
    (($(statistic after agg.cycles) > $(statistic default agg.cycles))) || fail "core.rob=4 changes nothing"
}

# One miss at a time makes the core slow, not endless: what waits for the register waits for it once.
one_register() {
    run 0 cilk_fib 24 --quiet --set core.mshrs=1 --stats stats
    (($(statistic stats gpu.cycles) < 1500000)) || fail "$(statistic stats gpu.cycles) cycles with core.mshrs=1"
}

refused() {
    run 2 fib 16 --set agg.core=3way
    expect err 'agg\.core: 3way is no choice; .*choices: simple 2-stage 5-stage 2way-light-ooo 2way-ooo 4way-ooo'
    run 2 fib 16 --set agg.core=2way-ooo --set core.mshrs=0
    expect err 'core\.mshrs = 0, core\.model = ooo \(2way-ooo\), .*needs at least one MSHR'
}

check "results on every core" results
check "the same statistics twice" same_twice
check "laws of the statistics" laws
check "the GPU waits less for a better core" blocked
check "keys over a core's table" overrides
check "one register for misses" one_register
check "cores that there are not" refused
