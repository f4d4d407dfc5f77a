#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Graphs with a bad descriptor: refused by the firmware for the reason that the shared check gives, by the
# library too where its calls can ask for them, and then the machine runs a good one
# (tests/probes/refusals/badgraph.c). All on one machine, so that the time is that of the first line.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cases=$("$bin/badgraph" --list)

all() {
    local count
    count=$(wc -w <<<"$cases")
    # The pool has one block, which is too few for one of the cases.
    # shellcheck disable=SC2086 # one word each
    timeout --kill-after=5 "$hang_s" "$bin/badgraph" --set pool.blocks=1 $cases >"$suite_folder/out" 2>"$suite_folder/err" || true
    [[ $(grep -v '^#' "$suite_folder/out") == "badgraph($count) = $count" ]] || fail "$(cat "$suite_folder/err")"
}

# Every reason that there is has a case; those of launches are in tests/probes/launches/launch.c, those of sequences in
# sequence.c, those of what the host puts into open graphs in tests/unit/firmware/test_firmware_feed.c, those of task vectors in
# tests/unit/firmware/test_firmware_trees.c.
reasons() {
    local sentence missing=
    while IFS= read -r sentence; do
        # Messages of a shape of their own share the beginning alone.
        case $sentence in
        "the channel's width is not"*) sentence="is not a power of two from" ;;
        "the channel's element size"*) sentence="the size is out of range or no multiple of 4" ;;
        "the channel's stamps do not"*) sentence="its stamps lead to publication" ;;
        "the reciprocal does not"*) sentence="the reciprocal of its element size is" ;;
        "the channel's done-count group"*) sentence="is larger than the channel's width" ;;
        "the channel is not connected"*) sentence="not connected to a kernel" ;;
        "the channel is narrower"*) sentence="is less than a wavefront of" ;;
        "the channel's flags exclude"*) sentence="exclude each other" ;;
        "the kernel is not connected"*) sentence="not connected to a channel" ;;
        "the kernel's table of limits does not"*) sentence="its table of limits says" ;;
        "the edge names a node"*) sentence="names node" ;;
        "the graph's scheduling policy"*) sentence="does not know levels" ;;
        "the guard names a channel"*) sentence="or where a stack does not begin" ;;
        "the guard looks at a channel of"*) sentence="is of a channel stack; only" ;;
        "the guard looks at a channel whose"*) sentence="is consumed by a kernel that may yield" ;;
        "the guard's argument"*) sentence="and other guards have 0" ;;
        "the guard closes"*) sentence="it closes a circle of guards" ;;
        "the bound on the kernel's"*) sentence="it bounds its wavefronts in flight by" ;;
        "a wavefront of the kernel"*) sentence="bytes of LDS, a compute unit has" ;;
        "the wavefront state pool"*) sentence="each needs a block to make progress" ;;
        esac
        grep -Fq "the firmware refused the graph: " <(grep -F "$sentence" "$suite_folder/out") || missing+="$sentence; "
    done < <(sed -n '/^SL_REFUSAL(\(LAUNCH\|SEQUENCE\|FEED\|TREES\)_/d; s/^SL_REFUSAL(.*, "\([^"]*\)")$/\1/p' "$root/hal/contract/codes.def")
    [[ -z $missing ]] || fail "no case for: $missing"
}

case_of() {
    expect "$suite_folder/out" "^# $1: the firmware refused the graph: "
    ! grep "wrong: $1:" "$suite_folder/err" || fail "see above"
}

check "all cases on one machine, each with a good graph after it" all
check "every reason has a case" reasons
for name in $cases; do
    check "$name" case_of "$name"
done
