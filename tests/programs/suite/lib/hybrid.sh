# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the suites of the hybrid_* programs share; to be sourced after common.sh.
# shellcheck shell=bash

hybrid_systems=$(memory_systems)

# The machine that they are made for, as far as memory systems have it in common.
hybrid_machine=(--set gpu.cus=16 --set gpu.lanes=32 --set gpu.simd_lanes=16 --set gpu.contexts=64)

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

# shapes PROGRAM ARGUMENT...
shapes() {
    local cus lanes
    for cus in 1 16; do
        for lanes in 8 32 64; do
            same "$1" --set gpu.cus=$cus --set gpu.lanes=$lanes --set gpu.simd_lanes=8 "${@:2}"
        done
    done
}

# launches DISPATCHES WORK_GROUPS PROGRAM ARGUMENT...: so many, and none that uses LDS or barriers
launches() {
    same "$3" "${hybrid_machine[@]}" --stats stats "${@:4}"
    expect_statistics gpu.dispatches "$1" gpu.workgroups "$2" simt.lds_accesses 0 simt.barriers 0
}

# hybrid_refusals PROGRAM LEAST MOST: no other N
hybrid_refusals() {
    check "$1 of too little" bad_arguments "N: '$(($2 - 1))' is not a number from $2 to $3" "$1" $(($2 - 1))
    check "$1 of too much" bad_arguments "N: '$(($3 + 1))' is not a number from $2 to $3" "$1" $(($3 + 1))
    check "$1 of two" bad_arguments "one argument, N, is expected, and '9' is another" "$1" 8 9
}
