#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The programs that papers/004 measures locks with, small: each keeps lanes apart in every way that it has, on every
# memory system that the build has, on machines of other shapes; results do not depend on the way, nor on the machine.
# Equal runs equal; what the programs say of their critical sections is what the machine counts; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

systems=$(memory_systems)
queued="flat partition"
kinds="atomics lock try" # that are there on every memory system

# same RESULT PROGRAM ARGUMENT...: the program checks itself, and has this result where it is not empty; prints what
# it has
same() {
    run 0 "${@:2}" --quiet
    [[ -z $1 || $(<out) == "$1" ]] || fail "${*:2}: $(<out), before: $1"
    wanted=$(<out)
}

# right PROGRAM ARGUMENT...: in every way on all memory systems, or on the two whose turn it is
right() {
    local kind system
    wanted=
    for system in $(in_turn "$systems"); do
        for kind in $kinds; do
            same "$wanted" "$@" --locks "$kind" --set mem.system="$system"
        done
    done
    [[ -n $wanted ]] || fail "no memory systems: '$systems'"
}

# with_queues PROGRAM ARGUMENT...: where locks can queue, with the results that they have without
with_queues() {
    local system
    wanted=
    for system in $queued; do
        same "$wanted" "$@" --locks lock --set mem.system="$system"
        same "$wanted" "$@" --locks queue --set mem.system="$system"
    done
}

# shapes PROGRAM ARGUMENT...: wavefronts of 32 and 64 lanes, a compute unit and eight
shapes() {
    local kind lanes cus
    wanted=
    for kind in $kinds; do
        for lanes in "64" "32 --set gpu.simd_lanes=8"; do
            for cus in 1 8; do
                # shellcheck disable=SC2086 # two options
                same "$wanted" "$@" --locks "$kind" --set gpu.lanes=$lanes --set gpu.cus=$cus
            done
        done
    done
}

# repeated PROGRAM ARGUMENT...
repeated() {
    local kind i
    for kind in $kinds; do
        for i in 1 2; do
            run 0 "$@" --locks "$kind" --quiet --stats "stats$i"
            mv out "out$i"
        done
        expect_same_statistics stats1 stats2
        cmp out1 out2 || fail "$kind: results differ"
    done
}

# sections PROGRAM ARGUMENT...: what it prints is what the machine has counted, and some inserted nothing
sections() {
    local all idle
    run 0 "$@" --locks lock --stats stats
    read -r all idle < <(sed -n 's/^# critical sections *\([0-9]*\), of which \([0-9]*\) inserted nothing$/\1 \2/p' out)
    ((all == $(statistic stats lock.acquired) && all == $(statistic stats lock.unlocks))) ||
        fail "$all sections, $(statistic stats lock.acquired) locks acquired"
    ((idle > 0 && idle < all)) || fail "$idle of $all sections inserted nothing"
    note "$all sections, $idle inserted nothing"
}

# transactions N: two locks for each
transactions() {
    run 0 interac "$1" --quiet --stats stats
    (($(statistic stats lock.acquired) == 2 * $1)) || fail "$(statistic stats lock.acquired) locks acquired"
}

# candidates: before and after each count
candidates() {
    run 0 apriori
    expect out "^apriori\(2048\) = 590$"
    expect out "^# sets of 2 +2415 candidates, 231 of them frequent$"
    expect out "^# sets of 3 +320 candidates, 209 of them frequent$"
    expect out "^# sets of 4 +126 candidates, 123 of them frequent$"
    expect out "^# sets of 5 +38 candidates, 27 of them frequent$"
    expect out "^# sets of 6 +4 candidates, 0 of them frequent$"
}

# bad PATTERN PROGRAM ARGUMENT...
bad() {
    run 2 "${@:2}"
    expect err "$1"
    [[ ! -s out ]] || fail "something on standard output: $(cat out)"
}

for arguments in "1" "64 --accounts 2" "700 --accounts 32" "3000"; do
    # shellcheck disable=SC2086 # some are two
    check_sample 3 "interac $arguments" right interac $arguments
done
check_sample 3 "interac on every shape" shapes interac 1500 --accounts 1000
check_sample 3 "interac repeated" repeated interac 1500 --accounts 1000
check "interac, two locks of each transaction" transactions 2000
check_sample 3 "interac with queues" bad "--locks queue: transactions wait for a lock while they hold one" interac --locks queue

for n in 1 2 65 500; do
    check_sample 3 "barneshut $n" right barneshut $n
    check_sample 3 "barneshut $n with queues" with_queues barneshut $n
done
check_sample 3 "barneshut on every shape" shapes barneshut 1000
check_sample 3 "barneshut repeated" repeated barneshut 1000
check "barneshut, sections" sections barneshut 2000
check_sample 3 "barneshut with queues that are not there" bad "lock.queue" barneshut --locks queue --set mem.system=moesi

for arguments in "40 --support 15" "100 --support 8" "300 --support 8 --seed 3"; do
    # shellcheck disable=SC2086 # some are two
    check_sample 3 "apriori $arguments" right apriori $arguments
done
check_sample 3 "apriori with queues" with_queues apriori 200 --support 6
check_rest "apriori by default" candidates
check_sample 3 "apriori on every shape" shapes apriori 100 --support 12
check_sample 3 "apriori repeated" repeated apriori 200 --support 6
check "apriori, sections" sections apriori 200 --support 6
check_rest "apriori of too much" bad "[0-9]+ pairs of frequent sets with [0-9]+ items, and room for 16384" apriori 20 --locks atomics
