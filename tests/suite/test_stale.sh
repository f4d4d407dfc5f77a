#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Whole machines whose caches are as stale as the contract of memory systems permits (sim-soc/mem/mem.h; memory system
# `stale`, in the test build of the recipes, tests/recipe/build.sh). Each of its seeds is other delays.
#
# First, programs synchronize enough: each program with channels computes the right result under 20 seeds, with a
# configuration and variant that follow from the seed, and beside it a launch, a program of QuickRelease's evaluation, and
# one whose wavefronts meet at barriers of the device. 1,000 seeds with SLUICE_TEST_LONG. Yields, spills, restarts and
# barriers have to be among what ran.
#
# Second, no acquire or release of the channels' routines (hal/kernel/channel_routines.S) can be left out: kernels are linked with
# a copy in which it is. A release becomes a relaxed atomic at the same place; an acquire a plain load, which may be
# older than a relaxed one (docs/look-up/isa.md). Under some seed a program then gives a wrong result, faults, or does not end.
# Where it stays right, the table says why, and it has to stay right under all of them. Some of these; all with
# SLUICE_TEST_LONG. The aggregator's polls are in it: of tails, which `enq publishes` tells, and of done counts, which
# `tfree` does. What the aggregator itself orders cannot be left out here: QEMU's CPU executes in order.
#
# usage: tests/suite/test_stale.sh [FIRST_SEED [SEEDS]]
# Runs go in parallel, one on each core. A failure prints the command that repeats it. Reports in TAP.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
build=$(cd "${SLUICE_BUILD:-build}" && pwd)
tree=$build/recipe
bin=$tree/build/bin
first=${1:-1}
seeds=${2:-$((${SLUICE_TEST_LONG:+1} + 0 ? 1000 : 20))}
limit_s=${SLUICE_HANG_S:-600}
# shellcheck source-path=SCRIPTDIR source=lib/tap.sh
source tests/suite/lib/tap.sh

if [[ ! -e $tree/built ]]; then
    echo "not ok - stale: no $tree/built; build it first (make $tree/built)"
    exit 1
fi

# ---- programs that synchronize enough ----

