#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Every program on the memory systems that can go stale (docs/look-up/memory-others.md, docs/look-up/quickrelease.md) and on partition and hybrid, with
# caches so small that all is in motion, and some on the default machine: right results, equal statistics of equal runs,
# and the laws of the counters. The benchmarks of QuickRelease are in qr_a.sh and qr_b.sh, litmus tests in litmus.sh.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

small=(--set l1d.size=1KiB --set l1d.ways=2 --set l1i.size=512 --set l1i.ways=2 --set agg_l1d.size=512
    --set agg_l1d.ways=1 --set agg_l1i.size=512 --set agg_l1i.ways=2 --set l2.size=8KiB --set l2.ways=4
    --set l1d.mshrs=4 --set l1d.writes=4 --set l2.mshrs=2 --set dram.channels=2 --set crossbar.width=16
    --set wl1.size=256 --set wl1.ways=2 --set wl1.fifo=8 --set wl2.size=512 --set wl2.ways=2 --set wl2.fifo=8
    --set wl3.size=512 --set wl3.ways=2 --set wl3.fifo=8 --set l3.size=16KiB --set scoped.walk=1)

l2_line=64 has_tracker=1

# equal NAME LEFT RIGHT
equal() {
    (($2 == $3)) || fail "$1: $2 is not $3"
}

# What comes into a write cache leaves it, is overwritten there, or is dropped with its wavefront's stack.
write_laws() {
    equal "$1.bytes_in" "${stat[$1.bytes_in]}" \
        $((${stat[$1.bytes_out]} + ${stat[$1.bytes_combined]} + ${stat[$1.bytes_dropped]}))
    ((${stat[$1.combined]} <= ${stat[$1.writes]} && ${stat[$1.read_hits]} + ${stat[$1.partial]} <= ${stat[$1.reads]})) ||
        fail "$1: more hits than accesses"
}

# laws SYSTEM: of the statistics in `stats`
laws() {
    local cache caused misses
    figures stats
    for cache in l1d l1i agg_l1d agg_l1i l2; do
        equal "$cache: hits + misses = accesses" $((${stat[$cache.hits]} + ${stat[$cache.misses]})) "${stat[$cache.accesses]}"
    done
    for cache in l1d l1i agg_l1d agg_l1i; do
        equal "$cache.misses" "${stat[$cache.misses]}" $((${stat[$cache.merges]} + ${stat[$cache.upgrades]} + \
            ${stat[$cache.cache_to_cache]} + ${stat[$cache.from_l2]} + ${stat[$cache.from_dram]}))
    done
    equal "data into the L1 data caches" "${stat[l1d.bytes_in_data]}" "${stat[l1d.bytes_in]}"
    equal "dram.bytes" "${stat[dram.bytes]}" $((l2_line * (${stat[dram.reads]} + ${stat[dram.writes]})))
    equal "reads of DRAM" "${stat[dram.reads]}" \
        $((${stat[l3.accesses]} > 0 ? ${stat[l3.misses]} : ${stat[l2.dram_bytes_in]} / l2_line))
    equal "writes to DRAM" "${stat[dram.writes]}" $((${stat[l2.dram_bytes_out]} / l2_line))
    equal "fetches of wavefronts" "${stat[l1i.accesses]}" "${stat[simt.fetches]}"
    caused=$((${stat[agg_l1d.miss.cold]} + ${stat[agg_l1d.miss.capacity]} + ${stat[agg_l1d.miss.coherence]} + \
        ${stat[agg_l1d.miss.recall]}))
    misses=$((${stat[agg_l1d.cache_to_cache]} + ${stat[agg_l1d.from_l2]} + ${stat[agg_l1d.from_dram]}))
    if [[ $1 == hybrid ]]; then # the cache keeps no line that compute units may have
        ((caused > 0 && caused < misses)) || fail "$caused misses of agg_l1d by cause, of $misses"
    else
        equal "misses of agg_l1d by cause" "$caused" "$misses"
    fi
    equal "accesses of the aggregator" "${stat[agg_l1d.accesses]}" \
        $((${stat[agg.loads]} + ${stat[agg.stores]} - ${stat[agg.forwarded_loads]}))
    ((${stat[l1d.accesses]} >= ${stat[simt.line_accesses]})) || fail "fewer accesses than lines"
    ((${stat[l1d.read_after_write_hits]} <= ${stat[l1d.read_hits]} && ${stat[l1d.read_hits]} <= ${stat[l1d.hits]})) ||
        fail "more hits of loads than hits"
    for cache in wl1 wl2 wl3; do
        write_laws $cache
    done
}

