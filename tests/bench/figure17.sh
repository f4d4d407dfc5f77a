#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The core paper's Figure 17 (section 8.1): channels whose lanes reserve space each by a compare-and-swap of its
# own (the baseline) against one for the whole wavefront (the paper's GPU-efficient channel), that one with
# padded elements, and, which the paper leaves to future work, as a structure of arrays. For each program of
# the table below: time, also as a share of the baseline's, and compare-and-swaps. The paper has the figure as
# a picture; what its text says of it is printed under the table. Where gnuplot is there, a picture of the
# times goes to figure17.svg in the build folder (or the one that SLUICE_FIGURES names).
# usage: tests/bench/figure17.sh [--set section.key=VALUE | --config FILE]... [PROGRAM[:N]...]
#        PROGRAM is a line of the table; N runs it with another size. All lines without one.
# Exit status 1 where a run fails or its result is wrong.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Program, its size in the paper's Table 3 (fib is Figure 6's program, which the paper does not measure), the
# option that chooses the variant. A program that is not built, or has no such option, is left out with a word.
programs="
cilk_fib  24       --variant
queens    13       --variant
cilksort  1000000  --variant
strassen  512      --channels
fib       24       --variant
"
variants=(workitem wavefront padded soa)
data=${SLUICE_FIGURES:-$build}/figure17.dat
picture=${data%.dat}.svg

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

known=$(awk 'NF { printf "%s%s", sep, $1; sep = " " }' <<<"$programs")
for one in "${wanted[@]}"; do
    if [[ " $known " != *" ${one%%:*} "* ]]; then
        printf '%s: %s: not in the table; there are %s\n' "$me" "${one%%:*}" "$known" >&2
        exit 2
    fi
done

# has_option PROGRAM OPTION
has_option() {
    [[ -x $build/bin/$1 ]] && "$build/bin/$1" --help | grep -q -- "$2="
}

# measure PROGRAM N OPTION VARIANT: statistics of a run whose result was right
measure() {
    if ! "$build/bin/$1" "$2" "$3" "$4" "${settings[@]}" --quiet --stats "$folder/$4" >"$folder/out" 2>&1; then
        printf '%s: %s %s %s %s failed: %s\n' "$me" "$1" "$2" "$3" "$4" "$(<"$folder/out")" >&2
        exit 1
    fi
}

# row NAME VARIANT: times and successes are compared with the baseline's
row() {
    awk -v name="$1" -v variant="$2" \
        -v cycles="$(statistic "$folder/$2" gpu.cycles)" \
        -v base_cycles="$(statistic "$folder/workitem" gpu.cycles)" \
        -v attempts="$(statistic "$folder/$2" channel.cas_attempts)" \
        -v failures="$(statistic "$folder/$2" channel.cas_failures)" \
        -v base_attempts="$(statistic "$folder/workitem" channel.cas_attempts)" \
        -v base_failures="$(statistic "$folder/workitem" channel.cas_failures)" 'BEGIN {
            done = attempts - failures
            printf "%-18s %-10s %12d %8.3f %12d %12d %10d %9.1f\n", name, variant, cycles,
                cycles / base_cycles, attempts, failures, done,
                (done > 0 ? (base_attempts - base_failures) / done : 0)
        }'
}

# program NAME N OPTION: its rows, a line of the picture's data, and what is seen
program() {
    local variant line="\"$1 $2\""
    for variant in "${variants[@]}"; do
        measure "$1" "$2" "$3" "$variant"
    done
    for variant in "${variants[@]}"; do
        row "$1 $2" "$variant"
        line+=" $(awk "BEGIN { printf \"%.4f\", $(statistic "$folder/$variant" gpu.cycles) / $(statistic "$folder/workitem" gpu.cycles) }")"
    done
    printf '%s\n' "$line" >>"$data"
    remark "$1"
}

# What the variants change in a program's time.
remark() {
    awk -v name="$1" -v packed="$(statistic "$folder/wavefront" gpu.cycles)" \
        -v padded="$(statistic "$folder/padded" gpu.cycles)" \
        -v soa="$(statistic "$folder/soa" gpu.cycles)" \
        -v all="$(statistic "$folder/workitem" gpu.cycles)" 'BEGIN {
            printf "#   %-10s one CAS per wavefront is %.1f times as fast as one per work-item; ", name, all / packed
            printf "padding takes %+.1f %% time, a structure of arrays %+.1f %%\n",
                100 * (padded / packed - 1), 100 * (soa / packed - 1)
        }' >>"$folder/seen"
}

draw() {
    gnuplot <<PLOT
set terminal svg noenhanced size 800,400 background "white"
set output "$picture"
set title "Figure 17: run time, one CAS per work-item = 1"
set style data histograms
set style histogram clustered
set style fill solid 0.8 border -1
set yrange [0:*]
set key top right
plot "$data" using 2:xtic(1) title "${variants[0]}", \
     "" using 3 title "${variants[1]}", "" using 4 title "${variants[2]}", "" using 5 title "${variants[3]}"
PLOT
}

# The memory system that runs have, by the setting that comes last; its default is flat.
memory_system() {
    local i system=flat
    for ((i = 0; i < ${#settings[@]}; i++)); do
        [[ ${settings[i]} != *mem.system=* ]] || system=${settings[i]#*mem.system=}
    done
    printf '%s' "$system"
}

printf '# Figure 17: channels with one CAS per work-item (the baseline), per wavefront, padded, structure of arrays\n'
printf '# settings: %s\n' "${settings[*]:-default}"
printf '%-18s %-10s %12s %8s %12s %12s %10s %9s\n' program variant 'CU cycles' time 'CAS tried' failed succeeded 'x fewer'
printf '# %s\n' "program ${variants[*]}" >"$data"
: >"$folder/seen"
while read -r name n option; do
    [[ -n $name ]] || continue
    chosen=no
    ((${#wanted[@]} > 0)) || chosen=yes
    for one in "${wanted[@]}"; do
        if [[ ${one%%:*} == "$name" ]]; then
            chosen=yes
            [[ $one != *:* ]] || n=${one#*:}
        fi
    done
    if [[ $chosen == yes ]]; then
        if has_option "$name" "$option"; then
            program "$name" "$n" "$option"
        else
            printf '# %s %s: left out: no program build/bin/%s with %s\n' "$name" "$n" "$name" "$option"
        fi
    fi
done <<<"$programs"
printf '#\n# time: share of the baseline; x fewer: successful CAS of the baseline for one of this variant\n'
printf '# The paper (section 8.1): "by up to 64x" fewer CAS, run time reduced "drastically for all workloads";\n'
printf '# padded "in all cases" worse, but less than expected. It has no structure of arrays.\n# Seen here:\n'
cat "$folder/seen"
if [[ $(memory_system) == flat ]]; then
    printf '# Memory system flat has no caches: padding costs accesses of more lines, but nothing of it is missed\n'
    printf '# in a cache, and the same holds for what a structure of arrays gains. See --set mem.system=...\n'
fi
if command -v gnuplot >/dev/null; then
    draw
    printf '# picture: %s\n' "${picture#"$root"/}"
else
    printf '# no picture: gnuplot is not installed (package gnuplot-nox)\n'
fi
