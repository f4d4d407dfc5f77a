#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# One of the two processes ends, stops or never answers: the other notices long before the run would end, says so, and
# nothing is left running or in /dev/shm. A process has one machine at a time.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# Half a minute of work, which is to be interrupted. What has to happen at once takes some hundredths of a second; a
# busy or slow machine has so many seconds for it, and needs longer for the work, too.
react_s=20
long=(fib 35 --quiet --width 4194304)

# What of a machine may be in /dev/shm: all that two processes have there.
shared_files() {
    grep -ho '/dev/shm/[^ ]*' "/proc/$1/maps" "/proc/$2/maps" 2>/dev/null | sort -u
    find "/proc/$1/fd" "/proc/$2/fd" -lname '/dev/shm/*' -printf '%l\n' 2>/dev/null
}

nothing_left() {
    local file
    for file in $files; do
        [[ ! -e $file ]] || fail "left behind: $file"
    done
    ! find /dev/shm -iname '*sluice*' | grep . || fail "left behind, see above"
}

# Starts a program in the background; sets host, qemu and files once it computes.
start_long() {
    # A shell without job control has its background commands ignore SIGINT.
    env --default-signal=INT "$bin/$1" "${@:2}" >out 2>err &
    host=$!
    # shellcheck disable=SC2317 # called by wait_for
    computes_or_ended() {
        has_computed "$host" 30 || is_gone "$host"
    }
    wait_for "$hang_s" computes_or_ended || fail "does not compute: $(cat out err)"
    qemu=$(qemu_of "$host") || fail "ended: $(cat out err)"
    files=$(shared_files "$host" "$qemu")
}

# reacts PID MESSAGE: it ends now
reacts() {
    local begin=$EPOCHREALTIME
    wait_for $react_s is_gone "$1" || fail "$2 for more than $react_s s: $(cat out err)"
    note "reacted in $(seconds "$begin" "$EPOCHREALTIME") s"
}

# Ends with status 3 and a message.
qemu_ends() {
    local status=0
    start_long "${long[@]}"
    kill "-$1" "$qemu"
    reacts "$host" "the program goes on"
    wait "$host" || status=$?
    ((status == 3)) || fail "status $status: $(cat out err)"
    expect err "^fib: the machine ended: $2"
    [[ ! -s out ]] || fail "a result: $(cat out)"
    nothing_left
    wait_for "$hang_s" is_gone "$qemu" || fail "QEMU runs"
}

host_ends() {
    start_long "${long[@]}"
    kill "-$1" "$host"
    reacts "$qemu" "QEMU goes on after SIG$1"
    wait_for $react_s is_gone "$host" || fail "the program goes on after SIG$1"
    wait "$host" || true
    nothing_left
}

# The same while the firmware waits for the host, and QEMU sleeps.
start_waiting() {
    mkfifo in
    "$bin/attach" <>in >out 2>err &
    host=$!
    wait_line "$host" out '^# waiting'
    qemu=$(qemu_of "$host") || fail "ended: $(cat out err)"
    files=$(shared_files "$host" "$qemu")
}

idle_host_ends() {
    start_waiting
    kill -KILL "$host"
    reacts "$qemu" "QEMU goes on"
    nothing_left
}

# Nobody waits then: the next execution has a new one.
idle_qemu_ends() {
    local status=0
    start_waiting
    kill "-$1" "$qemu"
    wait_for "$hang_s" is_gone "$qemu" || fail "QEMU goes on after SIG$1"
    printf 'go\nend\n' >in
    wait "$host" || status=$?
    ((status == 0)) || fail "status $status: $(cat out err)"
    expect_result 'attach(1) = 1'
    nothing_left
}

# A pause is none of anybody's business: the run goes on.
stopped() {
    local status=0
    start_long fib 30 --quiet --width 1048576
    kill -STOP "$qemu"
    wait_for "$hang_s" grep -q ') T' "/proc/$qemu/stat" || fail "QEMU does not stop"
    kill -CONT "$qemu"
    wait_for "$hang_s" is_gone "$host" || fail "does not end: $(cat out err)"
    wait "$host" || status=$?
    ((status == 0)) || fail "status $status: $(cat out err)"
    expect_result "fib(30) = 832040"
}

