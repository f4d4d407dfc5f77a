#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Files that users name (docs/know/trust.md, "Results"): they get their names when they are whole. A disk that is full,
# a limit of sizes leave what was there, and end with status 3; what is no regular file is neither replaced nor
# removed. What it becomes in each case of one file, tests/unit/host/test_output.c has.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# All that one run can write, each under the name of its option.
options=(stats profile kernel-profile timeline report races trace sample)
# all_options FOLDER [NAME]: each to a file of its name there, or all to NAME
all_options() {
    local option
    for option in "${options[@]}"; do
        printf -- '--%s\n%s\n' "$option" "$([[ $option != sample ]] || printf 1000:)$1/${2:-$option}"
    done
    printf -- '--check-races\ndrf\n--set\ndebug.uart=%s\n' "$1/${2:-uart}"
}

# nothing_beside FOLDER: no file of ours that has not got its name
nothing_beside() {
    local left
    left=$(find "$1" -name '.*.sluice-*')
    [[ -z $left ]] || fail "left: $left"
}

# Each file is a new one, with the permissions and the owner of the one that was there; trace and samples are
# written while the program runs, into the file itself.
replaced() {
    local option words old
    mapfile -t words < <(all_options files)
    mkdir files
    for option in "${options[@]}" uart; do
        printf 'old\n' >"files/$option"
        chmod 604 "files/$option"
        ln "files/$option" "files/$option.link"
    done
    run 0 fib 10 --quiet "${words[@]}"
    nothing_beside files
    for option in "${options[@]}" uart; do
        [[ $(stat -c %a "files/$option") == 604 ]] || fail "$option: $(stat "files/$option")"
        old=$(<"files/$option.link")
        case $option in
        trace | sample) [[ files/$option -ef files/$option.link ]] || fail "$option is a new file" ;;
        *) [[ $old == old && $(<"files/$option") != old ]] || fail "$option was written over" ;;
        esac
    done
}

# nothing_ran PROGRAM ARGUMENT...: a program that refuses what it is given leaves each of the files as it was, and
# makes none.
nothing_ran() {
    local option words
    mkdir old new
    for option in "${options[@]}" uart; do
        printf 'old\n' >"old/$option"
    done
    mapfile -t words < <(all_options old)
    run 2 "$@" "${words[@]}"
    for option in "${options[@]}" uart; do
        [[ $(<"old/$option") == old ]] || fail "$option: the old file is '$(head -c 100 "old/$option")'"
    done
    mapfile -t words < <(all_options new)
    run 2 "$@" "${words[@]}"
    [[ -z $(ls -A new) ]] || fail "made: $(ls -A new)"
    nothing_beside old
}

# The tools likewise.
nothing_ran_tools() {
    mkdir sweep
    printf 'old\n' | tee image sweep/results.csv >sweep/summary.csv
    run 1 sluice flash make /dev/null image
    [[ $(<image) == old ]] || fail "the old image is gone"
    run 2 sluice sweep --out sweep --vary gpu.cus=x 'fib 5'
    [[ $(<sweep/results.csv) == old && $(<sweep/summary.csv) == old ]] || fail "the old tables are gone"
    run 2 sluice report --out sweep no-such-panel
    [[ $(ls sweep) == $'results.csv\nsummary.csv' ]] || fail "made: $(ls sweep)"
}

# A disk of so many KiB, full but for what is there; needs to be root.
small_disk() {
    mkdir disk
    mount -t tmpfs -o "size=$1k" sluice-test disk 2>/dev/null || skip "cannot mount a file system"
    # shellcheck disable=SC2064 # the folder of this test
    trap "umount -l '$PWD/disk'; end_jobs" EXIT
}

