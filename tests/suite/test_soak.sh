#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Random soak of the Cilk programs: program, size, widths and variant of channels, compute units, lanes, contexts,
# pool, what a yield saves, the aggregator's core, the memory system and when partial wavefronts go are drawn from a
# seed, and each run has to end in time with the right result (the programs check it themselves). 12 runs; 500 with SLUICE_TEST_LONG. Runs go
# in parallel, one on each core. A failure prints the command that repeats it.
# usage: tests/suite/test_soak.sh [FIRST_SEED [RUNS]]
# Reports in TAP, with a table of what ran.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
first=${1:-1}
runs=${2:-$((${SLUICE_TEST_LONG:+1} + 0 ? 500 : 12))}
limit_s=${SLUICE_HANG_S:-600}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Program with options of its own; its sizes; the widest channels; the largest fan-out of an edge to the stacks that
# each width is of, in terms of the size N; variants of channels that it has kernels for.
all='wavefront workitem padded soa stamped'
packed='wavefront workitem stamped'
programs="
cilk_fib                        ; 5 12 17 19 20 21 22 23 24 24 25    ; 32768 ; --width=2 --continuations=1            ; $all
queens                          ; 4 8 9 10 11 12 12                  ; 16384 ; --width=N --continuations=1            ; $all
queens --columns 1 --batch 1    ; 4 8 9 10 10                        ; 4096  ; --width=1                              ; $all
queens --columns 0 --batch 3    ; 4 7 8 9 10 10                      ; 4096  ; --width=3 --continuations=1            ; $all
cilksort                        ; 0 65 1000 4097 30001 100000 150000 ; 32768 ; --width=4 --continuations=1 --merges=2 ; $packed
cilksort --input equal --seed 3 ; 2 129 12345 77777 123456           ; 4096  ; --width=4                              ; $packed
cilksort --merge-base 64        ; 100 4097 30001 77777                ; 8192  ; --width=4 --continuations=1 --merges=2 ; $all
cilksort --base branchy         ; 65 1000 12345 50000                 ; 4096  ; --width=4 --continuations=1 --merges=2 ; $all
strassen                        ; 16 64 256 256 512                  ; 8192  ; --width=8                              ; $packed
strassen --variant seven        ; 16 64 128 256                      ; 8192  ; --width=8 --continuations=1            ; $packed
"

# A number below the limit, the same for the same seed everywhere: a 31-bit linear congruence, its upper bits.
draw() { # draw LIMIT: into $drawn
    state=$(((state * 1103515245 + 12345) & 0x7fffffff))
    drawn=$(((state >> 8) % $1))
}

pick() { # pick WORD...: into $picked
    draw $#
    shift "$drawn"
    picked=$1
}

