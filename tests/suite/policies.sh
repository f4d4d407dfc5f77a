#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Scheduling policies, predicates and guards that programs choose: right results under each, what they decide, equal runs
# equal, and refusals. That of docs/know/scheduling.md is in test_recipe.sh.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

right() {
    run 0 "${@:2}" --quiet --stats stats
    expect_result "$1"
}

# A policy that is named is the same as it is by default.
default() {
    run 0 "${@:2}" --quiet --stats stats1
    run 0 "${@:2}" --policy "$1" --quiet --stats stats2
    expect_same_statistics stats1 stats2
}

# wavefronts PREDICATE: of fib 20, into $(<wavefronts)
wavefronts() {
    run 0 fib 20 --predicate "$1" --quiet --stats stats
    expect_result 'fib(20) = 6765'
    statistic stats gpu.wavefronts >wavefronts
}

# 13529 elements: the fewest wavefronts are 212, and partial ones come on top. A predicate that never lets
# anything go leaves it to the policy, a wavefront at a time.
counts() {
    local full always never
    wavefronts full && full=$(<wavefronts)
    wavefronts always && always=$(<wavefronts)
    wavefronts at_least:4294967295 && never=$(statistic stats gpu.dispatches)
    ((full >= 212 && full < always)) || fail "full: $full, always: $always"
    ((never == $(<wavefronts))) || fail "at_least: $never dispatches of $(<wavefronts) wavefronts"
}

# Partial wavefronts that go at once are more, those of which 1000 elements have to be there no fewer than full ones.
counts_of_stacks() {
    local predicate
    for predicate in full always at_least:1000; do
        run 0 cilk_fib 18 --predicate "$predicate" --quiet --stats stats
        statistic stats gpu.wavefronts >"$predicate"
    done
    (($(<full) < $(<always) && $(<full) < $(<at_least:1000))) || fail "full $(<full), always $(<always), at_least $(<at_least:1000)"
}

# With an age of 0 partial wavefronts go while others are in flight, with one of 1 s they never do.
ages() {
    wavefronts age:1000000 && mv wavefronts old
    wavefronts age:0
    (($(<old) < $(<wavefronts))) || fail "age of 1 s: $(<old), of 0: $(<wavefronts) wavefronts"
}

# throttled POLICY PROGRAM...: a bound changes the time of a run, not what goes; and it is searched for.
throttled() {
    local figure policy=$1
    run 0 "${@:2}" --policy "$policy" --quiet --stats stats1
    run 0 "${@:2}" --policy "$policy:throttle" --quiet --stats stats2
    for figure in gpu.wavefronts gpu.elements; do
        (($(statistic stats1 "$figure") == $(statistic stats2 "$figure"))) || fail "$figure differs"
    done
    (($(statistic stats1 throttle.changes) == 0)) || fail "bounds change without the flag"
    (($(statistic stats2 throttle.changes) > 0)) || fail "no bound was set"
    (($(statistic stats2 throttle.bound_least) <= 32)) || fail "it begins with more than 32"
}

# When partial wavefronts go changes the time of a run, not what goes.
drained() {
    local figure cycles
    run 0 "$@" --policy levelized:drained --quiet --stats stats1
    run 0 "$@" --quiet --stats stats2
    for figure in gpu.wavefronts gpu.elements; do
        (($(statistic stats1 $figure) == $(statistic stats2 $figure))) || fail "$figure: $(cat stats1 stats2)"
    done
    cycles=$(statistic stats1 gpu.cycles)
    ((cycles > $(statistic stats2 gpu.cycles))) || fail "drained takes $cycles cycles, else $(statistic stats2 gpu.cycles)"
    note "$(statistic stats1 gpu.wavefronts) wavefronts in $cycles cycles, else in $(statistic stats2 gpu.cycles)"
}

# unguarded N WIDTH: without guards the channel of parts overflows, which is what guards keep away.
unguarded() {
    run 3 stages "$1" --width "$2" --unguarded
    expect err "channel 1 'parts' overflows: width $2"
}

