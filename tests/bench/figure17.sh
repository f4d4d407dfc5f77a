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

# Program, and its size in the paper's Table 3 (fib is Figure 6's program, which the paper does not measure).
# Each has an option --channels that names the variant. What is not built or has no such option is left out
# with a word, and so is a variant that a program refuses: padded and soa take kernels that know the form.
programs="
cilk_fib  24
queens    13
cilksort  1000000
strassen  512
fib       24
"
variants=(workitem wavefront padded soa)
data=${SLUICE_FIGURES:-$build}/figure17.dat
picture=${data%.dat}.svg

parse_arguments "$@"

# has_variants PROGRAM
has_variants() {
    [[ -x $build/bin/$1 ]] && "$build/bin/$1" --help | grep -q -- '--channels='
}

# measure PROGRAM N VARIANT: leaves statistics of a run whose result was right in a file of the variant's name;
# fails where the program has no such variant. The baseline is what every program has.
measure() {
    local status=0
    rm -f "$folder/$3"
    "$build/bin/$1" "$2" --channels "$3" "${settings[@]}" --quiet --stats "$folder/$3" >"$folder/out" 2>&1 || status=$?
    ((status != 0)) || return 0
    if ((status == 2)) && [[ $3 != "${variants[0]}" ]]; then
        return 1
    fi
    printf '%s: %s %s --channels %s failed: %s\n' "$me" "$1" "$2" "$3" "$(<"$folder/out")" >&2
    exit 1
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

# ratio VARIANT BASE: of the times, or - where the variant was left out
ratio() {
    [[ -f $folder/$1 ]] || { printf -- '-' && return; }
    awk "BEGIN { printf \"%.4f\", $(statistic "$folder/$1" gpu.cycles) / $(statistic "$folder/$2" gpu.cycles) }"
}

# program NAME N: its rows, a line of the picture's data, and what is seen
program() {
    local variant line="\"$1 $2\""
    for variant in "${variants[@]}"; do
        if measure "$1" "$2" "$variant"; then
            row "$1 $2" "$variant"
        else
            printf '# %s %s: left out: %s, which the program refuses: %s\n' "$1" "$2" "$variant" \
                "$(tail -n 1 "$folder/out" | sed 's|/[^ ]*/||g')"
        fi
        line+=" $(ratio "$variant" workitem)"
    done
    printf '%s\n' "$line" >>"$data"
    awk -v name="$1" -v all="$(ratio workitem wavefront)" -v padded="$(ratio padded wavefront)" \
        -v soa="$(ratio soa wavefront)" 'BEGIN {
            printf "#   %-10s one CAS per wavefront is %.2f times as fast as one per work-item", name, all
            if (padded != "-") { printf "; padding takes %+.1f %% time", 100 * (padded - 1) }
            if (soa != "-") { printf ", a structure of arrays %+.1f %%", 100 * (soa - 1) }
            printf "\n"
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
set datafile missing "-"
set key top right
plot "$data" using 2:xtic(1) title "${variants[0]}", \
     "" using 3 title "${variants[1]}", "" using 4 title "${variants[2]}", "" using 5 title "${variants[3]}"
PLOT
}

# Whether the machine has caches: the last run's baseline has used them.
has_caches() {
    (($(statistic "$folder/workitem" l1d.accesses) > 0))
}

printf '# Figure 17: channels with one CAS per work-item (the baseline), per wavefront, padded, structure of arrays\n'
printf '# settings: %s\n' "${settings[*]:-default}"
printf '%-18s %-10s %12s %8s %12s %12s %10s %9s\n' program variant 'CU cycles' time 'CAS tried' failed succeeded 'x fewer'
printf '# %s\n' "program ${variants[*]}" >"$data"
: >"$folder/seen"
while read -r name n; do
    [[ -n $name ]] || continue
    if n=$(size_of "$name" "$n"); then
        if has_variants "$name"; then
            program "$name" "$n"
        else
            printf '# %s %s: left out: no program build/bin/%s with --channels\n' "$name" "$n" "$name"
        fi
    fi
done <<<"$programs"
printf '#\n# time: share of the baseline; x fewer: successful CAS of the baseline for one of this variant\n'
printf '# The paper (section 8.1): "by up to 64x" fewer CAS, run time reduced "drastically for all workloads";\n'
printf '# padded "in all cases" worse, but less than expected. It has no structure of arrays.\n# Seen here:\n'
cat "$folder/seen"
if [[ -f $folder/workitem ]] && ! has_caches; then
    printf '# Memory system flat has no caches: padding costs accesses of more lines, but nothing of it is missed\n'
    printf '# in a cache, and the same holds for what a structure of arrays gains.\n'
fi
if command -v gnuplot >/dev/null; then
    draw
    printf '# picture: %s\n' "${picture#"$root"/}"
else
    printf '# no picture: gnuplot is not installed (package gnuplot-nox)\n'
fi
