#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Kernels that falsify the books of a channel (tests/probes/faults/books.c; docs/know/trust.md, "The audit"): status 3, and a
# message with channel, kernels, element and what is wrong; after each the same machine runs a good graph. Protection of
# memory is off, since it would end most of them before.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# books KIND MESSAGE [SETTING]
books() {
    local kind=$1 message=$2
    run 3 books "$kind" --set debug.protection=off "${@:3}"
    expect_result "books(1) = 1"
    expect err "the channel accounting of the graph does not balance.*: channel [01] '($kind|spare)': $message"
    expect err "its elements are taken by kernel 0 'books_.*', filled by "
}

on_every_memory_system() {
    local system
    for system in $(in_turn "$(memory_systems | tr -d ,)"); do
        books "$@" --set "mem.system=$system"
    done
}

on_one_machine() {
    local names
    names=$("$bin/books" --list | cut -d ' ' -f 1)
    # shellcheck disable=SC2086 # one word each
    run 3 books $names $names --set debug.protection=off
    expect_result "books($((2 * $(wc -w <<<"$names")))) = $((2 * $(wc -w <<<"$names")))"
}

# What is found in motion costs no simulated time, and nothing is found in programs that are right.
in_motion() {
    run 0 "$@" --quiet --stats plain.json --set debug.audit=off
    run 0 "$@" --quiet --stats audited.json --set debug.audit=every
    cmp <(grep -v 'debug\.audit\|"sim\.' plain.json) <(grep -v 'debug\.audit\|"sim\.' audited.json)
}

twice='an element was enqueued twice \(control entry'
check "freed twice" on_every_memory_system free-twice "more elements of a done-count group were freed than taken \(the group's done count is 5, where 4 may be\), element [04] of its array"
check "freed in another channel" books free-other "more elements of a done-count group were freed than taken \(the group's done count is [0-9]+, where 0 may be\), element 0 of its array"
check "enqueued twice" on_every_memory_system enqueue-twice "$twice 9\), element 8 of its array"
check "enqueued though taken" on_every_memory_system enqueue-taken '(an element was enqueued twice|a control entry names no element that is allocated) \(control entry 8\), element [0-7] of its array'
check "never enqueued" on_every_memory_system never-enqueue 'elements were allocated and never enqueued \(3\), element (8|9|10) of its array'
check "a done count" books "done" "more elements of a done-count group were freed than taken \(the group's done count is 10000[0-9]+, where 4 may be\), element 0"
check "a group is done" books done-group "(more elements of a done-count group were freed than taken|elements were freed that no wavefront had taken)"
check "data tail" books data-tail 'more elements are allocated than the channel has'
check "control tail" books control-tail '(a control entry names no element that is allocated|an element was enqueued twice|more control entries are published than were reserved)'
check "entries reserved" books reserve 'control entries were reserved and never published \(3\)'
check "all of them twice on one machine" on_one_machine
check "in motion, fib" in_motion fib 14 --width 4096
