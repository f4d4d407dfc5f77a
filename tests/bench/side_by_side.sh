#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The speed of two builds of the simulator, run in turns so that other load meets both: for each workload the least
# processor time (user, of the program and its QEMU) of some runs (SLUICE_BENCH_RUNS, default 7) with either, and their
# ratio. With --instructions, what QEMU with the plugin executes, its start included, as valgrind counts it: takes
# twenty times as long, but is the same to some thousandths whatever else the machine does. Both run the flash image
# and kernels of the first build, so that they simulate the same. Nothing is passed or failed here.
# usage: tests/bench/side_by_side.sh [--instructions] BUILD_BEFORE BUILD_AFTER [PROGRAM:N...]
#     default fib:27 matmul:512 stream:128; with --instructions, fib:22 matmul:128 stream:8
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
runs=${SLUICE_BENCH_RUNS:-7}
workloads=(fib:27 matmul:512 stream:128)
cost=user_time
unit="seconds of processor time, least of $runs"

if [[ ${1:-} == --instructions ]]; then
    shift
    if ! command -v valgrind >/dev/null; then
        printf '%s: no valgrind on this machine: apt-get install valgrind\n' "$me" >&2
        exit 2
    fi
    runs=1
    workloads=(fib:22 matmul:128 stream:8)
    cost=instructions
    unit='millions of instructions'
    cat >"$folder/qemu" <<EOF
#!/bin/sh
exec valgrind --tool=callgrind --callgrind-out-file="$folder/count" --log-file="$folder/log" \\
    --smc-check=all-non-file "$(command -v qemu-system-riscv64)" "\$@"
EOF
    chmod +x "$folder/qemu"
fi
if (($# < 2)) || [[ ! -x $1/bin/fib || ! -x $2/bin/fib ]]; then
    printf '%s: two build folders are needed; usage: [--instructions] BUILD_BEFORE BUILD_AFTER [PROGRAM:N...]\n' "$me" >&2
    exit 2
fi
before=$(cd "$1" && pwd)
after=$(cd "$2" && pwd)
shift 2
(($# == 0)) || workloads=("$@")

# The programs of the second build beside the first one's images.
mkdir "$folder/after"
cp -r "$after/bin" "$after/lib" "$folder/after/"
ln -s "$before/firmware" "$before/kernels" "$folder/after/"

# user_time BUILD PROGRAM ARGUMENT...: seconds
user_time() {
    { TIMEFORMAT=%U; time "$1/bin/$2" "${@:3}" --quiet >/dev/null; } 2>&1 | tail -n 1
}

# instructions BUILD PROGRAM ARGUMENT...: millions
instructions() {
    "$1/bin/$2" "${@:3}" --quiet --set host.qemu="$folder/qemu" --set host.boot_limit=600s >/dev/null || return
    awk '/^summary:/ { printf "%.3f\n", $2 / 1e6 }' "$folder/count"
}

less() {
    awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'
}

printf '%-16s %10s %10s %8s   %s\n' workload before after ratio "$unit"
for workload in "${workloads[@]}"; do
    for system in flat moesi; do
        least_before=1e9
        least_after=1e9
        settings=(--set "mem.system=$system")
        [[ $system == moesi ]] || settings+=(--set agg.core=simple)
        for ((run = 0; run < runs; run++)); do
            now=$($cost "$before" "${workload%%:*}" "${workload#*:}" "${settings[@]}")
            least_before=$(less "$least_before" "$now")
            now=$($cost "$folder/after" "${workload%%:*}" "${workload#*:}" "${settings[@]}")
            least_after=$(less "$least_after" "$now")
        done
        awk -v name="${workload/:/ } $system" -v a="$least_before" -v b="$least_after" \
            'BEGIN { printf "%-16s %10.3f %10.3f %8.3f\n", name, a, b, b / a }'
    done
done
