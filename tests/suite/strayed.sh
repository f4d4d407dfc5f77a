#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Firmware that never comes back (tests/attack/firmware): whatever it does, the program ends with status 3 and says
# what hangs, and QEMU is gone.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# QEMU is a child of the program, in the session of this test.
nothing_left() {
    local left
    left=$(pgrep -s 0 -f "$PWD/flash" || true)
    [[ -z $left ]] || fail "left behind: $left"
}

# strayed NAME MESSAGE [SETTING]...
strayed() {
    cp "$build/firmware/attack/$1.flash" flash
    run 3 fib 15 --quiet --set "host.flash=$PWD/flash" "${@:3}"
    expect err "^fib: $2"
    [[ ! -s out ]] || fail "a result: $(cat out)"
    nothing_left
}

ended="the machine ended: $engine ended with exit status"
outside="$ended 27: The firmware has executed [0-9]+ instructions outside runs"
check "never ready" strayed never_boots "the machine did not boot: $engine ended with exit status 25: " --set host.boot_limit=100s
check "never looks for messages" strayed never_looks "$ended 2[67]: "
check "hangs before the begin mark" strayed before_begin "$outside"
check "hangs in the run" strayed in_run "$ended 24: "
check "hangs after the end mark" strayed after_end "$outside"
check "rings its doorbell for ever" strayed doorbells "$ended 24: "
check "pauses for ever" strayed pauses "$outside"
check "runs for ever" strayed runs_for_ever "$outside"
check "answers another message" strayed other_sequence 'the firmware sent message [0-9]+ with sequence [0-9]+, which answers nothing'

# The first answer is right, and there is no second graph.
twice() {
    cp "$build/firmware/attack/answers_twice.flash" flash
    run 0 fib 15 --quiet --set "host.flash=$PWD/flash"
    expect_result 'fib(15) = 610'
    nothing_left
}
check "answers twice" twice
