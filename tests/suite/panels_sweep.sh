#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The panels of scripts/panels/consistency-sweep with small inputs, in the short suites with two of the nine programs: each
# can be made, every check has a figure, and the values obey the laws of what they are.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/panels.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/panels.sh"

hang_s=600 # some hundred runs

# What is left out in the short suites: barnes-hut has a stack, and a check names dijkstra.
left_out='conv2d\|fft\|nn\|hotspot\|matmul\|kmeans\|bfs'

small() {
    local panel fewer=()
    mkdir -p "$panels"
    [[ -n ${SLUICE_TEST_LONG:-} ]] || fewer=(-e "/^program = \($left_out\): /d")
    for panel in "$root"/scripts/panels/consistency-sweep/*.ini; do
        sed "${fewer[@]}" -e 's/barnes_hut 512/barnes_hut 32/; s/mttop_matmul \(96\|128\)/mttop_matmul 16/; s/: matmul 128/: matmul 16/' \
            -e 's/dijkstra 128/dijkstra 16/; s/conv2d 128/conv2d 16/; s/fft 16384/fft 64/; s/nn 32768/nn 64/; s/hotspot 128/hotspot 16/' \
            -e 's/kmeans 2064/kmeans 64/; s/bfs 16384/bfs 64/; s/cilk_fib 24/cilk_fib 16/; s/: queens 13/: queens 8/' \
            -e 's/cilksort 300000/cilksort 6000/; s/strassen 512/strassen 64/' "$panel" >"$panels/$(basename "$panel")"
        ! grep -E '^program = .* ([0-9]{3}|[0-9]{5,})( |$)' "$panels/$(basename "$panel")" || fail "$panel has other inputs"
    done
    make_report
    if [[ -z ${SLUICE_TEST_LONG:-} ]]; then
        (($(grep -c '^dijkstra,' "$report/order-sizes.csv") == 7 * 4)) || fail "$(cat "$report/order-sizes.csv")"
    fi
}

# Speedups are over sc, and changes over the machine of Table 3.1.
speedups() {
    local panel
    for panel in order-sizes order-latencies order-width order-caveats order-scratchpad; do
        law "$panel" 'v("sc_wb") > 0 && v("tso") > 0 && v("rmo") > 0 && v("issue") > 0 && v("issue") <= 100'
    done
    for panel in order-sizes order-latencies; do
        law "$panel" 'v("runs") != "table3-1" || v("sc_wb_change") == 0 && v("tso_change") == 0 && v("rmo_change") == 0'
    done
    law order-caveats 'v("matches") >= 0 && v("matches") <= 100'
    law order-scratchpad 'v("program") != "in memory" || v("loads") > 0 && v("held") > 0'
}

# rmo holds nothing back, sc and sc_wb have nothing that loads pass, sc no buffer.
cilk() {
    law order-cilk 'v("gpu.consistency") != "rmo" || v("time") == 1 && v("misses") == 1 && v("held") == 0'
    law order-cilk 'v("gpu.consistency") == "rmo" || v("held") > 0'
    law order-cilk 'v("gpu.consistency") != "sc" || v("drain") == 0'
    law order-cilk 'v("drain") >= 0 && v("drain") <= 100 && v("waits") >= 0'
}

check "panels with small inputs" small
check "speedups and changes" speedups
check "what models hold back" cilk