# A width from what a wavefront may demand and a done-count group less one, as the graph check has it; the
# narrowest of three, since channels that run full are what this is about.
pick_width() { # pick_width LANES FAN_OUT MOST: into $picked
    local choices=() value least
    for ((value = 64; value <= $3; value *= 2)); do
        ((value < $1 * $2 + 63)) || choices+=("$value")
    done
    least=${#choices[@]}
    for _ in 1 2 3; do
        draw ${#choices[@]}
        least=$((drawn < least ? drawn : least))
    done
    picked=${choices[least]}
}

# The blocks that the refusal of a smaller pool asks for; 1 where one is enough.
least_pool() { # least_pool WORD...: a command; into $least
    least=$("$build/bin/$1" "${@:2}" --quiet --set pool.blocks=1 2>&1 |
        sed -n 's/.*set pool\.blocks to \([0-9]*\) or more.*/\1/p')
    least=${least:-1}
}

# The command of a seed, without the folder of the program.
command_of() {
    local state=$1 drawn picked lines program sizes most widths variants size width lanes cus contexts least words
    state=$(((state * 2654435761 + 1) & 0x7fffffff))
    mapfile -t lines < <(grep -v '^$' <<<"$programs")
    draw ${#lines[@]}
    IFS=';' read -r program sizes most widths variants <<<"${lines[drawn]}"
    # shellcheck disable=SC2086 # words
    pick $sizes
    size=$picked
    pick 64 64 32 16
    lanes=$picked
    # shellcheck disable=SC2206 # words
    words=($program "$size")
    for width in ${widths//N/$size}; do
        pick_width "$lanes" "${width#*=}" "$most"
        words+=("${width%=*}" "$picked")
    done
    # shellcheck disable=SC2086 # words
    pick $variants
    words+=(--channels "$picked")
    pick used live
    words+=(--set gpu.yield_saves="$picked")
    pick flat moesi
    words+=(--set mem.system="$picked")
    pick simple 2-stage 5-stage 2way-light-ooo 2way-ooo 4way-ooo
    words+=(--set agg.core="$picked")
    pick 1 2 3 4 8
    cus=$picked
    pick 4 8 12 40
    contexts=$picked
    words+=(--set gpu.lanes="$lanes" --set gpu.cus="$cus" --set gpu.contexts="$contexts")
    least_pool "${words[@]}"
    pick 0 "$least" $((least + 1)) $((least + 5)) $((2 * cus * contexts + least))
    ((picked > 0 || cus * contexts >= least)) || picked=$least
    words+=(--set pool.blocks="$picked")
    pick levelized levelized levelized:drained
    printf '%s --policy %s\n' "${words[*]}" "$picked"
}

# One run: its line of the table, in a file of its own.
# shellcheck disable=SC2317 # xargs calls it
one() {
    local seed=$1 line=${*:2} status=0 words figures
    read -ra words <<<"$line"
    timeout --kill-after=5 "$limit_s" "$build/bin/${words[0]}" "${words[@]:1}" --quiet \
        --stats "$folder/stats.$seed" >"$folder/out.$seed" 2>&1 || status=$?
    figures=$(sed -n -E 's/^ *"gpu\.(wavefronts|yields|cycles)": *([0-9]+),?$/\1 \2/p' "$folder/stats.$seed" 2>/dev/null |
        sort | cut -d ' ' -f 2 | paste -s -d ' ')
    printf '%d %d %s : %s\n' "$seed" "$status" "${figures:-0 0 0}" "$line" >"$folder/line.$seed"
}
export -f one
export build folder limit_s

for ((seed = first; seed < first + runs; seed++)); do
    printf '%d %s\n' "$seed" "$(command_of "$seed")"
done >"$folder/commands"
while read -r program rest; do
    if [[ -n $program && ! -x $build/bin/$program ]]; then
        echo "not ok - soak: no $build/bin/$program; build it first (make all)"
        exit 1
    fi
done <<<"$programs"
# shellcheck disable=SC2016 # the inner shell expands
xargs -P "$(nproc)" -L 1 bash -c 'one "$@"' one <"$folder/commands"
cat "$folder"/line.* | sort -n >"$folder/table"

awk '{ name = $7; runs[name]++; good[name] += $2 == 0; wavefronts[name] += $4; yields[name] += $5
       yielding[name] += $5 > 0; cycles[name] += $3 }
     END { printf "# %-12s %6s %6s %12s %12s %10s %14s\n", "program", "runs", "right", "wavefronts", "with yields", "yields", "cycles"
           for (name in runs)
               printf "# %-12s %6d %6d %12d %12d %10d %14d\n", name, runs[name], good[name], wavefronts[name],
                   yielding[name], yields[name], cycles[name] }' "$folder/table"
count=$(wc -l <"$folder/table")
bad=$(awk '$2 != 0' "$folder/table" | wc -l)
awk '$2 != 0' "$folder/table" | while read -r seed result _ _ _ _ line; do
    printf '# seed %d: status %d%s: build/bin/%s\n' "$seed" "$result" "$( ((result == 124)) && echo ' (not ended)')" "$line"
    sed 's/^/#     /' "$folder/out.$seed" | tail -n 5
done
if ((bad == 0 && count == runs)); then
    echo "ok - soak: $runs runs from seed $first"
else
    echo "not ok - soak: $bad of $count runs failed, $runs wanted"
    exit 1
fi
