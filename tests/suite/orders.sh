#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs under the consistency models (docs/know/memory-model.md): each program is right under all of them, with every
# kernel that it has. Between wavefronts every model is stronger than rmo; between the lanes of one, sc_wb and tso are
# weaker, so there the race checker looks on. What the counters must say of a model, its write buffer with little room,
# stacks inside the model, answers that pend; and what is refused.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source-path=SCRIPTDIR source=lib/programs.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/programs.sh"

# laws MODEL: what holds of all programs
laws() {
    local stores
    figures stats
    stores=${stat[order.buffered_stores]}
    case $1 in
    rmo) ((${stat[order.blocked_cycles]} == 0 && stores == 0)) || fail "rmo is held back" ;;
    sc) ((stores == 0)) || fail "sc has a buffer" ;;
    *) ((stores > 0 || ${stat[simt.lane_stores]} == 0)) || fail "$1 has no buffer" ;;
    esac
    ((stores <= ${stat[simt.stores]} && ${stat[order.buffer_max]} <= stores)) || fail "more in the buffer than was stored"
    ((${stat[order.drain_wait_cycles]} + ${stat[order.match_wait_cycles]} <= ${stat[order.blocked_cycles]})) ||
        fail "longer waits than in all"
    [[ $1 == tso ]] || ((${stat[order.match_waits]} == 0)) || fail "$1 looks at addresses"
}

# Racy on purpose: their question is what racy programs do, and trees_cases has a case that breaks a rule of docs/know/trees.md.
racy='@(litmus|racy|trees_cases)'

# right MODEL KERNELS STATUS PROGRAM ARGUMENT...: as the program finds itself; with write buffers without a race, too
right() {
    local races=off
    # shellcheck disable=SC2053 # a pattern
    [[ $1 != @(sc_wb|tso) || $4 == $racy ]] || races=hrf-indirect
    run_with "${@:2}" --stats stats --set gpu.consistency="$1" --check-races $races
    ! grep -q 'race (' err || fail "$(cat err)"
    [[ $3 != 0 || ! -s stats ]] || laws "$1"
}

# none_forgotten: each program is in the table but `opens`, which runs nothing, and so is each kernel file but those for
# parts of the hardware alone
none_forgotten() {
    local source name
    while IFS= read -r source; do
        name=$(basename "$source" .c)
        [[ $name == opens ]] || grep -Eq "^[a-z0-9_,]+ [0-9] $name( |$)" <<<"$table" || fail "program $name is not in the table"
    done < <(grep -lE '^(int main|SL_PROGRAM)\(' "$root"/tests/{litmus,workloads/*,probes/*}/*.c)
    for source in "$build"/kernels/*.elf; do
        name=$(basename "$source" .elf)
        [[ -n $(source_file "${name%_stamped}_kernel.c") ]] || continue # left by a source that is gone
        grep -Eq "^([a-z0-9_]+,)*${name}[, ]" <<<"$table" || grep -q "\"$name.elf\"" "$root"/tests/soc/*/*.c ||
            fail "no run of the table has kernels of $name.elf"
    done
}

# some MODEL OPTION...: right on another machine; two of them, in the long suites all
some() {
    local program
    while read -r program; do
        # shellcheck disable=SC2086 # the words of a command
        run 0 ${program//:/ } --quiet --stats stats --set gpu.consistency="$1" "${@:2}"
        laws "$1"
        [[ $1 == rmo ]] || ((${stat[order.blocked_cycles]} > 0)) || fail "$1 holds nothing back"
    done < <(in_turn 'cilk_fib:14 cilksort:3000 stream:1:--copy histogram:2000:--yield-every:7 bitonic:256 worklist:500 fib:16')
}

# A deadlock is found, and what is none is left alone, whatever stores are under way.
deadlocks() {
    local case
    for case in one semaphore nested; do
        run 3 deadlock $case --set lock.spin_limit=1000 --set gpu.consistency="$1"
        expect err "kernel deadlock_$case faulted: deadlock"
    done
    run 0 deadlock right --set lock.spin_limit=1000 --set gpu.consistency="$1"
}

full() {
    some "$1" --set gpu.write_buffer=1
    ((${stat[order.buffer_max]} == 1)) || fail "${stat[order.buffer_max]} stores in a buffer of one"
}

blocking() {
    run 0 cilk_fib 14 --quiet --stats stats --set gpu.rmo_loads=block
    figures stats
    ((${stat[order.blocked_cycles]} > 0 && ${stat[order.buffered_stores]} == 0)) || fail "loads do not block"
}

same_again() {
    run 0 cilk_fib 14 --quiet --stats first --set gpu.consistency=tso
    run 0 cilk_fib 14 --quiet --stats second --set gpu.consistency=tso
    expect_same_statistics first second
}

refused() {
    local system
    for system in $(memory_systems); do
        [[ $system != @(flat|moesi|nol1|partition) ]] || continue
        run 2 fib 10 --set gpu.consistency="$1" --set mem.system="$system"
        expect err "gpu.consistency = $1, mem.system = $system .*write-atomic"
    done
}

# Keys of models that the present one is not.
refused_keys() {
    run 2 fib 10 --set gpu.write_buffer=8
    expect err "gpu.write_buffer = 8.*gpu.consistency = rmo.*only sc_wb and tso have a write buffer"
    run 2 fib 10 --set gpu.consistency=tso --set gpu.rmo_loads=block
    expect err "gpu.rmo_loads = block.*gpu.consistency = tso"
}

check "all programs and kernels are there" none_forgotten
for model in rmo sc sc_wb tso; do
    while read -r kernels status command; do
        [[ -n $kernels ]] || continue
        # all other suites run them under rmo
        [[ $model != rmo || -n ${SLUICE_TEST_LONG:-} ]] || continue
        # shellcheck disable=SC2086 # the words of a command
        check_sample 3 "$model: $command, $kernels" right $model "$kernels" "$status" $command
    done <<<"$table"
    check "$model: its counters" some $model
    check "$model: without L1 caches, where answers pend" some $model --set mem.system=nol1
    check "$model: deadlocks" deadlocks $model
    check "$model: with stacks inside" some $model --set gpu.order_private=on --set mem.system=flat
done
for model in sc_wb tso; do
    check "$model: a buffer of one store" full $model
    check "$model: on memory partitions" some $model --set mem.system=partition
done
check "rmo: loads that block" blocking
check "tso: equal runs are equal" same_again
for model in sc sc_wb tso; do
    check "$model: refused where memory is not write-atomic" refused $model
done
check "keys of other models are refused" refused_keys