# full_disk OPTION: the old file stays, the status is 3, and the message names the file and the reason
full_disk() {
    small_disk 64
    printf 'old\n' >disk/file
    dd if=/dev/zero of=disk/filler bs=4096 2>/dev/null || true
    run 3 fib 10 --quiet "--$1" disk/file ${2:+"$2" "$3"}
    expect err "disk/file.*: No space left on device"
    [[ $(<disk/file) == old ]] || fail "the old file is $(head -c 100 disk/file)"
    nothing_beside disk
    [[ $1 == timeline ]] || expect_result 'fib(10) = 55' # which begins before the run
    rm disk/filler
}

# A report that fails costs neither the result nor the statistics.
failed_report() {
    small_disk 64
    dd if=/dev/zero of=disk/filler bs=4096 2>/dev/null || true
    run 3 fib 10 --report disk/report --stats stats
    expect_result 'fib(10) = 55'
    expect out '^# CU cycles'
    expect err 'disk/report: No space left on device'
    expect stats '"gpu.cycles":'
    rm disk/filler
}

# Names, arguments and places that are not UTF-8: \xNN in what is JSON.
not_utf8() {
    cp -r "$root/tests/suite/lib" $'place\xff' # any folder
    printf '[gpu]\ncus = 4\n' >$'place\xff/machine\xe4'
    run 0 fib 10 --config $'place\xff/machine\xe4' --report $'r\xff.json' --races races --check-races drf \
        --timeline timeline --stats stats --trace $'t\xff'
    expect_result 'fib(10) = 55'
    python3 -c 'import json, os
report = json.load(open(b"r\xff.json"))
assert "r\\xff.json" in report["command"], report["command"]
assert any("machine\\xe4" in key.get("source", "") for key in report["machine"]), report["machine"]
for name in "races", "timeline", "stats":
    json.load(open(name))'
    run 2 sluice sweep --out sweep --set $'host.qemu=q\xff' 'fib 5'
    expect err 'it is not UTF-8'
    [[ ! -e sweep ]] || fail "a sweep was begun"
}

full_disk_flash() {
    small_disk 32
    printf 'old\n' >disk/image
    run 3 sluice flash make "$build/firmware/sluice.elf" disk/image
    expect err 'disk/image: cannot write it: No space left on device'
    [[ $(<disk/image) == old ]] || fail "the old image is gone"
    nothing_beside disk
}

full_disk_sweep() {
    small_disk 40
    run 3 sluice sweep --out disk/sweep --vary gpu.cus=1,2,4,8 'fib 5'
    umount disk
    mount -t tmpfs -o size=4m sluice-test disk
    run 0 sluice sweep --out disk/sweep --vary gpu.cus=1,2,4,8 'fib 5'
}

# A limit of sizes (SIGXFSZ) is an error with words, in the machine, in a file and on standard output.
limited() {
    local status=0
    (ulimit -f 100 && exec "$bin/fib" 10 --quiet) >out 2>err || status=$?
    ((status == 3)) || fail "status $status: $(cat err)"
    expect err 'cannot make DRAM of .*: File too large; see .ulimit -f.'
    status=0
    printf 'old\n' >image
    (ulimit -f 10 && exec "$bin/sluice" flash make "$build/firmware/sluice.elf" image) >out 2>err || status=$?
    ((status == 3)) || fail "status $status: $(cat err)"
    expect err 'image: cannot write it: File too large'
    [[ $(<image) == old ]] || fail "the old image is gone"
    status=0
    (ulimit -f 1 && exec "$bin/sluice" manual) >page 2>err || status=$?
    ((status == 3)) || fail "status $status: $(cat err)"
    expect err 'cannot write to standard output'
    # a folder of ours is whole or not there
    status=0
    (ulimit -f 1 && exec "$bin/sluice" new project) >out 2>err || status=$?
    ((status == 3)) || fail "status $status: $(cat err)"
    [[ ! -e project ]] || fail "left: $(find project)"
}

kind() {
    stat -c '%F %t %T %i' "$1"
}

