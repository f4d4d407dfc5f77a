#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Every program on memory system moesi: right results, equal statistics of equal runs, and the laws of the
# counters (docs/look-up/memory-moesi.md), on the default machine, on a torus, and with caches so small that all is in
# motion; and what a stream gets of DRAM's bandwidth.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

l1s=(l1d l1i agg_l1d agg_l1i)
small=(--set l1d.size=1KiB --set l1d.ways=2 --set l1i.size=512 --set l1i.ways=2 --set agg_l1d.size=512
    --set agg_l1d.ways=1 --set agg_l1i.size=512 --set agg_l1i.ways=2 --set l2.size=8KiB --set l2.ways=4
    --set l1d.mshrs=4 --set l2.mshrs=2 --set dram.channels=2 --set crossbar.width=16)

# sum NAME...: of figures over the L1 caches, as further figures l1s.NAME
sum() {
    local cache name
    for name in "$@"; do
        stat[l1s.$name]=0
        for cache in "${l1s[@]}"; do
            stat[l1s.$name]=$((${stat[l1s.$name]} + ${stat[$cache.$name]}))
        done
    done
}

# equal NAME LEFT RIGHT
equal() {
    (($2 == $3)) || fail "$1: $2 is not $3"
}

laws() {
    local cache
    figures stats
    for cache in "${l1s[@]}" l2; do
        equal "$cache: hits + misses = accesses" $((${stat[$cache.hits]} + ${stat[$cache.misses]})) "${stat[$cache.accesses]}"
    done
    for cache in "${l1s[@]}"; do
        equal "$cache.misses" "${stat[$cache.misses]}" $((${stat[$cache.merges]} + ${stat[$cache.upgrades]} + \
            ${stat[$cache.cache_to_cache]} + ${stat[$cache.from_l2]} + ${stat[$cache.from_dram]}))
        equal "$cache.bytes_in" "${stat[$cache.bytes_in]}" $((64 * (${stat[$cache.cache_to_cache]} + \
            ${stat[$cache.from_l2]} + ${stat[$cache.from_dram]})))
    done
    sum supplied cache_to_cache from_dram bytes_in bytes_out
    equal "lines between L1 caches" "${stat[l1s.supplied]}" "${stat[l1s.cache_to_cache]}"
    equal "bytes into the L1 caches" "${stat[l1s.bytes_in]}" $((${stat[l2.l1_bytes_out]} + 64 * ${stat[l1s.supplied]}))
    equal "bytes out of the L1 caches" "${stat[l1s.bytes_out]}" $((${stat[l2.l1_bytes_in]} + 64 * ${stat[l1s.supplied]}))
    equal "misses of the L2" "${stat[l2.misses]}" "${stat[l1s.from_dram]}"
    memory_laws
    equal "dram.bytes" "${stat[dram.bytes]}" $((64 * (${stat[dram.reads]} + ${stat[dram.writes]})))
    equal "fetches of wavefronts" "${stat[l1i.accesses]}" "${stat[simt.fetches]}"
    equal "fetches of the aggregator" "${stat[agg_l1i.accesses]}" "${stat[agg.fetches]}"
    equal "misses of agg_l1d by cause" \
        $((${stat[agg_l1d.miss.cold]} + ${stat[agg_l1d.miss.capacity]} + ${stat[agg_l1d.miss.coherence]} + ${stat[agg_l1d.miss.recall]})) \
        $((${stat[agg_l1d.cache_to_cache]} + ${stat[agg_l1d.from_l2]} + ${stat[agg_l1d.from_dram]}))
    equal "accesses of the aggregator" "${stat[agg_l1d.accesses]}" \
        $((${stat[agg.loads]} + ${stat[agg.stores]} - ${stat[agg.forwarded_loads]}))
    ((${stat[l1d.accesses]} >= ${stat[simt.line_accesses]})) || fail "fewer accesses than lines"
    lanes_laws
    blocked_laws
    stack_law
}

