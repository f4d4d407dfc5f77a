#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs under the consistency models (docs/consistency.md): all of tests/programs are made for rmo, which every other
# model is stronger than, so each is right under all, with every kernel that it has. What the counters must say of a
# model, its write buffer with little room, stacks inside the model, answers that pend; and what is refused.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# Kernel files, exit status, program and arguments: each program that there is at a small size. CASES are all that it
# has; ROOT is the folder of the sources.
table='
apriori 0 apriori 60 --support 6
wrap 0 attach
wrap 0 badgraph CASES --set pool.blocks=1
barneshut 0 barneshut 300
bfs_topology 0 bfs_topology 300
bfs_worklist 0 bfs_worklist 300
bitonic 0 bitonic 256
cilk_fib 0 cilk_fib 14
cilk_fib 0 cilk_fib 14 --variant workitem
cilk_fib_forms 0 cilk_fib 12 --variant soa
cilk_fib_stamped 0 cilk_fib 12 --variant stamped
cilksort 0 cilksort 3000
cilksort_forms 0 cilksort 2000 --variant padded
cilksort_stamped 0 cilksort 2000 --variant stamped
deadlock 0 deadlock right --set lock.spin_limit=1000
deadlock 3 deadlock one --set lock.spin_limit=1000
faults 3 faults CASES --set gpu.cycle_limit=200000
feed 0 feed CASES
fft 0 fft 256
fib 0 fib 16
fib_stamped 0 fib 14 --variant stamped
groups 0 launch 1
handover 0 handover 20
handover_stamped 0 handover 20 --variant stamped
histogram 0 histogram 2000 --yield-every 7
integer 0 integer 10
interac 0 interac 100
library 0 library 16
litmus 0 litmus ROOT/tests/litmus/SB.litmus
locks,atomics 0 locks --items 200
matmul 0 matmul 32
matmul_blocked 0 matmul 64 --style blocked
modes 0 modes 100
mttop_barnes_hut 0 mttop_barnes_hut 150 --config ROOT/sim-soc/configs/mttop.ini
mttop_bfs 0 mttop_bfs 700 --config ROOT/sim-soc/configs/mttop.ini
mttop_conv2d 0 mttop_conv2d 30 --config ROOT/sim-soc/configs/mttop.ini
mttop_dijkstra 0 mttop_dijkstra 40 --config ROOT/sim-soc/configs/mttop.ini
mttop_fft 0 mttop_fft 256 --config ROOT/sim-soc/configs/mttop.ini
mttop_hotspot 0 mttop_hotspot 30 --config ROOT/sim-soc/configs/mttop.ini
mttop_kmeans 0 mttop_kmeans 300 --config ROOT/sim-soc/configs/mttop.ini
mttop_matmul 0 mttop_matmul 30 --config ROOT/sim-soc/configs/mttop.ini
mttop_nn 0 mttop_nn 1000 --config ROOT/sim-soc/configs/mttop.ini
nqueens 0 nqueens 7
nqueens_nqu 0 nqueens 7 --style nqu
print 0 print 20
qr_apsp 0 qr_apsp 30
qr_backprop 0 qr_backprop 300
qr_bfs 0 qr_bfs 300
qr_dct 0 qr_dct 64
qr_histogram 0 qr_histogram 3000
qr_hotspot 0 qr_hotspot 40
qr_kmeans 0 qr_kmeans 257
qr_lud 0 qr_lud 40
qr_matrixmul 0 qr_matrixmul 33
qr_nn 0 qr_nn 257
qr_nw 0 qr_nw 65
qr_reduction 0 qr_reduction 3000
qr_sort 0 qr_sort 300
qr_spmv 0 qr_spmv 300
qr_srad 0 qr_srad 40
queens 0 queens 7
queens_forms 0 queens 6 --variant soa
queens_stamped 0 queens 6 --variant stamped
reduce 0 reduce 3000
scan 0 scan 1000
sequence 0 sequence CASES
sssp_topology 0 sssp_topology 300
sssp_worklist 0 sssp_worklist 300
stages 0 stages 100
strassen 0 strassen 64
strassen_forms 0 strassen 32 --channels padded
strassen_seven 0 strassen 64 --variant seven
strassen_seven_stamped 0 strassen 64 --variant seven --channels stamped
strassen_stamped 0 strassen 32 --channels stamped
stream 0 stream 1 --copy
stream_requests 0 stream_requests 200
tree_sum 0 tree_sum 500
tree_sum_forms 0 tree_sum 300 --variant soa
tree_sum_stamped 0 tree_sum 300 --variant stamped
trees_anneal 0 trees_anneal 40 --rounds 3 --steps 16
trees_bfs 0 trees_bfs 300
trees_cases 0 trees_cases CASES
trees_fft 0 trees_fft 256
trees_fib 0 trees_fib 14
trees_matmul 0 trees_matmul 64
trees_nqueens 0 trees_nqueens 7
trees_orders 0 trees_orders 300 --seed 7
trees_orders 0 trees_orders 300 --seed 7 --order preorder
trees_random 0 trees_random 30 --group 64
trees_sort 0 trees_sort 1000
trees_sort_cilk 0 trees_sort 2000 --cilk
trees_sort_map 0 trees_sort 2000 --map
trees_sssp 0 trees_sssp 300
trees_tree_sum 0 trees_tree_sum 500
trees_tsp 0 trees_tsp 8
tutorial 0 tutorial 300
worklist 0 worklist 500
wrap 0 wrap
wrap_stamped 0 wrap --variant stamped
'

