#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Bad configurations, options and arguments: exit status 2, nothing on standard output, and a message that
# names file and line (or the setting), the key, and what would be right.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# bad PATTERN ARGUMENT...
bad() {
    bad_arguments "$1" fib "${@:2}"
}

# file TEXT PATTERN: a configuration file with this text
file() {
    printf '%b' "$1" >machine.ini
    bad "$2" 10 --config machine.ini
}

good_file() {
    printf '; one\n[gpu]\ncus = 2\nclock = 500 MHz ; two\n\n[dram]\nsize = 128 MiB\n' >machine.ini
    run 0 fib 12 --config machine.ini --set gpu.lanes=32
    expect_result "fib(12) = 144"
    expect out '^# machine +2 CUs, wavefronts of 32 lanes, 500 MHz$'
}

# One written with a zero in front is decimal, as a setting's is.
decimal() {
    run 0 fib 010 --quiet
    expect_result "fib(10) = 55"
    run 0 fib 0xc --quiet
    expect_result "fib(12) = 144"
    run 0 fib 10 --set gpu.cus=010
    expect out '^# machine +10 CUs'
    bad "^fib: N: '0x' is not a number from" 0x
    bad "^fib: N: '10x' is not a number from" 10x
}

# not_files FIFO: what is no regular file is told, and never waited for
not_files() {
    mkfifo "$1"
    bad "^fib: \./$1: not a regular file\$" 10 --config "./$1"
    bad "^fib: /dev/zero: not a regular file\$" 10 --config /dev/zero
}

help() {
    run 0 fib --help
    expect out '--config'
    expect out '--set'
    expect out '--stats'
    run 0 fib --usage
}

# unwritable PATH REASON: told before anything runs
unwritable() {
    bad "^fib: --stats: cannot write '$1': $2\$" 10 --stats "$1"
}

# A result that nobody could read is none.
full() {
    local status=0
    timeout --kill-after=5 "$hang_s" "$bin/fib" 10 --quiet >/dev/full 2>err || status=$?
    ((status == 3)) || fail "status $status"
    expect err 'fib: cannot write to standard output'
}

# elsewhere STATUS FOLDER_OF_KERNELS: a copy of fib in bin/, with its kernels in that folder; none where it is empty
elsewhere() {
    local folder=$2
    mkdir -p bin ${folder:+"$folder"}
    cp "$bin/fib" bin/fib
    ln -sfn "$build/lib" lib
    [[ -z $folder ]] || cp "$build/kernels/fib.elf" "$folder"
    bin=bin run "$1" fib 10 --quiet --set "host.plugin=$build/lib" --set "host.flash=$build/firmware/sluice.flash"
}

kernels_in() {
    elsewhere 0 "$1"
    expect_result "fib(10) = 55"
}

no_kernels() {
    elsewhere 2 ''
    expect err "^fib: there is no kernel file 'fib\.elf': looked for $PWD/bin/fib\.elf and $PWD/bin/\.\./kernels/fib\.elf; build it there, or give its path\$"
}

