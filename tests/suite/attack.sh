#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A short part of the campaign of `make attack` (tests/attack, docs/know/trust.md): nothing is believed, nobody crashes or
# hangs, and a good graph runs right behind each attack.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# What has come of it is in the table's last row.
campaign() { # campaign NAME RUNS
    [[ -x $build/attack/attack ]] || fail "no $build/attack/attack; build it first (make $build/attack/attack)"
    timeout --kill-after=5 300 "$build/attack/attack" --count "$2" "$1" >out 2>err || fail "$(cat err out)"
    note "$(awk 'END { print $2 }' out) tried"
}

# A campaign that finds nothing wrong is told from one that cannot: with protection off, wild stores get through.
notices() {
    if timeout --kill-after=5 300 "$build/attack/attack" --count 40 --open stores >out 2>err; then
        fail "nothing was believed without protection: $(cat out)"
    fi
    expect err 'THROUGH'
}

signals() {
    command -v python3 >/dev/null || skip "no python3 on this machine"
    SLUICE_BUILD=$build "$root/tests/attack/signals.py" --count "$1" >out 2>err || fail "$(cat err out)"
}

check "wild accesses" campaign stores 120
check "gadgets" campaign gadgets 60
check "lying calls" campaign calls 60
check "wrong descriptions" campaign descriptors 60
check "damaged kernel files" campaign files 16
check "signals" signals 12
check "what is believed is noticed" notices
