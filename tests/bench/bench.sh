#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Measures the simulator's speed: host, QEMU, and for each workload the run with the shortest wall time out
# of some (SLUICE_BENCH_RUNS, default 3). `run` is the graph's run, `total` the whole program with the start of
# QEMU; instructions per second are of the run. Each memory system with caches has, with the out-of-order aggregator, a table
# of its own, with rates by the processor time of the whole program, too (the least of the runs), which other
# load on the machine changes less; and so have the core paper's four Cilk programs on its machine and
# Fibonacci on a task vector, beside the wall time that each may take, and two programs with locks; two on the machine of papers/003; the consistency
# models on fib, and the runs that compare them (docs/know/memory-model.md); runs with a profile of kernels, beside the same
# without. Nothing is passed or failed here.
# usage: tests/bench/bench.sh [N...]     arguments of fib, default 24 and 27, and then all the others
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
runs=${SLUICE_BENCH_RUNS:-3}

# The name on the first processor's page, or what uname says.
processor() {
    local name
    name=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
    printf '%s' "${name:-$(uname -m)}"
}

# The lesser of two numbers, of which the second may be missing.
lesser() {
    awk -v a="$1" -v b="${2:-$1}" 'BEGIN { print a < b ? a : b }'
}

# measure PROGRAM N OPTION...: leaves the best run's statistics and total seconds in the folder, and the least
# processor time of the runs (user, of the program and its QEMU)
measure() {
    local run begin end best=
    rm -f "$folder/user"
    for ((run = 1; run <= runs; run++)); do
        begin=$EPOCHREALTIME
        { TIMEFORMAT=%U; time "$build/bin/$1" "${@:2}" --quiet --stats "$folder/stats" >/dev/null; } 2>"$folder/time"
        end=$EPOCHREALTIME
        lesser "$(tail -n 1 "$folder/time")" "$(cat "$folder/user" 2>/dev/null)" >"$folder/least"
        mv "$folder/least" "$folder/user"
        if [[ -z $best ]] || awk "BEGIN { exit !($(statistic "$folder/stats" sim.wall_s) < $best) }"; then
            best=$(statistic "$folder/stats" sim.wall_s)
            cp "$folder/stats" "$folder/best"
            awk "BEGIN { printf \"%.6f\", ($((${end/[.,]/} - ${begin/[.,]/}))) / 1e6 }" >"$folder/total"
        fi
    done
}

# system_row SYSTEM PROGRAM N
system_row() {
    measure "${@:2}" --set mem.system="$1" --set agg.core=2way-ooo
    awk -v name="$2 $3" -v wall="$(statistic "$folder/best" sim.wall_s)" -v user="$(<"$folder/user")" \
        -v wave="$(statistic "$folder/best" simt.wave_instructions)" \
        -v lines="$(statistic "$folder/best" l1d.accesses)" \
        -v cycles="$(statistic "$folder/best" gpu.cycles)" 'BEGIN {
            printf "%-12s %8.3f %8.3f %12d %12.2f %12.2f %12.2f %12.2f\n", name, wall, user, cycles,
                wave / wall / 1e6, wave / user / 1e6, lines / wall / 1e6, lines / user / 1e6
        }'
}

row() {
    local wall
    wall=$(statistic "$folder/best" sim.wall_s)
    awk -v name="$1 $2" -v wall="$wall" -v total="$(<"$folder/total")" \
        -v wave="$(statistic "$folder/best" simt.wave_instructions)" \
        -v lane="$(statistic "$folder/best" simt.lane_instructions)" \
        -v agg="$(statistic "$folder/best" agg.instructions)" \
        -v cycles="$(statistic "$folder/best" gpu.cycles)" 'BEGIN {
            printf "%-12s %8.3f %8.3f %12d %12.2f %12.2f %12.2f\n", name, wall, total, cycles,
                wave / wall / 1e6, lane / wall / 1e6, agg / wall / 1e6
        }'
}

# budget PROGRAM N SECONDS: measures it on the paper's machine; total is what people wait for
budget() {
    measure "$1" "$2" --set mem.system=moesi --set agg.core=2way-ooo
    awk -v name="$1 $2" -v seconds="$3" -v run="$(statistic "$folder/best" sim.wall_s)" -v total="$(<"$folder/total")" \
        -v cycles="$(statistic "$folder/best" gpu.cycles)" -v wave="$(statistic "$folder/best" simt.wave_instructions)" \
        -v lines="$(statistic "$folder/best" l1d.accesses)" 'BEGIN {
            printf "%-18s %8.3f %8.3f %8.1f  %-7s %12d %10.2f %10.2f\n", name, run, total, seconds,
                (total <= seconds ? "within" : "over"), cycles, wave / run / 1e6, lines / run / 1e6
        }'
}