for policy in flat levelized; do
    for width in 128 512 4096; do
        check "guards, $policy, width $width" right 'stages(3000) = 11076000' stages 3000 --width $width --policy $policy
    done
    check "guards of four channels share the space, $policy" right 'stages(3000) = 11076000' stages 3000 --sources 4 --width 1024 --policy $policy
    check "guards, $policy, one compute unit" right 'stages(999) = 3691796' stages 999 --policy $policy --set gpu.cus=1
    check "guards, $policy, all that is ready" right 'stages(999) = 3691796' stages 999 --predicate always --policy $policy
    check "guards, $policy, old elements" right 'stages(999) = 3691796' stages 999 --predicate age:1 --policy $policy
    check "equal runs with guards, $policy" equal_runs stages 500 --policy $policy
    check "fib, $policy" right 'fib(20) = 6765' fib 20 --policy $policy
    check "fib, $policy, one compute unit" right 'fib(18) = 2584' fib 18 --policy $policy --set gpu.cus=1
    check "tutorial, $policy" right 'tutorial(1000) = 871' tutorial 1000 --policy $policy
    check "wrap, $policy" right 'wrap(18446744073709551615) = 213' wrap --first 18446744073709551615 --policy $policy
    check "integer, $policy" right 'integer(5) = 7728828093005083276' integer 5 --policy $policy
    check "equal runs, $policy" equal_runs fib 18 --policy $policy
done
check "without guards" unguarded 3000 512
check "guard for more than there is ever space" bad_arguments "argument 8; 1 would do" stages 1 --width 64
check "flat is the default" default flat fib 18
check "levelized is the default of stacks" default levelized cilk_fib 16
for program in 'cilk_fib 16' 'queens 10' 'tree_sum 1000'; do
    # shellcheck disable=SC2086 # words
    check "$program, drained" drained $program
done
for program in 'cilk_fib 10' 'queens 5' 'cilksort 100' 'tree_sum 10' 'strassen 64' 'strassen 64 --variant seven'; do
    # shellcheck disable=SC2086 # words
    check "$program, flat" bad_arguments "does not know levels; levelized does" $program --policy flat
done
check "a search for bounds, levelized" throttled levelized cilk_fib 20
check "a search for bounds with yields" right 'cilk_fib(18) = 2584' cilk_fib 18 --width 1024 --policy levelized:throttle
check "a search for bounds with few blocks" right 'cilk_fib(18) = 2584' cilk_fib 18 --set pool.blocks=20 --policy levelized:throttle
check "searches are equal" equal_runs cilk_fib 20 --policy levelized:throttle
check "a search for bounds, flat" right 'fib(20) = 6765' fib 20 --policy flat:throttle
check "no such flag" bad_arguments "--policy: 'drain' is none of drained" cilk_fib 10 --policy levelized:drain
check "no flag behind a comma" bad_arguments "--policy: '' is none of drained" cilk_fib 10 --policy levelized:drained,
check "a flag of another policy" bad_arguments "--policy: 'drained' is none of throttle" fib 10 --policy flat:drained
check "predicates count" counts
check "predicate age" ages
for predicate in always at_least:1 at_least:1000 age:0 age:3; do
    check "cilk_fib, predicate $predicate" right 'cilk_fib(17) = 1597' cilk_fib 17 --predicate $predicate
    check "queens that yield, predicate $predicate" right 'queens(7) = 40' queens 7 --width 512 --predicate $predicate
    check "cilksort that yields, predicate $predicate" right 'cilksort(20000) = 14098304158242395019' cilksort 20000 --width 1024 --predicate $predicate
done
check "predicates count in channel stacks" counts_of_stacks
check "equal runs, predicate age" equal_runs fib 18 --predicate age:2
check "no such predicate" bad_arguments "--predicate: 'ful' is none of full, at_least, age, always" fib --predicate ful 10
check "half a predicate's argument" bad_arguments "--predicate: '1x' is not a number from 0 to 4294967295" fib --predicate age:1x 10
