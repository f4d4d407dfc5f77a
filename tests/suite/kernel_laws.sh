#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What a profile of kernels says is what the statistics of the whole machine say, to the last unit: with each memory
# system, in runs that yield, that fault, and in several of one process.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

is() {
    (($2 == $3)) || fail "$1: $2, wanted $3"
}

# total EVENT: of the whole profile, as its file says
total() {
    awk -v event="$1" '
        $1 == "events:" { for (i = 2; i <= NF; i++) { column[$i] = i } }
        $1 == "totals:" { printf "%d", $column[event] }' profile
}

# kernels FIGURE: of all kernels together, as the statistics say
kernels() {
    awk -F '[": ,]+' -v figure="$1" '$2 ~ "^kernel\\.[^.]*\\." figure "$" { sum += $3 } END { printf "%d", sum }' stats
}

# same EVENT FIGURE STATISTIC: in the file, as figures of kernels, and by the machine's own count
same() {
    is "$2 of kernels" "$(kernels "$2")" "$(statistic stats "$3")"
    is "$1 of the file" "$(total "$1")" "$(statistic stats "$3")"
}

# laws PROGRAM ARGUMENT...: of one run
laws() {
    run 0 "$@" --quiet --stats stats --kernel-profile profile
    same Wi wave_instructions simt.wave_instructions
    same Li lane_instructions simt.lane_instructions
    same Lines line_accesses l1d.accesses
    same L1m l1_misses l1d.misses
    same L2m l2_misses l1d.from_dram
    is "the reasons" "$(kernels 'cycles\\.[a-z0-9_]*')" "$(total Cycles)"
    is "resident cycles" "$(kernels resident_cycles)" "$(total Cycles)"
}

# on SYSTEM: one run, which yields
on() {
    laws cilk_fib 17 --width 512 --set mem.system="$1"
    (($(statistic stats gpu.restarts) > 0)) || fail "no yield"
}

# A run that a fault ends leaves no statistics, but a profile, in which reasons add up, too; and the same one again.
faulted() {
    local event sum=0
    run 3 faults null --quiet --kernel-profile profile
    while read -r event; do
        sum=$((sum + $(total "$event")))
    done < <(sed -n 's/^SL_STALL([A-Z0-9_]*, "\([a-z0-9_]*\)".*/\1/p' "$root/hal/contract/stalls.def")
    (($(total Wi) > 0)) || fail "nothing in the profile"
    is "the reasons" "$sum" "$(total Cycles)"
    mv profile first
    run 3 faults null --quiet --kernel-profile profile
    cmp first profile
}

for system in flat moesi nol1 wt quickrelease scoped partition hybrid; do
    check "$system, with yields" on $system
done
check "several launches of one process" laws bitonic 1024 --separate
check "a fault" faulted