# What the L2 reads and writes is what DRAM does, but for what an L3 has, or keeps.
memory_laws() {
    local reads writes
    reads=${stat[l2.misses]}
    writes=${stat[l2.write_backs]}
    equal "bytes that the L2 reads" "${stat[l2.dram_bytes_in]}" $((64 * reads))
    equal "bytes that the L2 writes" "${stat[l2.dram_bytes_out]}" $((64 * writes))
    equal "directory.bytes_out" "${stat[directory.bytes_out]}" "${stat[l2.dram_bytes_in]}"
    equal "directory.bytes_in" "${stat[directory.bytes_in]}" "${stat[l2.dram_bytes_out]}"
    equal "data into the L1 data caches" "${stat[l1d.bytes_in_data]}" "${stat[l1d.bytes_in]}"
    ((${stat[l1d.read_after_write_hits]} <= ${stat[l1d.read_hits]} && ${stat[l1d.read_hits]} <= ${stat[l1d.hits]})) ||
        fail "more hits of loads than hits: $(cat stats)"
    equal "read hits" "${stat[l1d.read_hits]}" "$(served_sum 'cu[0-9]+\\.loads\\.own_l1')"
    ((${stat[l1d.bytes_in_probes]} >= 8 * (${stat[l1d.recalls]} + ${stat[l1d.invalidations]}))) ||
        fail "lines lost without a message: $(cat stats)"
    if ((${stat[l3.accesses]} > 0)); then
        equal "accesses of the L3" "${stat[l3.accesses]}" "$reads"
        equal "l3: hits + misses = accesses" $((${stat[l3.hits]} + ${stat[l3.misses]})) "$reads"
        equal "l3.bytes_out" "${stat[l3.bytes_out]}" "${stat[directory.bytes_out]}"
        equal "l3.bytes_in" "${stat[l3.bytes_in]}" "${stat[directory.bytes_in]}"
        ((${stat[l3.write_backs]} <= writes)) || fail "the L3 writes more than the L2: $(cat stats)"
        reads=${stat[l3.misses]}
        writes=${stat[l3.write_backs]}
    fi
    equal "dram.reads" "${stat[dram.reads]}" "$reads"
    equal "dram.writes" "${stat[dram.writes]}" "$writes"
}

# Blocked time by the firmware's phases is all of it, and its start and its end are no more than that.
blocked_laws() {
    local part phases=0 between=0
    for part in poll predicate schedule dispatch retire yield mailbox other; do
        phases=$((phases + ${stat[gpu.blocked.${part}_cycles]}))
        between=$((between + ${stat[gpu.blocked.between.${part}_cycles]}))
        ((${stat[gpu.blocked.between.${part}_cycles]} <= ${stat[gpu.blocked.${part}_cycles]})) ||
            fail "more of phase $part between wavefronts than in all: $(cat stats)"
    done
    equal "blocked time by phases" "$phases" \
        "$(awk "BEGIN { printf \"%.0f\", ${stat[gpu.blocked_on_agg_pct]} / 100 * ${stat[gpu.cycles]} }")"
    ((${stat[gpu.blocked.start_cycles]} > 0)) || fail "no time before the first wavefront"
    equal "blocked time before, between and after" \
        $((${stat[gpu.blocked.start_cycles]} + between + ${stat[gpu.blocked.end_cycles]})) "$phases"
}

# Each cycle of the aggregator's core is in one class of the stack.
stack_law() {
    local name stack=0
    for name in "${!stat[@]}"; do
        [[ $name != agg.stack.* ]] || stack=$((stack + ${stat[$name]}))
    done
    equal "the aggregator's cycle stack" "$stack" "${stat[agg.cycles]}"
}

# Instructions by active lanes are all of them, and their lanes what the buckets allow.
lanes_laws() {
    local sum lowest highest
    read -r sum lowest highest < <(awk -F '[ ".:,]+' '$2 == "simt" && $3 == "lanes" {
            bounds = split($4, bound, "_")
            sum += $5
            lowest += $5 * bound[1]
            highest += $5 * bound[bounds]
        }
        END { print sum, lowest, highest }' stats)
    equal "simt.lanes" "$sum" "${stat[simt.wave_instructions]}"
    ((${stat[simt.waiting.1]} <= ${stat[simt.lanes.1]})) || fail "more wait with one lane than there are: $(cat stats)"
    ((${stat[simt.lane_instructions]} >= lowest && ${stat[simt.lane_instructions]} <= highest)) ||
        fail "${stat[simt.lane_instructions]} lane instructions, of $lowest to $highest"
}

# narrow LANES BUCKET: full wavefronts are in the bucket that begins with their number, and nothing is above it.
narrow() {
    run 0 fib 16 --quiet --stats stats --set gpu.lanes="$1" --set gpu.simd_lanes=1
    figures stats
    lanes_laws
    ((${stat[simt.lanes.$2]} > 0)) || fail "no full ones: $(cat stats)"
    awk -F '[ ".:,_]+' -v most="$1" '$2 == "simt" && $3 == "lanes" && $4 > most && $(NF - 1) > 0 { exit 1 }' stats ||
        fail "more lanes than there are: $(cat stats)"
}

