#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Equal runs have equal statistics, but for the figures of the simulator itself: repeated, on a loaded
# machine, four at a time, with a debugger, on another QEMU. That one is named by SLUICE_QEMU2, or the first
# /opt/*/bin/qemu-system-riscv64 there is.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

n=23

reference() {
    run 0 fib $n --quiet --stats "$suite_folder/reference"
    expect_result "fib($n) = $(fibonacci $n)"
}

again() {
    run 0 fib $n --quiet --stats stats "$@"
    expect_same_statistics "$suite_folder/reference" stats
}

# Another environment, directory and file descriptors, and no terminal at all.
elsewhere() {
    mkdir "a, b"
    cd "a, b" || exit
    env -i PATH="$PATH" LONG="$(printf '%5000s' x)" timeout "$hang_s" "$bin/fib" $n --stats stats >out 2>err 7<. <&- ||
        fail "$(cat out err)"
    expect_same_statistics "$suite_folder/reference" stats
}

# A busy loop on each processor, and one more.
loaded() {
    local i
    for ((i = 0; i <= $(nproc); i++)); do
        while :; do :; done &
    done
    again
}

four() {
    local i pids=() pid
    for i in 1 2 3 4; do
        timeout --kill-after=5 "$hang_s" "$bin/fib" $n --quiet --stats stats$i >out$i 2>err$i &
        pids+=($!)
    done
    for pid in "${pids[@]}"; do
        wait "$pid" || fail "$(cat out? err?)"
    done
    for i in 1 2 3 4; do
        [[ $(<out$i) == "fib($n) = $(fibonacci $n)" ]] || fail "run $i: $(cat out$i err$i)"
        expect_same_statistics "$suite_folder/reference" stats$i
    done
}

# Four programs that have nothing in common, one of which fails.
four_different() {
    local faulty
    timeout --kill-after=5 "$hang_s" "$bin/fib" $n --quiet --stats stats1 >out1 2>&1 &
    timeout --kill-after=5 "$hang_s" "$bin/fib" 20 --quiet --set gpu.cus=1 >out2 2>&1 &
    timeout --kill-after=5 "$hang_s" "$bin/wrap" --quiet >out3 2>&1 &
    timeout --kill-after=5 "$hang_s" "$bin/faults" null >out4 2>&1 &
    faulty=$!
    wait $faulty && fail "no fault: $(cat out4)"
    wait
    [[ $(<out1) == "fib($n) = $(fibonacci $n)" ]] || fail "$(cat out1)"
    [[ $(<out2) == "fib(20) = 6765" ]] || fail "$(cat out2)"
    expect out3 '3 of 3 executions right'
    expect out4 'faults\(1\) = 1'
    expect_same_statistics "$suite_folder/reference" stats1
}

# Attached before the run, stopped in it, let go in it. The time that gdb sees shows that it was in it.
debugged() {
    command -v gdb-multiarch >/dev/null || skip "no gdb-multiarch"
    local line
    run_attach plain
    line=$(grep -n 'passes_are_over(scheduler, run, &poll)) {' "$root/firmware/graph/graph_loop.h" | cut -d : -f 1)
    run_attach gdb --set debug.gdb=socket
    expect gdb.log '^Breakpoint 1(\.[0-9]+)?, '
    expect gdb.log '^simulated: [1-9][0-9]+ ps$'
    expect_same_statistics plain.stats gdb.stats
    note "stopped at $(sed -n 's/^simulated: \(.*\)$/\1/p' gdb.log)"
}

# One graph, run when told to; with a debugger where the name is so.
run_attach() {
    local name=$1 pid status=0
    shift
    mkfifo "$name.in"
    "$bin/attach" --quiet --stats "$name.stats" "$@" <>"$name.in" >"$name.out" 2>"$name.err" &
    pid=$!
    wait_line $pid "$name.out" '^# waiting'
    if [[ $name == gdb ]]; then
        timeout --kill-after=5 "$hang_s" gdb-multiarch -nx -batch -iex 'set auto-load off' \
            -ex 'target remote socket' -ex "break graph_loop.h:$line" -ex 'ignore 1 300' \
            -ex 'shell echo go >gdb.in' -ex 'continue' \
            -ex 'printf "simulated: %lu ps\n", *(unsigned long *)(agg_device_window + 0x58)' \
            -ex 'stepi 20' -ex 'delete' -ex 'detach' "$build/firmware/sluice.elf" >gdb.log 2>&1 || fail "$(cat gdb.log)"
    else
        echo go >"$name.in"
    fi
    wait_line $pid "$name.out" '^# done'
    echo end >"$name.in"
    wait $pid || status=$?
    ((status == 0)) || fail "status $status: $(cat "$name.out" "$name.err")"
}

