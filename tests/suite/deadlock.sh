#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Deadlocks on the reconvergence stack (papers/004 chapter 3): exit status 3 and a message with what each wavefront
# waits for, who has that, and where that one waits, on every memory system; and the lock that does not deadlock
# (tests/probes/faults/deadlock.c).
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

kernels=$root/tests/probes/faults/deadlock_kernel.c
soon=(--set lock.spin_limit=1000)

# line_of NAME: the line that the kernel's source marks, as messages name it
line_of() {
    local line
    line=$(grep -n "/\* deadlock: $1 \*/" "$kernels" | cut -d : -f 1)
    [[ -n $line ]] || fail "no line marked '$1' in $kernels"
    printf 'deadlock_kernel\\.c:%s\\)' "$line"
}

# deadlock CASE MESSAGE [SETTING]
deadlock() {
    run 3 deadlock "$1" "${@:3}"
    expect err "$2"
}

all() {
    local line
    line=$(line_of "$1")
    deadlock "$1" "kernel deadlock_$1 faulted: deadlock: wavefront 0 waits for the word at 0x[0-9a-f]+, which is 1, in deadlock_$1 \(.*$line, lanes 1-$2 \($2 of 64\), CU 0, at [0-9.]+ us; lane 0 of wavefront 0 took it in deadlock_$1 \(.*$line and waits for other lanes of its wavefront in deadlock_$1 \(.*\)$" "${@:3}"
}

# Each of two wavefronts has what the other one wants: the message goes round the circle.
two() {
    local wants has
    wants=$(line_of two) has=$(line_of taken)
    deadlock two "deadlock: wavefront 0 waits for the word at 0x[0-9a-f]+, which is 97, in deadlock_two \([^;]*$wants, lanes 32-63 \(32 of 64\)[^;]*; lane 32 of wavefront 1 took it in deadlock_two \([^;]*$has and waits for other lanes of its wavefront in [^;]*; wavefront 1 waits for the word at 0x[0-9a-f]+, which is 1, in deadlock_two \([^;]*$wants, lanes 0-31 \(32 of 64\); lane 0 of wavefront 0 took it in deadlock_two \([^;]*$has and waits for other lanes of its wavefront in [^;]*$" "${soon[@]}" "$@"
}

semaphore() {
    deadlock semaphore "deadlock: wavefront 0 waits for the word at 0x[0-9a-f]+, which is 0, in deadlock_semaphore \(.*$(line_of semaphore), lane" "${soon[@]}" "$@"
}

# A circle of two lanes that wait for each other's locks, in both modes of the stack.
nested() {
    deadlock nested "deadlock: wavefront 0 waits for the lock at 0x[0-9a-f]+, which is [0-9]+, in deadlock_nested \([^;]*$(line_of nested), lanes 0-63 \(64 of 64\)[^;]*; lane 1 of wavefront 0 took it in deadlock_nested \([^;]*$(line_of first) and waits for a lock in deadlock_nested \([^;]*$(line_of nested)$" "$@"
}

right() {
    run 0 deadlock right "${soon[@]}" "$@"
    expect_result 'deadlock(right) = 256'
}

# The dump has the wavefront as it was: lanes that spin, above those that wait for them.
dump() {
    run 3 deadlock one "${soon[@]}" --set debug.dump=all
    expect err 'wavefront 0: kernel deadlock_one, work-group 0,0,0 .*faulted: deadlock'
    run 3 deadlock nested --set debug.dump=all
    expect err 'wants a lock: deadlock_nested \(.*lanes 0-63 \(64 of 64\)'
    expect err '    locks are held by lanes 0-63$'
}

check "one lock for a wavefront" all one 63
check "the same, looked at soon" all one 63 "${soon[@]}"
check "the same in a graph" all channel 31 "${soon[@]}"
check "two wavefronts" two
check "a semaphore" semaphore
check "a lock that is right" right
check "locks in no order" nested
check "locks in no order, lock.stack=thesis" nested --set lock.stack=thesis
check "the dump" dump
for system in moesi wt nol1 scoped quickrelease hybrid; do
    check "one lock for a wavefront, $system" all one 63 "${soon[@]}" --set mem.system=$system
    check "two wavefronts, $system" two --set mem.system=$system
    check "a semaphore, $system" semaphore --set mem.system=$system
    check "a lock that is right, $system" right --set mem.system=$system
done
