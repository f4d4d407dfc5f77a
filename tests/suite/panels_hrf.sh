#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The panels of scripts/panels/hrf with small trees on two compute units: each can be made, every check has a figure, and the
# values obey the laws of what they are. In the short suites panels that explain Figure 10 (causes-*) are left out but for that
# of the number of wavefronts.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/panels.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/panels.sh"

hang_s=300 # some sixty runs

small() {
    local panel name
    mkdir -p "$panels"
    for panel in "$root"/scripts/panels/hrf/*.ini; do
        name=$(basename "$panel" .ini)
        [[ $name != causes-* || $name == causes-wavefronts || -n ${SLUICE_TEST_LONG:-} ]] || continue
        sed -e '/^program/{s/--tree T1/& -d 5/; s/--tree T2/& -d 5/; s/--tree T4/& -d 6/; s/--tree T5/& -d 8/}' \
            -e 's/^config *= hrf$/&\nset = gpu.cus=2/' "$panel" >"$panels/$name.ini"
        ! grep '^program = .*--tree T[0-9] --' "$panels/$name.ini" || fail "$panel has other trees"
    done
    make_report
}

# Of what is relative to itself, of caches, and of fronts.
values() {
    law figure10 'v("runs") != "direct" || v("relative") == 1'
    law figure10 'v("time") > 0 && v("flushes") > 0 && v("invalidations") > 0 && v("hits") > 0 && v("hits") < 100'
    law figure10 'v("full") >= 0 && v("partial") > 0 && v("donations") >= 0'
    law causes-wavefronts 'v("gpu.contexts") != 4 || v("slower") == 1'
    law causes-wavefronts 'v("runs") != "direct" || v("relative") == 1'
    law causes-wavefronts 'v("partial") > 0 && v("partial") <= 100 && v("looks") > 0 && v("instructions") > 20'
}

# Figure 10's numbers are those of a run.
by_hand() {
    local version
    for version in direct indirect; do
        run 0 uts --config hrf --tree T5 -d 8 --version "$version" --set gpu.cus=2 --set gpu.contexts=4 \
            --set 'mem.jitter=4 ns' --set mem.jitter_seed=1 --quiet --stats "$version"
        law figure10 "v(\"program\") != \"T5\" || v(\"runs\") != \"$version\" || v(\"gpu.contexts\") != 4 ||
            v(\"time\") == $(statistic "$version" gpu.cycles) &&
            v(\"flushes\") == $(statistic "$version" sync.releases.device) &&
            v(\"invalidated\") == $(statistic "$version" sync.invalidated_lines)"
    done
    law figure10 "v(\"program\") != \"T5\" || v(\"runs\") != \"indirect\" || v(\"gpu.contexts\") != 4 ||
        near(v(\"relative\"), $(statistic indirect gpu.cycles) / $(statistic direct gpu.cycles)) &&
        v(\"flushes\") < $(statistic direct sync.releases.device)"
}

explained() {
    law causes-flush 'v("runs") != "indirect" || v("program") == "T4" || v("saved") > 0' # T4 is a dozen fronts
    law causes-flush 'v("below") >= 0 && v("below") <= 100'
    law causes-latency 'v("runs") == "direct" ? v("relative") == 1 : v("relative") > 0'
    law causes-compute 'v("front") > 1400 && v("wait") > 0'
}

check "panels with small trees" small
check "values and their laws" values
check "a figure by hand" by_hand
[[ -z ${SLUICE_TEST_LONG:-} ]] || check "what explains it" explained
