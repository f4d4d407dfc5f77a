#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Unbalanced Tree Search (docs/know/uts.md): trees of papers/002's size, whose nodes, leaves and depths are known; small ones on
# all memory systems, numbers of compute units and thresholds, in both versions of the tasks' queues and on a channel; trees
# of few nodes; scopes that a version uses, and those that it does not; queues that are too small; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# Ways to visit a tree.
direct=(--version direct)
indirect=(--version indirect)
channels=(--runtime channels)

# right NODES LEAVES DEPTH ARGUMENT...
right() {
    run 0 uts "${@:4}" --stats stats
    expect out "^uts\(.*\) = $1\$"
    expect out "^# leaves +$2, depth $3\$"
}

# small ARGUMENT...: 969 nodes, 8 deep
small() {
    right 969 543 8 -t 1 -a 0 -d 8 -b 4 -r 27 "$@"
}

# The same count by everybody who can take the digests of bytes.
by_sha1sum() {
    local node children threshold random nodes=0
    local queue=()
    command -v sha1sum >/dev/null || skip "no sha1sum"
    # A binomial tree, of which a node has 3 children where its number is less than 0.25 x 2^31; the root has 12.
    threshold=$((0x20000000))
    queue=("$(printf '%032x%08x' 0 5 | digest)")
    while ((nodes < ${#queue[@]})); do
        node=${queue[nodes]}
        random=$((0x${node:32} & 0x7fffffff))
        children=$((nodes == 0 ? 12 : random < threshold ? 3 : 0))
        nodes=$((nodes + 1))
        for ((i = 0; i < children; i++)); do
            queue+=("$(printf '%s%08x' "$node" "$i" | digest)")
        done
    done
    run 0 uts -t 0 -b 12 -q 0.25 -m 3 -r 5 --quiet
    expect_result "uts(-t 0 -b 12 -q 0.25 -m 3 -r 5) = $nodes"
    note "$nodes nodes"
}

digest() {
    local hex byte bytes=
    hex=$(</dev/stdin)
    for ((byte = 0; byte < ${#hex}; byte += 2)); do
        bytes+="\\x${hex:byte:2}"
    done
    # shellcheck disable=SC2059 # the bytes
    printf "$bytes" | sha1sum | cut -d ' ' -f 1
}

systems() {
    local system
    for system in $(memory_systems); do
        small "$@" --set mem.system="$system" --set gpu.cus=2
    done
}

shapes() {
    local cus
    for cus in 1 2 3 4 5 6 7 8; do
        small "$@" --config hrf --set gpu.cus=$cus
    done
}

lanes() {
    small "$@" --config hrf --set gpu.lanes=16
    small "$@" --config hrf --set gpu.lanes=32 --set gpu.contexts=4 --set gpu.cus=1
}

thresholds() {
    local threshold
    for threshold in 1 2 100; do
        small "$@" --config hrf --set gpu.cus=3 --group-threshold $threshold --device-threshold 1
        small "$@" --config hrf --set gpu.cus=3 --group-threshold 1 --device-threshold $threshold
    done
}

# A root alone, a child, a line, and a root with more children than other nodes can have.
few() {
    right 1 1 0 -d 2 -b 1 -r 5 --config hrf "$@"
    right 2 1 1 -t 0 -b 1 -q 0 --config hrf "$@"
    right 1500 1499 1 -t 0 -b 1499 -m 0 -q 1 --config hrf "$@"
    right 29 1 28 -t 0 -b 1 -q 0.96 -m 1 -r 2 --config hrf "$@"
}

# Releases by scope: nothing but the device's in the direct version; a wavefront's own in the other are its own too.
scopes() {
    small --config hrf "${direct[@]}"
    # At wavefront scope there are fences alone, which do both.
    expect_statistics sync.releases.wavefront "$(statistic stats sync.acquires.wavefront)" sync.releases.workgroup 0 \
        sync.acquires.workgroup 0
    local device
    device=$(statistic stats sync.releases.device)
    small --config hrf "${indirect[@]}"
    (($(statistic stats sync.releases.workgroup) > 0)) || fail "no release at work-group scope"
    (($(statistic stats sync.releases.device) < device)) ||
        fail "$(statistic stats sync.releases.device) releases at device scope, $device of the direct version"
}

# A release of HRF-direct's optimized caches flushes a wavefront's own bytes alone: enough for one scope.
own_flush() {
    small --config hrf --set scoped.flush=wavefront "${direct[@]}"
}

# races STATUS MODEL ARGUMENT...: the result is right in any case
races() {
    run "$1" uts -d 6 --config hrf --check-races "$2" "${@:3}" --quiet
    expect_result "uts(-t 1 -a 3 -d 6 -b 4 -r 21) = 7841"
}

clean() {
    races 0 "$@"
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
}

# What the chain over two scopes orders in HRF-indirect alone: a task's store, and its load elsewhere.
reported() {
    races 1 hrf-direct "${indirect[@]}"
    expect err "^uts: race \(hrf-direct\): load by uts_tasks_kernel \(uts_tasks_kernel\.c:[0-9]+\), .*, unordered after store by spawn_children \(uts_tasks_kernel\.c:[0-9]+\)"
    expect err "^  ordered along a chain of several scopes only; device scope holds both"
}

# full QUEUE ARGUMENT...
full() {
    run 3 uts "${@:2}"
    expect err "kernel trap: $1 queue of task fronts is full: its capacity is 1; make it larger"
    [[ ! -s out ]] || fail "a result all the same: $(cat out)"
}

narrow() {
    run 3 uts --tree T4 "${channels[@]}" --width 8192
    expect err "channel 0 'nodes' overflows: width 8192, .* use a wider channel"
    right 124508 93767 93 --config hrf --tree T4 "${channels[@]}"
}

for way in direct indirect channels; do
    declare -n options=$way
    check_sample 3 "$way: all memory systems" systems "${options[@]}"
    check_sample 3 "$way: compute units" shapes "${options[@]}"
    check_sample 3 "$way: lanes" lanes "${options[@]}"
    check_sample 3 "$way: trees of few nodes" few "${options[@]}"
    check_sample 3 "$way: repeated" equal_runs uts -d 5 --config hrf "${options[@]}"
    [[ $way == channels ]] || check_sample 3 "$way: thresholds" thresholds "${options[@]}"
done
check "nodes as sha1sum makes them" by_sha1sum
check_rest "T1, direct" right 125115 100175 8 --config hrf --tree T1 "${direct[@]}"
check "T1, indirect" right 125115 100175 8 --config hrf -t 1 -a 3 -d 8 -b 4 -r 21 "${indirect[@]}"
check_rest "T5, indirect" right 126555 67637 15 --config hrf --tree T5 "${indirect[@]}"
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    for way in direct indirect channels; do
        declare -n options=$way
        check "T2, $way" right 122368 71677 61 --config hrf --tree T2 "${options[@]}"
        check "T4, $way" right 124508 93767 93 --config hrf --tree T4 "${options[@]}"
        check "T5, $way" right 126555 67637 15 --config hrf --tree T5 "${options[@]}"
    done
    hang_s=600
    check "T1, full size" right 4130071 3305118 10 --config hrf --tree T1-full
    check "T2, full size" right 4117769 2342762 81 --config hrf --tree T2-full
    check "T3, full size" right 4112897 3599034 1572 --config hrf --tree T3-full
    check "T4, full size" right 4132453 3108986 134 --config hrf --tree T4-full
    check "T5, full size" right 4147582 2181318 20 --config hrf --tree T5-full
    check "too many nodes" bad_arguments "the tree -t 1 -a 3 -d 5 -b 1000 -r 21 has more than 16777216 nodes" uts -d 5 -b 1000
fi
check "scopes" scopes
check "flushes of own bytes" own_flush
for model in hrf-direct hrf-indirect; do
    check "no race: direct, $model" clean $model "${direct[@]}"
    check "no race: channels, $model" clean $model "${channels[@]}"
done
check "no race: indirect, hrf-indirect" clean hrf-indirect "${indirect[@]}"
check "races: indirect, hrf-direct" reported
check "own queue too small" full "a wavefront's own" -d 5 --capacity 1 --set gpu.cus=1 --set gpu.lanes=16
check "channel too small" narrow
check "a tree without end" bad_arguments "the tree -t 0 -b 4 -q 1 -m 1 -r 21 is deeper than 16384 levels" uts -t 0 -q 1 -m 1
