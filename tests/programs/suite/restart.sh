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
    (($(sed -n "$first,${lines}p" out | grep -c '^sluice firmware') <= 1)) || fail "two consoles: $(cat out)"
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

same() {
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

check "QEMU ends in a run" ends
