#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The console examples of README.md and of the pages of docs/ that are listed below are what the programs print now: blocks
# of commands that all begin with `make run`, build/bin/, build/examples/ or a loop over such are run again and compared, line by line, but
# for the simulator's own speed. Equal runs are equal (docs/know/design.md, "Determinism"), so a difference is a page that is
# out of date. A block with a line `<!-- long -->` above it is left as it is without SLUICE_TEST_LONG. Of one with
# `<!-- panel -->`, which is a single `sluice report`, the rows of Fibonacci are compared then, the quickest program; of
# one with `<!-- panel LABEL -->` those of the program that it calls so.
# Left as it is, too, is one with
#     <!-- with FILE.c, SCRIPT: PROGRAM ARGUMENTS -->
# above it: what PROGRAM says on standard error when sed's SCRIPT has put a mistake into FILE.c of it. Needs a
# built tree (make all). Reports in TAP.
# usage: tests/static/check_figures.sh [--write] [PAGE...]     --write brings pages up to date instead, with all blocks; all pages, or
# those that are named
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${SLUICE_BUILD:-build}
# shellcheck source-path=SCRIPTDIR source=../suite/lib/sets.sh
source tests/suite/lib/sets.sh
root=$PWD
write=
if [[ ${1:-} == --write ]]; then
    write=$1
    shift
fi
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
    (cd "$folder" && ln -sfn "$build_path" build && ln -sfn "$root/tests" tests && bash -c "$command" 2>&1 </dev/null) || true
}

# with_mistake FILE SCRIPT COMMAND: what the program says, in a copy of what it needs from the build
with_mistake() {
    local file=$1 script=$2 tree=$folder/mistake source program arguments parts
    source=$(find tests/workloads tests/probes -name "$file")
    read -r program arguments <<<"$3"
    rm -rf "$tree"
    mkdir -p "$tree/bin" "$tree/kernels"
    ln -s "$build_path/lib" "$build_path/firmware" "$tree"
    cp "$build_path/bin/$program" "$tree/bin"
    cp "$build_path/kernels/$program.elf" "$tree/kernels"
    sed "$script" "$source" >"$tree/$file"
    if cmp -s "$tree/$file" "$source"; then
        echo "($source is the same after sed '$script')"
    elif [[ $file == *_kernel.c ]]; then
        scripts/sluice-kernel-cc -Itests "$tree/$file" -o "$tree/kernels/$program.elf" 2>&1
    else
        mapfile -t parts < <(find tests/workloads/common "$(dirname "$source")" -maxdepth 1 -name '*.c' ! -name '*_kernel.c' \
            -exec grep -L '^int main(' {} +)
        gcc -std=gnu11 -O2 -Ihal -Ihal/include -Itests "$tree/$file" "${parts[@]}" \
            "$build_path/lib/libsluice.a" -o "$tree/bin/$program" -pthread -lelf -ldw -linih -ljansson -lm 2>&1
    fi
    # shellcheck disable=SC2086 # arguments are words
    "$tree/bin/$program" $arguments 2>&1 >"$tree/out" </dev/null || true
}

# The page with what the examples print now.
refresh() {
    local line before='' block=() inside=no label
    while IFS= read -r line || [[ -n $line ]]; do
        if [[ $inside == no ]]; then
            printf '%s\n' "$line"
            if [[ $line == '```console' && -z $with_long && $before =~ ^'<!-- panel '(([A-Za-z0-9_]+)' ')?'-->'$ ]]; then
                label=${BASH_REMATCH[2]:-Fibonacci}
                inside=panel
            elif [[ $line == '```console' && ($before != '<!-- long -->' || -n $with_long) ]]; then
                inside=yes
            elif [[ $line == '```text' && -n $with_long && $before =~ ^'<!-- with '([a-z_]+\.c)', '(.*)': '([a-z_]+\ .*)' -->'$ ]]; then
                with_mistake "${BASH_REMATCH[@]:1}"
                inside=mistake
            fi
            before=$line
        elif [[ $line != '```' ]]; then
            block+=("$line")
        else
            case $inside in
            yes) refresh_block "${block[@]}" ;;
            panel) spot_check "$label" "${block[@]}" ;;
            esac
            printf '%s\n' "$line"
            block=()
            inside=no
        fi
    done <"$1"
}

refresh_block() {
    local line speed='' ours=no
    for line in "$@"; do
        [[ $line != '# simulator '* ]] || speed=$line
        if [[ $line =~ ^'$ '(make run$|build/bin/|build/examples/|for\ [a-z]\ in) ]]; then
            ours=yes
        elif [[ $line == '$ '* ]]; then
            ours=no
            break
        fi
    done
    if [[ $ours == no ]]; then
        printf '%s\n' "$@"
        return
    fi
    for line in "$@"; do
        if [[ $line == '$ '* ]]; then
            printf '%s\n' "$line"
            run "${line#'$ '}" | sed "/^# [0-9.]* ms simulated, /d; s|^# simulator .*|${speed:-&}|"
        fi
    done
}

# rows LABEL: those of a program, without what lines them up with others, in order
rows() {
    awk -v label="$1" '$1 == label { $1 = $1; print }' | LC_ALL=C sort
}

# spot_check LABEL LINE...: a panel's block as it is; behind it, those of the program's rows that it and what the panel now
# prints do not both have.
spot_check() {
    local label=$1
    shift
    printf '%s\n' "$@"
    printf '%s\n' "$@" | rows "$label" >"$folder/shown"
    run "${1#'$ '} --only $label" | rows "$label" >"$folder/now"
    if [[ -s $folder/shown ]]; then
        LC_ALL=C comm -3 "$folder/shown" "$folder/now" | tr -d '\t'
    else
        printf '(no row of %s to compare)\n' "$label"
    fi
}

build_path=$(cd "$build" && pwd)
# What one reads first is of the main set.
pages=()
if in_main; then
    pages+=(README.md docs/look-up/command.md docs/learn/programming.md docs/learn/cilk.md docs/do/debug.md docs/do/trace.md)
fi
if in_rest; then
    pages+=(docs/know/cilk-sort.md docs/know/scheduling.md docs/do/profile.md docs/do/reproduce-a-paper.md docs/know/cores.md docs/do/write-litmus-tests.md
        docs/know/consistency-programs.md docs/know/memory-model.md docs/know/trees.md docs/know/trees-programs.md docs/know/uts.md docs/know/results-hrf.md docs/do/find-races.md
        docs/do/speed-up-kernels.md docs/examples/*/README.md)
fi
if (($# > 0)); then
    pages=("$@")
fi
for page in "${pages[@]}"; do
    refresh "$page" >"$folder/page"
    if [[ $write == --write ]]; then
        cp "$folder/page" "$page"
    elif difference=$(diff -u --label "$page" --label 'as it is now' "$page" "$folder/page"); then
        printf 'ok - the examples of %s are what the programs print\n' "$page"
    else
        printf '%s\nnot ok - %s shows what the programs do not print: run tests/static/check_figures.sh --write\n' \
            "$difference" "$page"
        status=1
    fi
done
exit $status
