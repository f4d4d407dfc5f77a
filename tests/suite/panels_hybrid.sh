#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The panels of scripts/panels/hybrid with small inputs: each can be made, every check has a figure, and the values obey the
# laws of what they are. In the short suites programs and widths are fewer, but for those that checks name, and Figure 4.1,
# whose checks name nearly all of its runs, and panels that explain others (causes) are left out.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/panels.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/panels.sh"

hang_s=600 # a hundred runs, in the long suites three hundred

is_short() {
    [[ -z ${SLUICE_TEST_LONG:-} ]]
}

# fewer NAME: what the short suites leave out of a panel, as words for sed
fewer() {
    case $1 in
    hybrid4-[26]) echo '/^program = LBM SoA: /d' ;;
    hybrid4-3) echo '/^program = (LBM|LBM SoA|Stencil): /d' ;;
    hybrid4-[45]) echo '/^program = (BFS|Gridding|Histo|LBM|LBM SoA|MRI-Q|Stencil): /d' ;;
    cycles) printf '%s\n' '/^program = (MRI-Q|SGEMM): /d' 's/^(vary +=) crossbar.width: .*/\1 crossbar.width: 32 8/' ;;
    esac
}

small() {
    local panel name
    mkdir -p "$panels"
    for panel in "$root"/scripts/panels/hybrid/*.ini; do
        name=$(basename "$panel" .ini)
        ! is_short || [[ $name != hybrid4-1 && $name != causes* ]] || continue
        sed -E -e "$(! is_short || fewer "$name")" -e '/^program/{
            s/hybrid_bfs.*/hybrid_bfs 1000/; s/hybrid_cutcp.*/hybrid_cutcp 12/
            s/hybrid_gridding.*/hybrid_gridding 12 --samples 1000/; s/hybrid_histo.*/hybrid_histo 2000 --bins 500/
            s/hybrid_lbm.*(--layout [a-z]+).*/hybrid_lbm 13 \1 --depth 5 --steps 2/; s/hybrid_mriq.*/hybrid_mriq 8/
            s/hybrid_sgemm.*/hybrid_sgemm 100 --inner 20/; s/hybrid_spmv.*/hybrid_spmv 500 --times 2/
            s/hybrid_stencil.*/hybrid_stencil 40 --depth 5 --steps 2/
        }' "$panel" >"$panels/$name.ini"
        ! grep -Fxf <(grep '^program' "$panel") "$panels/$name.ini" || fail "$panel has other inputs"
    done
    make_report
}

# What is relative to itself is 1, parts are parts of a whole, marks are there or not.
values() {
    local name
    law table4-2 '(v("broadcast") + v("boundary") + v("dynamic") + v("coalesced") + v("noncoalesced") + v("atomic")) ~ /^[0-6]$/'
    law table4-2 'v("program") !~ /^(BFS|histo_main)$/ || v("atomic") == 1'
    law table4-2 'v("program") !~ /^lbm/ || v("noncoalesced") == (v("program") == "lbm_aos") && v("atomic") == 0'
    law hybrid4-2 'v("miss") > 0 && v("miss") <= 100 && v("bypassed") >= 0 && v("bypassed") <= 100'
    law hybrid4-2 'v("runs") != "tracker" || v("bypassed") == 0'
    law hybrid4-3 'v("demand") > 0 && v("demand") == (v("l2.bypass") == "off" ? 1 : v("on"))'
    for name in hybrid4-4 hybrid4-5; do
        law $name 'v("runs") == "small" || v("demand") > 0 && (v("runs") != "base" || v("demand") == 1)'
    done
    law hybrid4-5 'v("runs") != "small" || v("small") > 0 && (v("tracker.count") != 1 || v("small") == 1)'
    law hybrid4-6 'near(v("l1") + v("tracker") + v("l2") + v("network") + v("dram"), 100 - v("saved"))'
    law hybrid4-6 'v("runs") == "base" ? v("saved") == 0 && v("tracker") == 0 && v("l2saved") == 0 : v("tracker") > 0'
    law cycles 'v("runs") ~ /_base$/ || v("relative") > 0.5 && v("relative") < 2'
}

# Numbers of Figures 4.4, 4.5 and 4.6 are those of two runs.
by_hand() {
    local config demand
    for config in hybrid hybrid-base; do
        run 0 hybrid_spmv 500 --times 2 --config $config --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --quiet --stats $config
    done
    demand="near(v(\"demand\"), $(statistic hybrid dram.bytes) / $(statistic hybrid-base dram.bytes))"
    law hybrid4-4 "v(\"program\") != \"SPMV\" || v(\"tracker.sharers\") != 16 || $demand"
    law hybrid4-5 "v(\"program\") != \"SPMV\" || v(\"tracker.count\") != 1 || $demand"
    law hybrid4-6 "v(\"program\") != \"SPMV\" || v(\"runs\") != \"both\" ||
        near(v(\"tracker\"), 100 * $(statistic hybrid energy.tracker_pj) / $(statistic hybrid-base energy.dynamic_pj))"
}

long_ones() {
    law hybrid4-1 'v("runs") != "base" || v("saved") == 0 && v("energy") == 0 && (v("l2.size") != "1MiB" || v("demand") == 1)'
    law hybrid4-1 'v("demand") > 0 && v("saved") < 100 && v("energy") < 100'
    law causes 'v("runs") !~ /few|large/ || v("l2.bypass") != "off" || v("bypass") == 1'
    law causes 'v("runs") != "base" || v("l2.size") != "1MiB" || v("demand") == 1'
}

check "panels with small inputs" small
check "values and their laws" values
check "figures by hand" by_hand
is_short || check "Figure 4.1, and what explains it" long_ones
