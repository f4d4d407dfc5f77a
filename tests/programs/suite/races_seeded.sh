#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What --check-races finds in programs that are known to be racy or not (tests/programs/races.c, docs/races.md): the examples of
# papers/002 and mutants of clean kernels, in each model and on each memory system: both lines of each race, and
# nothing in what is free of races.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

programs=$root/tests/programs
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
    "$root/tests/programs/suite/lib/check_races.py" list found.json "$1" "$programs"/races/*.h >figures
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

for model in "${models[@]}"; do
    check "$model: free of races" free "$model"
    for system in $("$bin/sluice" config explain mem.system | sed -n 's/^ *choices *//p'); do
        check "$model: $system" found "$model" "$system"
    done
done
