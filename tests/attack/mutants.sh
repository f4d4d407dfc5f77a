#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What holds up trust is tested: each rule of the channel routines, of the audit and of the protection of memory is broken
# in a copy of its source, which takes the place of the right one in the test that has to notice; all of them have to.
# Reports in TAP, with the test that noticed. `make attack-mutants` builds what it needs.
#
# usage: tests/attack/mutants.sh [PATTERN]: only mutants whose name has it
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
build=$(realpath "${SLUICE_BUILD:-build}")
only=${1:-}
limit_s=120
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CMOCKA_MESSAGE_OUTPUT=TAP
unset SLUICE_TEST_LONG
export ASAN_OPTIONS=detect_leaks=0 # a test that fails leaves what it has

# The compiler with the tests' flags, and what their programs are linked with.
compile=$(sed 's/ -DSL_LANES_VARIANT=.*//; s/ -Werror / /' "$build/stamps/san") || exit
read -r -a compile <<<"$compile"
archives=("$build"/san/libsluice{-soc,-firmware,}.a)

# link OBJECT TEST OUTPUT: a test of tests/unit or tests/soc with the object in place of the archive's
link() {
    local objects=() libraries=() linked word
    read -r -a linked <"$build/stamps/tests-${2%%/*}" || return
    for word in "${linked[@]}"; do
        if [[ $word == *.o ]]; then objects+=("$word"); else libraries+=("$word"); fi
    done
    "${compile[@]}" -o "$3" "$1" "$build/san/tests/$2.o" "${objects[@]}" \
        -Wl,--start-group "${archives[@]}" -Wl,--end-group "${libraries[@]}"
}

# Each make_* makes a mutant of SOURCE in the folder $at, and test_with runs a test with it.

# make_host SOURCE: a source of host and simulator.
make_host() {
    "${compile[@]}" -Wno-unused -I"$(dirname "$1")" -c -o "$at/mutant.o" "$at/mutant.c"
}

# make_kernel SOURCE: a source of the kernels' library, in the kernels of test_routines.
make_kernel() {
    mkdir -p "$at/kernels" "$at/lib" "$at/hal"
    cp -a hal/. "$at/hal"
    cp "$at/mutant.c" "$at/$1"
    cp -a "$build/lib/libsluice-wave-called.a" "$build/lib/libsluice-wave.a" "$at/lib"
    local cc=(env "SLUICE_BUILD=$build" scripts/sluice-kernel-cc -std=gnu11 -iquote "$at/hal/include" -iquote "$at/hal")
    local ar=${CROSS:-riscv64-unknown-elf-}ar kernel=tests/probes/routines/routines_kernel.c
    "${cc[@]}" -c -o "$at/channel_routines.S.o" "$at/hal/kernel/channel_routines.S" &&
        "${cc[@]}" -c -o "$at/stamped.S.o" "$at/hal/kernel/stamped.S" &&
        "$ar" r "$at/lib/libsluice-wave.a" "$at/channel_routines.S.o" &&
        "$ar" r "$at/lib/libsluice-wave-called.a" "$at/stamped.S.o" &&
        "${cc[@]}" -Itests "-L$at/lib" -o "$at/kernels/routines.elf" $kernel &&
        "${cc[@]}" -DSL_STAMPED -Itests "-L$at/lib" -o "$at/kernels/routines_stamped.elf" $kernel
}

