#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The speed of two builds of the simulator, run in turns so that other load meets both: for each workload the least
# processor time (user, of the program and its QEMU) of some runs (SLUICE_BENCH_RUNS, default 7) with either, and their
# ratio. Both run the flash image and kernels of the first build, so that they simulate the same. Nothing is passed or
# failed here.
# usage: tests/bench/side_by_side.sh BUILD_BEFORE BUILD_AFTER [PROGRAM:N...]     default fib:27 matmul:512 stream:128
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
runs=${SLUICE_BENCH_RUNS:-7}

if (($# < 2)) || [[ ! -x $1/bin/fib || ! -x $2/bin/fib ]]; then
    printf '%s: two build folders are needed; usage: BUILD_BEFORE BUILD_AFTER [PROGRAM:N...]\n' "$me" >&2
    exit 2
fi
before=$(cd "$1" && pwd)
after=$(cd "$2" && pwd)
shift 2
(($# > 0)) || set -- fib:27 matmul:512 stream:128

# The programs of the second build beside the first one's images.
mkdir "$folder/after"
cp -r "$after/bin" "$after/lib" "$folder/after/"
ln -s "$before/firmware" "$before/kernels" "$folder/after/"

# user_time BUILD PROGRAM ARGUMENT...: seconds
user_time() {
    { TIMEFORMAT=%U; time "$1/bin/$2" "${@:3}" --quiet >/dev/null; } 2>&1 | tail -n 1
}

printf '%-16s %10s %10s %8s   seconds of processor time, least of %d\n' workload before after ratio "$runs"
for workload in "$@"; do
    for system in flat moesi; do
        least_before=1e9
        least_after=1e9
        settings=(--set "mem.system=$system")
        [[ $system == moesi ]] || settings+=(--set agg.core=simple)
        for ((run = 0; run < runs; run++)); do
            least_before=$(awk -v a="$least_before" -v b="$(user_time "$before" "${workload%%:*}" "${workload#*:}" "${settings[@]}")" 'BEGIN { print a < b ? a : b }')
            least_after=$(awk -v a="$least_after" -v b="$(user_time "$folder/after" "${workload%%:*}" "${workload#*:}" "${settings[@]}")" 'BEGIN { print a < b ? a : b }')
        done
        awk -v name="${workload/:/ } $system" -v a="$least_before" -v b="$least_after" \
            'BEGIN { printf "%-16s %10.3f %10.3f %8.3f\n", name, a, b, b / a }'
    done
done
