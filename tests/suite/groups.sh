#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Kernels over an NDRange: right on every shape of the machine, with groups that do not divide the grid;
# equal runs equal; faults and refusals that say what was wrong and leave a machine that works; printing.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# right PROGRAM ARGUMENT...: the program checks itself; the last argument is N
right() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = [0-9]+$"
}

groups() {
    run 0 reduce 1000 --group 256 --stats stats
    (($(statistic stats gpu.workgroups) == 4)) || fail "work-groups: $(cat stats)"
    (($(statistic stats gpu.wavefronts) == 16)) || fail "wavefronts: $(cat stats)"
    # the first, and one for each halving of 256
    (($(statistic stats simt.barriers) == 16 * 9)) || fail "barriers: $(cat stats)"
}

# Wavefronts that yield in divergent code, while their work-group counts in LDS and waits at barriers.
yields() {
    right histogram --yield-every 16 --stats stats "$@"
    (($(statistic stats gpu.yields) > 0)) || fail "no yields: $(cat stats)"
    (($(statistic stats gpu.yields) == $(statistic stats gpu.restarts))) || fail "restarts: $(cat stats)"
    note "$(statistic stats gpu.yields) yields"
}

for n in 1 63 64 65 1000 100003; do
    check "reduce $n" right reduce $n
    check "histogram $n" right histogram $n
done
check "yields" yields 20000
check "yields, one compute unit with room for one work-group" yields --set gpu.cus=1 --set gpu.contexts=4 --set pool.blocks=4 5000
check "yields, live registers" yields --set gpu.yield_saves=live 20000
check "yields, live registers, one compute unit, 32 lanes" yields --set gpu.yield_saves=live --set gpu.cus=1 --set gpu.lanes=32 5000
for group in 1 2 32 128 1024; do
    check "groups of $group" right reduce --group $group 5000
done
for cus in 1 3 64; do
    check "$cus CUs" right reduce --set gpu.cus=$cus 20000
    check "$cus CUs, histogram" right histogram --set gpu.cus=$cus 20000
done
for lanes in 8 32; do
    check "$lanes lanes" right reduce --set gpu.lanes=$lanes --set gpu.simd_lanes=8 20000
done
check "counts" groups
check "repeated" equal_runs reduce 50000
check "repeated, atomics" equal_runs histogram 50000
check "faults and refusals" right launch 3
check "print" right print 1000
check "print more than the buffer holds" right print --set host.print_buffer=2KiB 1000
