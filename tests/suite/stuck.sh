#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Wavefronts that execute for ever and change nothing (tests/probes/faults/stuck.c): a deadlock where that is certain, and
# else no progress, long before gpu.cycle_limit; one that counts is told later, and one that stores for long ends.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

kernels=$root/tests/probes/faults/stuck_kernel.c
soon=(--quiet --set gpu.progress_limit=200000)

# line_of NAME: the line that the kernel's source marks, as messages name it
line_of() {
    local line
    line=$(grep -n "/\* stuck: $1 \*/" "$kernels" | cut -d : -f 1)
    [[ -n $line ]] || fail "no line marked '$1' in $kernels"
    printf 'stuck_kernel\\.c:%s\\)' "$line"
}

# stuck CASE MESSAGE [ARGUMENT]...
stuck() {
    run 3 stuck "$1" "${@:3}"
    expect err "^stuck: kernel stuck_$1 faulted: $2"
    [[ ! -s out ]] || fail "a result: $(cat out)"
}

# The search for them begins where there was no progress for half of the limit, however long the loops' rounds are.
deadlock() {
    stuck "$1" "deadlock: wavefront 0 .* in stuck_$1 \(.*$(line_of "$1")" "${@:2}" "${soon[@]}"
}

standstill() {
    stuck "$1" "no progress: for 200000 cycles \(gpu\.progress_limit\) no wavefront has begun, ended or changed anything; wavefront 0, the oldest of 2, goes round in a loop.* in stuck_$1 \(.*$(line_of "$1"), lanes 0-63 \(64 of 64\), CU 0, at 2[0-9][0-9]\.[0-9]+ us$" "${@:2}" "${soon[@]}"
}

# With the limits as they are.
default() {
    stuck exchange "no progress: for 10000000 cycles " --quiet
}

# The same message at the same simulated time.
twice() {
    standstill exchange
    mv err first
    standstill exchange
    cmp -s err first || fail "two messages: $(cat first err)"
}

# Each wavefront executes gpu.progress_limit instructions, of 4 cycles each.
counts() {
    stuck counts "no progress: for [89][0-9]{5} cycles \(gpu\.progress_limit\) no wavefront has begun, ended or changed anything but registers and its own stack; wavefront [01], of 2, goes round in a loop that changes nothing else, in stuck_counts \(.*$(line_of counts)" "${soon[@]}"
}

# The same at the default limit, in seconds.
counts_by_default() {
    stuck counts "no progress: for 4[0-9]{7} cycles " --quiet
}

# Stores that wait in write buffers for longer than the limit.
stores() {
    run 0 stuck stores --quiet --set gpu.consistency=tso --set gpu.progress_limit=20000 "$@"
}

# Without the limit there is the absolute one.
none() {
    stuck exchange "cycle limit reached: .*1000000 cycles" --quiet --set gpu.progress_limit=0 --set gpu.cycle_limit=1000000
}

for case in loop word pause nested barrier channel; do
    check "$case" deadlock "$case"
done
for case in exchange trylock many; do
    check "$case" standstill "$case"
done
check "misaligned" standstill misaligned --set gpu.misaligned=split
for system in $(in_turn "$(memory_systems)"); do
    check "exchange on $system" standstill exchange --set "mem.system=$system"
done
check_rest "at the default limit" default
check "twice" twice
check "a loop that counts" counts
check_rest "a loop that counts, at the default limit" counts_by_default
check "stores on partition" stores --set mem.system=partition
check "stores on moesi, to slow memory" stores --set mem.system=moesi --set dram.bandwidth=100
check "no such limit" none
