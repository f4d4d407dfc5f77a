#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The panels of scripts/panels/trees with small inputs: each can be made, every check has a figure, and the values obey the laws
# of what they are. In the short suites programs, sizes, compute units and cores are fewer, but for those that checks name, and
# panels that explain others (causes-*) are left out.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/panels.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/panels.sh"

hang_s=600 # some hundred runs

# fewer NAME: what the short suites leave out of a panel, as words for sed
fewer() {
    case $1 in
    figure5-[569]) echo '/^program = (4096|65536|262144|1048576): /d' ;;
    worktogether | hostdelay) echo '/^program = (Postorder|Annealing|FFT|Sort|Queens|Matrices): /d' ;;
    words | channels-*)
        printf '%s\n' '/^program = (Postorder|Annealing|FFT|Sort|Queens|Matrices|Matmul): /d' \
            's/^(vary +=) gpu.cus: .*/\1 gpu.cus: 1 8/; s/^(vary +=) agg.core: .*/\1 agg.core: simple 2way-ooo/'
        ;;
    esac
}

small() {
    local panel name
    mkdir -p "$panels"
    for panel in "$root"/scripts/panels/trees/*.ini; do
        name=$(basename "$panel" .ini)
        [[ $name != causes-* || -n ${SLUICE_TEST_LONG:-} ]] || continue
        sed -E -e "$([[ -n ${SLUICE_TEST_LONG:-} ]] || fewer "$name")" -e '/^program/{
            s/_fib 12$/_fib 9/; s/_fib 16$/_fib 10/; s/_fib 20$/_fib 11/; s/_fib 24/_fib 12/
            s/orders 30000/orders 300/; s/tsp 12/tsp 6/; s/anneal 4000/anneal 40/; s/queens 1[03]/queens 7/
            s/_fft 1024/_fft 64/; s/_fft 4096/_fft 128/; s/_fft 16384/_fft 256/; s/_fft 65536/_fft 512/
            s/_fft 262144/_fft 1024/; s/_fft 1048576/_fft 2048/; s/(sort|bitonic) 4096/\1 300/; s/(sort|bitonic) 16384/\1 600/
            s/(sort|bitonic) 65536/\1 1200/; s/(sort|bitonic) 262144/\1 2400/; s/sort 20000/sort 500/; s/sort 1000000/sort 3000/
            s/tree_sum 20000/tree_sum 500/; s/(matmul|strassen) (128|256|512)/\1 64/; s/_([a-z]*) 16384/_\1 200/; s/_([a-z]*) 65536/_\1 400/
        }' "$panel" >"$panels/$name.ini"
        ! grep -Fxf <(grep '^program' "$panel" | grep -v 'one\|fib [38]$') "$panels/$name.ini" || fail "$panel has other inputs"
    done
    make_report
}

# Times, and what is in them.
times() {
    local name
    law figure5-4 'v("kernel") > 0 && near(v("kernel") + v("start"), v("cycles"))'
    law figure5-4 'v("runs") != "trees" || v("speedup") > 0 && v("each") > v("task")'
    law figure5-5 'v("butterfly") > 0 && (v("runs") != "trees" || v("over") > 0 && v("instructions") > 0 && v("lines") > 1)'
    law figure5-6 'v("start") > 0 && v("start") < v("blocked") && v("blocked") < 100 && v("epoch") > 0'
    for name in figure5-7 figure5-8; do
        law $name 'v("part") > 0 && v("part") < v("total") && (v("program") != "worklists" || v("relative") == 1)'
    done
    law figure5-9 'v("runs") != "bitonic" || v("time") == 1 && v("later") == 1 && v("launches") == 1 && v("lines") == 1'
    law figure5-9 'v("runs") !~ /map|skip/ || v("launches") > 1 && v("instructions") > 0'
}

# trees_fib 12 by hand: 287 calls in 21 epochs, which look at all but two of their slots twice.
by_hand() {
    local kernel
    run 0 trees_fib 12 --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --quiet --stats stats
    kernel=$(($(statistic stats gpu.cycles) - $(statistic stats gpu.blocked.start_cycles) - $(statistic stats gpu.blocked.end_cycles)))
    law figure5-4 "v(\"program\") != 24 || v(\"runs\") != \"trees\" || v(\"kernel\") == $kernel &&
        near(v(\"each\"), $kernel / 21) && near(v(\"task\"), $kernel / 287)"
    law worktogether 'v("program") != "Fibonacci" || v("runs") != "fitted" ||
        near(572 * v("o1"), v("work")) && near(21 * v("oinf"), v("path"))'
}

# So small, none has work that several compute units could share.
overheads() {
    law worktogether 'v("runs") != "fitted" || v("path") > v("work") && v("error") >= 0 && v("error") < 20'
    law worktogether 'v("gpu.lanes") != 64 || v("relative") == 1'
    law worktogether 'v("runs") != "one" || v("epoch") > 100'
    law hostdelay 'v("trees.host_delay") != "0" || v("time") == 1 && v("added") == 0'
    law hostdelay 'v("trees.host_delay") == "0" || v("time") > 1 && v("added") > 0.9 && v("waiting") < 100'
    law words 'v("runs") == "apart" ? v("time") > 0.9 && v("time") < 1.2 : v("moved") > 0'
}

beside_channels() {
    local name
    for name in channels channels-cus channels-cores; do
        law $name 'v("cycles") > 0 && v("blocked") > 0 && v("blocked") < 100 && (v("runs") != "trees" || v("relative") == 1)'
    done
    law channels 'v("dispatches") > 0 && v("wavefronts") >= v("dispatches") && v("instructions") > 0 && v("kib") > 0'
}

check "panels with small inputs" small
check "times and what they are made of" times
check "a figure by hand" by_hand
check "overheads of TREES" overheads
check "TREES beside channels" beside_channels