# questions PROGRAM: a load miss is merged with one under way, or asks the tracker, or is a coherent load, which only programs
# that wait for others execute.
questions() {
    local misses
    misses=$(served_sum 'cu[0-9]+\\.loads\\.(other_l1|l2|dram)')
    equal "misses that waited for those of others" "$(served_sum 'cu[0-9]+\\.loads\\.merged')" "${stat[l1d.merges]}"
    case $1 in
    cilk_fib | cilksort | fib | queens | strassen | tree_sum | handover | modes | stages | trees_bfs)
        ((${stat[tracker.lookups]} < misses)) || fail "no coherent loads"
        ;;
    *) equal "load misses" "$misses" "${stat[tracker.lookups]}" ;;
    esac
}

# trackers PROGRAM: what they count, or nothing where there are none
trackers() {
    local name
    equal "lines that others sent" "${stat[l1d.cache_to_cache]}" "${stat[tracker.hits]}"
    if ((has_tracker)); then
        questions "$1"
        ((${stat[tracker.hits]} + ${stat[tracker.lost]} <= ${stat[tracker.lookups]})) || fail "more answers than questions"
        ((${stat[tracker.evictions]} <= ${stat[tracker.marks]})) || fail "more entries than lines"
    else
        for name in lookups hits lost marks drops reports evictions; do
            equal "tracker.$name without a tracker" "${stat[tracker.$name]}" 0
        done
    fi
}

# own SYSTEM PROGRAM: what only this one does, or does not
own() {
    case $1 in
    nol1) equal "old bytes without L1 caches" "${stat[sync.stale_reads]}" 0 ;&
    wt) equal "lines that a flush sends" "${stat[sync.flushed_lines]}" 0 ;;
    scoped) equal "write caches" "${stat[wl1.writes]}" 0 ;;
    partition)
        equal "L1 data caches of compute units" "${stat[l1d.hits]}" 0
        equal "synchronization" "${stat[sync.releases.device]}" 0
        ((${stat[dram.row_hits]} <= ${stat[dram.reads]} + ${stat[dram.writes]})) || fail "more hits of rows than accesses"
        return
        ;;
    quickrelease) equal "lines that a flush sends" "${stat[sync.flushed_lines]}" 0 ;;
    hybrid) trackers "$2" ;;
    esac
    ((${stat[sync.releases.device]} > 0)) || fail "nothing is released"
}

# lawful SYSTEM PROGRAM ARGUMENT...: right, as the program finds itself, and lawful
lawful() {
    run 0 "${@:2}" --quiet --stats stats --set mem.system="$1"
    laws "$1"
    own "$1" "$2"
}

# each SYSTEM OPTION... <LIST
each() {
    local program
    while read -r program; do
        # shellcheck disable=SC2086 # the words of a command
        lawful "$1" $program "${@:2}"
    done
}

# some SYSTEM OPTION...: programs in which wavefronts of several compute units exchange much
some() {
    each "$@" <<'LIST'
cilk_fib 14
cilksort 3000
stream 1 --copy
histogram 2000 --yield-every 7
bitonic 256
worklist 500
LIST
}

# all SYSTEM OPTION...
all() {
    some "$@"
    each "$@" <<'LIST'
fib 16
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
trees_sort 2000 --map
trees_random 20 --group 64
trees_tsp 8
trees_bfs 300
LIST
}

# on_preset CONFIG: of papers/003, whose lines of the L2 have 32 B; the base has no tracker
on_preset() {
    l2_line=32
    [[ $1 != hybrid-base ]] || has_tracker=0
    each hybrid --config "$1" <<'LIST'
cilk_fib 14
stream 1 --copy
worklist 500
matmul 32
fft 256
handover 20
LIST
}

same_again() {
    run 0 cilk_fib 16 --quiet --stats first --set mem.system="$1"
    run 0 cilk_fib 16 --quiet --stats second --set mem.system="$1"
    expect_same_statistics first second
}

for system in nol1 wt quickrelease scoped partition hybrid; do
    check "$system: programs" some "$system"
    check "$system: all programs, with small caches" all "$system" "${small[@]}"
    check "$system: 16 compute units on a torus, with a front end in memory" lawful "$system" cilk_fib 16 \
        --set gpu.cus=16 --set mem.network=torus --set front.memory=coherent
    check "$system: equal runs are equal" same_again "$system"
done
check "scoped: each wavefront flushes its own" some scoped --set scoped.flush=wavefront
check "quickrelease: an entry for each block" some quickrelease --set quickrelease.enqueue=block
check "partition: the machine of papers/004" some partition --config fermi-locks
for config in hybrid hybrid-base; do
    check "hybrid: the machine of papers/003, $config" on_preset $config
done