# unchanged FILE KIND
unchanged() {
    [[ $(kind "$1") == "$2" ]] || fail "$1 is $(kind "$1")"
}

# Whatever takes a name of a file to write writes into a device, a FIFO or a link's target, and leaves it what it is.
not_regular() {
    local option words before elf=$build/firmware/sluice.elf
    mkdir there links
    mknod null c 1 3 2>/dev/null || skip "cannot make a device"
    ln -s null link
    before=$(kind null)
    for name in null link; do
        mapfile -t words < <(all_options . $name)
        run 0 fib 5 --quiet "${words[@]}"
        unchanged null "$before"
        [[ -L link ]] || fail "the link is $(kind link)"
    done
    mapfile -t words < <(all_options links)
    for option in "${options[@]}" uart; do
        ln -s "../there/$option" "links/$option"
    done
    run 0 fib 8 --quiet "${words[@]}"
    for option in "${options[@]}" uart; do
        [[ -L links/$option ]] || fail "--$option: the link is $(kind "links/$option")"
        [[ -s there/$option || $option == uart ]] || fail "--$option: nothing is there"
    done
    run 0 sluice flash make "$elf" null
    unchanged null "$before"
    run 0 sluice flash make "$elf" links/stats
    [[ -L links/stats ]] || fail "flash make: the link is $(kind links/stats)"
    cmp there/stats "$build/firmware/sluice.flash"
}

# taken OPTION: what a FIFO gets
taken() {
    mkfifo fifo
    cat fifo >taken &
    run 0 fib 5 --quiet "--$1" fifo
    wait $!
    [[ -p fifo && -s taken ]] || fail "the FIFO is $(kind fifo)"
}

# Of several runs it gets one file, when they are over: whoever reads it may be gone after that.
taken_once() {
    local option
    for option in profile kernel-profile report races; do
        rm -f fifo
        mkfifo fifo
        cat fifo >taken &
        run 0 bitonic 64 --separate --quiet --check-races drf "--$option" fifo
        wait $!
        [[ -s taken ]] || fail "--$option: the FIFO got nothing"
    done
}

# What is written to /dev/stdout stands where standard output stands, also where that is a file.
standard_output() {
    printf 'before\n' >log
    "$bin/fib" 5 --quiet --stats /dev/stdout >>log 2>err || fail "$(cat err)"
    expect log '^before$'
    expect log '"gpu.cycles":'
    expect log '^fib\(5\) = 5$'
    "$bin/fib" 5 --quiet --stats /dev/fd/5 5>five || fail "$(cat err)"
    expect five '"gpu.cycles":'
}

# A socket's path is taken where nothing is, or a socket at which nobody listens; nothing else is removed.
socket_of() {
    local key=$1 before
    printf 'mine\n' >file
    run 2 fib 5 --quiet --set "$key=file"
    expect err "$key: cannot make socket 'file': something that is no socket is there already, and stays"
    [[ $(<file) == mine ]] || fail "the file is gone"
    mkfifo fifo
    run 2 fib 5 --quiet --set "$key=fifo"
    [[ -p fifo ]] || fail "the FIFO is gone"
    python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("stale")'
    [[ -S stale ]] || fail "no socket"
    run 0 fib 5 --quiet --set "$key=stale"
    [[ ! -e stale ]] || fail "the socket is still there"
    python3 -c 'import socket, time
s = socket.socket(socket.AF_UNIX); s.bind("used"); s.listen(); print("up", flush=True); time.sleep(3600)' >up &
    wait_line $! up '^up$'
    before=$(kind used)
    run 2 fib 5 --quiet --set "$key=used"
    expect err "$key: cannot make socket 'used': another program listens at it"
    [[ $(kind used) == "$before" ]] || fail "the socket of another is gone"
}