# place SIDE CACHE PLACE NAME: what the requesters of a side found there is what their caches count, by requester
# and by structure.
place() {
    local requesters=$1 all='(channel_data|channel_control|channel_done|channel_counters|stacks|save_areas|heap|kernel|firmware)'
    [[ $1 == agg ]] || requesters='cu[0-9]+'
    equal "served by $3 to $1" "$(served_sum "$requesters\\.[a-z]+\\.$3")" "${stat[$2.$4]}"
    equal "served by $3 to $1, by structure" "$(served_sum "$all\\.$1\\.[a-z]+\\.$3")" "${stat[$2.$4]}"
}

# The matrices add up to the counters of the caches, and so do the latencies.
matrix_laws() {
    local side cache latencies loads
    for side in cus agg; do
        cache=l1d
        [[ $side == cus ]] || cache=agg_l1d
        place $side $cache own_l1 hits
        place $side $cache merged merges
        place $side $cache upgraded upgrades
        place $side $cache other_l1 cache_to_cache
        place $side $cache l2 from_l2
        place $side $cache dram from_dram
        latencies=$(awk -v name="load_latency.$side." 'index($1, name) { sub(/,/, "", $2); sum += $2 } END { printf "%d", sum }' stats)
        loads='cu[0-9]+'
        [[ $side == cus ]] || loads=agg
        equal "load_latency.$side" "$latencies" "$(served_sum "$loads\\.loads\\.[a-z0-9_]+")"
    done
}

# matrix RESULT STRUCTURE ARGUMENT...: laws of a run with mem.matrix, in which compute units access a structure;
# looking changes nothing of what is simulated.
matrix() {
    run 0 "${@:3}" --quiet --stats plain --set mem.system=moesi --set agg.core=2way-ooo
    run 0 "${@:3}" --quiet --stats stats --set mem.system=moesi --set agg.core=2way-ooo --set mem.matrix=on
    expect out "$1"
    laws
    matrix_laws
    (($(served_sum "$2\\.cus\\.[a-z]+\\.[a-z0-9_]+") > 0)) || fail "no access to $2"
    ! grep -q "served.$2" plain || fail "figures by structure without mem.matrix"
    grep -v '"served\.[a-z_]*\.\(cus\|agg\)\.' stats >less
    expect_same_statistics plain less
}

# A launch after a graph has no channels; flat has no matrix.
no_channels() {
    run 0 matmul 64 --quiet --stats stats --set mem.system=moesi --set mem.matrix=on
    figures stats
    matrix_laws
    equal 'channels of a launch' "$(served_sum 'channel_[a-z]+\\.[a-z]+\\.[a-z]+\\.[a-z0-9_]+')" 0
    run 0 fib 12 --quiet --stats stats --set mem.system=flat --set mem.matrix=on
    ! grep -q 'served\|load_latency' stats || fail "figures of caches on flat"
}

machine=(--set mem.system=moesi --set agg.core=2way-ooo)

# lawful RESULT PROGRAM ARGUMENT...: the program on moesi. It checks its result itself, too.
lawful() {
    run 0 "${@:2}" --quiet --stats stats "${machine[@]}"
    expect out "$1"
    laws
    note "$((${stat[l1d.hits]} * 100 / ${stat[l1d.accesses]})) % hits, DRAM ${stat[dram.utilization_pct]%%.*} % busy"
}

same_again() {
    run 0 fib 20 --quiet --stats first "${machine[@]}"
    run 0 fib 20 --quiet --stats second "${machine[@]}"
    expect_same_statistics first second
}

check "fib 20 twice" same_again
check "fib" lawful "fib\(20\) = $(fibonacci 20)" fib 20
check "fib on a torus" lawful "fib\(20\) = $(fibonacci 20)" fib 20 --set mem.network=torus
check "fib in small caches" lawful "fib\(18\) = $(fibonacci 18)" fib 18 "${small[@]}"
check "fib with yields" lawful "cilk_fib\(16\) = $(fibonacci 16)" cilk_fib 16
check "fib with yields in small caches" lawful "cilk_fib\(14\) = $(fibonacci 14)" cilk_fib 14 "${small[@]}"
check "fib with random delays of DRAM" lawful "fib\(20\) = $(fibonacci 20)" fib 20 --set mem.jitter=4ns

