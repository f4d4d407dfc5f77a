#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The panels of scripts/panels/consistency with small inputs: each can be made, every check has a figure, and the values obey
# the laws of what they are. Figures' panels always, those that explain them with SLUICE_TEST_LONG.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/panels.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/panels.sh"

hang_s=300 # some hundred runs

small() {
    local name panel
    mkdir -p "$panels"
    for name in figure3-1 figure3-4 unordered storage ${SLUICE_TEST_LONG:+wavefronts loads sets}; do
        panel=$root/scripts/panels/consistency/$name.ini
        sed -e 's/: mttop_barnes_hut$/& 100/; s/: mttop_matmul$/& 20/; s/: mttop_dijkstra$/& 20/; s/: mttop_conv2d$/& 30/' \
            -e 's/: mttop_fft$/& 256/; s/--gap 0$/& 256/; s/: mttop_nn$/& 500/; s/: mttop_hotspot$/& 30/' \
            -e 's/: mttop_kmeans$/& 200/; s/mttop_kmeans 8192$/mttop_kmeans 256/; s/: mttop_bfs$/& 500/' "$panel" >"$panels/$name.ini"
        ! grep '^program = .*: mttop_[a-z0-9_]*$' "$panels/$name.ini" || fail "$panel has other inputs"
    done
}

all_made() {
    small
    make_report
}

# What is measured in itself, and what a model cannot have.
models() {
    law figure3-1 'v("ratio") > 0'
    law figure3-4 'v("gpu.consistency") != "sc" || v("speedup") == 1 && v("gain") == 0 && v("blocked") > 0'
    law figure3-4 'v("gpu.consistency") != "rmo" || v("blocked") == 0'
    law figure3-4 'near(v("gain"), 100 * (v("speedup") - 1)) && v("time") > 0 && v("blocked") < 100'
    law unordered 'v("runs") != "unordered" || near(v("better"), 100 * (v("gain") - 1))'
    law storage 'v("mshrs") > 0 && (v("gpu.consistency") != "sc" || v("mshrs") <= 512)'
    law storage 'v("gpu.consistency") ~ /^(sc_wb|tso)$/ ? v("buffer") > 0 : v("buffer") == 0'
    law storage 'v("gpu.consistency") == "tso" || v("matches") == 0'
}

# The unordered buffer is measured against the FIFO of the same program.
buffers() {
    run 0 mttop_nn 500 --config mttop --set gpu.consistency=tso --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --quiet --stats fifo
    run 0 mttop_nn 500 --config mttop --set gpu.rmo_loads=block --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --quiet --stats unordered
    law unordered "v(\"program\") != \"nn\" || v(\"runs\") != \"unordered\" || near(v(\"gain\"), $(statistic fifo gpu.cycles) / $(statistic unordered gpu.cycles))"
}

explained() {
    law wavefronts 'v("gain") > 0 && (v("gpu.consistency") != "sc" || v("speedup") == 1)'
    law loads 'v("runs") != "rmo" || v("speedup") > 0'
    law sets 'v("gpu.consistency") != "sc" || v("speedup") == 1'
    law sets 'v("replays") >= 0'
}

check "panels with small inputs" all_made
check "models and what they cannot have" models
check "a FIFO and an unordered buffer" buffers
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "panels that explain" explained
fi
