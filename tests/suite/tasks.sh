#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The work-sharing task runtime (docs/know/tasks.md): random trees counted by tasks of two functions against plain C, in both
# versions, on every memory system, with 1 to 8 compute units, in every shape of wavefronts and work-groups, with thresholds
# from 1; without races, in the models that are theirs; queues that are too small; what is counted; equal runs.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# trees NODES OPTION...: 12 trees in both versions. The program compares with plain C, word by word of each task.
trees() {
    local version
    for version in direct indirect; do
        run 0 tasks_tree 8 --roots 12 --version $version "${@:2}"
        expect_result "tasks_tree(8) = $1"
        expect out "^# version +$version, "
        expect out "^# fronts .*, $1 tasks$"
    done
}

# count LINE NAME: in that line of the last run, the number in front of the name
count() {
    sed -nE "s/^# $1 .*[ ]([0-9]+) $2.*/\1/p" out
}

nodes=11165

# What is created is run, and what goes into a queue comes out of one.
balance() {
    local version own group device full moved
    for version in direct indirect; do
        run 0 tasks_tree 8 --roots 100 --version $version --set mem.system=scoped
        # 100 roots are a full front, which the host puts into the device's queue, and a partial one
        own=$(count dequeues own) group=$(count dequeues 'of work-groups') device=$(count dequeues 'of the device')
        full=$(count fronts full) moved=$(count donations 'from work-groups')
        ((own + group + device == full)) ||
            fail "fronts taken are not those run: $(cat out)"
        (($(count donations enqueues) + 1 == full)) || fail "fronts enqueued are not those run: $(cat out)"
        (($(count donations 'to work-groups') == moved + group)) ||
            fail "fronts of work-groups: $(cat out)"
        (($(count donations 'to the device') + moved + 1 == device)) ||
            fail "fronts of the device: $(cat out)"
        ((moved > 0)) || fail "no front went from a work-group to the device: $(cat out)"
    done
}

# Each access to an own queue, a work-group's and the device's has the scope of its version. Each front that is run begins
# with a fence of the wavefront. Barriers are none here; launch and end of the wavefronts are no instructions.
scopes() {
    local fronts
    run 0 tasks_tree 8 --roots 12 --version direct --set mem.system=scoped --stats stats
    fronts=$(($(count fronts full) + $(count fronts partial)))
    expect_statistics sync.acquires.wavefront $fronts sync.acquires.workgroup 0 sync.releases.wavefront $fronts \
        sync.releases.workgroup 0
    run 0 tasks_tree 8 --roots 12 --version indirect --set mem.system=scoped --stats stats
    fronts=$(($(count fronts full) + $(count fronts partial)))
    # A release of the own queue for each enqueue, two of the work-group's for each front that goes through it.
    expect_statistics sync.releases.wavefront $(($(count donations enqueues) + fronts)) \
        sync.releases.workgroup $((2 * $(count donations 'to work-groups')))
}

# Chains of several scopes hold only where a release covers what others have written (docs/look-up/memory-others.md, "Scopes").
transitive() {
    local status=0
    run 0 tasks_tree 7 --roots 100 --version direct --quiet --set mem.system=scoped --set scoped.flush=wavefront
    timeout --kill-after=5 "$hang_s" "$bin/tasks_tree" 7 --roots 100 --version indirect --quiet --set mem.system=scoped \
        --set scoped.flush=wavefront --set gpu.cycle_limit=1000000 >out 2>err || status=$?
    ((status == 1 || status == 3)) || fail "old bytes were not seen: status $status, $(cat out err)"
}

# clean VERSION MODEL OPTION...: no race
clean() {
    run 0 tasks_tree 7 --roots 40 --version "$1" --check-races "$2" --quiet "${@:3}"
    [[ ! -s err ]] || fail "reported: $(cat err)"
}

# What links a task's writer to its reader is a wavefront that takes its front from a work-group's queue to the device's.
needs_chains() {
    run 1 tasks_tree 8 --roots 40 --version indirect --check-races hrf-direct --quiet --set mem.system=scoped
    expect_result "tasks_tree(8) = 36166"
    expect err "race \(hrf-direct\): load by tasks_tree \(tasks_tree_kernel\.c:[0-9]+\), .* unordered after store by sl_work_run_grow \(tasks_tree_kernel\.c:[0-9]+\)"
    expect err "ordered along a chain of several scopes only; device scope holds both"
}

# full QUEUE OPTION...: says which one, and what it holds
full() {
    run 3 tasks_tree 9 --roots 100 --set mem.system=flat "${@:2}"
    expect err "kernel trap: $1 queue of task fronts is full: its capacity is 1; make it larger, in .*tasks(_queues)?\.[ch]:"
}

too_many_groups() {
    run 2 tasks_tree 4 --set gpu.cus=2 --groups 11
    expect err "the grid has 11 work-groups, of 8 wavefronts .*, and there is room for 10 of them"
}

# 65,536 roots are 1,024 full fronts.
too_many_first() {
    run 2 tasks_tree 1 --roots 65536 --set mem.system=flat
    expect err "the tasks to begin with fill 1024 fronts, and the device's queue has a capacity of 512; make it larger"
    run 0 tasks_tree 1 --roots 65536 --device-capacity 1024 --set mem.system=flat
}

for system in $(memory_systems); do
    check_sample 3 "$system" trees $nodes --set mem.system="$system"
    check_sample 3 "$system, one compute unit" trees $nodes --set mem.system="$system" --set gpu.cus=1
done
for cus in 2 3 5; do
    check_sample 3 "$cus compute units" trees $nodes --set mem.system=scoped --set gpu.cus=$cus
done
for thresholds in "1 1" "1 64" "8 1" "2 300"; do
    read -r group device <<<"$thresholds"
    check_sample 3 "thresholds of $group and $device" trees $nodes --set mem.system=scoped --group-threshold "$group" \
        --device-threshold "$device"
done
for lanes in 8 32; do
    check_sample 3 "$lanes lanes" trees $nodes --set gpu.lanes=$lanes --set gpu.simd_lanes=8
done
for wavefronts in 1 3; do
    check_sample 3 "work-groups of $wavefronts" trees $nodes --group-wavefronts $wavefronts
done
check "one wavefront" trees $nodes --groups 1 --group-wavefronts 1
check "compute units that hold less than a work-group" trees $nodes --set gpu.contexts=5
check_rest "the same queues again" trees $nodes --times 3
check "counts agree with each other" balance
check "scopes" scopes
check_rest "chains of scopes" transitive
for system in $(memory_systems); do
    check_sample 3 "no races in hrf-indirect: $system" clean indirect hrf-indirect --set mem.system="$system"
done
for model in hrf-direct hrf-indirect; do
    check_sample 3 "no races of the direct version in $model" clean direct $model --set mem.system=scoped
done
check_sample 3 "no races with thresholds of 1" clean indirect hrf-indirect --group-threshold 1 --device-threshold 1 --set gpu.cus=3 \
    --set mem.system=scoped
check "races of the indirect version in hrf-direct" needs_chains
check "equal runs" equal_runs tasks_tree 8 --roots 12 --set mem.system=scoped
check "a wavefront's queue that is full" full "a wavefront's own" --capacity 1
check "a work-group's queue that is full" full "a work-group's" --group-capacity 1 --group-threshold 4
check "the device's queue that is full" full "the device's" --device-capacity 1
check "too many tasks to begin with" too_many_first
check "more work-groups than fit" too_many_groups
