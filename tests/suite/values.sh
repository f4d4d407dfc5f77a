#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Fibonacci numbers with the default machine and the default width of the channel.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

fib() {
    run 0 fib "$1" --quiet
    expect_result "fib($1) = $(fibonacci "$1")"
}

# The first line without '#' is the result, wherever the table stands; equal counts in both.
table() {
    run 0 fib 20 --stats stats
    expect_result "fib(20) = 6765"
    expect out '^# elements +13529$'
    [[ $(statistic stats gpu.elements) == 13529 ]] || fail "gpu.elements: $(cat stats)"
}

laws() {
    local part sum=0 active stalled blocked
    run 0 fib 22 --stats stats --quiet
    for part in poll predicate schedule dispatch retire yield mailbox other; do
        sum=$((sum + $(statistic stats "agg.phase.${part}_cycles")))
    done
    ((sum == $(statistic stats agg.cycles))) || fail "phases add up to $sum: $(cat stats)"
    active=$(statistic stats gpu.active_pct)
    stalled=$(statistic stats gpu.stalled_pct)
    blocked=$(statistic stats gpu.blocked_on_agg_pct)
    awk "BEGIN { sum = $active + $stalled + $blocked; exit !(sum > 99.999 && sum < 100.001) }" ||
        fail "$active + $stalled + $blocked is not 100"
    sum=0
    for part in unit_stride strided broadcast scattered; do
        sum=$((sum + $(statistic stats "simt.pattern.$part")))
    done
    for part in loads stores atomics; do
        sum=$((sum - $(statistic stats "simt.$part")))
    done
    ((sum == 0)) || fail "patterns minus memory instructions are $sum: $(cat stats)"
    (($(statistic stats gpu.elements) == 2 * 17711 - 1)) || fail "elements: $(cat stats)"
}

for n in {1..27}; do
    check "fib($n)" fib "$n"
done
check "result line and table" table
check "laws of the statistics" laws