# qemu_script LINE...: what runs in place of QEMU, and says that it is one
qemu_script() {
    {
        printf '#!/usr/bin/env bash\n'
        # shellcheck disable=SC2016 # for the script
        printf '[[ $1 != --version ]] || exec qemu-system-riscv64 --version\n'
        printf 'echo $$ >%q\n' "$PWD/pid"
        printf '%s\n' "$@"
    } >qemu
    chmod +x qemu
}

# boot LIMIT PATTERN LINE...: the machine does not boot, and the message says how
boot() {
    local limit=$1 pattern=$2
    shift 2
    qemu_script "$@"
    run 3 fib 10 --quiet --set "host.qemu=$PWD/qemu" --set "host.boot_limit=$limit"
    expect err "the machine did not boot: $pattern"
    [[ ! -s out ]] || fail "a result: $(cat out)"
    # On a slow machine the limit may come before the script has told its process.
    [[ ! -s pid ]] || is_gone "$(<pid)" || fail "what ran as QEMU still runs"
}

# A wrapper's own children end with it: where the machine does not boot, where the program is killed meanwhile, or
# while QEMU runs below the wrapper.
with_child() {
    # shellcheck disable=SC2016 # for the script
    qemu_script 'sleep 1000 & echo $! >child' "$@"
}

# Those that have told their process: a limit may come before.
all_gone() {
    local file
    for file in pid child; do
        [[ ! -s $file ]] || is_gone "$(<"$file")" || return
    done
}

still_there() {
    fail "still there: $(ps -o pid,args -p "$(cat pid child 2>/dev/null | paste -s -d ,)")"
}

child_at_limit() {
    with_child wait
    run 3 fib 10 --quiet --set "host.qemu=$PWD/qemu" --set host.boot_limit=700ms
    wait_for "$hang_s" all_gone || still_there
}

child_at_end() {
    # shellcheck disable=SC2016 # for the script
    with_child 'qemu-system-riscv64 "$@"'
    run 0 fib 10 --quiet --set "host.qemu=$PWD/qemu"
    wait_for "$hang_s" all_gone || still_there
}

# child_of_killed LINE...
child_of_killed() {
    with_child 'echo >started' "$@"
    "$bin/fib" 35 --quiet --width 4194304 --set "host.qemu=$PWD/qemu" --set host.boot_limit=100s >out 2>err &
    host=$!
    wait_for "$hang_s" test -s started || fail "not started: $(cat out err)"
    if [[ $1 != wait ]]; then
        # shellcheck disable=SC2317 # called by wait_for
        computes() {
            pgrep -P "$(<pid)" -f 'machine virt' >below && (($(cut -d ' ' -f 14 "/proc/$(<below)/stat") > 30))
        }
        wait_for "$hang_s" computes || fail "does not compute: $(cat out err)"
    fi
    kill -KILL $host
    wait_for "$hang_s" all_gone || still_there
    [[ ! -s below ]] || wait_for "$hang_s" is_gone "$(<below)" || fail "QEMU goes on"
}

# The query for the version of what has ended without the plugin leaves nothing, either.
child_of_version() {
    # shellcheck disable=SC2016 # for the script
    printf '#!/usr/bin/env bash\n[[ $1 == --version ]] || exit 7\nsleep 1000 & echo $! >%q/child; echo $$ >%q/pid; wait\n' \
        "$PWD" "$PWD" >qemu
    chmod +x qemu
    run 3 fib 10 --quiet --set "host.qemu=$PWD/qemu"
    wait_for "$hang_s" all_gone || still_there
    rm -f child
    "$bin/fib" 10 --quiet --set "host.qemu=$PWD/qemu" >out 2>err &
    host=$!
    wait_for "$hang_s" test -s child || fail "not started: $(cat out err)"
    kill -KILL $host
    wait_for "$hang_s" all_gone || still_there
}

