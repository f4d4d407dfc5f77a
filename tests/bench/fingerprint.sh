#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Statistics before and after a change of the simulator that is to change none of them: runs programs of all five
# papers on machines with every memory system and consistency model, about 1,000 runs in some 70 s on two cores. Of each run
# it keeps all statistics (but those of the simulator itself) and the result line. `compare` says which runs differ from what `write` left, and in which figures; a figure that
# only one side has does not count, so that statistics can be added.
# usage: tests/bench/fingerprint.sh write|compare FOLDER [--images BUILD] [--engine ENGINE] [PATTERN]
#        FOLDER is where they are kept, a file for each run. BUILD is another build's folder, whose flash image and
#        kernels are run, since moving a function of theirs changes figures by itself. ENGINE is qemu or native
#        (host.engine), which all figures are the same with. PATTERN is a regular
#        expression: only runs whose line it matches, as they are shown ("fib 24 --set mem.system=moesi").
# Exit status 1 where a run differs or fails, 2 where the arguments are wrong.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Program and arguments.
runs='
fib 24
fib 18 --variant workitem
fib 18 --variant padded
fib 18 --variant soa
cilk_fib 23
cilk_fib 22 --width 1024
cilk_fib 16 --variant workitem
cilk_fib 16 --variant padded
cilk_fib 16 --variant soa
queens 10
queens 8 --width 1024
cilksort 60000
cilksort 30000 --width 1024
strassen 256
strassen 64 --variant=seven
tree_sum 3000
bitonic 4096
fft 2048
histogram 20000
histogram 20000 --yield-every 7
integer 50
library 64
matmul 128
nqueens 10
print 100
reduce 20000
scan 20000
stream 1
stream 1 --copy
tutorial 300
wrap
qr_bfs 2000
qr_hotspot 48
qr_reduction 20000
qr_sort 3000
mttop_bfs 2000
mttop_kmeans 500
mttop_matmul 48
hybrid_bfs 2000
hybrid_sgemm 64
hybrid_spmv 300
trees_fib 14
trees_sort 2048
trees_bfs 1000
trees_sort --map 2048
tasks_tree 8 --roots 12
uts -t 1 -a 3 -d 5 -b 4 -r 21
interac 1500 --accounts 300
'
# Machines, as settings.
machines='
--set mem.system=moesi
--set mem.system=flat --set agg.core=simple
--set gpu.cus=1 --set dram.size=128MiB --set agg.core=2-stage
--set mem.system=flat --set gpu.cus=1 --set agg.core=2way-light-ooo
--set gpu.cus=3 --set gpu.lanes=32 --set agg.core=5-stage
--set gpu.cus=16 --set mem.network=torus --set agg.core=4way-ooo
--set gpu.yield_saves=live --set gpu.divergence_depth=8 --set agg.core=simple --set mem.matrix=on
--set gpu.scheduler=greedy_oldest --set gpu.lines_per_cycle=2 --set l2.size=256KiB --set pool.blocks=64
--set mem.system=nol1
--set mem.system=nol1 --set gpu.consistency=sc --set gpu.cus=2
--set mem.system=wt
--set mem.system=partition --set gpu.scheduler=round_robin
--set mem.system=partition --set gpu.cus=4 --set gpu.lanes=32
--set mem.system=partition --set gpu.consistency=tso
--set mem.system=flat --set lock.stack=thesis --set lock.backoff=exponential
--set mem.system=quickrelease
--set mem.system=quickrelease --set quickrelease.fifo=wavefront --set gpu.cus=2
--set mem.system=scoped
--set mem.system=hybrid --config hybrid
--set mem.system=moesi --set gpu.consistency=tso --set gpu.write_buffer=8
--set mem.system=moesi --set gpu.consistency=sc_wb --set gpu.lanes=16
'
# Runs that only some machines take: queues of locks, and configurations of the papers.
others='
apriori 2000 --locks queue --set mem.system=partition
barneshut 300 --locks queue --set mem.system=partition
barneshut 300 --locks queue --set mem.system=flat --set lock.queue_records=3
barneshut 300 --locks try --set mem.system=partition
barneshut 300 --config fermi-locks
uts -t 1 -a 3 -d 5 -b 4 -r 21 --runtime channels --config hrf
qr_bfs 2000 --config qr
qr_bfs 2000 --config qr-rfo
mttop_bfs 2000 --config mttop
hybrid_spmv 300 --config hybrid-base
'

wrong_usage() {
    printf '%s: %s; expected write|compare FOLDER [--images BUILD] [--engine ENGINE] [PATTERN]\n' "$me" "$1" >&2
    exit 2
}

