#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What --check-races finds in programs that are known to be racy or not (tests/probes/races/races.c, docs/do/find-races.md): the examples of
# papers/002 and mutants of clean kernels, in each model and on each memory system: both lines of each race, and
# nothing in what is free of races.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

bases=$root/tests/probes/races
models=(drf hrf-indirect hrf-direct)

# cases SYSTEM: lines of --list. Where caches hold what an enq did not release, takers read control entries of before,
# and the graph does not end.
cases() {
    case $1 in
    quickrelease | scoped) "$bin/races" --list | grep -v '^channel_enq ' ;;
    *) "$bin/races" --list ;;
    esac
}

# found MODEL SYSTEM [OPTION...]: the cases one after the other on one machine
found() {
    local names
    cases "$2" >list
    names=$(cut -d ' ' -f 1 list)
    # shellcheck disable=SC2086 # one word each
    run 1 races $names --quiet --check-races "$1" --races found.json --set debug.races_limit=1000 \
        --set mem.system="$2" --set gpu.cycle_limit=1000000 "${@:3}"
    expect_result "races($(wc -l <list)) = $(wc -l <list)"
    with_python "$root/tests/suite/lib/check_races.py" list found.json "$1" "$bases"/*.h >figures
    note "$(<figures)"
}

# Those without a race end with status 0 and say nothing.
free() {
    local names
    names=$("$bin/races" --list | awk '$2 == "nowhere" { print $1 }')
    # shellcheck disable=SC2086 # one word each
    run 0 races $names --quiet --check-races "$1"
    [[ ! -s err ]] || fail "something is found: $(cat err)"
}

# line_of LABEL: the line that has it
line_of() {
    grep -hn "/\* race: $1 \*/" "$bases"/*.h | cut -d : -f 1
}

# Both sides are named, by function and line.
told() {
    run 1 races pass_small_release --quiet --check-races hrf-direct
    expect err "load by races_base_pass \(words\.h:$(line_of pass.load)\), lane 0, CU [0-9]+, unordered after store by races_base_pass \(words\.h:$(line_of pass.store)\), lane 0,"
    expect err "^  released at work-group scope; device scope holds both"
}

check "both sides of a race" told
for model in "${models[@]}"; do
    check "$model: free of races" free "$model"
    for system in $(memory_systems); do
        check_sample 3 "$model: $system" found "$model" "$system"
    done
done
check "one compute unit" found hrf-direct moesi --set gpu.cus=1
check "32 lanes" found hrf-direct moesi --set gpu.lanes=32 --set gpu.simd_lanes=8
check "total store order" found hrf-direct moesi --set gpu.consistency=tso
check "queues for locks" found hrf-direct flat --set lock.queue=on
