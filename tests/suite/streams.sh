#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Graphs that stay open: what the host puts in while they run (tests/probes/channels/feed.c), on every kind of machine; streams of
# requests with every predicate; runs that are equal however slowly the host speaks; and either process ended while a
# graph is open, as time runs and as it stands still.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

cases=$("$bin/feed" --list)

# shellcheck disable=SC2120 # called by check, too
all() {
    # shellcheck disable=SC2086 # one word each
    run 0 feed $cases "$@"
    expect_result "feed($(wc -w <<<"$cases")) = $(wc -w <<<"$cases")"
}

# answered COUNT OPTION...: all of the requests are
answered() {
    run 0 stream_requests "$@" --stats stats
    expect_result "stream_requests($1) = $1"
    (($(statistic stats host.elements) == $1)) || fail "$(grep host stats)"
    (($(statistic stats request.elements) == $1)) || fail "$(grep request stats)"
}

# Requests that are dropped are counted, by host, firmware and device.
dropped() {
    local value
    run 0 stream_requests 2000 --rate 20 --width 64 --drop --stats stats
    value=$(sed -n 's/^stream_requests(2000) = //p' out)
    ((0 < value && value < 2000)) || fail "$(cat out)"
    (($(statistic stats host.elements) == value)) || fail "$(grep host stats)"
    (($(statistic stats host.dropped) == 2000 - value)) || fail "$(grep host stats)"
    (($(statistic stats host.full) == 2000 - value)) || fail "$(grep host stats)"
    expect out "^# requests +$value answered, $((2000 - value)) dropped, "
    note "$value of 2000 answered"
}

# nanoseconds QUANTILE OPTION...: of a stream, rounded
nanoseconds() {
    answered 1000 "${@:2}"
    printf '%.0f' "$(statistic stats "request.$1_ns")"
}

# What a predicate waits for is latency at a low rate: a full wavefront takes 64 requests, 128 us of them, to come; one of
# 16 takes 32; an age is waited for and no more.
batching() {
    local low="--rate 0.5 --process uniform" full sixteen age always
    # shellcheck disable=SC2086 # options
    {
        full=$(nanoseconds p50 $low --predicate full)
        sixteen=$(nanoseconds p50 $low --predicate at_least:16)
        age=$(nanoseconds max $low --predicate age:8)
        always=$(nanoseconds max $low --predicate always)
    }
    ((60000 < full && full < 75000)) || fail "full: $full ns"
    ((14000 < sixteen && sixteen < 25000)) || fail "at_least:16: $sixteen ns"
    ((8000 < age && age < 16000)) || fail "age:8: $age ns"
    ((always < 8000)) || fail "always: $always ns"
    note "half within $full and $sixteen ns, all within $age and $always ns"
}

# The host sleeps, at random, or the machine has other things to do: nothing that is simulated changes.
slow() {
    local options=(400 --quiet --rate 3 --predicate age:4 "$@") i
    run 0 stream_requests "${options[@]}" --stats quick
    for i in 1 2; do
        run 0 stream_requests "${options[@]}" --sleep 5000 --stats slow
        expect_same_statistics quick slow
    done
    for ((i = 0; i <= $(nproc); i++)); do
        while :; do :; done &
    done
    run 0 stream_requests "${options[@]}" --stats loaded
    expect_same_statistics quick loaded
}

observed() {
    run 0 stream_requests 300 --quiet --stats plain
    run 0 stream_requests 300 --quiet --stats observed --timeline timeline --profile profile --report report.json --sleep 1000
    expect_same_statistics plain observed
}

limit() {
    run 3 stream_requests 100 --set gpu.cycle_limit=50000
    expect err '^stream_requests: cycle limit reached: the graph is not complete after 50000 cycles'
}

# refused PATTERN OPTION...
refused() {
    run 2 stream_requests "${@:2}"
    expect err "$1"
}

nothing_left() {
    ! find /dev/shm -iname '*sluice*' | grep . || fail "left behind, see above"
}

# start OPTION...: a long stream in the background; sets host and qemu once it is under way
start() {
    "$bin/stream_requests" 10000000 "$@" >out 2>err &
    host=$!
    wait_line "$host" out '^# open'
    qemu=$(qemu_of "$host") || fail "ended: $(cat out err)"
}

qemu_ends() {
    local status=0
    start "$@"
    kill -KILL "$qemu"
    wait_for "$hang_s" is_gone "$host" || fail "the program goes on: $(cat out err)"
    wait "$host" || status=$?
    ((status == 3)) || fail "status $status: $(cat out err)"
    expect err '^stream_requests: the machine ended: QEMU was ended by signal 9'
    ! grep -v '^#' out || fail "a result, see above"
    nothing_left
}

host_ends() {
    local status=0
    start "$@"
    kill -KILL "$host"
    wait_for "$hang_s" is_gone "$qemu" || fail "QEMU goes on"
    wait "$host" || status=$?
    ((status == 128 + 9)) || fail "status $status, not that of SIGKILL"
    nothing_left
}

check "all cases on one machine, each with a good graph after it" all
for core in simple 5-stage 4way-ooo; do
    check "core $core" all --set agg.core=$core
done
check "flat memory, 32 lanes" all --set mem.system=flat --set gpu.lanes=32
check "one compute unit, the device's accesses in memory" all --set gpu.cus=1 --set front.memory=coherent

check "a request" answered 1
for predicate in always full at_least:100 age:3; do
    check "requests, $predicate" answered 1500 --rate 6 --predicate $predicate
done
check "requests, policy levelized" answered 1500 --rate 2 --policy levelized
check "requests of no work, at once" answered 3000 --rate 1000 --steps 0
check "requests that wait for space" answered 3000 --rate 50 --width 64
check "requests that wait for space, held by the predicate" answered 1000 --rate 50 --width 128 --predicate at_least:100000
check "requests dropped" dropped
check "batching" batching

check "a slow host" slow
check "a slow host, flat memory, simple core" slow --set mem.system=flat --set agg.core=simple
check "a slow host, observed" observed
check "the cycle limit" limit

check "a narrow channel" refused "width 100 is not a power of two" 10 --width 100

check "QEMU killed while a graph is open" qemu_ends --rate 0.01
check "QEMU killed while time stands still" qemu_ends --sleep 1000000
check "program killed while a graph is open" host_ends --rate 0.01
check "program killed while time stands still" host_ends --sleep 1000000
