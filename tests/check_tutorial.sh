#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# docs/programming.md and the tutorial's sources are the same: the C blocks of the page, each tagged with its
# file in a comment above it, put together in order, are the file without its two SPDX lines; empty lines
# do not count. A C block without a tag is an error, because nothing would compile it. Where the program is
# built, it also runs. Reports in TAP.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
page=docs/programming.md
folder=tests/programs
program=${SLUICE_BUILD:-build}/bin/tutorial
status=0

# report TEXT: reads what is wrong, nothing where all is well.
report() {
    local wrong
    wrong=$(cat)
    if [[ -z $wrong ]]; then
        printf 'ok - %s\n' "$1"
    else
        printf '%s\nnot ok - %s\n' "$wrong" "$1"
        status=1
    fi
}

# blocks FILE: the C blocks of the page that are tagged with FILE.
blocks() {
    awk -v tag="<!-- $1 -->" '
        /^```/ && inside { inside = 0; next }
        inside { print }
        /^```c$/ && before == tag { inside = 1 }
        { before = $0 }' $page
}

untagged() {
    awk -v folder="$folder/" '
        /^```c$/ && index(before, "<!-- " folder) != 1 {
            printf "%s:%d: C block without <!-- file --> above it\n", FILENAME, FNR
        }
        { before = $0 }' $page
}

without_empty_lines() {
    grep -v '^$' || true
}

report "$page: every C block names its file" < <(untagged)
for file in tutorial.h tutorial_kernel.c tutorial.c reduce_kernel.c; do
    report "$page has $folder/$file" < <(
        diff -u --label "$folder/$file" --label "$page" \
            <(tail -n +3 "$folder/$file" | without_empty_lines) \
            <(blocks "$folder/$file" | without_empty_lines) || true
    )
done
if [[ -x $program ]]; then
    report "$program computes what $page says" < <(
        for run in "1000 = 871" "10000 = 6171"; do
            output=$("$program" --quiet "${run%% *}" 2>&1) || true
            [[ $output == "tutorial(${run%% *}) = ${run##* }" ]] ||
                printf 'tutorial %s: %s; %s is right\n' "${run%% *}" "$output" "${run##* }"
        done
    )
else
    printf 'ok # SKIP %s is not built\n' "$program"
fi
exit $status
