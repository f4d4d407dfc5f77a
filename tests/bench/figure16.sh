#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The core paper's Figure 16 (section 8): where line accesses of the compute units to their L1 data caches were
# served, at 1, 2, 4 and 8 CUs: L1 hits, L2 hits, misses of both (served by DRAM), cache-to-cache transfers. The
# paper's figure is a picture without numbers; what its text says is printed under the table with what is seen.
# Waits for a line that is under way already are a column of their own, and count with none of the others;
# upgrades (the line is there, the permission to write is not) are served by the directory, as L2 hits are.
# Where gnuplot is there, a picture goes to figure16.svg in the build folder (or the one that SLUICE_FIGURES names).
# usage: tests/bench/figure16.sh [--set section.key=VALUE | --config FILE]... [PROGRAM[:N]...]
#        PROGRAM is a line of the table; N runs it with another size. Without one cilk_fib, the paper's Fibonacci.
# Exit status 1 where a run fails or its result is wrong, 2 where the arguments are.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Program, and its size in the paper's Table 3.
programs="
cilk_fib  24
queens    13
cilksort  1000000
strassen  512
"
cus=(1 2 4 8)
data=${SLUICE_FIGURES:-$build}/figure16.dat
picture=${data%.dat}.svg
parse_arguments "$@"
((${#wanted[@]} > 0)) || wanted=(cilk_fib)

# measure PROGRAM N CUS
measure() {
    local status=0
    "$build/bin/$1" "$2" --set mem.system=moesi --set agg.core=2way-ooo "${settings[@]}" --set "gpu.cus=$3" --quiet \
        --stats "$folder/$3" >"$folder/out" 2>&1 || status=$?
    if ((status != 0)); then
        printf '%s: %s %s on %s CUs failed: %s\n' "$me" "$1" "$2" "$3" "$(<"$folder/out")" >&2
        exit 1
    fi
    if (($(statistic "$folder/$3" l1d.accesses) == 0)); then
        printf '%s: %s: no access to an L1 data cache; mem.system=moesi is needed\n' "$me" "$1" >&2
        exit 1
    fi
}

# row PROGRAM N CUS: a line of the table, and of the picture's data: shares of all accesses
row() {
    awk -v name="$1 $2" -v cus="$3" -v data="$data" \
        -v cycles="$(statistic "$folder/$3" gpu.cycles)" \
        -v first="$(statistic "$folder/${cus[0]}" gpu.cycles)" \
        -v accesses="$(statistic "$folder/$3" l1d.accesses)" \
        -v hits="$(statistic "$folder/$3" l1d.hits)" \
        -v merges="$(statistic "$folder/$3" l1d.merges)" \
        -v upgrades="$(statistic "$folder/$3" l1d.upgrades)" \
        -v l2="$(statistic "$folder/$3" l1d.from_l2)" \
        -v dram="$(statistic "$folder/$3" l1d.from_dram)" \
        -v others="$(statistic "$folder/$3" l1d.cache_to_cache)" \
        -v busy="$(statistic "$folder/$3" dram.utilization_pct)" 'BEGIN {
            share = 100 / accesses
            printf "%-18s %4d %10d %7.2f %10d %8.1f %8.1f %8.1f %8.1f %8.1f %6.1f\n", name, cus, cycles, first / cycles,
                accesses, hits * share, (l2 + upgrades) * share, dram * share, others * share, merges * share, busy
            printf "\"%s: %d\" %.4f %.4f %.4f %.4f %.4f\n", name, cus, hits * share, (l2 + upgrades) * share,
                dram * share, others * share, merges * share >>data
            printf "%d %.6f %.6f %.6f %.6f %.6f %.6f %.2f\n", cus, first / cycles, hits * share,
                (l2 + upgrades) * share, dram * share, others * share, others * 64, busy
        }'
}

# seen PROGRAM FILE: what the rows show, in words; FILE has their figures
seen() {
    awk -v name="$1" '
        { cus[NR] = $1; speed[NR] = $2; hits[NR] = $3; l2[NR] = $4; dram[NR] = $5; others[NR] = $6; busy[NR] = $8 }
        speed[NR] > speed[best + 0] { best = NR }
        END {
            printf "#   %s is fastest on %d CU%s, %.2f times as fast as on %d;", name, cus[best], (cus[best] > 1 ? "s" : ""),
                speed[best], cus[1]
            if (best < NR) {
                printf " %d CUs are slower than %d by %.0f %%:", cus[NR], cus[best], 100 * (speed[best] / speed[NR] - 1)
            } else {
                printf " it scales up to %d CUs:", cus[NR]
            }
            printf " from %d to %d CUs\n#   cache-to-cache transfers go from %.1f to %.1f %% of accesses,", cus[1], cus[NR],
                others[1], others[NR]
            printf " L1 hits from %.1f to %.1f %%, L2 hits from %.1f to %.1f %%,\n#   accesses served by DRAM", hits[1],
                hits[NR], l2[1], l2[NR]
            printf " from %.1f to %.1f %%, and DRAM is busy for %.0f %% of the time instead of %.0f %%.\n", dram[1],
                dram[NR], busy[NR], busy[1]
        }' "$2"
}

# program NAME N: its rows, lines of the picture's data, and what is seen
program() {
    local count
    : >"$folder/figures"
    for count in "${cus[@]}"; do
        measure "$1" "$2" "$count"
        row "$1" "$2" "$count" >"$folder/row"
        head -n 1 "$folder/row"
        tail -n 1 "$folder/row" >>"$folder/figures"
    done
    seen "$1" "$folder/figures" >>"$folder/seen"
}

draw() {
    gnuplot <<PLOT
set terminal svg noenhanced size 800,400 background "white"
set output "$picture"
set title "Figure 16: where line accesses to L1 data caches were served"
set ylabel "% of accesses"
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 border -1
set boxwidth 0.75
set yrange [0:100]
set key outside right
set xtics rotate by -20
plot "$data" using 2:xtic(1) title "L1 hits", "" using 3 title "L2 hits", "" using 4 title "misses", \
     "" using 5 title "cache to cache", "" using 6 title "merged"
PLOT
}

printf '# Figure 16: accesses of compute units to their L1 data caches, by where they were served, in per cent\n'
printf '# settings: mem.system=moesi, agg.core=2way-ooo%s\n' "${settings[*]:+, then ${settings[*]}}"
printf '%-18s %4s %10s %7s %10s %8s %8s %8s %8s %8s %6s\n' program CUs 'CU cycles' speedup accesses 'L1 hits' \
    'L2 hits' misses 'c-to-c' merged 'DRAM %'
printf '# program:CUs L1 L2 misses cache-to-cache merged\n' >"$data"
: >"$folder/seen"
while read -r name n; do
    [[ -n $name ]] || continue
    if n=$(size_of "$name" "$n"); then
        program "$name" "$n"
    fi
done <<<"$programs"
printf '#\n# The paper (section 8): "At eight CUs, Fibonacci'"'"'s cache-to-cache transfers degrade performance; these occur\n'
printf '# because consumer threads execute on different CUs than their respective producer." "While few memory\n'
printf '# accesses hit in the L1 cache, many hit in the shared L2." "L2 cache misses degrade scalability because\n'
printf '# main memory bandwidth is much lower than cache bandwidth."\n# Seen here:\n'
cat "$folder/seen"
if command -v gnuplot >/dev/null; then
    draw
    printf '# picture: %s\n' "${picture#"$root"/}"
else
    printf '# no picture: gnuplot is not installed (package gnuplot-nox)\n'
fi
