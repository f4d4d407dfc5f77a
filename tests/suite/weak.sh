#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Random programs on random machines that are weak: slow memory, small caches, few contexts, tiny write buffers, every
# consistency model that a memory system takes. Tasks that wavefronts share, Cilk on channels, flat kernels, TREES; each
# program finds for itself whether it is right. What is in order on the default machine by chance is not here. 12 programs of
# each kind in make test, 1,250 with SLUICE_TEST_LONG; SLUICE_WEAK_COUNT says another number, SLUICE_WEAK_FIRST where its
# seeds begin. Equal seeds make equal programs and machines.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

count=${SLUICE_WEAK_COUNT:-12}
[[ -z ${SLUICE_TEST_LONG:-} ]] || count=${SLUICE_WEAK_COUNT:-1250}
first=${SLUICE_WEAK_FIRST:-1}
batch=250
hang_s=${SLUICE_HANG_S:-600}
mapfile -t systems < <(memory_systems | tr ' ' '\n')

# ---- choices: RANDOM begins anew with each program, so that one of them can be run alone ----

# between LEAST MOST: into $chosen, likewise below; a subshell would have a RANDOM of its own
between() {
    chosen=$(($1 + RANDOM % ($2 - $1 + 1)))
}

one_of() {
    local choices=("$@")
    chosen=${choices[RANDOM % $#]}
}

# either KEY VALUE...: one of the values is set, or none
either() {
    one_of '' "${@:2}"
    [[ -z $chosen ]] || machine+=(--set "$1=$chosen")
}

# A machine into $machine.
choose_machine() {
    local system model=rmo
    machine=()
    one_of "${systems[@]}" && system=$chosen
    [[ $system != @(flat|moesi|nol1|partition) ]] || { one_of rmo sc sc_wb tso tso && model=$chosen; }
    machine+=(--set "mem.system=$system" --set "gpu.consistency=$model")
    case $model in
    sc_wb | tso) either gpu.write_buffer 1 2 3 8 ;;
    rmo) [[ $system == @(flat|moesi|nol1|partition) ]] && either gpu.rmo_loads block ;;
    esac
    either gpu.order_private on
    either gpu.cus 1 2 3 5
    either gpu.contexts 4 8 12 16
    either gpu.memory_ops 1 2 32
    either gpu.lines_per_cycle 4
    either gpu.scheduler greedy_oldest
    either dram.latency 0 5ns 300ns 1us
    either dram.bandwidth 500 3000
    either mem.jitter 4ns 200ns
    machine+=(--set "mem.jitter_seed=$RANDOM")
    either l1d.mshrs 1 2
    either l2.mshrs 1 4
}

# ---- programs, into $program ----

choose_tasks() {
    local version threshold
    one_of direct indirect && version=$chosen
    between 1 4 && threshold=$chosen
    program=(tasks_tree)
    between 3 8 && program+=("$chosen")
    between 1 60 && program+=(--roots "$chosen")
    between 3 6 && program+=(--fan "$chosen")
    if ((RANDOM % 3 == 0)); then
        program=(uts -t 1 -a 3 -b 4)
        between 2 5 && program+=(-d "$chosen")
        program+=(-r $RANDOM)
    fi
    program+=(--version "$version" --device-threshold "$threshold")
}

choose_cilk() {
    local variant size
    one_of wavefront workitem padded soa stamped && variant=$chosen
    case $((RANDOM % 5)) in
    0) between 2 17 && program=(cilk_fib "$chosen") ;;
    1) between 1 1500 && program=(tree_sum "$chosen") ;;
    2) between 4 9 && program=(queens "$chosen") ;;
    3) between 1 6000 && size=$chosen && one_of random sorted reversed equal &&
        program=(cilksort "$size" --seed $RANDOM --input "$chosen") ;;
    4) one_of 16 32 64 && program=(strassen "$chosen") ;;
    esac
    program+=(--channels "$variant" --set pool.blocks=400) # tasks wait for others in chains longer than few contexts hold
}

choose_flat() {
    local size
    between 1 3000 && size=$chosen
    case $((RANDOM % 7)) in
    0) between 2 17 && program=(fib "$chosen") ;;
    1) between 2 40 && program=(histogram "$size" --yield-every "$chosen") ;;
    2) program=(worklist "$size") ;;
    3) program=(bfs_worklist "$((size % 600 + 2))" --seed $RANDOM) ;;
    4) program=(stages "$((size % 200 + 1))") ;;
    5) one_of atomics lock && program=(interac "$((size % 300 + 1))" --seed $RANDOM --locks "$chosen") ;;
    6) program=(sssp_worklist "$((size % 400 + 2))" --seed $RANDOM) ;;
    esac
}

choose_trees() {
    local size group
    between 1 600 && size=$chosen
    one_of 64 128 256 && group=$chosen
    case $((RANDOM % 4)) in
    0) program=(trees_random 3 --seed $RANDOM) ;;
    1) one_of preorder postorder && program=(trees_orders "$size" --seed $RANDOM --order "$chosen") ;;
    2) one_of '' --cilk --map && program=(trees_sort "$size" --seed $RANDOM) && [[ -z $chosen ]] || program+=("$chosen") ;;
    3) between 2 15 && program=(trees_fib "$chosen") ;;
    esac
    program+=(--group "$group")
}

# ---- runs ----

# right KIND FIRST LAST: the programs and machines of these seeds
right() {
    local seed
    for ((seed = $2; seed <= $3; seed++)); do
        RANDOM=$seed
        choose_machine
        "choose_$1"
        run 0 "${program[@]}" --quiet "${machine[@]}"
    done
    note "seeds $2 to $3"
}

for kind in tasks cilk flat trees; do
    for ((seed = first; seed < first + count; seed += batch)); do
        last=$((seed + batch < first + count ? seed + batch - 1 : first + count - 1))
        check "$kind on weak machines" right $kind $seed $last
    done
done
