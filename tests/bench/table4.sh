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
# What counts as a line of code is in lines.sh. Times are simulated.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# fail STATUS TEXT
fail() {
    printf '%s: %s\n' "$me" "$2" >&2
    exit "$1"
}

# line_count KIND PROGRAM
line_count() {
    sed -n "s/^ *\"$2\":.*\"$1\": \([0-9]*\).*/\1/p" "$folder/lines"
}

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

# lines LABEL KIND CILK CONVENTIONAL PAPER
lines() {
    row "$1" %d "$(line_count "$2" "$3")" "$(line_count "$2" "$4")" \
        'sprintf("%+.0f %%", 100 * (c / v - 1))' "$5"
}

# pair CILK CONVENTIONAL N PAPER-LINES PAPER-DISPATCHES PAPER-SPEEDUP OPTION...
pair() {
    local cilk=$1 conventional=$2 n=$3 name
    local ratio='sprintf("%.2fx", c / v)'
    "$root/tests/bench/lines.sh" "$cilk" "$conventional" >"$folder/lines"
    for name in "$cilk" "$conventional"; do
        run "$name" "$n" "${@:7}"
    done
    printf '\n%-26s %10s %14s %11s %9s\n' "$cilk, $conventional $n" Cilk conventional compared paper
    lines 'lines of code' lines "$cilk" "$conventional" "$4"
    lines 'those of kernels alone' kernel_lines "$cilk" "$conventional" ''
    lines 'and of common files' common_lines "$cilk" "$conventional" ''
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