mode=${1:-}
kept=${2:-}
images=$build
[[ $mode == write || $mode == compare ]] || wrong_usage "'$mode' is neither write nor compare"
[[ -n $kept && $kept != -* ]] || wrong_usage 'FOLDER is missing'
[[ $mode == write || -d $kept ]] || wrong_usage "there is no folder '$kept' to compare with"
shift 2
if [[ ${1:-} == --images ]]; then
    images=${2:-}
    [[ -f $images/firmware/sluice.flash ]] || wrong_usage "--images: no firmware/sluice.flash in '$images'"
    shift 2
fi
engine=qemu
if [[ ${1:-} == --engine ]]; then
    engine=${2:-}
    shift 2
fi
[[ ${1:-} != -* ]] || wrong_usage "'$1': no such option"
(($# <= 1)) || wrong_usage "one PATTERN, not '$1' and '$2'"
pattern=${1:-.}

# Programs look for images beside themselves.
mkdir "$folder/bin" "$folder/out" "$folder/raw"
cp -l "$build"/bin/* "$folder/bin" 2>/dev/null || cp "$build"/bin/* "$folder/bin"
ln -s "$(cd "$build" && pwd)/lib" "$folder/lib"
ln -s "$(cd "$images" && pwd)/firmware" "$folder/firmware"
ln -s "$(cd "$images" && pwd)/kernels" "$folder/kernels"

# The name of the file of a run.
file_of() {
    printf '%s' "${1//[^A-Za-z0-9=.-]/_}"
}

# one RUN: a line of words; leaves what is kept of it in a file, or says what went wrong.
# shellcheck disable=SC2317 # xargs calls it
one() {
    local words file raw
    file=$(file_of "$1")
    raw=$folder/raw/$file
    read -ra words <<<"$1"
    if ! timeout 300 "$folder/bin/${words[0]}" "${words[@]:1}" --set "host.engine=$engine" --quiet --stats "$raw.stats" \
        >"$raw.result" 2>"$raw.error" </dev/null; then
        printf 'failed     %s: %s\n' "$1" "$(head -n 1 "$raw.error")"
        return
    fi
    {
        cat "$raw.result"
        sed -n '/"sim\./d; s/^ *"\([^"]*\)": *\([^,]*\),*$/\1 \2/p' "$raw.stats"
    } >"$folder/out/$file"
}

# Names of figures, or the result, that both sides have and that differ, with both values.
differences() { # differences BEFORE NOW
    awk 'FNR == NR { value[$1] = $0; next }
        $1 in value && value[$1] != $0 {
            printf "%s%s -> %s", count++ ? "; " : "", value[$1], substr($0, length($1) + 2)
        }' "$1" "$2" | cut -c 1-200
}

export -f one file_of
export engine folder
all=$({
    while IFS= read -r machine; do
        [[ -z $machine ]] || while IFS= read -r run; do
            [[ -z $run ]] || printf '%s %s\n' "$run" "$machine"
        done <<<"$runs"
    done <<<"$machines"
    sed '/^$/d' <<<"$others"
} | grep -E -- "$pattern") || wrong_usage "no run matches '$pattern'"
mkdir -p "$kept" || wrong_usage "cannot make the folder '$kept'"
# shellcheck disable=SC2016 # the inner shell expands
xargs -d '\n' -P "$(nproc)" -I {} bash -c 'one "$1"' one {} <<<"$all" >"$folder/failed"

same=0
different=0
while IFS= read -r run; do
    file=$(file_of "$run")
    [[ -f $folder/out/$file ]] || continue
    if [[ $mode == write ]]; then
        cp "$folder/out/$file" "$kept/$file"
        same=$((same + 1))
    elif [[ ! -f $kept/$file ]]; then
        printf 'new        %s\n' "$run"
    else
        change=$(differences "$kept/$file" "$folder/out/$file")
        if [[ -z $change ]]; then
            same=$((same + 1))
        else
            different=$((different + 1))
            printf 'different  %s: %s\n' "$run" "$change"
        fi
    fi
done <<<"$all"
cat "$folder/failed"
failed=$(wc -l <"$folder/failed")
printf '%s: %d runs %s, %d different, %d failed, hash %s\n' "$me" "$same" \
    "$([[ $mode == write ]] && printf kept || printf equal)" "$different" "$failed" \
    "$(cd "$folder/out" && sha256sum -- * | sha256sum | cut -c 1-16)"
((different + failed == 0))
