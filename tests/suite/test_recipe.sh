#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The recipes of docs/: a policy and a predicate (scheduling.md), an observer (profile.md) and a memory system
# (memory-moesi.md), each one file and one line of a table, as the pages explain them. tests/recipe/build.sh has added them to a
# copy of the sources and built that; here programs run with them on the whole machine. Reports in TAP.
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
build=$(cd "${SLUICE_BUILD:-build}" && pwd)
tree=$build/recipe
# shellcheck source-path=SCRIPTDIR source=lib/tap.sh
source tests/suite/lib/tap.sh

if [[ ! -e $tree/built ]]; then
    echo "not ok - no $tree/built; build it first (make $tree/built)"
    exit 1
fi

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

# sums TREE: of what firmware, simulator and host library are made of
sums() {
    SLUICE_TREE=$1 scripts/list-sources.sh c h S def | grep -E '^(firmware|hal|sim-soc)/' |
        (cd "$1" && xargs -d '\n' sha1sum)
}

# The copy has 4 files and, in 4 others, a line more than the sources, and no other difference.
is_little() {
    local sign file
    local -A differs=()
    while read -r sign _ file; do
        differs[$file]+=$sign
    done < <(diff <(sums "$PWD") <(sums "$tree") | grep '^[<>]')
    for file in "${!differs[@]}"; do
        case ${differs[$file]} in
        '>') echo 'a file' ;;
        '<>') diff "$file" "$tree/$file" | sed -n 's/^>.*/a line/p; s/^<.*/a line less/p' ;;
        *) echo "no $file" ;;
        esac
    done | sort | uniq -c | awk '{ $1 = $1 } 1' >"$folder/output"
    [[ $(<"$folder/output") == $'4 a file\n4 a line' ]]
}

is_little
report $? 'a policy, a predicate, an observer and a memory system are a file and a line each'

prints 'tutorial(5000) = 3711' tutorial 5000 --policy fewest
report $? 'tutorial is right with the policy'
# Each packet has full wavefronts of one channel, or is the last of all that is there.
one_at_a_time=$(statistic gpu.dispatches)
prints 'tutorial(5000) = 3711' tutorial 5000 && ((one_at_a_time != $(statistic gpu.dispatches)))
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

# count KIND: of synchronizations, as the observer has written
count() {
    awk -v kind="$1" '$1 == kind { sum += $3 } END { print sum + 0 }' "$folder/syncs"
}

# Each wavefront is launched and ends once, the first and last of a packet on a compute unit being its packet's.
export SLUICE_SYNCS=$folder/syncs
prints 'cilk_fib(16) = 987' cilk_fib 16 --width 256 && (($(count operation) > 0)) &&
    (($(count packet) + $(count launch) + $(count end) == 2 * $(statistic gpu.wavefronts))) &&
    (($(count yield) == $(statistic gpu.yields) && $(statistic gpu.yields) > 0)) &&
    (($(count restart) == $(statistic gpu.restarts)))
report $? 'the observer counts what the statistics do'
cp "$folder/stats" "$folder/observed"
unset SLUICE_SYNCS
prints 'cilk_fib(16) = 987' cilk_fib 16 --width 256 &&
    diff <(grep -v '"sim\.' "$folder/observed") <(grep -v '"sim\.' "$folder/stats") >"$folder/output"
report $? 'and changes nothing'
rm "$folder/syncs"
run 0 reduce 1000 && [[ ! -e $folder/syncs ]] && SLUICE_SYNCS=$folder/syncs run 0 reduce 1000 && (($(count barrier) > 0))
report $? 'it is there where its file has a name'

prints 'fib(16) = 987' fib 16 --set mem.system=stale
report $? 'fib is right on the memory system'
slow=$(statistic gpu.cycles)
SLUICE_STALE_SEED=2 prints 'fib(16) = 987' fib 16 --set mem.system=stale && ((slow != $(statistic gpu.cycles)))
report $? 'its seeds differ'
run 2 fib 10 --set mem.system=fresh && grep -q 'fresh is no choice; choices: flat moesi .* stale$' "$folder/output"
report $? 'it is among the choices'
exit $status