# What the L2 threw out, dirty lines too, is found in the L3.
behind() {
    lawful "$@"
    ((${stat[l3.hits]} > 0 && ${stat[l3.bytes_in]} > 0)) || fail "nothing found in the L3: $(cat stats)"
    note "${stat[l3.hits]} of ${stat[l3.accesses]} lines in the L3, ${stat[l3.write_backs]} of ${stat[l2.write_backs]} written to DRAM"
}

tags=(--set l1d.cycles=5 --set l1d.tag_cycles=1 --set l2.cycles=20 --set l2.tag_cycles=4)
check "fib with an L3" behind "fib\(20\) = $(fibonacci 20)" fib 20 --set l2.size=64KiB --set l3.size=4MiB
check "cilksort in small caches with a small L3, tags before data, few misses of all banks" \
    behind 'cilksort\(3000\) = ' cilksort 3000 "${small[@]}" "${tags[@]}" --set l3.size=64KiB --set directory.mshrs=2
check "fib on 64 compute units" lawful "fib\(18\) = $(fibonacci 18)" fib 18 --set gpu.cus=64

# A stream has at least 95 % of DRAM's 20 GB/s, over all of its run, and never more: a line is 3.2 cycles. Behind
# its end are at most the 32 writes that DRAM's queue holds.
streams() {
    lawful 'stream\(8\) = ' stream 8 "$@"
    local cycles busy
    cycles=${stat[gpu.cycles]}
    busy=$((${stat[dram.bytes]} * 10 / 20)) # in tenths of cycles
    ((busy >= cycles * 10 * 95 / 100)) || fail "$busy tenths of cycles busy of $cycles cycles"
    ((busy <= cycles * 10 + 32 * 32)) || fail "$busy tenths of cycles busy of $cycles cycles"
    note "${stat[dram.bytes]} bytes in $cycles cycles, ${stat[dram.utilization_pct]:0:5} % busy"
}

check "stream, read" streams
check "stream, copied" streams --copy
check "stream, read with random delays" streams --set mem.jitter=4ns
check "stream, copied with random delays" streams --copy --set mem.jitter=4ns
check "stream, read by one compute unit" streams --set gpu.cus=1
check "stream, copied by one compute unit" streams --copy --set gpu.cus=1

# PROGRAM ARGUMENT...|RESULT: the programs of the tests, small.
programs=(
    "fib 15|fib\(15\) = $(fibonacci 15)"
    "cilk_fib 13|cilk_fib\(13\) = $(fibonacci 13)"
    "tree_sum 12|tree_sum\(12\) = "
    "queens 7|queens\(7\) = 40"
    "nqueens 8|nqueens\(8\) = 92"
    "cilksort 3000|cilksort\(3000\) = "
    "strassen 64|strassen\(64\) = "
    "matmul 64|matmul\(64\) = "
    "reduce 20000|reduce\(20000\) = "
    "scan 20000|scan\(20000\) = "
    "bitonic 4096|bitonic\(4096\) = "
    "histogram 20000|histogram\(20000\) = "
    "fft 4096|fft\(4096\) = 191062"
    "integer 2|integer\(2\) = "
    "launch 1|launch\(1\) = 28"
    "library 64|library\(64\) = "
    "print 2|print\(2\) = "
    "wrap|wrap\(0\) = 212"
    "tutorial 1000|tutorial\(1000\) = "
    "stream 1|stream\(1\) = "
)
for program in "${programs[@]}"; do
    read -ra words <<<"${program%%|*}"
    check "${words[*]}" lawful "${program#*|}" "${words[@]}"
    check "${words[*]} in small caches" lawful "${program#*|}" "${words[@]}" "${small[@]}"
done

check "64 active lanes" narrow 64 64
check "32 active lanes" narrow 32 32_39
check "8 active lanes" narrow 8 8_15
check "one active lane" narrow 1 1
check "matrix: fib" matrix "fib\(18\) = $(fibonacci 18)" channel_data fib 18
check "matrix: yields" matrix "cilk_fib\(18\) = $(fibonacci 18)" save_areas cilk_fib 18 --width 256 --continuations 128 \
    --set pool.blocks=17 --set gpu.cus=1
check "matrix: stacks on a torus" matrix 'queens\(7\) = 40' stacks queens 7 --set mem.network=torus --set gpu.cus=64
check "matrix: without channels" no_channels
