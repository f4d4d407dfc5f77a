#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Do lanes reconverge where the source says it? Random kernels (generate.py) are compiled, checked (check-convergence),
# and executed on the model of the device; the first one of each file also on the whole machine, which has to do the
# same.
# usage: tests/fuzz/convergence/campaign.sh [--kernels N] [--from SEED] [--per-file N] [--jobs N] [--log FILE]
#                                           [PROFILE...]
# N kernels (1,000) of each profile (all of tree.py, also with `w`), in files of 100, with seeds from SEED (1) on. FILE
# (fuzz/convergence/log in the build folder) gets a line for each file of kernels, with the columns that verdicts.py
# names; files that it has already are not tried again. FILE.findings gets a line for each kernel that was not right
# without a remark; the sources of those that were wrong are in the same folder. At the end comes a table of the whole
# log:
#     wrong      lanes computed something else than both rules say: in silence, or the build refused the kernel or
#                warned of it
#     right      likewise, of kernels that did what both rules say
#     disputed   the rules differ, and lanes followed that of the source's structure, that of post-dominators, or
#                neither
#     untried    GCC refused it
#     unkept     the plugin refused it, since GCC had changed which lanes execute an operation together
# The exit status is 1 where a kernel was wrong in silence, or did something else than its structure says, 2 where a file
# could not be tried.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${SLUICE_BUILD:-$here/../../../build}" && pwd)
export SLUICE_BUILD=$build PYTHONDONTWRITEBYTECODE=1
kernels=1000
first=1
per_file=100
jobs=$(nproc)
log=$build/fuzz/convergence/log
profiles=(tame wtame chains wchains logic wlogic switch wswitch jumps wjumps returns wreturns mixed wmixed all wall)

fail() {
    printf 'campaign.sh: %s\n' "$*" >&2
    exit 2
}

while [[ ${1:-} == --* ]]; do
    (($# > 1)) || fail "option '$1' needs a value"
    case $1 in
    --kernels) kernels=$2 ;;
    --from) first=$2 ;;
    --per-file) per_file=$2 ;;
    --jobs) jobs=$2 ;;
    --log) log=$2 ;;
    *) fail "unknown option '$1'; see the head of this file" ;;
    esac
    shift 2
done
for number in "$kernels" "$first" "$per_file" "$jobs"; do
    [[ $number =~ ^[1-9][0-9]*$ ]] || fail "'$number' is not a number above 0"
done
(($# == 0)) || profiles=("$@")
[[ -x $build/fuzz/run_kernels ]] || fail "no $build/fuzz/run_kernels: run 'make build/fuzz/run_kernels' first"

# Profile and seed of each file that is not in the log yet.
missing_files() {
    local profile seed
    for profile in "${profiles[@]}"; do
        for ((seed = first; seed < first + (kernels + per_file - 1) / per_file; seed++)); do
            grep -q "^$profile $seed " "$log" || printf '%s %d\n' "$profile" "$seed"
        done
    done
}

summary() {
    LC_ALL=C sort -s -k 1,1 "$log" | awk '
        function row(name,    i) {
            printf "%-10s", name
            for (i = 3; i <= 14; i++) { printf "%*d", width[i], sum[name, i] }
            printf "\n"
        }
        BEGIN {
            split("0 0 8 8 11 9 9 11 9 12 10 9 10 8", width)
            printf "%-26s%-11s%-9s%-9s%11s%-12s%12s\n", "", "     wrong", "", "", "right", "", "disputed"
            printf "%-10s%8s%8s%11s%9s%9s%11s%9s%12s%10s%9s%10s%8s\n", "profile", "tried", "right", "silent", "refused",
                "warned", "refused", "warned", "structure", "postdom.", "neither", "untried", "unkept"
        }
        $1 != name { if (name != "") { row(name) } name = $1 }
        { for (i = 3; i <= 14; i++) { sum[$1, i] += $i; sum["total", i] += $i } }
        END { if (name != "") { row(name) } row("total") }'
}

mkdir -p "$(dirname "$log")"
touch "$log"
log=$(readlink -f "$log")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
cd "$folder"

mapfile -t files < <(missing_files)
printf '%d files of %d kernels\n' ${#files[@]} "$per_file" >&2
before=$(wc -l <"$log")
status=0
# shellcheck disable=SC2016 # the inner shell expands
printf '%s\n' "${files[@]}" | xargs -r -P "$jobs" -L 1 bash -c '
    "$1/try_file.sh" "$2" "$3" "$6" "$7" || exit 1
    printf "%d of %d: %s %d\n" $(($(wc -l <"$3") - $4)) "$5" "$6" "$7" >&2' \
    try "$here" "$per_file" "$log" "$before" ${#files[@]} || status=2
summary
if ((status == 0)); then
    awk '{ silent += $5 + $11 + $12 } END { exit silent > 0 }' "$log" || status=1
fi
exit $status
