#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A lack of memory: one allocation of a program and its libraries is refused (tests/preload/refuse.c), one of each place in
# turn. Either it was optional, and all that is written is what it is otherwise, or the status is the machine's and the
# message says so. Nothing is left behind.
#
# libdw ends the process where it has no memory, in some places by a signal; elsewhere lines may be missing in what is written.
# And opens that fail: what they leave behind.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# A folder is `new` while the program runs in it: its name is in the report.
# refusing [NUMBER]: sets `status`
refusing() {
    rm -rf new
    mkdir new
    status=0
    (
        cd new
        exec timeout --kill-after=5 "$hang_s" env ${1:+"SLUICE_REFUSE=$1"} SLUICE_ENGINE=native \
            "LD_PRELOAD=$build/tests/preload/refuse.so" "$bin/fib" 5 --quiet --set debug.control=control \
            --set debug.uart=uart --set mem.sharing=on --check-races drf --races races --profile profile \
            --kernel-profile kernels --timeline timeline --report report.json --trace trace --sample 1000:sample \
            --stats stats
    ) >out 2>err || status=$?
}

# The file without what differs in equal runs.
same() {
    sed 's/"sim\.[a-z_]*": *[^,}]*//g' "$1"
}

# check_end NUMBER LIBRARY: how the program has ended without what this library asked for
check_end() {
    local what="allocation $1, of $2" file
    if [[ $2 == libdw.so* && ($status == 134 || $status == 139) ]]; then
        return
    fi
    ((status == 0 || status == 3)) || fail "$what: status $status: $(cat err)"
    if ((status == 3)); then
        expect err 'out of memory|Cannot allocate memory|Resource temporarily unavailable'
        [[ $2 == libdw.so* || -z $(find new -name '.*.sluice-*' -o -name control) ]] || fail "$what: left: $(ls -A new)"
        return
    fi
    expect_result 'fib(5) = 5'
    [[ ! -s err ]] || fail "$what: status 0, and a message: $(cat err)"
    for file in stats trace sample timeline races uart profile kernels report.json; do
        if [[ $2 == libdw.so* && $file =~ ^(profile|kernels|report.json|trace)$ ]]; then
            continue
        fi
        cmp <(same "whole/$file") <(same "new/$file") || fail "$what: $file differs, and the status is 0"
    done
}

nothing_runs() {
    [[ -z $(find /proc/[0-9]*/cwd -lname "$PWD/new*" 2>/dev/null) ]]
}

# each STEP: one of so many places
each() {
    local numbers i count=0
    refusing
    ((status == 0)) || fail "status $status: $(cat err)"
    mv new whole
    mapfile -t numbers <whole/places
    ((${#numbers[@]} > 300)) || fail "only ${#numbers[@]} places"
    for ((i = 0; i < ${#numbers[@]}; i += $1)); do
        refusing "${numbers[i]}"
        # Threads allocate, too: numbers are not the same in each run, and there may be fewer.
        [[ -e new/refused ]] || continue
        count=$((count + 1))
        check_end "${numbers[i]}" "$(<new/refused)"
    done
    wait_for "$hang_s" nothing_runs || fail "a process is left in $PWD/new"
    ((count * $1 > 300)) || fail "only $count allocations were refused"
    note "$count refused"
}

# opens N: what opens that fail leave behind (tests/probes/processes/opens.c); memory is counted without libc's reserves
opens() {
    printf 'no kernels\n' >text
    cp "$build/firmware/sluice.flash" damaged
    printf '\377' | dd of=damaged bs=1 seek=20000 conv=notrunc 2>/dev/null
    export MALLOC_ARENA_MAX=1 GLIBC_TUNABLES=glibc.malloc.tcache_count=0
    run 0 opens "$1" --quiet
    expect_result "opens($1) = 25"
    [[ -z $(find . -name '.*.sluice-*' -o -name control) ]] || fail "left: $(ls -A)"
}

check "opens that fail leave nothing" opens 5
check_rest "opens that fail, often" opens 100
check "some allocations refused" each 25
check_rest "an allocation of each place refused" each 1