# Ctrl-C reaches the program's process group: a program that ignores it keeps its machine.
group_interrupted() {
    local status=0
    setsid env --ignore-signal=INT "$bin/fib" 30 --quiet --width 1048576 >out 2>err &
    host=$!
    # shellcheck disable=SC2317 # called by wait_for
    computes_or_ended() {
        has_computed "$host" 30 || is_gone "$host"
    }
    wait_for "$hang_s" computes_or_ended || fail "does not compute: $(cat out err)"
    kill -INT -- "-$host"
    wait "$host" || status=$?
    ((status == 0)) || fail "status $status: $(cat out err)"
    expect_result "fib(30) = 832040"
}

# What QEMU waits for a processor does not count: it has a twentieth of one here, and boots. The limit is that of this
# machine: some times what the whole program needs, of which the start of QEMU is a part.
starved() {
    local i limit_ms begin
    limit_ms=$(($(start_ms) * 5))
    # shellcheck disable=SC2016 # for the script
    qemu_script 'exec taskset -c 0 nice -n 10 qemu-system-riscv64 "$@"'
    for i in 1 2; do
        taskset -c 0 bash -c 'while :; do :; done' &
    done
    begin=$EPOCHREALTIME
    run 0 fib 5 --quiet --set "host.qemu=$PWD/qemu" --set "host.boot_limit=${limit_ms}ms"
    expect_result 'fib(5) = 5'
    note "in $(seconds "$begin" "$EPOCHREALTIME") s, with a limit of $limit_ms ms"
}

# What ends and is no QEMU, and does not say so: the query for its version hangs.
version_hangs() {
    # shellcheck disable=SC2016 # for the script
    printf '#!/usr/bin/env bash\n[[ $1 != --version ]] || exec sleep 1000\nexit 7\n' >qemu
    chmod +x qemu
    run 3 fib 10 --quiet --set "host.qemu=$PWD/qemu"
    expect err 'the machine did not boot: QEMU ended with exit status 7'
}

no_qemu() {
    run 2 fib 10 --quiet --set host.qemu=cat
    expect err "host\.qemu: '.*/cat --version' says 'cat \(GNU coreutils\) .*', which is not a QEMU's version"
}

# Killed between two runs, with the next one beginning from 0 to 5 ms later.
killed_between() {
    local kills=60
    [[ -z ${SLUICE_TEST_LONG:-} ]] || kills=1000
    run 0 kills "$kills" --quiet
    expect_result "kills($kills) = $kills"
}

# What the program was started with does not hide how its QEMU ends.
children_ignored() {
    qemu_script 'exit 7'
    fib_of() {
        env --ignore-signal=CHLD "$bin/fib" "$@"
    }
    fib_of 10 --quiet >out || fail "status $?"
    expect_result 'fib(10) = 55'
    ! fib_of 10 --quiet --set "host.qemu=$PWD/qemu" 2>err || fail "status 0"
    expect err 'QEMU ended with exit status 7'
}

# Starts a program whose trace nobody reads, and lets it run until its machine waits for a reader: descriptor 7 has the
# FIFO open. Sets host and qemu.
start_unread() {
    mkfifo fifo
    exec 7<>fifo
    "$bin/fib" 22 --quiet --trace fifo "$@" >out 2>err 7<&- &
    host=$!
    head -c 1000 <&7 >/dev/null
    qemu=$(qemu_of "$host") || fail "ended: $(cat out err)"
    # shellcheck disable=SC2317 # called by wait_for
    all_sleep() {
        ! grep -hv ') S ' /proc/"$host"/task/*/stat /proc/"$qemu"/task/*/stat
    }
    wait_for "$hang_s" all_sleep >/dev/null || fail "does not wait for the reader"
}

# Somebody reads after all: the program ends with status 3 and a message.
ends_once_read() {
    local status=0
    exec 8<fifo 7<&- # with a reader at any time
    cat <&8 >trace &
    wait_for "$hang_s" is_gone "$host" || fail "does not end: $(cat out err)"
    wait "$host" || status=$?
    wait
    ((status == 3)) || fail "status $status: $(cat out err)"
    expect err "$1"
    # Behind the piece of a line that begins it.
    ! sed 1d trace | grep -Ev '^ *[0-9.]+ cu[0-9]+ w[0-9]+ c[0-9]+ fib_kernel [0-9a-f]{16} [0-9a-f]+ [a-z_]+\+0x' |
        head -n 5 | grep . || fail "the trace has lost its names, see above"
}