# In a folder that takes no new file, one that may be written is written over, and that is told.
closed_folder() {
    ((EUID == 0)) || skip "needs to be root, to be somebody else"
    mkdir closed
    printf 'old\n' >closed/file
    chmod 666 closed/file
    chmod 555 closed
    chmod 755 "$suite_folder" . # for somebody else to get here
    local status=0
    setpriv --reuid 65534 --regid 65534 --clear-groups "$bin/fib" 5 --quiet --stats closed/file >out 2>err ||
        status=$?
    ((status == 0)) || fail "status $status: $(cat err)"
    expect err "--stats: no file can be made in closed/?; 'closed/file' will be written over, not replaced: Permission denied"
    expect closed/file '"gpu.cycles":'
    status=0
    setpriv --reuid 65534 --regid 65534 --clear-groups "$bin/fib" 5 --quiet --stats closed/other >out 2>err ||
        status=$?
    ((status == 2)) || fail "status $status: $(cat err)"
    expect err "--stats: cannot write 'closed/other': Permission denied"
}

# in_locale NAME PROGRAM ARGUMENT...: one that has called setlocale() (tests/locale), with its output in files out and err
in_locale() {
    env -u LC_ALL "LC_NUMERIC=$1" "LOCPATH=$build/tests/locale" "LD_PRELOAD=$build/tests/preload/locale.so" \
        "$bin/$2" "${@:3}" >out 2>err || fail "${*:2} ended with status $?: $(cat err)"
}

# The lines of a file but for the figures of the simulator.
without_times() {
    sed 's/"sim\.[a-z_]*": *[^,}]*//g; /^# simulator/d' "$1"
}

# All that is written has a point, and all that is read takes one, in every locale.
in_every_locale() {
    local words name file
    mapfile -t words < <(all_options .)
    words=(fib 14 --set gpu.clock=1.7GHz "${words[@]}")
    mkdir plain comma arabic
    (cd plain && run 0 "${words[@]}")
    expect plain/timeline '"GB/s":[0-9]+\.[0-9]'
    for name in comma arabic; do
        (cd $name && in_locale $name "${words[@]}")
        for file in out err "${options[@]}"; do
            cmp <(without_times "plain/$file") <(without_times "$name/$file") || fail "$name: $file differs"
        done
        in_locale $name uts -b 1.5
        expect out '^uts\(.*\) = 4$'
    done
}

# What a killed program leaves beside a file, the next one that writes it removes.
left_behind() {
    printf 'half' >.stats.sluice-abcdef
    printf 'mine' >.stats.sluice-mine
    run 0 fib 5 --quiet --stats stats
    [[ ! -e .stats.sluice-abcdef ]] || fail "still there"
    [[ -e .stats.sluice-mine ]] || fail "another file is gone"
}

# A stream that takes nothing of the console is told, as a file would be.
console_full() {
    run 3 fib 10 --quiet --set debug.uart=/dev/full
    expect err "^fib: debug\.uart: cannot write '/dev/full': No space left on device"
}

# Where stacks are small, tables of lines are read all the same.
small_stack() {
    (
        ulimit -s 256
        run 0 fib 10 --quiet --stats stats --report page.html --check-races drf --races races.json
        run 1 racy 1 --quiet --check-races drf
        run 3 faults null --quiet
    )
    expect err 'fault_load \(faults_kernel\.c:[0-9]+\)'
    [[ -s stats && -s page.html && -s races.json ]] || fail "a file is missing"
}
# With one descriptor more in each turn, until there are enough (the loader needs the fourth; what the suite was started
# with is closed): none left is the machine's status, the message says so, and nothing is left behind.
few_descriptors() {
    local count fd status=1
    mkdir new
    for ((count = 4; status != 0 && count < 64; count++)); do
        status=0
        (
            for ((fd = 3; fd < 10; fd++)); do eval "exec $fd>&-"; done
            ulimit -n $count
            cd new
            exec "$bin/fib" 5 --quiet --set debug.control=c --set debug.uart=u --profile p --kernel-profile k \
                --timeline t --report r.json --trace i --sample 1000:s --stats o
        ) >out 2>err || status=$?
        [[ $status == 0 ]] && break
        ((status == 3)) || fail "status $status with $count descriptors: $(cat err)"
        expect err 'Too many open files'
        [[ -z $(ls -A new) ]] || fail "left behind with $count descriptors: $(ls -A new)"
    done
    ((status == 0 && count > 10)) || fail "status $status with $count descriptors: $(cat err)"
}