# The progress line reads shared memory, and does nothing to it.
terminal() {
    script -qec true /dev/null >out 2>err || skip "script(1) makes no terminal: $(cat err)"
    local n=$((${SLUICE_TEST_LONG:+1} + 0 ? 32 : 30))
    local arguments=("$n" --quiet --width 2097152)
    run 0 fib "${arguments[@]}" --stats plain
    timeout --kill-after=5 "$hang_s" script -qec "'$bin/fib' ${arguments[*]} --stats progress" /dev/null >out 2>err ||
        fail "$(cat out err)"
    expect out "fib\\($n\\) = $(fibonacci $n)"
    expect_same_statistics plain progress
    note "$(grep -o 'ms simulated' out | wc -l) lines of progress"
}

# fingerprints STATUS PATTERN ARGUMENT...: what tests/bench/fingerprint.sh prints with these
fingerprints() {
    local status=0
    SLUICE_BUILD=$build "$root/tests/bench/fingerprint.sh" "${@:3}" >out 2>&1 || status=$?
    ((status == $1)) || fail "${*:3}: status $status: $(cat out)"
    expect out "$2"
}

# What is kept of two runs is compared, figure by figure.
fingerprint() {
    local two='tutorial 300 --set (mem.system=moesi$|gpu.cus=1 )'
    fingerprints 0 '^fingerprint: 2 runs kept, 0 different, 0 failed, hash [0-9a-f]{16}$' write kept "$two"
    fingerprints 0 '^fingerprint: 2 runs equal, 0 different, 0 failed, hash' compare kept --images "$build" "$two"
    sed -i 's/^gpu\.cycles .*/gpu.cycles 1/; /^gpu\.elements/d' kept/*moesi
    fingerprints 1 '^different  tutorial 300 --set mem.system=moesi: gpu\.cycles 1 -> [0-9]+$' compare kept "$two"
    expect out '^fingerprint: 1 runs equal, 1 different, 0 failed, hash'
    fingerprints 2 "'wrote' is neither write nor compare" wrote kept
    fingerprints 2 'FOLDER is missing' write
    fingerprints 2 "there is no folder 'none'" compare none
    fingerprints 2 "no firmware/sluice.flash in 'kept'" compare kept --images kept
    fingerprints 2 "no run matches 'tutorial 301'" compare kept 'tutorial 301'
}

# jittered STATS SETTING...
jittered() {
    run 0 cilk_fib 16 --quiet --stats "$1" "${@:2}"
    expect_result "cilk_fib(16) = $(fibonacci 16)"
}

# Random delays of DRAM: each seed is a run of its own, equal to itself; none is as without the keys, and where
# there is no DRAM, all are.
jitter() {
    local seed cycles=''
    jittered plain
    jittered none --set mem.jitter=0 --set mem.jitter_seed=7
    expect_same_statistics plain none
    for seed in 0 1 2 4294967295; do
        jittered first --set mem.jitter=4ns --set mem.jitter_seed=$seed
        jittered second --set mem.jitter=4ns --set mem.jitter_seed=$seed
        expect_same_statistics first second
        cycles+="$(statistic first gpu.cycles) "
    done
    # shellcheck disable=SC2086 # a word each
    (($(printf '%s\n' $cycles "$(statistic plain gpu.cycles)" | sort -u | wc -l) == 5)) || fail "cycles of two seeds are equal: $cycles"
    jittered plain --set mem.system=flat
    jittered first --set mem.system=flat --set mem.jitter=4ns
    expect_same_statistics plain first
    note "$cycles"
}

other_qemu() {
    local qemu=${SLUICE_QEMU2:-} candidate
    if [[ -z $qemu ]]; then
        for candidate in /opt/*/bin/qemu-system-riscv64 /opt/*/usr/bin/qemu-system-riscv64; do
            [[ ! -x $candidate ]] || qemu=$candidate
        done
    fi
    [[ -n $qemu ]] || skip "no second QEMU: set SLUICE_QEMU2 to the path of another qemu-system-riscv64"
    again --set "host.qemu=$qemu"
    note "$("$qemu" --version | head -n 1), and $(qemu-system-riscv64 --version | head -n 1)"
}

check "fib $n" reference
check "again" again
check "with the table and a debugger's socket" again --set debug.gdb=socket --set debug.uart=uart
check "in another directory and environment" elsewhere
check "on a loaded machine" loaded
check "four at a time" four
check "four different ones at a time" four_different
check "on a terminal, with progress" terminal
check "with gdb attached, stopped and detached" debugged
check "random delays of DRAM" jitter
check "fingerprints" fingerprint
check "on another QEMU" other_qemu
