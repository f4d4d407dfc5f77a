#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Every program on memory system moesi: right results, equal statistics of equal runs, and the laws of the
# counters (docs/memory.md), on the default machine, on a torus, and with caches so small that all is in
# motion; and what a stream gets of DRAM's bandwidth.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

l1s=(l1d l1i agg_l1d agg_l1i)
small=(--set l1d.size=1KiB --set l1d.ways=2 --set l1i.size=512 --set l1i.ways=2 --set agg_l1d.size=512
    --set agg_l1d.ways=1 --set agg_l1i.size=512 --set agg_l1i.ways=2 --set l2.size=8KiB --set l2.ways=4
    --set l1d.mshrs=4 --set l2.mshrs=2 --set dram.channels=2 --set crossbar.width=16)

# sum NAME: of a figure over the L1 caches.
sum() {
    local cache total=0
    for cache in "${l1s[@]}"; do
        total=$((total + $(statistic stats "$cache.$1")))
    done
    echo $total
}

# equal NAME LEFT RIGHT
equal() {
    (($2 == $3)) || fail "$1: $2 is not $3"
}

of() {
    statistic stats "$1"
}

laws() {
    local cache
    for cache in "${l1s[@]}" l2; do
        equal "$cache: hits + misses = accesses" $(($(of "$cache.hits") + $(of "$cache.misses"))) "$(of "$cache.accesses")"
    done
    for cache in "${l1s[@]}"; do
        equal "$cache.misses" "$(of "$cache.misses")" $(($(of "$cache.merges") + $(of "$cache.upgrades") + \
            $(of "$cache.cache_to_cache") + $(of "$cache.from_l2") + $(of "$cache.from_dram")))
        equal "$cache.bytes_in" "$(of "$cache.bytes_in")" $((64 * ($(of "$cache.cache_to_cache") + \
            $(of "$cache.from_l2") + $(of "$cache.from_dram"))))
    done
    equal "lines between L1 caches" "$(sum supplied)" "$(sum cache_to_cache)"
    equal "bytes into the L1 caches" "$(sum bytes_in)" $(($(of l2.l1_bytes_out) + 64 * $(sum supplied)))
    equal "bytes out of the L1 caches" "$(sum bytes_out)" $(($(of l2.l1_bytes_in) + 64 * $(sum supplied)))
    equal "misses of the L2" "$(of l2.misses)" "$(sum from_dram)"
    equal "bytes from DRAM" "$(of l2.dram_bytes_in)" $((64 * $(of dram.reads)))
    equal "bytes to DRAM" "$(of l2.dram_bytes_out)" $((64 * $(of dram.writes)))
    equal "dram.bytes" "$(of dram.bytes)" $((64 * ($(of dram.reads) + $(of dram.writes))))
    equal "fetches of wavefronts" "$(of l1i.accesses)" "$(of simt.fetches)"
    equal "fetches of the aggregator" "$(of agg_l1i.accesses)" "$(of agg.fetches)"
    equal "accesses of the aggregator" "$(of agg_l1d.accesses)" \
        $(($(of agg.loads) + $(of agg.stores) - $(of agg.forwarded_loads)))
    (($(of l1d.accesses) >= $(of simt.line_accesses))) || fail "fewer accesses than lines"
}

machine=(--set mem.system=moesi --set agg.core=2way-ooo)

# lawful RESULT PROGRAM ARGUMENT...: the program on moesi. It checks its result itself, too.
lawful() {
    run 0 "${@:2}" --quiet --stats stats "${machine[@]}"
    expect out "$1"
    laws
    note "$(($(of l1d.hits) * 100 / $(of l1d.accesses))) % hits, DRAM $(of dram.utilization_pct | cut -d . -f 1) % busy"
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
check "fib on 64 compute units" lawful "fib\(18\) = $(fibonacci 18)" fib 18 --set gpu.cus=64

# A stream has at least 95 % of DRAM's 20 GB/s, over all of its run, and never more: a line is 3.2 cycles. Behind
# its end are at most the 32 writes that DRAM's queue holds.
streams() {
    lawful 'stream\(8\) = ' stream 8 "$@"
    local cycles busy
    cycles=$(of gpu.cycles)
    busy=$(($(of dram.bytes) * 10 / 20)) # in tenths of cycles
    ((busy >= cycles * 10 * 95 / 100)) || fail "$busy tenths of cycles busy of $cycles cycles"
    ((busy <= cycles * 10 + 32 * 32)) || fail "$busy tenths of cycles busy of $cycles cycles"
    note "$(of dram.bytes) bytes in $cycles cycles, $(of dram.utilization_pct | cut -c 1-5) % busy"
}

check "stream, read" streams
check "stream, copied" streams --copy
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
