#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Every width of the channel: the result is right, or the run ends with an overflow that names channel,
# width and demand. A graph that never yields can do no better; what it may not do is hang or be wrong.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# fib of n has 2 fib(n) - 1 elements: a channel that holds all of them cannot overflow.
one() {
    local width=$1 n=$2 value status=0
    value=$(fibonacci "$n")
    timeout --kill-after=5 "$hang_s" "$bin/fib" "$n" --width "$width" --quiet >out 2>err || status=$?
    case $status in
    0)
        expect_result "fib($n) = $value"
        right+=" $n"
        ;;
    3)
        expect err "channel 0 'fib' overflows: width $width, a wavefront demands [1-9][0-9]* more elements and [1-9][0-9]* are in use( at the end of the run)?, in .*, called from fib_kernel \(fib_kernel\.c:[0-9]+\), lanes? [0-9]"
        ((2 * value - 1 > width)) || fail "all $((2 * value - 1)) elements fit, but: $(cat err)"
        [[ ! -s out ]] || fail "a result in spite of the overflow: $(cat out)"
        overflow+=" $n"
        ;;
    *) fail "fib $n --width $width: status $status: $(cat out err)" ;;
    esac
}

width() {
    local n right='' overflow=''
    for n in 1 2 3 8 9 12 16 20 24 27; do
        one "$1" "$n"
    done
    note "right:$right${overflow:+; overflow:$overflow}"
    # The demand of 27 was simulated to be 89 to 120 thousand.
    (($1 < 131072)) || [[ -z $overflow ]] || fail "overflow of$overflow at width $1"
}

bad() {
    bad_arguments "channel 0 'fib': width $1 is not a power of two from 64 to 16777216" fib 8 --width "$1" --quiet
}

for ((w = 64; w <= 262144; w *= 2)); do
    check "width $w" width "$w"
done
for w in 2 32 65 100 131071 33554432; do
    check "width $w is refused" bad "$w"
done