# Ways to run each program with channels, of which a seed takes one.
narrow='--width 256 --continuations 128'
sixteen='--width 128 --continuations 128 --set gpu.lanes=16'
spills='--set gpu.divergence_depth=4'
channels="
fib 14
fib 13 --variant workitem
fib 13 --variant padded --set gpu.cus=2
fib 13 --variant soa --set gpu.lanes=16
fib 13 --variant stamped --set gpu.cus=2
fib 14 --width 2048 --set agg.core=4way-ooo
fib 13 --set front.memory=coherent
fib 13 --predicate age:2000 --set agg.core=simple
cilk_fib 15 $narrow
cilk_fib 14 --variant workitem $sixteen --set agg.core=5-stage
cilk_fib 15 --variant padded $narrow --set gpu.cus=2
cilk_fib 14 --variant soa $sixteen --set gpu.yield_saves=live
cilk_fib 14 --variant stamped $sixteen --set agg.core=simple
cilk_fib 15 $narrow --set front.memory=coherent $spills
queens 7 --columns 2 --width 256 --batch 2
queens 8 --columns 1 --width 256 --batch 1 --continuations 128 --variant workitem $spills
queens 6 --columns 1 --variant soa --set agg.core=2-stage
queens 7 --columns 0 --width 256 --batch 3 --variant padded --set gpu.lanes=32 --set gpu.yield_saves=live $spills
cilksort 600
cilksort 1500 --width 512 --continuations 128 --merges 256
cilksort 500 --channels workitem $spills
cilksort 700 --input equal --set agg.core=2way-light-ooo --set gpu.cus=3
strassen 16
strassen 32 --variant seven --channels workitem
strassen 32 --width 1024 --set gpu.cus=2 --set agg.core=simple
strassen 32 --width 256 --set gpu.lanes=16
tree_sum 50
tree_sum 60 --channels workitem --set agg.core=2-stage
tree_sum 90 --width 128 --set gpu.lanes=16
tutorial 60
tutorial 90 --set gpu.cus=3
tutorial 80 --set gpu.lanes=16 --set agg.core=5-stage
integer 3
integer 2 --set gpu.cus=2 --set agg.core=simple
wrap --rounds 10
wrap --rounds 10 --variant workitem --set agg.core=4way-ooo
wrap --rounds 10 --variant padded --fan-out 5 --runners 2
wrap --rounds 10 --variant soa --done-group 16 --set front.memory=coherent
handover 8
handover 8 --variant workitem
handover 8 --set gpu.cus=2 --set agg.core=simple
stream_requests 200 --rate 5 --predicate age:2
stream_requests 300 --rate 20 --width 128 --set gpu.cus=2 --set agg.core=4way-ooo
feed many dialogue beside_lanes stack
feed padded workitem stack --set agg.core=simple --set front.memory=coherent
"
# Launches, likewise: a seed takes one of all.
launches="
reduce 1000
reduce 3000 --group 256 --set gpu.cus=2
histogram 1000 --yield-every 3
scan 1000 --group 128
bitonic 512 --set agg.core=simple
worklist 200
fft 128
matmul 20 --tile 4
nqueens 6 $spills
library 4
sequence grid_repeats
sequence part
"
# Launches that share what they write (docs/know/quickrelease-programs.md, docs/know/hybrid-programs.md), likewise.
benchmarks="
qr_nn 1000 --points 2
qr_bfs 500
qr_kmeans 300
qr_backprop 100 --epochs 3
qr_backprop 40 --set gpu.lanes=8 --set gpu.simd_lanes=8
qr_lud 50
qr_lud 40 --set gpu.lanes=8 --set gpu.simd_lanes=8
qr_nw 60
qr_srad 30
qr_hotspot 40
qr_spmv 300 --times 3
qr_matrixmul 40
qr_dct 20
qr_histogram 40000 --parts 3
qr_reduction 70000
qr_reduction 600 --times 3 --set gpu.lanes=8 --set gpu.simd_lanes=8
qr_sort 300
qr_sort 200 --input reversed --set gpu.lanes=8 --set gpu.simd_lanes=8
qr_apsp 30
qr_apsp 40 --set gpu.cus=3 --set gpu.lanes=8 --set gpu.simd_lanes=8
hybrid_bfs 500
hybrid_cutcp 9
hybrid_gridding 6 --samples 500 --set gpu.lanes=8 --set gpu.simd_lanes=8
hybrid_gridding 9 --samples 300
hybrid_histo 3000 --bins 400 --images 2
hybrid_lbm 8 --depth 4 --layout soa --set gpu.cus=3
hybrid_lbm 9 --depth 5 --steps 3
hybrid_mriq 5 --samples 70
hybrid_sgemm 20 --inner 9
hybrid_spmv 300 --times 3
hybrid_stencil 20 --depth 5
"
# One launch each, whose wavefronts share what they write behind barriers of the device (docs/know/consistency-programs.md).
resident="
mttop_barnes_hut 70
mttop_bfs 500
mttop_conv2d 20
mttop_dijkstra 40 --set gpu.lanes=8 --set gpu.simd_lanes=8
mttop_fft 256
mttop_hotspot 30 --set gpu.cus=3
mttop_kmeans 200
mttop_matmul 30
mttop_nn 1000 --set gpu.lanes=8 --set gpu.simd_lanes=8
"
declare -A ways=() # `GROUP COUNT`: a command; `GROUP`: how many there are
groups=()

# add_ways TABLE [GROUP]: without a name, each program is a group
add_ways() {
    local program options group
    while read -r program options; do
        group=${2:-$program}
        if [[ -n $program ]]; then
            [[ -n ${ways[$group]:-} ]] || groups+=("$group")
            ways["$group ${ways[$group]:-0}"]="$program $options"
            ways[$group]=$((${ways[$group]:-0} + 1))
        fi
    done <<<"$1"
}

