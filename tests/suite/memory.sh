#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Memory of host program and QEMU. Statistics go to a pipe that nobody reads yet, so that both are there
# after the run: their peaks, less the pages of DRAM that each has mapped, are what the simulator costs; the
# blocks of DRAM's file are what the program touched.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# status PID FIELD: KiB
status_kib() {
    awk -v field="$2:" '$1 == field { print $2 }' "/proc/$1/status"
}

measure() {
    local host qemu fd beyond=0 pid dram size
    mkfifo stats
    "$bin/fib" "$1" --stats stats >out 2>err &
    host=$!
    wait_line "$host" out '^# simulator'
    qemu=$(qemu_of "$host") || fail "QEMU is gone: $(cat out err)"
    for pid in $host "$qemu"; do
        beyond=$((beyond + $(status_kib "$pid" VmHWM) - $(status_kib "$pid" RssShmem)))
    done
    for fd in "/proc/$host/fd/"*; do
        if [[ $(readlink "$fd") == /memfd:sluice-dram* ]]; then
            dram=$(($(stat -L -c '%b * %B / 1024' "$fd")))
            size=$(($(stat -L -c %s "$fd") / 1024))
        fi
    done
    [[ -n ${dram:-} ]] || fail "no DRAM among the files of the program: $(ls -l "/proc/$host/fd")"
    note "$((beyond / 1024)) MiB beyond DRAM, $((dram / 1024)) of $((size / 1024)) MiB of DRAM touched"
    cat stats >statistics
    wait "$host" || fail "$(cat out err)"
    ((beyond < 200 * 1024)) || fail "$beyond KiB beyond DRAM, more than 200 MiB"
    ((size == 1024 * 1024)) || fail "DRAM of $size KiB is not 1 GiB"
    ((dram < $2 * 1024)) || fail "$dram KiB of DRAM touched, more than $2 MiB"
}

check "fib 24: under 200 MiB beyond DRAM, which is sparse" measure 24 64
check "fib 27: under 200 MiB beyond DRAM, which is sparse" measure 27 64
