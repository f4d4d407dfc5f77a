#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Runs a program as each line of a table says, `exit status | arguments | result line`, and looks at exit status and
# result line. The status is 1 where one of them is not what it should be, 2 where there is no table.
# usage: test.sh PROGRAM TABLE
program=${1:?usage: test.sh PROGRAM TABLE}
table=${2:?usage: test.sh PROGRAM TABLE}
failed=0

if [ ! -r "$table" ]; then
    printf 'test.sh: cannot read %s\n' "$table" >&2
    exit 2
fi

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
done <"$table"
exit $failed
