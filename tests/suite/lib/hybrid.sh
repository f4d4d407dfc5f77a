# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the suites of the hybrid_* programs share; to be sourced after common.sh.
# shellcheck shell=bash

hybrid_systems=$(memory_systems)

# The machine that they are made for, as far as memory systems have it in common.
hybrid_machine=(--set gpu.cus=16 --set gpu.lanes=32 --set gpu.simd_lanes=16 --set gpu.contexts=64)

# How a wavefront's addresses lie (simt.pattern).
# shellcheck disable=SC2034 # for the suites
hybrid_patterns="unit_stride strided broadcast scattered"

# same PROGRAM ARGUMENT...: the program checks itself, and has the result that the test's runs before had; the last
# argument is N
same() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = -?[0-9.e+-]+$"
    [[ ! -f result ]] || cmp result out || fail "$* gives $(<out), before: $(<result)"
    cp out result
}

# right PROGRAM ARGUMENT...: in each memory system, or in the two whose turn it is
right() {
    local system
    [[ -n $hybrid_systems ]] || fail "no memory systems"
    for system in $(in_turn "$hybrid_systems"); do
        same "$1" "${hybrid_machine[@]}" --set mem.system="$system" "${@:2}"
    done
}

# shapes PROGRAM ARGUMENT...: on few compute units and many, each with all widths in the long suites
shapes() {
    local shape shapes="16:8 1:32 16:64"
    [[ -z ${SLUICE_TEST_LONG:-} ]] || shapes+=" 1:8 16:32 1:64"
    for shape in $shapes; do
        same "$1" --set gpu.cus="${shape%:*}" --set gpu.lanes="${shape#*:}" --set gpu.simd_lanes=8 "${@:2}"
    done
}

# launches DISPATCHES WORK_GROUPS PROGRAM ARGUMENT...: so many, and none that uses LDS or barriers
launches() {
    same "$3" "${hybrid_machine[@]}" --stats stats "${@:4}"
    expect_statistics gpu.dispatches "$1" gpu.workgroups "$2" simt.lds_accesses 0 simt.barriers 0
}

# by_default RESULT OPTION...: the program, whose name the result begins with, without N
by_default() {
    run 0 "${1%%(*}" "${hybrid_machine[@]}" "${@:2}" --quiet --stats stats
    expect_result "$1"
    note "$(statistic stats simt.wave_instructions) wavefront instructions"
}

# data RESULT OPTION...: likewise, on the machine of papers/003, where it is more than the largest L2 of the thesis holds
data() {
    # shellcheck disable=SC2034 # for run()
    local hang_s=300
    by_default "$@" --config hybrid
    (($(statistic stats dram.bytes) >= 4 << 20)) || fail "$(statistic stats dram.bytes) bytes"
}
