#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Table 4 of the core paper: Cilk programs on channels against conventional GPU programs for the same problem:
# lines of code, dispatches and run time, with the paper's figures beside.
# usage: tests/bench/table4.sh [strassen[=N]] [queens[=N]] [OPTION...]
# Without names both, at the paper's sizes; what begins with a dash, and all behind it, is given to the programs
# (--set gpu.cus=4). Exit status 2 where a program is missing, 3 where one does not end with a right result.
#
# Lines of code are those of a program's host file and kernel file and of the headers of programs that these
# include, tests/programs/common apart, without blank lines, comments and lines of braces alone. The lines of
# common files that they include directly are counted by themselves: both sides have them. Times are simulated.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# fail STATUS TEXT
fail() {
    printf '%s: %s\n' "$me" "$2" >&2
    exit "$1"
}

# ---- lines of code ----

# Prints the files of the tree that a file includes, by a pattern of their names.
includes() {
    sed -nE "s|^#include \"(programs/$2)\"|\1|p" "$root/tests/$1"
}

# Prints a program's own files, from these on: its host file, its kernel file, or both.
own_files() {
    local file included
    local -A seen=()
    local pending=("$@")
    while ((${#pending[@]} > 0)); do
        file=${pending[0]}
        pending=("${pending[@]:1}")
        [[ -z ${seen[$file]-} ]] || continue
        seen[$file]=yes
        printf '%s\n' "$file"
        while IFS= read -r included; do
            [[ $included == programs/common/* ]] || pending+=("$included")
        done < <(includes "$file" '[^"]*')
    done
}

program_files() {
    own_files "programs/$1.c" "programs/$1_kernel.c"
}

kernel_files() {
    own_files "programs/$1_kernel.c"
}

# Prints the common files that they include, sources with their headers.
common_files() {
    local file header
    while IFS= read -r file; do
        while IFS= read -r header; do
            printf '%s\n' "$header"
            [[ ! -f $root/tests/${header%.h}.c ]] || printf '%s\n' "${header%.h}.c"
        done < <(includes "$file" 'common/[^"]*')
    done < <(program_files "$1") | sort -u
}

# Counts the lines of the files on standard input. The compiler leaves out comments.
count_lines() {
    local file
    while IFS= read -r file; do
        "${CC:-gcc}" -fpreprocessed -dD -E "$root/tests/$file"
    done | sed -E '/^# [0-9]/d; /^[[:space:]{};,()]*$/d' | wc -l
}

# ---- runs ----

# run PROGRAM N OPTION...
run() {
    local status=0
    "$build/bin/$1" "${@:3}" --quiet --stats "$folder/$1" "$2" >/dev/null 2>"$folder/err" || status=$?
    ((status == 0)) || fail 3 "$1 $2 ended with status $status: $(<"$folder/err")"
}

# row LABEL FORMAT CILK CONVENTIONAL COMPARISON PAPER: the comparison is an expression of c and v
row() {
    awk -v label="$1" -v format="$2" -v c="$3" -v v="$4" -v paper="$6" "BEGIN {
        line = sprintf(\"  %-24s %10s %14s %11s %9s\", label, sprintf(format, c), sprintf(format, v), $5, paper)
        sub(/ +\$/, \"\", line)
        print line
    }"
}

# lines LABEL FILES CILK CONVENTIONAL PAPER
lines() {
    row "$1" %d "$("$2" "$3" | count_lines)" "$("$2" "$4" | count_lines)" \
        'sprintf("%+.0f %%", 100 * (c / v - 1))' "$5"
}

# pair CILK CONVENTIONAL N PAPER-LINES PAPER-DISPATCHES PAPER-SPEEDUP OPTION...
pair() {
    local cilk=$1 conventional=$2 n=$3 name
    local ratio='sprintf("%.2fx", c / v)'
    for name in "$cilk" "$conventional"; do
        run "$name" "$n" "${@:7}"
    done
    printf '\n%-26s %10s %14s %11s %9s\n' "$cilk, $conventional $n" Cilk conventional compared paper
    lines 'lines of code' program_files "$cilk" "$conventional" "$4"
    lines 'those of kernels alone' kernel_files "$cilk" "$conventional" ''
    lines 'and of common files' common_files "$cilk" "$conventional" ''
    row dispatches %d "$(statistic "$folder/$cilk" gpu.dispatches)" "$(statistic "$folder/$conventional" gpu.dispatches)" \
        "$ratio" "$5"
    row wavefronts %d "$(statistic "$folder/$cilk" gpu.wavefronts)" "$(statistic "$folder/$conventional" gpu.wavefronts)" \
        "$ratio" ''
    row 'run time, CU cycles' %d "$(statistic "$folder/$cilk" gpu.cycles)" "$(statistic "$folder/$conventional" gpu.cycles)" \
        'sprintf("%.2f", v / c)' "$6"
}

strassen=
queens=
while (($# > 0)) && [[ $1 != -* ]]; do
    case $1 in
    strassen | queens) printf -v "$1" default ;;
    strassen=* | queens=*) printf -v "${1%%=*}" '%s' "${1#*=}" ;;
    *) fail 2 "'$1' is none of strassen, strassen=N, queens, queens=N" ;;
    esac
    shift
done
[[ -n $strassen$queens ]] || strassen=default queens=default

printf "Table 4 of the core paper: lines compared as change, dispatches as ratio, run time as speedup\n"
if [[ -n $strassen ]]; then
    pair strassen matmul "${strassen/default/512}" '-42 %' 13x 1.06 "$@"
fi
if [[ -n $queens ]]; then
    pair queens nqueens "${queens/default/13}" '-36 %' 12.5x 0.98 "$@"
fi
