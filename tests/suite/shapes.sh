#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Shapes of the machine: numbers of compute units, lanes, SIMD units, contexts and sizes of memory.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# shape N SETTING...: fib of N on a machine with these settings
shape() {
    local n=$1 setting arguments=()
    shift
    for setting in "$@"; do
        arguments+=(--set "$setting")
    done
    run 0 fib "$n" --quiet --stats stats "${arguments[@]}"
    expect_result "fib($n) = $(fibonacci "$n")"
    note "$(statistic stats gpu.cycles) cycles"
}

preset() {
    run 0 fib 20 --quiet --config "$root/sim-soc/configs/$1.ini"
    expect_result "fib(20) = 6765"
}

for lanes in 64 32; do
    for cus in 1 2 4 8 16 64; do
        check "$cus CUs, $lanes lanes" shape 21 gpu.cus=$cus gpu.lanes=$lanes
    done
done
check "33 CUs" shape 20 gpu.cus=33
for lanes in 1 2 4 8 16; do
    check "$lanes lanes" shape 16 gpu.lanes=$lanes gpu.simd_lanes=1
done
check "16 lanes on SIMD units of 16" shape 18 gpu.lanes=16
check "64 lanes on SIMD units of 64" shape 20 gpu.simd_lanes=64
check "a single wavefront context" shape 18 gpu.cus=1 gpu.simds=1 gpu.contexts=1
check "64 contexts, 8 SIMD units" shape 20 gpu.contexts=64 gpu.simds=8
check "one memory instruction in flight" shape 18 gpu.memory_ops=1
check "memory without latency" shape 18 flat.cu=0ns flat.cu_request=0ns flat.cu_fetch=0ns flat.agg=0ns flat.agg_fetch=0ns
check "slow memory" shape 18 flat.cu=5us flat.cu_request=4us flat.cu_fetch=1us flat.agg=1us
check "slow compute units, fast aggregator" shape 16 gpu.clock=10MHz agg.clock=10GHz
check "fast compute units, slow aggregator" shape 16 gpu.clock=10GHz agg.clock=10MHz
check "greedy-then-oldest scheduling" shape 20 gpu.scheduler=greedy_oldest
check "greedy-then-oldest, shortest pauses" shape 18 gpu.scheduler=greedy_oldest gpu.pause_cycles=1 gpu.cus=1
check "64 MiB of DRAM" shape 18 dram.size=64MiB gpu.cus=1
for config in "$root"/sim-soc/configs/*.ini; do
    check "preset $(basename "$config" .ini)" preset "$(basename "$config" .ini)"
done
