#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sequences of launches as one run: steps in order, parts that repeat, grids out of words, faults and refusals that
# name the step (tests/probes/launches/sequence.c), an end by the cycle limit, a search by worklists on every shape of
# the machine, statistics of one run, equal runs equal.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cases=$("$bin/sequence" --list | grep -v endless)

# shellcheck disable=SC2120 # called by check, too
all() {
    # shellcheck disable=SC2086 # one word each
    run 0 sequence $cases "$@"
    expect_result "sequence($(wc -w <<<"$cases")) = $(wc -w <<<"$cases")"
}

# Every reason to refuse a sequence has a case; the program's is in tests/unit/firmware/test_firmware_sequence.c.
reasons() {
    local sentence missing=
    # shellcheck disable=SC2119 # no options
    all
    while IFS= read -r sentence; do
        case $sentence in
        "the sequence has no launches"*) sentence="0 launches; from 1 to 256" ;;
        "the sequence is not inside"* | "the launch is of another program"*) continue ;;
        esac
        grep -Fq "$sentence" out || missing+="$sentence; "
    done < <(sed -n 's/^SL_REFUSAL(\(SEQUENCE_\|LAUNCH_GRID_W\).*, "\([^"]*\)")$/\2/p' "$root/hal/contract/codes.def")
    [[ -z $missing ]] || fail "no case for: $missing"
}

# What does not end otherwise. Whether a wavefront is running at the limit depends on the firmware's timing.
endless() {
    run 0 sequence endless endless_empty --set gpu.cycle_limit=100000
    expect_result "sequence(2) = 2"
    expect out '^# endless: (kernel step_(set|log) faulted: )?cycle limit reached: .*100000 cycles .*; step [01] of 0 to 1, kernel step_(set|log), repeat [0-9]+$'
    expect out '^# endless_empty: .*; step 0 of 0 to 0, kernel step_log, repeat [0-9]+$'
}

right() {
    run 0 worklist "$@" --quiet
    expect out "^worklist\(${*: -1}\) = [0-9]+$"
}

# Two launches for each distance, and none for a list that is empty: the last list may be either. It is
# emptied, and so is the other one once more where the part had another round to end.
counts() {
    local depth lists
    run 0 worklist 1000 --quiet --stats stats
    depth=$(sed -n 's/^worklist(1000) = //p' out)
    lists=$((depth + 1))
    (($(statistic stats gpu.dispatches) == 2 * lists + lists % 2)) || fail "$depth: $(statistic stats gpu.dispatches) dispatches"
    (($(statistic stats gpu.wavefronts) >= 1000 / 64)) || fail "$(cat stats)"
}

# 100,000 values are 12,500 lines, which the L2 holds. Caches are empty at the beginning of the run, not of each launch: the
# one that adds the sums to the values does not read them from DRAM again.
caches() {
    run 0 scan 100000 --quiet --stats stats
    (($(statistic stats gpu.dispatches) == 5)) || fail "$(statistic stats gpu.dispatches) launches"
    (($(statistic stats dram.reads) < 13000)) || fail "$(statistic stats dram.reads) lines read"
    note "$(statistic stats dram.reads) lines read"
}

timeline() {
    run 0 scan 1000 --quiet --timeline timeline
    expect timeline '"sequence"'
    expect timeline 'scan_blocks'
    expect timeline 'scan_add_blocks'
}

check "all cases on one machine, each with a good graph after it" all
check "one compute unit" all --set gpu.cus=1
check "flat memory, 32 lanes" all --set mem.system=flat --set gpu.lanes=32
check "every reason has a case" reasons
check "without end" endless

for n in 1 2 3 64 1000 30000; do
    check "worklist $n" right $n
done
for shape in cus=1 cus=64 lanes=8 lanes=32; do
    check "worklist, $shape" right --set gpu.$shape --set gpu.simd_lanes=8 5000
done
for group in 1 100 1024; do
    check "worklist in groups of $group" right --group $group 3000
done
check "worklist, flat memory" right --set mem.system=flat 3000
check "equal runs" equal_runs worklist 5000
check "equal runs, bitonic" equal_runs bitonic 2000
check "counts" counts
check "caches are empty once" caches
check "timeline" timeline
check "too many launches" run 2 bitonic --group 1 16777216
check "worklist of nothing" run 2 worklist 0
check "worklist in groups of 1025" run 2 worklist --group 1025 10
