#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Tests of memory system `hybrid` find what is wrong with it. Each of its rules (papers/003 sections 3.2 to 3.4) is broken
# in a copy of one of its sources, which takes the place of the right one in the tests that have to notice; they are
# named, and all of them have to. Reports in TAP.
#
# usage: tests/soc/memory/test_hybrid_mutants.sh [PATTERN]: only mutants whose name has it
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit
build=${SLUICE_BUILD:-build}
only=${1:-}
sources=sim-soc/mem/systems/hybrid
limit_s=120
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CMOCKA_MESSAGE_OUTPUT=TAP
unset SLUICE_TEST_LONG           # what is short notices
export ASAN_OPTIONS=detect_leaks=0 # a test that fails leaves what it has

# The compiler with the tests' flags, and what each of them is linked with.
compile=$(sed 's/ -DSL_LANES_VARIANT=.*//; s/ -Werror / /' "$build/stamps/san") || exit
read -r -a compile <<<"$compile"
read -r -a linked <"$build/stamps/tests-soc" || exit
archives=("$build"/san/libsluice{-soc,-firmware,}.a)

# One program has all tests, and gets the name of a file and of one of its tests: a mutant is linked once, which takes as
# long as to compile it, and given only to tests that have to notice.
objects=("$build"/san/tests/soc/*/test_hybrid_*.o)
libraries=()
for word in "${linked[@]}"; do
    if [[ $word == *.o ]]; then objects+=("$word"); else libraries+=("$word"); fi
done

# link OBJECT OUTPUT: the tests with the object in place of the archive's; without lines, which nobody reads
link() {
    "${compile[@]}" -Wl,--strip-debug -o "$2" "$1" "${objects[@]}" \
        -Wl,--start-group "${archives[@]}" -Wl,--end-group "${libraries[@]}"
}

# found TEST...: each, a part of test_hybrid_*'s name and one of its tests, fails with the mutant
found() {
    local test
    link "$at/mutant.o" "$at/tests" || return
    for test in "$@"; do
        timeout --kill-after=5 "$limit_s" "$at/tests" "test_hybrid_$test" >"$at/out" 2>&1
        if ! grep -q "^not ok [0-9]* - ${test#*/}\$" "$at/out"; then
            echo "$test does not notice"
            return 1
        fi
    done
}

# run NAME SOURCE EXPRESSION TEST...
run() {
    local name=$1 source=$2 expression=$3 at=$folder/$number
    mkdir -p "$at"
    sed -E "$expression" "$sources/$source" >"$at/mutant.c"
    if cmp -s "$sources/$source" "$at/mutant.c"; then
        echo 'nothing is changed' >"$at/log"
    elif "${compile[@]}" -Wno-unused -c -o "$at/mutant.o" "$at/mutant.c" >"$at/log" 2>&1 &&
        found "${@:4}" >>"$at/log" 2>&1; then
        printf 'ok - hybrid, %s: noticed by %s\n' "$name" "${*:4}" >"$at.tap"
        return
    fi
    sed 's/^/# /' "$at/log" | tail -n 5 >"$at.tap"
    printf 'not ok - hybrid, %s: to be noticed by %s\n' "$name" "${*:4}" >>"$at.tap"
}

# mutant NAME SOURCE EXPRESSION TEST...: beside others
number=100
mutant() {
    number=$((number + 1))
    [[ $1 == *$only* ]] || return
    while (($(jobs -rp | wc -l) >= $(nproc))); do
        wait -n
    done
    run "$@" &
}

one=serial/test_one_tracker
several=serial/test_several_trackers
none=serial/test_no_tracker
random=random/test_random
overtaking=random/test_overtaking

mutant 'a store keeps the entry' routing.c \
    's/^( +)(hybrid_drop_entry\(hybrid, transaction->line\);)/\1if (transaction->kind != HYBRID_STORE) \2/' \
    stale/test_own_write stale/test_false_sharing stale/test_all_trackers $one $several $random
mutant 'a coherent operation keeps the entry' routing.c \
    's/^( +)(hybrid_drop_entry\(hybrid, transaction->line\);)/\1if (transaction->kind == HYBRID_STORE) \2/' \
    stale/test_operation_of_another $one $several $random
mutant "a coherent operation keeps its compute unit's line" l1.c \
    '/^static bool operate/,/^}/s/hybrid_l1_lose\(l1, index\)/(void)index/' \
    stale/test_own_operation $one $several $none $random
mutant 'an eviction is not reported' l1_lines.c \
    's/hybrid_report\(l1, .*\);/;/' \
    timing/test_tracker_entries $one $several
mutant 'a line is listed although it was written meanwhile' l2_bank.c \
    's/inflight_table_unlist\(.*\);/;/' \
    stale/test_fill_is_not_listed $random
mutant 'a line is listed although a store is under way' routing.c \
    's/inflight_table_writes\(.*\);/false;/' \
    $overtaking
mutant 'a line that must not be listed is' routing.c \
    's/!transaction->no_tracker/true/' \
    stale/test_fill_is_not_listed $random $overtaking
mutant 'a line comes over an own store' l1.c \
    's/inflight != NULL/inflight != NULL \&\& request->kind != MEM_STORE/' \
    stale/test_fill_and_own_store $random
mutant 'a load overtakes an own store' routing.c \
    's/inflight_table_perform_ps\(.*\);/0;/' \
    $random
mutant 'own bytes on their way to the L2 count as old' l1.c \
    '/^static void count_stale/,/^}/s/mask_stores\(.*\);/(void)l1;/' \
    $random
mutant 'an L1 cache sends what the L2 has not yet' routing.c \
    's/ \|\| hybrid_store_to\(.*, transaction->line\) != NULL\)/)/' \
    order/test_store_on_its_way
mutant 'an acquire keeps what is under way' l1_lines.c \
    's/mshr_entry_invalidate\(.*\);/;/' \
    stale/test_fill_and_acquire $random
mutant 'an acquire spares the tracker' l1_lines.c \
    '/^void hybrid_l1_empty/,/^}/s/trackers\.count != 0/trackers.count > 64/' \
    $one $several
mutant 'the end of a launch spares L1 caches' hybrid.c \
    '/^static void end_packet/,/^}/s/hybrid_l1_empty\(.*\);/;/' \
    timing/test_end_of_launch $one $several $none
mutant '<= in the bypass' hybrid.c \
    's/lines >= l1->bypass_threshold/lines > l1->bypass_threshold/' \
    timing/test_bypass timing/test_residents $one $several $none
mutant 'an atomic buffer is not looked up by other accesses' l2.c \
    '/^static void settle_buffer/,/^}/s/buffer->line == access->line/false/' \
    timing/test_atomic_buffer $one $several $none
mutant 'an atomic buffer is not looked up by operations' l2.c \
    's/is_hit = buffer->line == access->line/is_hit = false/' \
    timing/test_atomics $one $several $none
mutant 'stores tell one tracker of several' sharing_tracker.c \
    '/^void tracker_invalidate/,/^}/s/i < trackers->count/i < trackers->count \&\& i < 1/' \
    $several $random
wait
cat "$folder"/*.tap
! grep -q '^not ok' "$folder"/*.tap