# The folder of a machine whose kernels are those that a run names: programs look for files beside themselves.
machine=$suite_folder/machine
mkdir -p "$machine/bin"
cp -l "$bin"/* "$machine/bin" 2>/dev/null || cp "$bin"/* "$machine/bin"
ln -s "$build/lib" "$build/firmware" "$machine"

of() {
    statistic stats "$1"
}

# laws MODEL: what holds of all programs
laws() {
    local stores
    stores=$(of order.buffered_stores)
    case $1 in
    rmo) (($(of order.blocked_cycles) == 0 && stores == 0)) || fail "rmo is held back" ;;
    sc) ((stores == 0)) || fail "sc has a buffer" ;;
    *) ((stores > 0 || $(of simt.lane_stores) == 0)) || fail "$1 has no buffer" ;;
    esac
    ((stores <= $(of simt.stores) && $(of order.buffer_max) <= stores)) || fail "more in the buffer than was stored"
    (($(of order.drain_wait_cycles) + $(of order.match_wait_cycles) <= $(of order.blocked_cycles))) ||
        fail "longer waits than in all"
    [[ $1 == tso ]] || (($(of order.match_waits) == 0)) || fail "$1 looks at addresses"
}

# right MODEL KERNELS STATUS PROGRAM ARGUMENT...: with no other kernels than these, as the program finds itself
right() {
    local bin=$machine/bin arguments=${*:5} kernel
    rm -rf "$machine/kernels" && mkdir "$machine/kernels"
    for kernel in ${2//,/ }; do
        ln -s "$build/kernels/$kernel.elf" "$machine/kernels"
    done
    arguments=${arguments//ROOT/$root}
    [[ $arguments != *CASES* ]] || arguments=${arguments/CASES/$("$bin/$4" --list | awk '$1 !~ /endless/ { print $1 }')}
    # shellcheck disable=SC2086 # the words of a command
    run "$3" "$4" $arguments --quiet --stats stats --set gpu.consistency="$1" <<<$'graph\nend'
    [[ $3 != 0 || ! -s stats ]] || laws "$1"
}

# none_forgotten: each program is in the table, and so is each kernel file but those for parts of the hardware alone
none_forgotten() {
    local source name
    for source in "$root"/tests/programs/*.c; do
        name=$(basename "$source" .c)
        [[ $name == *_kernel ]] || grep -Eq "^[a-z0-9_,]+ [0-9] $name( |$)" <<<"$table" || fail "program $name is not in the table"
    done
    for source in "$build"/kernels/*.elf; do
        name=$(basename "$source" .elf)
        [[ -f $root/tests/programs/${name%_stamped}_kernel.c ]] || continue # left by a source that is gone
        grep -Eq "^([a-z0-9_]+,)*${name}[, ]" <<<"$table" || grep -q "\"$name.elf\"" "$root"/tests/soc/*.c ||
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
        [[ $1 == rmo ]] || (($(of order.blocked_cycles) > 0)) || fail "$1 holds nothing back"
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
    for system in $("$bin/sluice" config explain mem.system | sed -n 's/^ *choices *//p'); do
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
        check "$model: $command, $kernels" right $model "$kernels" "$status" $command
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
