# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# All programs of tests/{litmus,workloads,probes}, for suites that run each of them; to be sourced after common.sh.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # for suites; common.sh's

# Kernel files, exit status, program and arguments: each program that there is at a small size. CASES are all that it
# has; ROOT is the folder of the sources.
table='
apriori 0 apriori 60 --support 6
arguments 0 arguments
wrap 0 attach
wrap 0 badgraph CASES --set pool.blocks=1
barneshut 0 barneshut 300
bfs_topology 0 bfs_topology 300
bfs_worklist 0 bfs_worklist 300
bitonic 0 bitonic 256
books 3 books free-twice free-other enqueue-twice enqueue-taken never-enqueue --set debug.protection=off
cilk_fib 0 cilk_fib 14
cilk_fib 0 cilk_fib 14 --variant workitem
cilk_fib_forms 0 cilk_fib 12 --variant soa
cilk_fib_stamped 0 cilk_fib 12 --variant stamped
cilksort 0 cilksort 3000
cilksort_forms 0 cilksort 2000 --variant padded
cilksort_stamped 0 cilksort 2000 --variant stamped
cxx_subsets 0 cxx_subsets 9
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
hybrid_bfs 0 hybrid_bfs 300
hybrid_cutcp 0 hybrid_cutcp 9
hybrid_gridding 0 hybrid_gridding 9 --samples 300
hybrid_histo 0 hybrid_histo 5000 --bins 2000
hybrid_lbm 0 hybrid_lbm 12 --depth 7 --steps 3
hybrid_lbm 0 hybrid_lbm 12 --depth 7 --steps 3 --layout soa
hybrid_mriq 0 hybrid_mriq 6
hybrid_sgemm 0 hybrid_sgemm 40 --inner 9
hybrid_spmv 0 hybrid_spmv 300 --times 2
hybrid_stencil 0 hybrid_stencil 35 --depth 5 --steps 3
integer 0 integer 10
interac 0 interac 100
library 0 library 16
litmus 0 litmus ROOT/tests/litmus/scopes/SB.litmus
locks,atomics 0 locks --items 200
wrap 0 kills 3
fib 0 machines 8
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
races 0 races pass pass_together pass_system
racy 0 racy 1
reduce 0 reduce 3000
fib 0 restart
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
stuck 3 stuck loop
tasks_tree 0 tasks_tree 6
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
uts 0 uts -t 1 -a 3 -d 5 -b 4 -r 21 --runtime channels
uts_tasks 0 uts -t 1 -a 3 -d 4 -b 4 -r 21
uts_tasks 0 uts -t 1 -a 3 -d 4 -b 4 -r 21 --version direct
worklist 0 worklist 500
wild 0 wild CASES
wrap 0 wrap
wrap_stamped 0 wrap --variant stamped
'

# The folder of a machine whose kernels are those that a run names: programs look for files beside themselves.
machine=$suite_folder/machine
mkdir -p "$machine/bin"
cp -l "$bin"/* "$machine/bin" 2>/dev/null || cp "$bin"/* "$machine/bin"
ln -s "$build/lib" "$build/firmware" "$machine"

# run_with KERNELS STATUS PROGRAM ARGUMENT...: with no other kernels than these
run_with() {
    local status=$2 program=$3 arguments=${*:4} kernel
    rm -rf "$machine/kernels" && mkdir "$machine/kernels"
    for kernel in ${1//,/ }; do
        ln -s "$build/kernels/$kernel.elf" "$machine/kernels"
    done
    arguments=${arguments//ROOT/$root}
    [[ $arguments != *CASES* ]] ||
        arguments=${arguments/CASES/$("$machine/bin/$program" --list | awk '$1 !~ /endless/ { print $1 }')}
    # shellcheck disable=SC2086 # the words of a command
    bin=$machine/bin run "$status" "$program" $arguments --quiet <<<$'graph\nend'
}
