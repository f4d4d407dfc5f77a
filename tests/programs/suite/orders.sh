#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs under the consistency models (docs/consistency.md): those of tests/programs are made for rmo, which every
# other model is stronger than, so each is right under all. What the counters must say of a model, its write buffer
# with little room, stacks inside the model, answers that pend; and what is refused.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

of() {
    statistic stats "$1"
}

# laws MODEL: what it has, and what it has not
laws() {
    local stores blocked
    stores=$(of order.buffered_stores)
    blocked=$(of order.blocked_cycles)
    case $1 in
    rmo) ((blocked == 0 && stores == 0)) || fail "rmo is held back" ;;
    sc) ((blocked > 0 && stores == 0)) || fail "sc is not held back, or has a buffer" ;;
    *) ((blocked > 0 && (stores > 0 || $(of simt.lane_stores) == 0))) || fail "$1 is not held back, or has no buffer" ;;
    esac
    ((stores <= $(of simt.stores) && $(of order.buffer_max) <= stores)) || fail "more in the buffer than was stored"
    (($(of order.drain_wait_cycles) + $(of order.match_wait_cycles) <= $(of order.blocked_cycles))) ||
        fail "longer waits than in all"
    [[ $1 == tso ]] || (($(of order.match_waits) == 0)) || fail "$1 looks at addresses"
}

# some MODEL OPTION...: right, as the program finds itself
some() {
    local program
    while read -r program; do
        # shellcheck disable=SC2086 # the words of a command
        run 0 $program --quiet --stats stats --set gpu.consistency="$1" "${@:2}"
        laws "$1"
    done <<'LIST'
cilk_fib 14
cilksort 3000
stream 1 --copy
histogram 2000 --yield-every 7
bitonic 256
worklist 500
fib 16
LIST
}

# most MODEL OPTION...
most() {
    local program
    some "$@"
    while read -r program; do
        # shellcheck disable=SC2086 # the words of a command
        run 0 $program --quiet --stats stats --set gpu.consistency="$1" "${@:2}"
    done <<'LIST'
fib 12 --variant workitem
queens 7
strassen 64
tree_sum 500
matmul 32
reduce 3000
fft 256
scan 1000
integer 10
library 16
handover 20
modes 100
stages 100
nqueens 7
print 20
locks
interac 100
qr_bfs 300
qr_sort 300
LIST
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
    (($(of order.buffer_max) == 1)) || fail "$(of order.buffer_max) stores in a buffer of one"
}

blocking() {
    run 0 cilk_fib 14 --quiet --stats stats --set gpu.rmo_loads=block
    (($(of order.blocked_cycles) > 0 && $(of order.buffered_stores) == 0)) || fail "loads do not block"
}

same_again() {
    run 0 cilk_fib 14 --quiet --stats first --set gpu.consistency=tso
    run 0 cilk_fib 14 --quiet --stats second --set gpu.consistency=tso
    expect_same_statistics first second
}

refused() {
    local system
    for system in wt quickrelease scoped; do
        run 2 fib 10 --set gpu.consistency="$1" --set mem.system=$system
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

for model in rmo sc sc_wb tso; do
    check "$model: programs" most $model
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
