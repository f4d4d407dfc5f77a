#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Runs test programs and scripts one after the other and adds up what they report.
# usage: scripts/run-tests.sh PROGRAM...
# A test reports in TAP on its output: lines that begin with `ok` or `not ok` (cmocka does so when asked).
# One that reports nothing counts as one test, passed when its status is 0; a status other than 0 without a
# `not ok`, as after a crash, counts as one failure. The output of a test that fails is shown.
# The last line is `N passed, N failed`; the status is 0 when none failed and at least one passed.
# A test that has not ended after SLUICE_TEST_LIMIT_S seconds (default 1800) is ended and has failed.
set -uo pipefail

export CMOCKA_MESSAGE_OUTPUT=TAP
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
limit_s=${SLUICE_TEST_LIMIT_S:-1800}
passed=0
failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

terminal=no
if [[ -t 1 && ${TERM:-dumb} != dumb ]]; then
    terminal=yes
fi

progress() {
    if [[ $terminal == yes ]]; then
        printf '\r\033[K  %.*s' $((${COLUMNS:-80} - 4)) "$1"
    fi
}

clear_progress() {
    if [[ $terminal == yes ]]; then
        printf '\r\033[K'
    fi
}

# Copies its input to the output file and shows the names of the tests as they end.
follow() {
    local line
    while IFS= read -r line || [[ -n $line ]]; do
        printf '%s\n' "$line" >>"$output"
        if [[ $line =~ ^(not )?ok\ +[0-9]*\ *-?\ *(.*) ]]; then
            progress "$1: ${BASH_REMATCH[2]}"
        fi
    done
}

run_one() {
    local name=$1 status ok bad
    name=${name#"${SLUICE_BUILD:-build}"/}
    : >"$output"
    progress "$name"
    # The outer redirection keeps the shell's own "Segmentation fault" out of the report.
    {
        timeout --kill-after=5 "$limit_s" "$1" 2>&1 </dev/null | follow "$name"
        status=${PIPESTATUS[0]}
    } 2>/dev/null
    ok=$(grep -c '^ok\b' "$output")
    bad=$(grep -c '^not ok\b' "$output")
    if ((status == 124)); then
        printf 'not ended after %d s\n' "$limit_s" >>"$output"
    fi
    if ((ok + bad == 0 && status == 0)); then
        ok=1
    elif ((bad == 0 && status != 0)); then
        bad=1
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    clear_progress
    if ((bad == 0)); then
        printf '  %-40s %4d passed\n' "$name" "$ok"
    else
        printf '  %-40s %4d passed, %d failed (status %d):\n' "$name" "$ok" "$bad" "$status"
        sed 's/^/    | /' "$output"
    fi
}

for test in "$@"; do
    run_one "$test"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0 && passed > 0))
