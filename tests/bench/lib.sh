# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the scripts of tests/bench share: where the built programs are, a folder that goes when the script ends,
# and figures out of statistics. Names the script `me` in messages.
# shellcheck shell=bash

me=$(basename "$0" .sh)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${SLUICE_BUILD:-build}
[[ $build == /* ]] || build=$root/$build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [[ ! -x $build/bin/fib ]]; then
    printf '%s: no %s; build it first (make all)\n' "$me" "$build/bin/fib" >&2
    exit 2
fi

# statistic FILE NAME
statistic() {
    sed -n "s/^ *\"$2\": *\([0-9.e+-]*\),*\$/\1/p" "$1"
}

# parse_arguments [--set section.key=VALUE | --config FILE]... [PROGRAM[:N]...]: leaves options of programs in
# `settings`, programs in `wanted`; those have to be in the table `programs`, lines of program and size.
parse_arguments() {
    local known one
    settings=()
    wanted=()
    while (($# > 0)); do
        case $1 in
        --set | --config)
            (($# > 1)) || { printf '%s: %s: value missing\n' "$me" "$1" >&2 && exit 2; }
            settings+=("$1" "$2")
            shift
            ;;
        --set=* | --config=*) settings+=("$1") ;;
        -*)
            printf '%s: %s: no such option; there are --set section.key=VALUE and --config FILE\n' "$me" "$1" >&2
            exit 2
            ;;
        *) wanted+=("$1") ;;
        esac
        shift
    done
    # shellcheck disable=SC2154 # the table is the script's
    known=$(awk 'NF { printf "%s%s", sep, $1; sep = " " }' <<<"$programs")
    for one in "${wanted[@]}"; do
        if [[ " $known " != *" ${one%%:*} "* ]]; then
            printf '%s: %s: not in the table; there are %s\n' "$me" "${one%%:*}" "$known" >&2
            exit 2
        fi
    done
}

# size_of PROGRAM N: the size with which a program of the table, whose size there is N, is to run; fails where
# it is not to run.
size_of() {
    local one chosen=no size=$2
    ((${#wanted[@]} > 0)) || chosen=yes
    for one in "${wanted[@]}"; do
        if [[ ${one%%:*} == "$1" ]]; then
            chosen=yes
            [[ $one != *:* ]] || size=${one#*:}
        fi
    done
    [[ $chosen == yes ]] && printf '%s' "$size"
}
