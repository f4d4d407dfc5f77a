#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Runs the program as each line of tests.txt says, and looks at exit status and result line. The status is 1 where one
# of them is not what it should be.
# usage: test.sh PROGRAM
program=${1:?usage: test.sh PROGRAM}
failed=0

trim() {
    printf '%s' "$1" | sed 's/^ *//; s/ *$//'
}

while IFS='|' read -r status arguments result; do
    case $status in
    '' | '#'*) continue ;;
    esac
    arguments=$(trim "$arguments")
    result=$(trim "$result")
    # shellcheck disable=SC2086 # the arguments are words
    output=$("$program" --quiet $arguments </dev/null 2>&1)
    ended=$?
    if [ "$ended" -eq "$status" ] && { [ -z "$result" ] || [ "$output" = "$result" ]; }; then
        printf 'ok - %s\n' "$arguments"
    else
        printf 'not ok - %s: status %d and "%s", wanted %d and "%s"\n' "$arguments" "$ended" "$output" "$status" "$result"
        failed=1
    fi
done <"$(dirname "$0")/tests.txt"
exit $failed
