#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# QEMU or the firmware ends in the middle of a run: that run fails, and the next one finds the same machine, with a QEMU
# of its own. Its statistics are those of a machine that was just opened.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

options=()

# start: the program `restart`, which does what `tell` says; with the settings in `options`.
start() {
    rm -f in out err
    mkfifo in
    "$bin/restart" "${options[@]}" <>in >out 2>err &
    host=$!
    lines=0
    next_line '^# waiting'
}

# The next line of the program, which has to match; sets line, and qemu where it tells it.
next_line() {
    lines=$((lines + 1))
    # shellcheck disable=SC2317 # called by wait_for
    is_there() {
        (($(wc -l <out) >= lines)) || is_gone "$host"
    }
    wait_for "$hang_s" is_there || fail "no line '$1': $(cat out err)"
    line=$(sed -n "${lines}p" out)
    [[ $line =~ $1 ]] || fail "line '$line', wanted '$1': $(cat out err)"
    [[ $line != *'QEMU is process '* ]] || qemu=${line##* }
}

tell() {
    printf '%s\n' "$@" >in
}

# is_right LINE: the program does that, with a right result
is_right() {
    tell "$1"
    next_line '^# computes'
    next_line '^# right'
}

# begin_long: a graph runs that would take half a minute
begin_long() {
    tell long
    next_line '^# computes'
    wait_for "$hang_s" has_computed "$host" 30 || fail "does not compute: $(cat out err)"
}

# fails PATTERN: the graph ends so, and the console is that of this boot alone
fails() {
    local first=$((lines + 1))
    next_line "^# status 3: $1"
    while [[ $(tail -n +$((lines + 1)) out) != '' && $(sed -n "$((lines + 1))p" out) != '# '* ]]; do
        lines=$((lines + 1))
    done
    (($(sed -n "$first,${lines}p" out | grep -c '^sluice firmware [0-9]') <= 1)) || fail "two consoles: $(cat out)"
}

end() {
    local status=0
    tell end
    wait "$host" || status=$?
    ((status == 0)) || fail "status $status: $(cat out err)"
    expect out "^restart\(\) = $1\$"
}

# Statistics of the first run of a machine
fresh() {
    start
    is_right "good 15 fresh.json"
    end 1
}

# same FILE: its statistics are those of fresh(). The program says that a result is right before it puts the file there.
same() {
    wait_for "$hang_s" test -s "$1" || fail "no statistics in $1"
    diff <(grep -v '"sim\.' fresh.json) <(grep -v '"sim\.' "$1") || fail "other statistics in $1"
}

# Whatever ends it, again and again.
ends() {
    local signal
    fresh
    start
    for signal in KILL TERM; do
        begin_long
        kill "-$signal" "$qemu"
        fails 'the machine ended: QEMU '
        is_right "good 15 $signal.json"
        same "$signal.json"
        is_right kept
    done
    end 4
}

stall=(--set host.stall_limit=600ms)

# The message names the limit, QEMU and its state; nothing is left of it, and the machine goes on.
stopped() {
    fresh
    options=("${stall[@]}")
    start
    begin_long
    kill -STOP "$qemu"
    fails "simulated time has stood still at .* \(host.stall_limit\), and QEMU, process $qemu, was killed: it was stopped by a signal"
    wait_for "$hang_s" is_gone "$qemu" || fail "QEMU is left"
    is_right "good 15 stopped.json"
    same stopped.json
    end 1
}

# still_computes: simulated time goes on, and nobody ends it
still_computes() {
    wait_for "$hang_s" has_computed "$host" "$1" || fail "does not go on: $(cat out err)"
    (($(wc -l <out) == lines)) || fail "has ended: $(cat out)"
    kill -KILL "$qemu"
    fails 'the machine ended: QEMU was ended by signal 9'
    is_right kept
    end 1
}

# Both are stopped for longer than the limit, as by a shell, and go on: that is nobody's fault.
paused() {
    options=("${stall[@]}")
    start
    begin_long
    kill -STOP "$host" "$qemu"
    sleep 1.5 # the limit passes
    kill -CONT "$host" "$qemu"
    still_computes 60
}

# Simulated time stands still for longer than the limit while a debugger holds the firmware.
debugged() {
    command -v gdb-multiarch >/dev/null || skip "gdb-multiarch is not installed"
    options=("${stall[@]}" --set "debug.gdb=$PWD/gdb")
    start
    begin_long
    gdb-multiarch -nx -batch -ex "target remote $PWD/gdb" -ex 'shell sleep 2' -ex detach >gdb.out 2>&1 ||
        fail "gdb: $(cat gdb.out)"
    ! grep -i 'closed\|timed out' gdb.out || fail "gdb: $(cat gdb.out)"
    still_computes 60
}

# The firmware goes to where no code is: it tells so, and the next one boots.
trapped() {
    command -v gdb-multiarch >/dev/null || skip "gdb-multiarch is not installed"
    fresh
    options=(--set "debug.gdb=$PWD/gdb")
    start
    begin_long
    # shellcheck disable=SC2016 # for gdb
    gdb-multiarch -nx -batch -ex 'set architecture riscv:rv64' -ex "target remote $PWD/gdb" -ex 'set $pc=0x40000000' \
        -ex detach >gdb.out 2>&1 || fail "gdb: $(cat gdb.out)"
    fails 'the firmware trapped and has stopped: '
    is_right "good 15 trapped.json"
    same trapped.json
    end 1
}

# A script that starts QEMU and waits for it: what it has started.
script_start() {
    printf '#!/bin/sh\nqemu-system-riscv64 "$@"\n' >script
    chmod +x script
    options=(--set "host.qemu=$PWD/script" "$@")
    start
    qemu_below=$(cat "/proc/$qemu/task/"*/children)
    qemu_below=${qemu_below%% *}
    tr '\0' ' ' <"/proc/$qemu_below/cmdline" | grep -q '^qemu-system-riscv64 ' || fail "no QEMU below the script"
}

# script_ends COMMAND...: whatever ends, QEMU is not left behind
script_ends() {
    script_start
    "$@"
    wait_for "$hang_s" is_gone "$qemu_below" || fail "QEMU is left"
    wait_for "$hang_s" is_gone "$qemu" || fail "the script is left"
}

script() {
    local status=0
    script_ends tell end
    wait "$host" || status=$?
    ((status == 0)) || fail "status $status: $(cat out err)"
    # shellcheck disable=SC2016 # expanded when it is called
    script_ends eval 'kill -KILL $host'
    wait "$host" || true
    # shellcheck disable=SC2016
    script_ends eval 'kill -STOP $qemu_below; kill -KILL $host'
    wait "$host" || true
    # shellcheck disable=SC2016
    script_ends eval 'kill -KILL $qemu'
    is_right kept
    end 1
}

script_stopped() {
    script_start "${stall[@]}"
    tell long
    next_line '^# computes'
    kill -STOP "$qemu_below"
    fails "simulated time has stood still at .*, and QEMU, process $qemu_below, was killed: it was stopped by a signal"
    wait_for "$hang_s" is_gone "$qemu_below" || fail "QEMU is left"
    is_right kept
    end 1
}

check "QEMU ends in a run" ends
check "QEMU stopped in a run" stopped
check "both are stopped, and go on" paused
check "a debugger holds the firmware" debugged
check "the firmware traps" trapped
check "QEMU below a script" script
check "QEMU below a script, stopped in a run" script_stopped