# locks_row PROGRAM N RATE SECONDS: with locks, on the machine of papers/004; of rate (million wavefront instructions a
# second) and total one is asked for, the other is -
locks_row() {
    measure "$1" "$2" --config fermi-locks
    awk -v name="$1 $2" -v rate="$3" -v seconds="$4" -v run="$(statistic "$folder/best" sim.wall_s)" \
        -v total="$(<"$folder/total")" -v cycles="$(statistic "$folder/best" gpu.cycles)" \
        -v wave="$(statistic "$folder/best" simt.wave_instructions)" -v lines="$(statistic "$folder/best" simt.line_accesses)" 'BEGIN {
            printf "%-18s %8.3f %8.3f %8s  %12d %10.2f %8s %10.2f\n", name, run, total, seconds, cycles,
                wave / run / 1e6, rate, lines / run / 1e6
        }'
}

# hybrid_row PROGRAM ASKED_WAVE ASKED_LINES: on the machine of papers/003, by the time of its run: asked for are million
# wavefront instructions, or L1 accesses, a second, or -
hybrid_row() {
    measure "$1" --config hybrid
    awk -v name="$1" -v wave_asked="$2" -v lines_asked="$3" -v run="$(statistic "$folder/best" sim.wall_s)" \
        -v user="$(<"$folder/user")" -v cycles="$(statistic "$folder/best" gpu.cycles)" \
        -v wave="$(statistic "$folder/best" simt.wave_instructions)" -v lines="$(statistic "$folder/best" l1d.accesses)" 'BEGIN {
            printf "%-18s %8.3f %8.3f %12d %10.2f %8s %10.2f %8s\n", name, run, user, cycles, wave / run / 1e6, wave_asked,
                lines / run / 1e6, lines_asked
        }'
}

# order_row MODEL SHARE: fib 27 under a consistency model, its rate beside that of the first row, rmo; SHARE of it, in per
# cent, is asked for, or -
order_row() {
    local rate
    measure fib 27 --set gpu.consistency="$1"
    rate=$(awk -v wave="$(statistic "$folder/best" simt.wave_instructions)" -v user="$(<"$folder/user")" \
        'BEGIN { printf "%.6f", wave / user / 1e6 }')
    [[ $1 != rmo ]] || rmo_rate=$rate
    awk -v name="$1" -v run="$(statistic "$folder/best" sim.wall_s)" -v user="$(<"$folder/user")" -v share="$2" \
        -v cycles="$(statistic "$folder/best" gpu.cycles)" -v rate="$rate" -v rmo="$rmo_rate" 'BEGIN {
            printf "%-12s %8.3f %8.3f %12d %12.2f %10.1f %8s\n", name, run, user, cycles, rate, 100 * rate / rmo, share
        }'
}

# kernels_row PROGRAM N: without and with a profile of kernels, by the processor time of the whole program; at the most
# 1.5 times as long is asked for
kernels_row() {
    local off
    measure "$@" --set mem.system=moesi --set agg.core=2way-ooo
    off=$(<"$folder/user")
    measure "$@" --set mem.system=moesi --set agg.core=2way-ooo --kernel-profile "$folder/kernels"
    awk -v name="$1 $2" -v off="$off" -v on="$(<"$folder/user")" -v cycles="$(statistic "$folder/best" gpu.cycles)" 'BEGIN {
            printf "%-18s %8.3f %8.3f %8.2f %8s  %-7s %12d\n", name, off, on, on / off, "1.5", (on <= 1.5 * off ? "within" : "over"), cycles
        }'
}

# model_run PROGRAM MODEL: one of the runs that compare the models; leaves its processor time in a file
# shellcheck disable=SC2317 # xargs calls it
model_run() {
    { TIMEFORMAT=%U; time "$build/bin/$1" --config mttop --set gpu.consistency="$2" --quiet >/dev/null; } 2>"$folder/$1.$2"
}