# One run: a line `SEED STATUS RESTARTS YIELDS BARRIERS SPILLS : COMMAND` in a file of its own. Statistics are in a file
# of the slot of xargs, empty where the run leaves none.
# shellcheck disable=SC2317 # xargs calls it
one() {
    local number=$1 seed=$2 result=0 stats=$folder/stats.${slot:-0} text name figures=
    shift 2
    : >"$stats"
    SLUICE_STALE_SEED=$seed timeout --kill-after=5 "$limit_s" "$bin/$1" "${@:2}" --quiet \
        --stats "$stats" >"$folder/out.$number" 2>&1 || result=$?
    mapfile -d '' text <"$stats"
    for name in gpu.restarts gpu.yields simt.barriers simt.stack_spills; do
        [[ ${text[0]:-} =~ \"${name/./\\.}\":\ *([0-9]+),?$'\n' ]] && figures+="${BASH_REMATCH[1]} "
    done
    printf '%d %d %s: %s\n' "$seed" "$result" "${figures:-0 0 0 0 }" "$*" >"$folder/line.$number"
}

campaign() {
    local seed group number=0 count bad
    for ((seed = first; seed < first + seeds; seed++)); do
        for group in "${groups[@]}"; do
            printf '%d %d %s --set mem.system=stale\n' $((++number)) $seed "${ways["$group $((seed % ways[$group]))"]}"
        done
    done >"$folder/commands"
    # shellcheck disable=SC2016 # the inner shell expands
    xargs -P "$(nproc)" -L 1 --process-slot-var=slot bash -c 'one "$@"' one <"$folder/commands"
    find "$folder" -name 'line.*' -exec cat {} + >"$folder/table"
    awk '{ runs[$8]++; right[$8] += $2 == 0; restarts[$8] += $3; yields[$8] += $4; barriers[$8] += $5; spills[$8] += $6 }
         END { printf "# %-16s %6s %6s %8s %9s %8s %9s\n", "program", "runs", "right", "yields", "restarts", "spills",
                   "barriers"
               fflush()
               for (name in runs)
                   printf "# %-16s %6d %6d %8d %9d %8d %9d\n", name, runs[name], right[name], yields[name],
                       restarts[name], spills[name], barriers[name] | "sort" }' "$folder/table"
    bad=$(awk '$2 != 0' "$folder/table" | wc -l)
    count=$(wc -l <"$folder/table")
    awk '$2 != 0' "$folder/table" | while read -r seed result _ _ _ _ _ line; do
        printf '# status %d%s: SLUICE_STALE_SEED=%d %s/%s\n' "$result" "$( ((result == 124)) && echo ' (not ended)')" \
            "$seed" "${bin#"$PWD"/}" "$line"
    done
    ((bad == 0 && count == number))
    report $? "stale: $count runs of $number are right, under seeds $first to $((first + seeds - 1))"
    awk '{ for (i = 3; i <= 6; i++) sum[i] += $i }
         END { for (i = 3; i <= 6; i++) if (sum[i] == 0) exit 1 }' "$folder/table"
    report $? 'stale: among them yields, restarts, spills and barriers'
}

# ---- kernels with an acquire or a release left out ----

# Which of the acquires and releases of channel_routines.S, channel_routines.inc in its place, and stamped.S, counted from the top;
# whether programs go wrong without them, or why
# not; what they are; a program that shows it. `quick` are those that a test of some runs.
#
# talloc reads the head again where the first reading shows no space. An old first one shows less space than there is;
# a first one that acquires has just dropped what the second one could find: one of both is enough.
mutants="
6   wrong quick enq waits for the tail                     ; fib 14
7   wrong quick enq publishes                              ; fib 14
8   wrong long  enq waits for the tail, a lane by itself   ; fib 14 --variant workitem
9   wrong long  enq publishes, a lane by itself            ; fib 14 --variant workitem
10  wrong quick tfree                                      ; handover 20
2,3 wrong quick talloc reads the head, both times          ; handover 20
4,5 wrong long  the same, a lane by itself                 ; handover 20 --variant workitem
2   right long  talloc reads the head first                ; handover 20
3   right long  talloc reads the head again                ; handover 20
4   right long  a lane by itself reads the head first      ; handover 20 --variant workitem
5   right long  a lane by itself reads the head again      ; handover 20 --variant workitem
11  wrong quick enq leaves a stamp                         ; fib 14 --variant stamped
1   right long  elements given back, which nobody touched  ; cilk_fib 14 --variant workitem $sixteen
"
annotated='^ *(sl_load_acquire_d|sl_store_release_d|amoadd\.w\.rl) '

# left_out FOLDER NUMBERS: channel_routines.S and stamped.S without the order of these instructions
left_out() {
    sed -e '/^#include "kernel\/channel_routines.inc"$/{r hal/kernel/channel_routines.inc' -e 'd}' hal/kernel/channel_routines.S >"$1/inlined.S" &&
    awk -v folder="$1" -v numbers=",$2," -v annotated="$annotated" '
        $0 ~ annotated && index(numbers, "," ++count ",") {
            split($0, word, /[ ,]+/)
            if (word[2] == "sl_load_acquire_d") {
                $0 = "    ld " word[3] ", (" word[4] ")"
            } else if (word[2] == "sl_store_release_d") {
                $0 = "    amoswap.d zero, " word[3] ", (" word[4] ")"
            } else {
                sub(/\.rl/, "")
            }
        }
        { print >(folder (FILENAME ~ /stamped/ ? "/stamped.S" : "/channel.S")) }' "$1/inlined.S" hal/kernel/stamped.S
}

# prepare FOLDER NUMBERS PROGRAM: the program, with kernels that lack these, to be run from the folder
prepare() {
    local name
    mkdir -p "$1"/{bin,kernels,lib}
    ln -s "$build/newlib" "$tree/build/firmware" "$1"
    ln -s "$tree"/build/lib/*.so* "$1/lib"
    ln -sf "$build/lib/sluice-kernel-plugin.so" "$1/lib"
    ln -s "$build"/bin/{check-convergence,kernel-entries} "$1/bin"
    cp "$bin/$3" "$1/bin"
    left_out "$1" "$2" || return
    ! cmp -s "$1/channel.S" "$1/inlined.S" || ! cmp -s "$1/stamped.S" hal/kernel/stamped.S || return
    for name in channel stamped; do
        SLUICE_BUILD=$1 scripts/sluice-kernel-cc -c "$1/$name.S" -o "$1/$name.o" || return
    done
    riscv64-unknown-elf-ar rcs "$1/lib/libsluice-wave.a" "$1/channel.o" &&
        riscv64-unknown-elf-ar rcs "$1/lib/libsluice-wave-called.a" "$1/stamped.o" || return
    for name in "$3" "$3_forms"; do
        source=$(find tests/workloads tests/probes -name "${name}_kernel.c")
        if [[ -n $source ]]; then
            SLUICE_BUILD=$1 scripts/sluice-kernel-cc -std=gnu11 -Itests "$source" -o "$1/kernels/$name.elf" || return
        fi
    done
    source=$(find tests/workloads tests/probes -name "$3_kernel.c")
    SLUICE_BUILD=$1 scripts/sluice-kernel-cc -std=gnu11 -DSL_STAMPED -Itests "$source" \
        -o "$1/kernels/$3_stamped.elf" || return
}

# mutant NUMBERS EXPECTED NAME PROGRAM ARGUMENT...: its report in a file of its own. Goes on to the first seed under
# which the program goes wrong.
mutant() {
    local numbers=$1 expected=$2 name=$3 seed result output=$folder/mutant.$1 found=right
    shift 3
    prepare "$output.d" "$numbers" "$1" >"$output.log" 2>&1 || found='not built'
    for ((seed = 1; seed <= 20; seed++)); do
        [[ $found == right ]] || break
        result=0
        SLUICE_STALE_SEED=$seed timeout --kill-after=5 "$limit_s" "$output.d/bin/$1" "${@:2}" --quiet \
            --set mem.system=stale --set gpu.cycle_limit=2000000 >"$output.log" 2>&1 || result=$?
        if ((result == 1)) || { ((result == 3)) && grep -qE '(channel(_routines)?\.S|_kernel\.c):[0-9]+|accounting of .* does not balance' "$output.log"; }; then
            found=wrong # or a kernel's fault: a trap, the cycle limit; or told by the audit
        elif ((result != 0)); then
            found="status $result"
        fi
    done
    if [[ $found == "$expected" ]]; then
        printf 'ok - stale: without the order of %s, %s is %s by seed %d\n' "'$name'" "$*" "$found" $((seed - 1))
    else
        sed 's/^/# /' "$output.log" | tail -n 5
        printf 'not ok - stale: without the order of %s, %s is %s, not %s\n' "'$name'" "$*" "$found" "$expected"
    fi >"$output.tap"
    rm -rf "$output.d"
}

leave_out() {
    local numbers expected how text program count
    count=$(cat hal/kernel/channel_routines.{inc,S} hal/kernel/stamped.S | grep -cE "$annotated")
    [[ $(awk '$1 ~ /^[0-9]+$/ { print $1 }' <<<"$mutants" | sort -n) == $(seq "$count") ]]
    report $? "stale: each of the $count acquires and releases of the channel routines is in the table"
    while IFS=';' read -r text program; do
        read -r numbers expected how text <<<"$text"
        if [[ $how == quick || (-n $how && -n ${SLUICE_TEST_LONG:-}) ]]; then
            while (($(jobs -rp | wc -l) >= $(nproc))); do
                wait -n
            done
            # shellcheck disable=SC2086 # words
            mutant "$numbers" "$expected" "$text" $program &
        fi
    done <<<"$mutants"
    wait
    cat "$folder"/mutant.*.tap
    ! grep -q '^not ok' "$folder"/mutant.*.tap || status=1
}

export -f one
export bin folder limit_s
add_ways "$channels"
add_ways "$launches" launch
add_ways "$benchmarks" benchmark
add_ways "$resident" resident
campaign
leave_out
exit $status
