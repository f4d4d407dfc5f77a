#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the firmware costs, apart from where its functions happen to lie and when it happens to poll: builds it with
# four alignments of functions, runs graphs of several sizes with each of them on every aggregator core, and
# prints gpu.cycles, the geometric mean over the sizes: one column for each alignment, their median, and how far
# they are apart. With --against, the firmware of another tree of the sources too, and how the median has
# changed from that one's, by program and for all of them: what a change of firmware is to be judged by. A single size says less than it seems:
# a pass that is an instruction shorter finds other elements ready, and that alone moves a run by 2 %.
# Simulator, kernels and programs are this build's for both.
# usage: tests/bench/alignments.sh [--memory SYSTEM]... [--against TREE] [PROGRAM[:N]...]
#     SYSTEM: as of mem.system, default flat and moesi; TREE: a folder with Makefile, firmware/, hal/
# Status 2 for bad usage.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

alignments=(4 16 32 64)
cores=(simple 2-stage 5-stage 2way-light-ooo 2way-ooo 4way-ooo)
# Program and sizes.
programs='
fib 20 21 22 23 24
cilk_fib 19 20 21 22 23
queens 7 8 9 10
cilksort 15000 30000 45000 60000
strassen 64 128 256
tree_sum 600 1200 2000 3000
'

usage() {
    printf '%s: %s; usage: [--memory SYSTEM]... [--against TREE] [PROGRAM[:N]...]\n' "$me" "$1" >&2
    exit 2
}

memories=()
trees=(now="$root")
while [[ ${1:-} == -* ]]; do
    (($# > 1)) || usage "$1: value missing"
    case $1 in
    --memory) memories+=("$2") ;;
    --against)
        [[ -f $2/mk/target.mk ]] || usage "no mk/target.mk in '$2'"
        trees+=(before="$(cd "$2" && pwd)")
        ;;
    *) usage "$1: no such option" ;;
    esac
    shift 2
done
((${#memories[@]} > 0)) || memories=(flat moesi)
parse_arguments "$@"

# images NAME TREE: a folder for each alignment from which programs run with this tree's firmware.
images() {
    local align place
    for align in "${alignments[@]}"; do
        place=$folder/$1-$align
        mkdir -p "$place/bin"
        ln -s "$build/newlib" "$place/newlib"
        # This build's newlib for both, whatever a tree would build it with.
        make -s -C "$2" -o "$place/newlib/firmware/stamp" -o "$place/newlib/firmware/checked" \
            BUILD="$place" FIRMWARE_OPTIONS="-falign-functions=$align" flash >"$folder/log" 2>&1 || {
            printf '%s: the firmware of %s does not build:\n%s\n' "$me" "$2" "$(<"$folder/log")" >&2
            exit 1
        }
        cp "$build"/bin/* "$place/bin"
        ln -s "$build/kernels" "$place/kernels"
        mkdir -p "$place/lib"
        cp "$build"/lib/*.so* "$place/lib"
    done
}

# one TREE ALIGNMENT MEMORY CORE PROGRAM SIZE: prints these and the cycles
one() {
    local stats
    stats=$(mktemp -p "$folder")
    "$folder/$1-$2/bin/$5" "$6" --quiet --stats "$stats" --set "mem.system=$3" --set "agg.core=$4" >/dev/null </dev/null || return 255
    printf '%s %s\n' "$*" "$(statistic "$stats" gpu.cycles)"
}

for tree in "${trees[@]}"; do
    images "${tree%%=*}" "${tree#*=}"
done
export -f one statistic
export folder
for memory in "${memories[@]}"; do
    for core in "${cores[@]}"; do
        while read -r program sizes; do
            if [[ -z $program ]] || ! sizes=$(size_of "$program" "$sizes"); then
                continue
            fi
            for tree in "${trees[@]}"; do
                for align in "${alignments[@]}"; do
                    for size in $sizes; do
                        printf '%s %s %s %s %s %s\n' "${tree%%=*}" "$align" "$memory" "$core" "$program" "$size"
                    done
                done
            done
        done <<<"$programs"
    done
done >"$folder/runs"
xargs -P "$(nproc)" -L 1 bash -c 'one "$@"' _ <"$folder/runs" >"$folder/results"

# In the order of the runs.
awk -v alignments="${alignments[*]}" '
    function mean(tree, i, what) { return exp(logs[tree, align[i], what] / runs[tree, align[i], what]) }
    function middle(tree, what,    i, j, t, v) {
        for (i = 1; i <= n; i++) { v[i] = mean(tree, i, what) }
        for (i = 1; i <= n; i++) { for (j = i + 1; j <= n; j++) { if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t } } }
        apart = 100 * (v[n] / v[1] - 1)
        return (v[n / 2] + v[n / 2 + 1]) / 2
    }
    function all() {
        if (programs > 0) { printf "%-24s %*s %+6.2f %%\n", "all", 12 * n + 43, "", 100 * (exp(changes / programs) - 1) }
        changes = programs = 0
    }
    BEGIN { n = split(alignments, align, " ") }
    FNR == NR {
        logs[$1, $2, $3 " " $4 " " $5] += log($7)
        runs[$1, $2, $3 " " $4 " " $5]++
        trees[$1] = 1
        next
    }
    {
        what = $3 " " $4 " " $5
        if (what in seen) { next }
        seen[what] = 1
        if ($3 " " $4 != machine) {
            all()
            machine = $3 " " $4
            printf "\n%-24s", machine
            for (i = 1; i <= n; i++) { printf " %11s", align[i] }
            printf " %12s %8s", "median", "apart"
            printf ("before" in trees) ? " %12s %8s %8s\n" : "\n", "before", "apart", "change"
        }
        printf "%-24s", $5
        for (i = 1; i <= n; i++) { printf " %11.0f", mean("now", i, what) }
        now = middle("now", what)
        printf " %12.0f %6.2f %%", now, apart
        if ("before" in trees) {
            before = middle("before", what)
            printf " %12.0f %6.2f %% %+6.2f %%", before, apart, 100 * (now / before - 1)
            changes += log(now / before)
            programs++
        }
        print ""
    }
    END { all() }' "$folder/results" "$folder/runs"
