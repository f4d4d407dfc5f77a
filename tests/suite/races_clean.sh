#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Nothing is found where nothing is to be found (docs/do/find-races.md): every program with every kernel that it has
# under hrf-indirect, which is the order that all are written for; channels in each variant, and wavefronts that yield and
# are restarted, in each model. On one memory system after the other, with SLUICE_TEST_LONG each on all of them.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/programs.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/programs.sh"

models=(drf hrf-direct hrf-indirect)
variants=(wavefront workitem padded soa stamped)
read -ra systems < <(memory_systems)

# Racy by intention: what a litmus test can end with is its question, whether it is free of races or not; racy is there to be
# told about. That they are found is tested here, too.
intended=(litmus racy)

# Kernel files, program and arguments, of which %s is the variant: channels as wide as they are by default, and narrower than
# what comes into them, so that wavefronts yield.
channels='
fib,fib_stamped fib 14 --channels %s
cilk_fib,cilk_fib_forms,cilk_fib_stamped cilk_fib 16 --width 256 --continuations 128 --channels %s
'
[[ -z ${SLUICE_TEST_LONG:-} ]] || channels+='
cilksort,cilksort_forms,cilksort_stamped cilksort 30000 --width 512 --channels %s
queens,queens_forms,queens_stamped queens 11 --columns 2 --width 256 --batch 2 --channels %s
strassen,strassen_forms,strassen_stamped strassen 256 --width 1024 --channels %s
tree_sum,tree_sum_forms,tree_sum_stamped tree_sum 3000 --width 256 --channels %s
wrap,wrap_stamped wrap --width 128 --fan-out 7 --runners 6 --channels %s
'

nothing() {
    ! grep -q 'race (' err || fail "something is found: $(cat err)"
}

# on NUMBER FUNCTION ARGUMENT...: the function with a memory system and the arguments; the system is that whose turn it is
on() {
    local system turn=("${systems[$1 % ${#systems[@]}]}")
    [[ -z ${SLUICE_TEST_LONG:-} ]] || turn=("${systems[@]}")
    for system in "${turn[@]}"; do
        "$2" "$system" "${@:3}"
    done
    note "${turn[*]}"
}

# clean SYSTEM KERNELS STATUS PROGRAM ARGUMENT...
clean() {
    run_with "${@:2}" --set mem.system="$1" --check-races hrf-indirect
    nothing
}

# racy SYSTEM KERNELS STATUS PROGRAM ARGUMENT...
racy() {
    run_with "$2" 1 "${@:4}" --set mem.system="$1" --check-races hrf-indirect
    expect err '^[a-z_]+: race \(hrf-indirect\): '
}

# channel SYSTEM MODEL KERNELS PROGRAM ARGUMENT...: where channels are narrow, wavefronts have yielded
channel() {
    run_with "$3" 0 "${@:4}" --set mem.system="$1" --check-races "$2" --stats stats
    nothing
    [[ $* != *--width* || $4 == wrap ]] || (($(statistic stats gpu.yields) > 0)) || fail "no yields"
}

# yielding SYSTEM MODEL: lanes that ask for it
yielding() {
    run_with histogram 0 histogram 2000 --yield-every 7 --set mem.system="$1" --check-races "$2" --stats stats
    nothing
    (($(statistic stats gpu.yields) > 0 && $(statistic stats race.accesses) > 0)) || fail "no yields, or nothing looked at"
}

number=0
while read -r kernels status command; do
    [[ -n $kernels ]] || continue
    verdict=clean
    [[ " ${intended[*]} " != *" ${command%% *} "* ]] || verdict=racy
    # shellcheck disable=SC2086 # the words of a command
    check_sample 3 "$verdict: $command, $kernels" on $((number++)) $verdict "$kernels" "$status" $command
done <<<"$table"
for model in "${models[@]}"; do
    check_sample 3 "$model: yield" on $((number++)) yielding "$model"
    for variant in "${variants[@]}"; do
        while read -r kernels command; do
            [[ -n $kernels ]] || continue
            # shellcheck disable=SC2046,SC2059 # the words of a command, and where the variant goes
            check_sample 3 "$model: $variant: ${command%% *}" on $((number++)) channel "$model" "$kernels" $(printf "$command" "$variant")
        done <<<"$channels"
    done
done
