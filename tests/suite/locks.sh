#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Locks per lane in kernels of C (tests/probes/locks/locks.c): every case against plain C, on memory systems that keep
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

# circle CASE: with the stack of papers/004 a lane waits for one below it
circle() {
    run 3 locks --items 64 --set mem.system=flat --set gpu.cus=1 --set lock.stack=thesis "$1"
    expect err "kernel $1_kernel faulted: deadlock: wavefront 0 waits for the lock at .* in locks_case_$1 .*; lane [0-9]+ of wavefront 0 took it in locks_case_$1 .* and waits for a lock in locks_case_$1 "
}

# Rounds leave by two unlocks, that of the loop and that of the break, and one program counter is kept for all: lanes
# go on behind the other unlock, past the test that ends the loop, and want a lock behind the last cell, which is the
# word of what item 0 has counted. As nobody gives that back this has no end; but it is no deadlock of lanes: what the
# word says is 1, a lane of a wavefront that has ended.
astray() {
    run 3 locks --items 512 --set mem.system=flat --set gpu.cus=8 --set lock.stack=thesis \
        --set gpu.cycle_limit=300000 breaks
    expect err "kernel breaks_kernel faulted: cycle limit reached: .* in locks_case_breaks "
}

bad() {
    run 2 locks "$@"
    expect err "CASE 'nothing' is none; --list prints all"
}

for system in flat moesi; do
    check_sample 3 "$system, one compute unit" all 512 --set mem.system=$system --set gpu.cus=1
    check_sample 3 "$system, eight compute units" all 512 --set mem.system=$system --set gpu.cus=8
done
for system in nol1 wt quickrelease scoped hybrid; do
    check_sample 3 "$system" all 256 --set mem.system=$system
done
for lanes in 8 32; do
    check_sample 3 "$lanes lanes" all 256 --set gpu.lanes=$lanes --set gpu.simd_lanes=8
done
check "a stack that spills" all 256 --set gpu.divergence_depth=8
for case in $("$bin/locks" --list); do
    check "one wavefront: $case" one "$case"
done
for case in second arm; do
    check "the stack of papers/004: $case" circle "$case"
done
check "the stack of papers/004: breaks" astray
check "a case that is none" bad nothing