check "numbers are decimal" decimal
check "configuration files that are no files" not_files fifo.ini
check "unknown key in a file" file '[gpu]\ncus = 2\nclok = 1 GHz\n' 'machine\.ini:3: gpu\.clok: no such key; did you mean gpu\.clock\?'
check "unknown section" file '[gpuu]\ncus = 2\n' 'machine\.ini:1: \[gpuu\]: no such section; did you mean \[gpu\]\?'
check "value out of range" file '[gpu]\n\ncus = 65\n' 'machine\.ini:3: gpu\.cus.*65.*1.*64'
check "value that is no number" file '[gpu]\ncus = many\n' 'machine\.ini:2: gpu\.cus.*many'
check "value that is no power of two" file '[gpu]\nlanes = 48\n' 'machine\.ini:2: gpu\.lanes.*48.*power of two'
check "unit that is none" file '[gpu]\nclock = 1 GiB\n' 'machine\.ini:2: gpu\.clock'
check "choice that is none" file '[mem]\nsystem = flatt\n' 'machine\.ini:2: mem\.system.*flat'
check "key set twice" file '[gpu]\ncus = 2\ncus = 3\n' 'machine\.ini:3: gpu\.cus: already set in line 2'
check "line that is nothing" file '[gpu]\ncus = 2\nwhat is this\n' 'machine\.ini:3: '
check "more lanes than a wavefront" file '[gpu]\nlanes = 8\nsimd_lanes = 16\n' 'machine\.ini:[23]: gpu\.(simd_)?lanes = .*gpu\.(simd_)?lanes = '
check "fewer contexts than SIMD units" file '[gpu]\nsimds = 8\ncontexts = 4\n' 'machine\.ini:[23]: .*contexts'
check "memory too small for the machine" file '[dram]\nsize = 64 MiB\n[gpu]\ncus = 64\n' 'machine\.ini:[24]: '
check "size that is no multiple" file '[dram]\nsize = 65 MiB\n' 'machine\.ini:2: dram\.size = 65 MiB.*multiple of 4 MiB'
check "part of a latency above the whole" bad '--set.*flat\.cu_request.*flat\.cu' 10 --set flat.cu=5ns --set flat.cu_request=6ns
check "no such file" bad 'nowhere\.ini' 10 --config nowhere.ini
check "a folder for a file" bad '/' 10 --config /
check "unknown key in --set" bad '--set .*gpu\.cuss.*did you mean gpu\.cus\?' 10 --set gpu.cuss=2
check "--set without a value" bad '--set gpu\.cus: no setting; it must read section\.key=value' 10 --set gpu.cus
check "--set out of range" bad 'gpu\.cus.*0' 10 --set gpu.cus=0
check "cycle limit out of range" bad 'gpu\.cycle_limit' 10 --set gpu.cycle_limit=1
no_engine() {
    export SLUICE_ENGINE=fast
    bad "environment variable SLUICE_ENGINE: 'fast' is no engine; it must be qemu or native" 10
    SLUICE_ENGINE=native
    run 2 fib 10 --set debug.gdb=gdb --set host.engine=native
    expect err 'debug\.gdb = gdb, host\.engine = native .*: gdb needs QEMU: host\.engine = qemu'
    bad 'host\.plugin: no plugin .*/no/such/folder.*' 10 --set host.plugin=/no/such/folder
    expect err 'host\.engine: cannot run /no/such/folder/sluice-native'
}

check "unknown option" bad 'unrecognized option' 10 --nonsense
check "no argument" bad 'N is missing'
check "argument that is no number" bad "N: 'ten' is not a number from 1 to 40" ten
check "argument out of range" bad "N: '41' is not a number from 1 to 40" 41
check "argument zero" bad "N: '0' is not a number" 0
check "two arguments" bad "one argument" 10 11
check "QEMU that is not there" bad 'host\.qemu: cannot run .*/no/such/qemu' 10 --set host.qemu=/no/such/qemu
check "engine that is none" no_engine
check "QEMU that is none" bad 'host\.qemu: .*not a QEMU' 10 --set host.qemu=true
check "plugin that is not there" bad 'host\.plugin: no plugin .*/no/such/folder' 10 --set host.plugin=/no/such/folder
check "console copy in no folder" bad 'debug\.uart: cannot write' 10 --set debug.uart=/no/such/folder/uart
check "statistics in no folder" unwritable no/such/folder/stats 'No such file or directory'
check "a folder for statistics" unwritable / 'Is a directory'
check "statistics below a file" unwritable /dev/null/stats 'Not a directory'
check "standard output that is full" full
check "more than the shared heap holds" bad 'the shared heap has no [0-9]+ bytes left for closed memory .*: .*larger dram\.size' 10 --width 16777216 --set dram.size=64MiB --set gpu.cus=1
check "a good file" good_file
check "--help" help
check "kernels beside the program" kernels_in bin
check "kernels in a folder beside the program's" kernels_in kernels
check "no kernels" no_kernels
