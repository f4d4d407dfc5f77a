# shellcheck shell=bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sourced by the tests of models: checks one with Spin. Exhaustive: every state is stored in full, compressed without loss
# (COLLAPSE); no bitstate hashing. The caller sets `model`, the name of a .pml beside this file. Reports in TAP, with the
# states.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
limit_s=600
memory_mib=4000
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

for tool in spin gcc; do
    if ! command -v "$tool" >/dev/null; then
        echo "ok - model # SKIP no $tool on this machine: make setup"
        exit 0
    fi
done

# verify safety|progress|fair DEFINITION...: of $model; leaves the verifier's output in $folder/out. fair: every process that
# could go on does so again and again (weak fairness).
# shellcheck disable=SC2154 # the caller's model
verify() {
    local kind=$1 options=(-DSAFETY) arguments=()
    shift
    if [[ $kind == progress ]]; then
        options=(-DNP -DNOFAIR) arguments=(-l)
    elif [[ $kind == fair ]]; then
        options=(-DNP) arguments=(-l -f)
    fi
    (cd "$folder" && rm -f pan* && spin "${@/#/-D}" -a "$here/$model.pml" &&
        gcc -O1 -w -DCOLLAPSE -DMEMLIM=$memory_mib "${options[@]}" -o pan pan.c &&
        timeout $limit_s ./pan "${arguments[@]}" -m4000000) >"$folder/out" 2>&1
}

figures() {
    awk '/states, stored/ { states = $1 } /total actual memory/ { memory = $1 } /elapsed time/ { time = $4 }
         END { printf "%d states, %d MiB, %s s", states, memory, time == "" ? 0 : time }' "$folder/out"
}

failed() {
    printf 'not ok - model: %s\n' "$1"
    tail -n 30 "$folder/out" | cut -c 1-160 | sed 's/^/#   /'
    # shellcheck disable=SC2034 # the caller's exit status
    status=1
}

# holds NAME safety|progress|fair DEFINITION...
holds() {
    verify "${@:2}"
    if grep -q 'errors: 0$' "$folder/out" && ! grep -Eq 'not completed|too small|out of memory' "$folder/out"; then
        printf 'ok - model: %s (%s)\n' "$1" "$(figures)"
    else
        failed "$1"
    fi
}

# breaks NAME PATTERN DEFINITION...: an assertion that looks like this has to fail.
breaks() {
    verify safety "${@:3}"
    if grep -Eq "^pan:1: assertion violated .*$2" "$folder/out"; then
        printf 'ok - model: %s (%s)\n' "$1" "$(figures)"
    else
        failed "$1"
    fi
}

# runs_for_ever NAME DEFINITION...: there has to be a run without end.
runs_for_ever() {
    verify fair "${@:2}"
    if grep -q '^pan:1: non-progress cycle' "$folder/out"; then
        printf 'ok - model: %s (%s)\n' "$1" "$(figures)"
    else
        failed "$1"
    fi
}
