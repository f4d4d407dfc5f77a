#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Locks per lane in kernels of C (tests/programs/locks.c): every case against plain C, on memory systems that keep
# caches coherent and such that do not, with one compute unit and eight, with wide wavefronts and narrow ones.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cases=$("$bin/locks" --list | wc -l)

all() { # all ITEMS OPTION...
    run 0 locks --quiet --items "$1" --stats stats "${@:2}"
    expect_result "locks($cases) = $cases"
}

one() { # one CASE: as the only one
    run 0 locks --quiet --items 64 --set mem.system=flat --set gpu.cus=1 "$1"
    expect_result "locks(1) = 1"
}

bad() {
    run 2 locks "$@"
    expect err "CASE 'nothing' is none; --list prints all"
}

for system in flat moesi; do
    check "$system, one compute unit" all 512 --set mem.system=$system --set gpu.cus=1
    check "$system, eight compute units" all 512 --set mem.system=$system --set gpu.cus=8
done
for system in nol1 wt quickrelease scoped; do
    check "$system" all 256 --set mem.system=$system
done
for lanes in 8 32; do
    check "$lanes lanes" all 256 --set gpu.lanes=$lanes --set gpu.simd_lanes=8
done
check "a stack that spills" all 256 --set gpu.divergence_depth=8
for case in $("$bin/locks" --list); do
    check "one wavefront: $case" one "$case"
done
check "a case that is none" bad nothing
