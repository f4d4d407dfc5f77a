#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Statistics before and after a change of the simulator that is to change none of them: runs every program with
# statistics on several machines and keeps, for each run, all statistics (but those of the simulator itself) and
# the result line. `compare` says which runs differ from what `write` left, and in which figures; a figure that
# only one side has does not count, so that statistics can be added. With --images, flash image and kernels are
# taken from another build's folder, since moving a function of theirs changes figures by itself.
# usage: tests/bench/fingerprint.sh write|compare FOLDER [--images BUILD] [PATTERN]
#     FOLDER: of what is kept; PATTERN: only runs whose line it matches (a regular expression)
# Status 1 where runs differ or fail, 2 for bad usage.
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
'

usage() {
    printf '%s: %s; usage: write|compare FOLDER [--images BUILD] [PATTERN]\n' "$me" "$1" >&2
    exit 2
}

mode=${1:-}
kept=${2:-}
[[ $mode == write || $mode == compare ]] || usage "what to do: '$mode'"
[[ -n $kept ]] || usage 'no folder'
shift 2
images=$build
if [[ ${1:-} == --images ]]; then
    images=${2:-}
    [[ -f $images/firmware/sluice.flash ]] || usage "no firmware/sluice.flash in '$images'"
    shift 2
fi
pattern=${1:-.}
mkdir -p "$kept"

# Programs look for images beside themselves.
mkdir "$folder/bin"
cp -l "$build"/bin/* "$folder/bin" 2>/dev/null || cp "$build"/bin/* "$folder/bin"
ln -s "$(cd "$build" && pwd)/lib" "$folder/lib"
ln -s "$(cd "$images" && pwd)/firmware" "$folder/firmware"
ln -s "$(cd "$images" && pwd)/kernels" "$folder/kernels"

# one RUN: a line of words; leaves what is kept of it in a file, or says what went wrong.
one() {
    local words name=${1//[^A-Za-z0-9=.-]/_}
    local out=$folder/raw/$name
    read -ra words <<<"$1"
    if ! timeout 300 "$folder/bin/${words[0]}" "${words[@]:1}" --quiet --stats "$out.stats" >"$out.result" 2>"$out.error" </dev/null; then
        printf 'failed     %s: %s\n' "$1" "$(head -n 1 "$out.error")"
        return
    fi
    { cat "$out.result" && grep -v '"sim\.' "$out.stats" | sed -n 's/^ *"\([^"]*\)": *\([^,]*\),*$/\1 \2/p'; } >"$folder/out/$name"
}

# Names and values that both sides have and that differ.
differences() {
    awk 'NR == 1 && $0 != "" { first = $0 }
        FNR == NR { value[$1] = $0; next }
        $1 in value && value[$1] != $0 { printf "%s%s", count++ ? "; " : "", value[$1] " -> " $2 }' "$1" "$2" | cut -c1-200
}

export -f one
export folder
mkdir "$folder/out" "$folder/raw"
all=$(while IFS= read -r machine; do
    [[ -z $machine ]] || while IFS= read -r run; do
        [[ -z $run ]] || printf '%s %s\n' "$run" "$machine"
    done <<<"$runs"
done <<<"$machines" | grep -E -- "$pattern") || usage "no run matches '$pattern'"
xargs -d '\n' -P "$(nproc)" -I {} bash -c 'one "$1"' _ {} <<<"$all" >"$folder/failed"

same=0
different=0
while IFS= read -r run; do
    name=${run//[^A-Za-z0-9=.-]/_}
    [[ -f $folder/out/$name ]] || continue
    if [[ $mode == write ]]; then
        cp "$folder/out/$name" "$kept/$name"
        same=$((same + 1))
    elif [[ ! -f $kept/$name ]]; then
        printf 'new        %s\n' "$run"
    else
        change=$(differences "$kept/$name" "$folder/out/$name")
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
    "$(cd "$folder/out" && sha256sum -- * | sha256sum | cut -c1-16)"
((different + failed == 0))
