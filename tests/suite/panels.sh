#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The panels of scripts/panels/isca14 with small inputs: each can be made, every check has a figure, and the values obey the laws
# of what they are. Sizes and widths are those of the panels but for the inputs.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/panels.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/panels.sh"

hang_s=300 # some hundred runs

small() {
    mkdir -p "$panels"
    local panel
    for panel in "$root"/scripts/panels/isca14/*.ini; do
        sed -e 's/cilk_fib 24/cilk_fib 14/; s/nqueens 13/nqueens 8/; s/: queens 13/: queens 8/; s/cilksort 1000000/cilksort 6000/' \
            -e 's/strassen 512/strassen 64/; s/matmul 512/matmul 64/; s/stream_requests 2000/stream_requests 200/' "$panel" >"$panels/$(basename "$panel")"
        ! cmp -s "$panel" "$panels/$(basename "$panel")" || fail "$panel has other inputs"
    done
}

all_made() {
    small
    make_report
}

# What is a share of a whole, and what is measured in itself.
shares() {
    law figure15 'v("gpu.cus") != 1 || v("speedup") == 1 && near(v("active") + v("stalled") + v("blocked"), 100)'
    law figure15 'near(v("speedup") * (v("active") + v("stalled") + v("blocked")), 100)'
    law figure15 'near(v("blocked_poll") + v("blocked_predicate") + v("blocked_schedule") + v("blocked_dispatch") + v("blocked_retire") + v("blocked_yield") + v("blocked_mailbox") + v("blocked_other"), v("blocked"))'
    law figure15 'v("start") > 0 && v("end") > 0 && near(v("start") + v("between") + v("end"), v("blocked"))'
    law figure15 'v("issue") > 0 && v("issue") <= v("active") * v("speedup")'
    law figure16 'near(v("l1") + v("merged") + v("l2") + v("others") + v("dram"), 100)'
    law figure17 'v("--channels") != "workitem" || v("time") == 1 && v("fewer") == 1'
    law figure17 'v("cas") <= v("attempts") && v("fewer") >= 1'
    law figure18 'v("time") >= 1 && v("yields") >= 0 && v("idle") >= 0 && v("idle") <= 100'
    law figure19 'near(v("one") + v("few") + v("many") + v("all"), 100) && v("one") >= 0 && v("few") >= 0'
    law figure19 'v("waiting") >= 0 && v("waiting") < 100 && v("working") > 0'
    law table5 'v("agg.core") != "2way-ooo" || v("slower") == 1'
    law table5 'v("start") > 0 && v("end") > 0 && near(v("start") + v("between") + v("end"), v("blocked"))'
    law table5 'v("blocked") > 0 && v("blocked") < 100'
    law phases 'near(v("poll") + v("predicate") + v("schedule") + v("dispatch") + v("retire") + v("yield") + v("mailbox") + v("other"), 100)'
    law functions 'v("cycles") > 0 && v("rest") >= 0 && v("rest") < 60'
    law latency 'v("p50") <= v("p90") && v("p90") <= v("p99") && v("p99") <= v("max") && v("mean") <= v("max")'
    law donecount 'v("retire") >= 0 && v("retire") <= 100'
    law stream 'v("p50") <= v("p90") && v("p90") <= v("p99") && v("p99") <= v("p99_9") && v("p99_9") <= v("max")'
    law stream 'v("each") >= 1 && v("each") <= 64 && v("busy") > 0 && v("busy") <= 100'
}

# The footnote's method: one wavefront is resident at a time, none yields.
one_wavefront() {
    law table3 'v("runs") != "one" || v("resident") == 1 && v("yields") == 0 && v("cycles") > 100'
    law table3 'v("runs") != "workloads" || v("wavefronts") > 0'
}

# Both sides of Table 4, the conventional one in both styles, with their own lines, which lines.sh counts.
table4() {
    local style lines
    for style in conventional:matmul_blocked ours:matmul; do
        lines=$(sed -n "s/.*\"${style#*:}\": {\"lines\": \([0-9]*\),.*/\1/p" "$build/share/lines.json")
        [[ -n $lines ]] || fail "no lines of ${style#*:}: $(<"$build/share/lines.json")"
        expect "$report/table4.csv" "^Strassen,${style%:*},$lines,"
    done
    jittered conventional --style nqu --rows 4
    jittered ours
    law table4 'v("runs") != "cilk" || v("speedup") > 0 && v("speedup_ours") > 0 && v("speedup") != v("speedup_ours")'
}

# jittered RUNS ARGUMENT...: the cycles of the conventional queens with these arguments, at the report's one seed
jittered() {
    run 0 nqueens 8 "${@:2}" --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --quiet --stats stats
    expect "$report/table4.csv" "^Queens,$1,[0-9]+,1,[0-9]+,$(statistic stats gpu.cycles),"
}

check "panels with small inputs" all_made
check "shares and what they add up to" shares
check "Table 3's one wavefront" one_wavefront
check "Table 4's conventional programs" table4
