#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# gdb-multiarch on the firmware through QEMU's stub (debug.gdb): by Unix socket and by host:port, while the
# firmware waits for the host and in its main loop, with source lines.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

start() {
    mkfifo in
    "$bin/attach" --quiet --set "debug.gdb=$1" <>in >out 2>err &
    host=$!
    wait_line "$host" out '^# waiting'
}

# finish: two graphs more, and the end; all of them have to be right
finish() {
    local status=0
    echo go >in
    echo end >in
    wait_for "$hang_s" is_gone "$host" || fail "does not end: $(cat out err)"
    wait "$host" || status=$?
    ((status == 0)) || fail "status $status: $(cat out err)"
    expect_result "attach($1) = $1"
}

# gdb ARGUMENT...: with the firmware's symbols, in the folder that its sources are named from
gdb() {
    (
        here=$PWD
        cd "$root"
        timeout --kill-after=5 "$hang_s" gdb-multiarch -nx -batch -iex 'set auto-load off' -iex 'set width 0' \
            -ex "target remote $where" "$@" "$build/firmware/sluice.elf" >"$here/gdb.log" 2>&1
    ) || fail "$(cat gdb.log)"
}

waiting() {
    gdb -ex 'backtrace' -ex 'info source' -ex 'list'
    expect gdb.log 'mailbox_receive .* at firmware/queues/mailbox\.c:[0-9]+'
    expect gdb.log 'firmware_main .* at firmware/boot/main\.c:[0-9]+'
    expect gdb.log '^[0-9]+.*HOST_WAIT'
}

# Stops where the loop polls the channels, twice; the line is shown as it is in the source.
main_loop() {
    local line
    line=$(grep -n 'passes_are_over(scheduler, run, &poll)) {' "$root/firmware/graph/graph_loop.h" | cut -d : -f 1)
    gdb -ex "break graph_loop.h:$line" -ex "shell echo go >'$PWD/in'" -ex 'continue' -ex 'continue' \
        -ex 'backtrace' -ex 'info registers pc' -ex 'next' -ex 'delete' -ex 'detach'
    expect gdb.log '^Breakpoint 1(\.[0-9]+)?, '
    expect gdb.log "^${line}[[:space:]].*passes_are_over\(scheduler, run, &poll\)\) \{"
    expect gdb.log 'run_execute .* at firmware/graph/run\.c:[0-9]+'
    expect gdb.log '^pc +0x800'
    wait_line "$host" out '^# done'
}

unix_socket() {
    command -v gdb-multiarch >/dev/null || skip "no gdb-multiarch"
    where=$PWD/socket
    start "$where"
    waiting
    main_loop
    waiting
    finish 2
    [[ ! -e socket ]] || fail "the socket is left behind"
}

host_and_port() {
    local attempt port
    command -v gdb-multiarch >/dev/null || skip "no gdb-multiarch"
    for attempt in 1 2 3 4 5; do
        port=$((20000 + (RANDOM + attempt) % 12000))
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    where=127.0.0.1:$port
    start "$where"
    waiting
    main_loop
    finish 2
}

# A debugger that goes away in mid-run without a word.
killed() {
    command -v gdb-multiarch >/dev/null || skip "no gdb-multiarch"
    local debugger
    where=$PWD/socket
    start "$where"
    gdb-multiarch -nx -batch -iex 'set auto-load off' -ex "target remote $where" -ex "shell echo go >in" \
        -ex 'continue' "$build/firmware/sluice.elf" >gdb.log 2>&1 &
    debugger=$!
    wait_line "$host" out '^# done'
    kill -KILL $debugger
    echo go >in
    finish 3
}

# QEMU that is killed leaves its socket: the next one takes it over, and removes it.
stale() {
    local qemu
    where=$PWD/socket
    start "$where"
    qemu=$(qemu_of "$host") || fail "ended: $(cat out err)"
    kill -KILL "$host"
    wait_for "$hang_s" is_gone "$qemu" || fail "QEMU goes on"
    [[ -e socket ]] || skip "this QEMU left no socket"
    rm in out # its lines are the first one's
    start "$where"
    finish 1
    [[ ! -e socket ]] || fail "the socket is left behind"
}

bad_address() {
    run 3 fib 10 --quiet --set debug.gdb=192.0.2.1:1
    expect err 'the machine did not boot: QEMU ended with exit status 1'
    expect err 'QEMU says'
    expect err '192\.0\.2\.1'
}

bad_folder() {
    run 2 fib 10 --quiet --set debug.gdb=/no/such/folder/socket
    expect err "debug\.gdb: cannot make socket '/no/such/folder/socket': No such file or directory"
    [[ ! -s out ]] || fail "something on standard output: $(cat out)"
}

check "Unix socket" unix_socket
check "host and port" host_and_port
check "gdb killed in mid-run" killed
check "socket of a program that was killed" stale
check "address that is none" bad_address
check "socket in no folder" bad_folder