# Simulated time stands still because of QEMU, once the trace is read.
unread_and_stopped() {
    start_unread --set host.stall_limit=1s
    kill -STOP "$qemu"
    ends_once_read 'simulated time has stood still at .* it was stopped by a signal'
}

# What the ring has is written to its end, with names.
unread_and_killed() {
    start_unread
    kill -KILL "$qemu"
    ends_once_read 'the machine ended: QEMU was ended by signal 9'
}

# Timers interrupt what waits: here all of the program, and of its QEMU, every 5 ms.
interrupted() {
    mkfifo fifo
    LD_PRELOAD=$build/tests/preload/timer.so "$bin/fib" 15 --quiet --stats interrupted --timeline timeline --report report.json \
        --trace fifo --sample 1000:samples --set debug.control="$PWD/control" >out 2>err &
    host=$!
    wait_for "$hang_s" grep -q ') S ' "/proc/$host/stat" || fail "does not wait for the reader: $(cat err)"
    cat fifo >trace
    wait "$host" || fail "status $?: $(cat err)"
    expect_result 'fib(15) = 610'
    run 0 fib 15 --quiet --stats plain --trace plain_trace --sample 1000:plain_samples
    expect_same_statistics plain interrupted
    cmp trace plain_trace && cmp samples plain_samples
}

machines() {
    run 0 machines 12
    expect_result 'machines(12) = 3'
    expect err '^machines: a second one: this process has a machine open already: .* close the first one before'
}

check "QEMU killed in mid-run" qemu_ends KILL 'QEMU was ended by signal 9 \(Killed\)'
check "QEMU terminated in mid-run" qemu_ends TERM 'QEMU ended with exit status 0, without the host having asked for it'
check "QEMU interrupted in mid-run" qemu_ends INT 'QEMU ended with exit status 0, without the host having asked for it'
check "program killed in mid-run" host_ends KILL
check "program terminated in mid-run" host_ends TERM
check "program interrupted in mid-run" host_ends INT
check "program killed while the firmware waits" idle_host_ends
check "QEMU killed while the firmware waits" idle_qemu_ends KILL
check "QEMU terminated while the firmware waits" idle_qemu_ends TERM
check "QEMU killed between runs, at any moment" killed_between
check "QEMU stopped in mid-run and continued" stopped
# shellcheck disable=SC2016 # for the script
check "QEMU stopped at open" boot 700ms 'the firmware was not ready within 700 ms \(host\.boot_limit\)' 'kill -STOP $$'
check "QEMU that sleeps" boot 700ms 'the firmware was not ready within 700 ms \(host\.boot_limit\)' 'exec sleep 1000'
check "QEMU that goes round in itself" boot 700ms 'the firmware was not ready within 700 ms \(host\.boot_limit\)' 'while :; do :; done'
check "QEMU that waits for a processor" starved
check "QEMU that ends at once" boot 1000s 'QEMU ended with exit status 7' 'echo "cannot do that" >&2; exit 7'
check "QEMU that is killed at once" boot 1000s 'QEMU was ended by signal 9' 'kill -KILL $$'
check "a child of a wrapper that hangs" child_at_limit
check "a child of a wrapper, at the program's end" child_at_end
check "a child of a wrapper that hangs, program killed" child_of_killed wait
# shellcheck disable=SC2016 # for the script
check "a child of a wrapper, program killed in mid-run" child_of_killed 'qemu-system-riscv64 "$@"'
check "a child of a version query that hangs" child_of_version
check "process group of the program interrupted" group_interrupted
check "no QEMU that does not tell its version" version_hangs
check "no QEMU" no_qemu
check "a program that was started with SIGCHLD ignored" children_ignored
check "QEMU stopped while nobody reads the trace" unread_and_stopped
check "QEMU killed while nobody reads the trace" unread_and_killed
check "a program with an interval timer" interrupted
check "machines one after the other, and one too many" machines
