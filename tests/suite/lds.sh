#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# LDS of a graph's kernels: right on every shape of the machine, with wavefronts that yield, lose it and get it
# anew; as many at a time as it is enough for; refused where it never is.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# yields ARGUMENT...: right, with yields and as many restarts
yields() {
    run 0 modes "$@" --stats stats
    expect out '^modes\([0-9]+\) = [0-9a-f]{16}$'
    (($(statistic stats gpu.yields) > 0)) || fail "no yields: $(cat stats)"
    (($(statistic stats gpu.yields) == $(statistic stats gpu.restarts))) || fail "restarts: $(cat stats)"
    note "$(statistic stats gpu.yields) yields"
}

# The dispatcher waits for LDS where there is little of it, and nowhere else.
limited() {
    run 0 modes 3000 --lds 12288 --stats little
    (($(statistic little gpu.limited_by_lds_cycles) > 1000)) || fail "not limited by LDS: $(cat little)"
    run 0 modes 3000 --lds 12288 --set gpu.lds=256KiB --stats much
    (($(statistic much gpu.limited_by_lds_cycles) == 0)) || fail "limited by LDS: $(cat much)"
    (($(statistic much gpu.limited_by_contexts_cycles) == 0)) || fail "limited by contexts: $(cat much)"
}

same_result() {
    local result
    run 0 modes 1000 --quiet
    result=$(cat out)
    run 0 modes 1000 --quiet --stacks --stats stats
    [[ $(cat out) == "$result" ]] || fail "$(cat out), in LDS $result"
    (($(statistic stats simt.lds_accesses) == 0)) || fail "accesses of LDS: $(cat stats)"
}

too_much() {
    run 2 modes 100 "$@"
    expect err "^modes: kernel 0 'modes_count': a wavefront needs 65537 bytes of LDS, a compute unit has 65536 \(gpu\.lds is 64 KiB\)$"
}

check "right" yields 3000
check "one compute unit" yields 1000 --set gpu.cus=1
check "one wavefront to a compute unit" yields 3000 --lds 61440
check "one wavefront" yields 1000 --lds 61440 --set gpu.cus=1
check "one wavefront, live registers" yields 1000 --lds 61440 --set gpu.cus=1 --set gpu.yield_saves=live
check "few contexts" yields 1000 --lds 20000 --set gpu.cus=2 --set gpu.contexts=4 --set pool.blocks=12
check "32 lanes" yields 1000 --set gpu.lanes=32
check "flat" yields 1000 --lds 20000 --set mem.system=flat
check "limited" limited
check "on stacks" same_result
check "repeated" equal_runs modes 3000 --lds 9000
check "all of it" yields 1000 --lds 61440 --set gpu.cus=3
check "too much" too_much --lds 61441
