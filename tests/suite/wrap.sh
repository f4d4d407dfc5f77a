#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The wrap of channels at the least width: slack elements are used, their number is the one worked out from
# the counters, and counters that start anywhere wrap as they should (tests/probes/channels/wrap.c).
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

wrap() {
    run 0 wrap "$@"
    expect out '^# 3 of 3 executions right, [1-9][0-9]* control entries in the slack$'
    note "$(grep -v '^#' out) in the slack"
}

# A done-count group as large as the channel: space cannot be given back in time.
overflow() {
    run 3 wrap --done-group 64
    expect err "channel 0 'relay' overflows: width 64, a wavefront demands [0-9]+ more elements"
}

# 2^32 and 2^64 less a little: counters pass them within the first wavefronts.
for first in 0 1 61 62 63 64 4294967232 4294967291 4294967295 9223372036854775805 \
    18446744073709551552 18446744073709551609 18446744073709551615; do
    check_sample 3 "counters from $first" wrap --first $first
done
for fan_out in 2 5 7 8; do
    check_sample 3 "fan-out $fan_out, from one element" wrap --fan-out $fan_out --runners 1
done
for group in 1 2 8 16; do
    check_sample 3 "done-count group of $group" wrap --done-group $group --fan-out 5 --runners 2
done
check "wavefronts of 2 lanes" wrap --set gpu.lanes=2 --set gpu.simd_lanes=2
check "width 128" wrap --width 128 --fan-out 7 --runners 6
check "too narrow for its done-count group: overflow" overflow
