#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Gives random input to what reads input from outside (tests/fuzz/input), with libFuzzer, which goes on from inputs that have
# executed something new. Those stay in the build folder, fuzz/corpus/NAME, for the next campaign. A reader is left at its
# first finding: the input is in fuzz/found, below the table is the command that reads it alone.
# usage: tests/fuzz/input/campaign.sh [--jobs N] SECONDS [NAME...]     so many seconds for each reader, or these
# The exit status is 1 where something was found.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
export build=${SLUICE_BUILD:-build}
jobs=$(nproc)
if [[ ${1:-} == --jobs ]]; then
    jobs=$2
    shift 2
fi
export seconds=${1:?usage: campaign.sh [--jobs N] SECONDS [NAME...]}
shift
readers=("$@")
if (($# == 0)); then
    mapfile -t readers < <(cd "$build/fuzz/input" 2>/dev/null && ls)
fi
((${#readers[@]} > 0)) || {
    printf 'campaign.sh: there are no fuzzers in %s: make fuzzers, which needs clang and libclang-rt-14-dev\n' "$build/fuzz/input" >&2
    exit 2
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export folder

# Leaves a line of the table in the folder, and the inputs that were found.
# shellcheck disable=SC2317 # xargs calls it
fuzz() {
    local name=$1 corpus=$build/fuzz/corpus/$1 seeds=() seeds_of before after
    mkdir -p "$corpus" "$build/fuzz/found"
    before=$(find "$corpus" -type f | wc -l)
    for seeds_of in tests/fuzz/corpus/"$name" "$build/fuzz/seeds/$name"; do
        [[ ! -d $seeds_of ]] || seeds+=("$seeds_of")
    done
    "$build/fuzz/input/$name" -max_total_time="$seconds" -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$build/fuzz/found/$name-" "$corpus" "${seeds[@]}" >"$folder/$name.log" 2>&1 || true
    after=$(find "$corpus" -type f | wc -l)
    sed -n 's/.*Test unit written to //p' "$folder/$name.log" >"$folder/$name.found"
    if ! grep -q '^stat::number_of_executed_units' "$folder/$name.log"; then
        printf '%s\n' "$name: did not start" >>"$folder/$name.found"
    fi
    printf '%-8s %12s %10d %8d\n' "$name" "$(awk '/^stat::number_of_executed_units/ { print $2 }' "$folder/$name.log")" \
        $((after - before)) "$(wc -l <"$folder/$name.found")" >"$folder/$name.row"
}
export -f fuzz

# shellcheck disable=SC2016 # the inner shell expands
printf '%s\n' "${readers[@]}" | xargs -P "$jobs" -I '{}' bash -c 'fuzz "$1"' fuzz '{}'
printf '%-8s %12s %10s %8s\n' reader executions 'new inputs' findings
status=0
for name in "${readers[@]}"; do
    cat "$folder/$name.row"
done
for name in "${readers[@]}"; do
    if [[ -s $folder/$name.found ]]; then
        status=1
        grep -E -A 12 'ERROR: |runtime error: |does not hold: ' "$folder/$name.log" || tail -n 5 "$folder/$name.log"
        sed "s|^|alone: $build/fuzz/input/$name |" "$folder/$name.found"
    fi
done
exit $status