# model_runs: all of them, two at a time, and a table of their processor times
model_runs() {
    local program model begin=$EPOCHREALTIME
    for program in "$build"/bin/mttop_*; do
        for model in sc sc_wb tso rmo; do
            printf '%s %s\n' "${program##*/}" $model
        done
    done >"$folder/model_runs"
    export build folder
    export -f model_run
    # shellcheck disable=SC2016 # the inner shell expands
    xargs -L 1 -P 2 bash -c 'model_run "$@"' model_run <"$folder/model_runs"
    while read -r program model; do
        printf '%s %s %s\n' "$program" "$model" "$(tail -n 1 "$folder/$program.$model")"
    done <"$folder/model_runs" | awk -v wall="$((${EPOCHREALTIME/[.,]/} - ${begin/[.,]/}))" '
        { printf "%s%8.2f%s", $2 == "sc" ? sprintf("%-18s ", $1) : " ", $3, $2 == "rmo" ? "\n" : ""; user += $3 }
        END { printf "%d runs, two at a time: %.1f s; asked 300 s; processor time %.1f s\n", NR, wall / 1e6, user }'
}

printf 'host       %s, %s processors\n' "$(processor)" "$(nproc)"
printf 'system     %s\n' "$(uname -sr)"
printf 'QEMU       %s\n' "$(qemu-system-riscv64 --version | head -n 1)"
printf 'best of    %s runs\n\n' "$runs"
printf '%-12s %8s %8s %12s   %s\n' '' run total simulated 'million instructions a second of run'
printf '%-12s %8s %8s %12s %12s %12s %12s\n' workload s s 'CU cycles' wavefront lane aggregator
others=no
(($# > 0)) || { set -- 24 27; others=yes; }
for n in "$@"; do
    measure fib "$n"
    row fib "$n"
done
if [[ $others == yes ]]; then
    measure integer 2000
    row integer 2000
    measure nqueens 13
    row nqueens 13
    measure matmul 512
    row matmul 512
    printf '\nmoesi, 2way-ooo; budgets of wall time, program and all\n'
    printf '%-18s %8s %8s %8s  %-7s %12s %10s %10s\n' workload 'run s' 'total s' 'budget s' '' 'CU cycles' 'M wave/s' 'M lines/s'
    budget cilk_fib 24 1
    budget queens 13 5
    budget cilksort 1000000 10
    budget strassen 512 15
    budget trees_fib 24 0.5
    printf '\nlocks, fermi-locks; asked for: total in seconds, or million wavefront instructions a second of run\n'
    printf '%-18s %8s %8s %8s  %12s %10s %8s %10s\n' workload 'run s' 'total s' 'asked' 'CU cycles' 'M wave/s' 'asked' 'M lines/s'
    locks_row interac 65536 3 -
    locks_row barneshut 100000 - 60
    printf '\nhybrid caching, hybrid; rates are of run\n'
    printf '%-18s %8s %8s %12s %10s %8s %10s %8s\n' workload 'run s' 'user s' 'CU cycles' 'M wave/s' asked 'M lines/s' asked
    hybrid_row hybrid_stencil - 6
    hybrid_row hybrid_sgemm 4 -
fi
if [[ $others == yes ]]; then
    for system in moesi nol1 wt quickrelease scoped hybrid; do
        printf '\n%-12s %8s %8s %12s   %-23s   %s\n' "$system" run user simulated 'wavefront instructions' 'L1 line accesses'
        printf '%-12s %8s %8s %12s %12s %12s %12s %12s\n' workload s s 'CU cycles' \
            '10^6/s run' '10^6/s user' '10^6/s run' '10^6/s user'
        system_row "$system" fib 27
        system_row "$system" stream 128
    done
fi
if [[ $others == yes ]]; then
    printf '\nconsistency models, fib 27; asked for: per cent of rmo'"'"'s million wavefront instructions a second of user\n'
    printf '%-12s %8s %8s %12s %12s %10s %8s\n' '' 'run s' 'user s' 'CU cycles' '10^6/s user' '% of rmo' asked
    order_row rmo -
    order_row sc -
    order_row sc_wb -
    order_row tso 80
    printf '\n%-18s %8s %8s %8s %8s\n' 'mttop, user s' sc sc_wb tso rmo
    model_runs
fi
if [[ $others == yes ]]; then
    printf '\nprofile of kernels, moesi, 2way-ooo, user s; asked for: on / off\n'
    printf '%-18s %8s %8s %8s %8s  %-7s %12s\n' workload off on 'on / off' asked '' 'CU cycles'
    kernels_row fib 27
    kernels_row matmul 512
    kernels_row stream 128
    kernels_row cilksort 1000000
fi
if [[ $others == yes ]]; then
    printf '\n%-16s %8s   %s\n' 'polling loop' IPC 'million aggregator instructions a second'
    "$build/bench/agg_speed" "$runs"
fi