# test_with HOW TEST: the test's output with the mutant goes to $at/TEST.out
test_with() {
    local program=$at/${2##*/} output=$at/${2##*/}.out
    if [[ $1 == kernel ]]; then
        SLUICE_BUILD=$at timeout --kill-after=5 "$limit_s" "$build/tests/$2" >"$output" 2>&1
    else
        link "$at/mutant.o" "$2" "$program" && timeout --kill-after=5 "$limit_s" "$program" >"$output" 2>&1
    fi
}

# run NAME HOW SOURCE EXPRESSION TEST...
run() {
    local name=$1 how=$2 source=$3 expression=$4 at=$folder/$number test
    mkdir -p "$at"
    sed -E "$expression" "$source" >"$at/mutant.c"
    if cmp -s "$source" "$at/mutant.c"; then
        echo 'nothing is changed' >"$at/log"
    elif "make_$how" "$source" >"$at/log" 2>&1; then
        for test in "${@:5}"; do
            test_with "$how" "$test" >>"$at/log" 2>&1
            if grep -q '^not ok' "$at/${test##*/}.out" || ! grep -q '^ok' "$at/${test##*/}.out"; then
                printf 'ok - %s: noticed by %s (%s)\n' "$name" "$test" \
                    "$(sed -n 's/^not ok [0-9]* - //p' "$at/${test##*/}.out" | head -n 1)" >"$at.tap"
                rm -rf "$at"
                return
            fi
        done
        echo 'no test notices' >>"$at/log"
    fi
    sed 's/^/# /' "$at/log" | tail -n 5 >"$at.tap"
    printf 'not ok - %s: to be noticed by %s\n' "$name" "${*:5}" >>"$at.tap"
    rm -rf "$at"
}

# mutant NAME HOW SOURCE EXPRESSION TEST...: beside others
number=100
mutant() {
    number=$((number + 1))
    [[ $1 == *$only* ]] || return
    while (($(jobs -rp | wc -l) >= $(nproc))); do
        wait -n
    done
    run "$@" &
}

# ---- what is not changed is not noticed ----

# control HOW SOURCE TEST
control() {
    local at=$folder/control
    mkdir -p "$at"
    cp "$2" "$at/mutant.c"
    if "make_$1" "$2" >"$at/log" 2>&1 && test_with "$1" "$3" >>"$at/log" 2>&1 &&
        ! grep '^not ok' "$at/${3##*/}.out" >>"$at/log"; then
        printf 'ok - %s passes with %s as it is\n' "$3" "$2" >>"$folder/100.tap"
    else
        tail -n 5 "$at/log" | sed 's/^/# /' >>"$folder/100.tap"
        printf 'not ok - %s fails with %s as it is\n' "$3" "$2" >>"$folder/100.tap"
    fi
    rm -rf "$at"
}

control kernel hal/kernel/channel_routines.inc soc/simt/test_routines
control host hal/check/graph/channel_accounting.c unit/check/test_channel_accounting
control host sim-soc/simt/lsu/address_check.c soc/simt/test_protection

# ---- the channel routines ----

routine() { # routine NAME SOURCE EXPRESSION
    mutant "routines, $1" kernel "hal/kernel/$2" "$3" soc/simt/test_routines
}

routine 'talloc takes more than there is' channel_routines.inc \
    '/^\.L\\name\\\(\)_retry:/,/sc\.d/s/bltu t2, t0, .*/nop/'
routine "talloc gives all lanes the first one's elements" channel_routines.inc \
    '/^\.L\\name\\\(\)_reserved:/,/^\.L/s/add a4, a4, t3/nop/'
routine 'talloc does not look at the fan-out' channel_routines.inc \
    '/^\.macro talloc name/,/^\.L\\name\\\(\)_next/s/blt t4, a1, .*/nop/'
routine 'a lane of its own takes more than there is' channel_routines.inc \
    '/^\.L\\name\\\(\)_item_retry:/,/sc\.d/s/bltu t2, t0, .*/nop/'
routine 'enq does not wrap' channel_routines.inc \
    '/^\.macro store_entries/,/^\.endm/s/and a7, a5, a6/mv a7, a5/'
routine 'enq does not look whether it is an element' channel_routines.inc \
    's/bne t0, t2, \\bad/nop/'
routine 'enq takes elements behind the array' channel_routines.S \
    '/routine sl_enq/,/^\.Lenq_next/s/bge t3, t4, \.Lenq_item/nop/'
routine 'enq does not wait for its turn' channel_routines.S \
    '/^\.Lenq_wait:/,/^\.Lenq_wait_end/s/bne a5, a4, \.Lenq_pause/nop/'
routine 'tfree counts one for a wavefront' channel_routines.S \
    's/sl_reduce_add a3, t5/mv a3, t5/'
routine 'tfree counts for another group' channel_routines.S \
    's/srl t3, t3, t2/addi t3, t3, 0/'
mutant 'routines, deq takes the index for the offset' kernel hal/include/sluice/wave/wave.h \
    '/sl_deq\(int channel/,/^}/s/control\[index\]/(uint32_t)index/' soc/simt/test_routines

# ---- the audit ----

audit() { # audit NAME EXPRESSION
    mutant "audit, $1" host hal/check/graph/channel_accounting.c "$2" unit/check/test_channel_accounting
}

audit 'a head that is no multiple of a group' 's/if \(\(head & \(group - 1\)\) != 0\)/if (0)/'
audit 'elements given back before they are reserved' \
    's/if \(now->data_tail - channel->first_element < head - channel->first_element\)/if (0)/'
audit 'more reserved than there are' 's/if \(now->data_tail - head > shape->width\)/if (0)/'
audit 'an offset behind the slack' \
    's/offset >= \(uint64_t\)width \+ shape->slack/offset > (uint64_t)width + shape->slack/'
audit 'an element enqueued twice' 's/\(left == 0 && \(distance <= -width \|\| distance >= width\)\)/false/'
audit 'entries reserved and not published' \
    's/if \(hidden - 1 < 2 \* \(uint64_t\)channel->shape->width/if (hidden == 12345/'
audit 'an element never enqueued' 's/if \(entries\[place\] == 0\)/if (0)/; s/left > allowed \|\| //'
audit 'freed twice' 's/if \(done > reserved\)/if (done > reserved + 1)/'
audit 'freed, and never taken' '/^static uint64_t taken_of_group/,/^}/s/return .*popcountll.*/return group;/'

# ---- protection ----

protection() { # protection NAME SOURCE EXPRESSION
    mutant "protection, $1" host "sim-soc/simt/$2" "$3" soc/simt/test_protection soc/simt/test_protection_random \
        soc/machine/test_protection_device
}

protection 'a range begins a line early' unit/protection.c \
    's/address < piece->extent\.base\)/address + SL_RANGE_GRAIN < piece->extent.base)/'
protection 'lines are one off' unit/protection.c 's/piece->lines >> line % LINES/piece->lines >> (line + 1) % LINES/'
protection "all code may do what the routines may" unit/protection.c \
    's/if \(needs == NEEDS_ROUTINE_WRITE && /if (needs != NEEDS_READ \&\& /'
protection 'routines may write in all lines' unit/protection.c 's/return extent_of_lines\(piece, address\);/return piece->extent;/'
protection 'what is read-only may be written' unit/protection.c \
    's/needs == NEEDS_READ \? SL_ACCESS_READ : SL_ACCESS_WRITE/SL_ACCESS_READ/'
protection 'only the first byte is looked at' unit/protection.c \
    '/^uint64_t protection_closed/,/^}/s/address = end_of\(extent\);/return end;/'
protection 'ranges may overlap' unit/protection.c 's/range->base >= from && //'
protection 'odd addresses are not judged' lsu/address_check.c \
    's/place == PLACE_SHARED && !is_open\(cu, memory, value\)/false/'
wait
cat "$folder"/*.tap
! grep -q '^not ok' "$folder"/*.tap