check "a stack of 256 KiB" small_stack

# Files that are opened do not take the numbers of closed descriptors; what goes to these is lost, and told.
closed_descriptors() {
    local status=0
    "$bin/fib" 10 --stats all --profile profile <&- >&- 2>&- || status=$?
    ((status == 3)) || fail "status $status, though the result could not be written"
    expect all '"gpu.cycles":'
    [[ -s profile ]] || fail "no profile"
    "$bin/fib" 10 --quiet --stats some <&- 2>&- >out || fail "status $?"
    expect_result 'fib(10) = 55'
    expect some '"gpu.cycles":'
    status=0
    "$bin/fib" 10 --quiet --stats other <&- >&- 2>err || status=$?
    ((status == 3)) || fail "status $status: $(cat err)"
    expect err '^fib: cannot write to standard output'
    expect other '"gpu.cycles":'
    status=0
    "$bin/sluice" flash make "$build/firmware/sluice.elf" image <&- >&- 2>&- || status=$?
    cmp image "$build/firmware/sluice.flash"
    [[ $status == [03] ]] || fail "status $status of sluice flash make"
}

# The reader of a pipe has gone before the program begins.
nobody_reads() {
    local status=0
    exec 3> >(exec true)
    wait $!
    env --default-signal=PIPE "$bin/fib" 10 --stats all --profile profile >&3 2>err || status=$?
    ((status == 128 + 13)) || fail "status $status, not that of SIGPIPE: $(cat err)"
    [[ ! -s err ]] || fail "a word of it: $(cat err)"
    expect all '"gpu.cycles":'
    [[ -s profile ]] || fail "no profile"
    status=0
    env --default-signal=PIPE "$bin/fib" 10 --trace - >&3 2>err || status=$?
    ((status == 3)) || fail "status $status, though the trace could not be written"
    expect err "^fib: trace.file: cannot write '-': Broken pipe"
    status=0
    (trap '' PIPE && exec "$bin/fib" 10 >&3 2>err) || status=$?
    ((status == 3)) || fail "status $status, though the result could not be written"
    expect err '^fib: cannot write to standard output'
    exec 3>&-
}

check "standard descriptors that are closed" closed_descriptors
check "standard output that nobody reads" nobody_reads
check "the console, to a full stream" console_full
check "files are replaced, with their permissions" replaced
check "status 2 before the machine" nothing_ran fib 10 --set gpu.cus=0
check "status 2 of a graph" nothing_ran fib 10 --width 3
check "status 2 of a filter" nothing_ran fib 10 --trace-filter function=no_such_function
check "status 2 of the tools" nothing_ran_tools
for option in stats profile kernel-profile timeline report; do
    check "a full disk: --$option" full_disk $option
done
check "a full disk: --races" full_disk races --check-races drf
check "a full disk: a report and the result" failed_report
check "what is not UTF-8" not_utf8
check "a full disk: flash make" full_disk_flash
check "a full disk: sweep" full_disk_sweep
check "a limit of sizes" limited
check "devices and links" not_regular
for option in stats timeline; do
    check "a FIFO: --$option" taken $option
done
check "a FIFO of several runs" taken_once
check "standard output" standard_output
check "debug.gdb: what is there" socket_of debug.gdb
check "debug.control: what is there" socket_of debug.control
check "descriptors refused, one after the other" few_descriptors
check "decimal commas" in_every_locale
check "a folder that takes no files" closed_folder
check "what a killed program left" left_behind
