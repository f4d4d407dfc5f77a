#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The console examples of README.md and of the pages of docs/ that are listed below are what the programs print now: blocks
# of commands that all begin with `make run`, build/bin/ or a loop over such are run again and compared, line by line, but
# for the simulator's own speed. Equal runs are equal (docs/design.md, "Determinism"), so a difference is a page that is
# out of date. A block with a line `<!-- long -->` above it is left as it is without SLUICE_TEST_LONG. Needs a built
# tree (make all). Reports in TAP.
# usage: tests/check_figures.sh [--write]     --write brings the pages up to date instead, with all blocks
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${SLUICE_BUILD:-build}
write=${1:-}
with_long=${SLUICE_TEST_LONG:-$write}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

if [[ ! -x $build/bin/fib ]]; then
    echo "ok - figures in docs # SKIP not built: run 'make all' first"
    exit 0
fi

# run COMMAND: what it prints, on both streams
run() {
    local command=${1/#make run/build/bin/fib 24}
    (cd "$folder" && ln -sfn "$build_path" build && bash -c "$command" 2>&1 </dev/null) || true
}

# The page with what the examples print now.
refresh() {
    local line before='' block=() inside=no
    while IFS= read -r line || [[ -n $line ]]; do
        if [[ $inside == no ]]; then
            printf '%s\n' "$line"
            if [[ $line == '```console' && ($before != '<!-- long -->' || -n $with_long) ]]; then
                inside=yes
            fi
            before=$line
        elif [[ $line != '```' ]]; then
            block+=("$line")
        else
            refresh_block "${block[@]}"
            printf '%s\n' "$line"
            block=()
            inside=no
        fi
    done <"$1"
}

refresh_block() {
    local line speed=
    for line in "$@"; do
        [[ $line != '# simulator '* ]] || speed=$line
        if [[ $line == '$ '* && ! $line =~ ^'$ '(make run$|build/bin/|for\ [a-z]\ in) ]]; then
            printf '%s\n' "$@"
            return
        fi
    done
    for line in "$@"; do
        if [[ $line == '$ '* ]]; then
            printf '%s\n' "$line"
            run "${line#'$ '}" | sed "s|^# simulator .*|$speed|"
        fi
    done
}

build_path=$(cd "$build" && pwd)
for page in README.md docs/command.md docs/programming.md docs/cilk.md docs/cilk-sort.md docs/scheduling.md docs/profiling.md; do
    refresh "$page" >"$folder/page"
    if [[ $write == --write ]]; then
        cp "$folder/page" "$page"
    elif difference=$(diff -u --label "$page" --label 'as it is now' "$page" "$folder/page"); then
        printf 'ok - the examples of %s are what the programs print\n' "$page"
    else
        printf '%s\nnot ok - %s shows what the programs do not print: run tests/check_figures.sh --write\n' \
            "$difference" "$page"
        status=1
    fi
done
exit $status
