#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The recipes of docs/scheduling.md: adds the policy and the predicate of that page, each one file (tests/recipe)
# and one line of a table (as the page has it), to a copy of the sources, builds firmware, host library and
# programs of it, and runs them on the whole machine. Reports in TAP.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
root=$PWD
build=${SLUICE_BUILD:-build}
[[ $build == /* ]] || build=$root/$build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tree=$folder/tree
status=0

report() { # condition-status, name
    if (($1 == 0)); then
        printf 'ok - %s\n' "$2"
    else
        printf 'not ok - %s\n' "$2"
        sed 's/^/# /' "$folder/output" 2>/dev/null | tail -n 40
        status=1
    fi
}

# run STATUS PROGRAM ARGUMENT...: leaves output, and statistics where it succeeds
run() {
    local expected=$1 found=0
    shift
    "$tree/build/bin/$1" "${@:2}" --quiet --stats "$folder/stats" >"$folder/output" 2>&1 || found=$?
    ((found == expected))
}

# prints LINE PROGRAM ARGUMENT...: the program succeeds, and this is all that it prints
prints() {
    run 0 "${@:2}" && [[ $(<"$folder/output") == "$1" ]]
}

statistic() {
    sed -n "s/^ *\"$1\": *\([0-9.]*\),*$/\1/p" "$folder/stats"
}

# line TABLE START: adds the page's line that starts so to a table
line() {
    [[ $(grep -c "^$2" docs/scheduling.md) == 1 ]] && grep "^$2" docs/scheduling.md >>"$tree/hal/regs/$1"
}

mkdir -p "$tree/build/lib"
scripts/list-sources.sh | tar -c -T - | tar -x -C "$tree"
ln -s "$build/newlib" "$tree/build/newlib"
ln -s "$build/kernels" "$tree/build/kernels"
ln -s "$build"/lib/*.so "$tree/build/lib"
cp tests/recipe/fewest.c "$tree/firmware/policies"
line policies.def 'SL_POLICY('
report $? 'the page has the line of the policy'
cp tests/recipe/patient.c "$tree/firmware/predicates"
line predicates.def 'SL_PREDICATE('
report $? 'the page has the line of the predicate'
make -s -j2 -C "$tree" BUILD="$tree/build" flash "$tree"/build/bin/{fib,tutorial,cilk_fib} >"$folder/output" 2>&1
report $? 'two files and two lines more build'

prints 'tutorial(1000) = 871' tutorial 1000 --policy fewest
report $? 'tutorial is right with the policy'
# Each packet has full wavefronts of one channel, or is the last of all that is there.
one_at_a_time=$(statistic gpu.dispatches)
prints 'tutorial(1000) = 871' tutorial 1000 && ((one_at_a_time != $(statistic gpu.dispatches)))
report $? 'and scheduled otherwise than by default'
prints 'fib(20) = 6765' fib 20 --policy fewest --set gpu.cus=1
report $? 'fib is right with the policy on one compute unit'
run 2 cilk_fib 16 --policy fewest && grep -q 'the graph.s scheduling policy, fewest, does not know levels; levelized does' "$folder/output"
report $? 'the policy does not get channel stacks'
run 2 fib 10 --policy more && grep -q "'more' is none of flat, levelized, fewest" "$folder/output"
report $? 'the policy is among the choices'

# Partial wavefronts that go although others are in flight make more of them.
prints 'fib(20) = 6765' fib 20 --predicate patient:0
report $? 'fib is right with the predicate'
impatient=$(statistic gpu.wavefronts)
prints 'fib(20) = 6765' fib 20 --predicate patient:1000000 && ((impatient > $(statistic gpu.wavefronts)))
report $? 'and with patience without end has fewer wavefronts'
run 2 fib 10 --predicate hasty && grep -q "'hasty' is none of full, at_least, age, always, patient" "$folder/output"
report $? 'the predicate is among the choices'
exit $status
