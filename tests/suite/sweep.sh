#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Sweeps: forty-eight runs give one table, whether they go through at once or are killed half-way and taken up
# again; and what is wrong is told before anything runs. Those on Slurm are in slurm.sh.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
# shellcheck source=lib/sweep.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/sweep.sh"

# Made once, for the tests to compare with.
reference=$suite_folder/reference
whole() {
    forty "$reference"
    expect out '^48 of 48 runs are right: '
    (($(wc -l <"$reference/results.csv") == 49)) || fail "lines: $(wc -l <"$reference/results.csv")"
    (($(wc -l <"$reference/results.jsonl") == 48)) || fail "records: $(wc -l <"$reference/results.jsonl")"
    expect "$reference/results.csv" '^0,fib 10,1,16,20,0,fib\(10\) = 55,[0-9]+,'
    expect "$reference/results.csv" '^47,cilk_fib 8 --width 1024,8,64,40,0,cilk_fib\(8\) = 21,'
    if grep -q '\bsim\.' "$reference/results.csv"; then
        fail "figures of the simulator in results.csv"
    fi
    grep -q '"sim\.wall_s"' "$reference/results.jsonl" || fail "no wall time in results.jsonl"
}

done_runs() {
    find "$1" -name status.json | wc -l
}

has_runs() {
    (($(done_runs "$1") >= $2))
}

# Nothing of the killed sweep goes on: no engine, no program, no QEMU.
is_quiet_at() {
    ! pgrep -f "$PWD/killed" >/dev/null
}

killed() {
    "$bin/sluice" sweep --out "$PWD/killed" "${forty[@]}" "${forty_programs[@]}" >out 2>err &
    local sweep=$!
    wait_for "$hang_s" has_runs killed 15 || fail "no runs: $(cat out err)"
    kill -KILL $sweep
    wait_for "$hang_s" is_quiet_at || fail "still there: $(pgrep -af "$PWD/killed")"
    local before
    before=$(done_runs killed)
    ((before < 48)) || fail "it had come to its end"
    find killed -name status.json -newer killed/sweep.json -printf '%p %T@\n' | sort >first
    forty "$PWD/killed"
    cmp killed/results.csv "$reference/results.csv"
    # what was done was not run again
    find killed -name status.json -printf '%p %T@\n' | sort | join - first | awk '$2 != $3 { exit 1 }'
    note "$before of 48 done when killed"
}

# A program of a user's: by its path, which may have a space, and by PATH; figures of another build of it, or of its
# kernels, are known as such.
own_program() {
    mkdir -p 'my programs'
    cp "$bin/fib" 'my programs/mine'
    cp "$build/kernels/fib.elf" 'my programs'
    ln -s "$build/lib" lib # where it looks for the host library
    run 0 sluice sweep --out own --vary gpu.cus=1,2 "'my programs/mine' 8"
    expect own/results.csv '^1,"?""?my programs/mine""? 8'
    expect own/results.csv 'fib\(8\) = 21'
    PATH=$PWD/my\ programs:$PATH run 0 sluice sweep --out path --vary gpu.cus=1,2 'mine 8'
    cmp <(cut -d, -f 3- own/results.csv) <(cut -d, -f 3- path/results.csv)
    find own -name status.json -printf '%p %T@\n' | sort >first
    printf 'x' >>'my programs/fib.elf'
    run 0 sluice sweep --out own --vary gpu.cus=1,2 "'my programs/mine' 8"
    find own -name status.json -printf '%p %T@\n' | sort | join - first | awk '$2 == $3 { exit 1 }'
    run 2 sluice sweep --out new "my programs/mine 8"
    expect err "there is no program 'my'"
    run 2 sluice sweep --out new "'my programs/mine 8"
    expect err "a quote is not closed"
    run 2 sluice sweep --out bad $'fib \xff'
    expect err "it is not UTF-8"
}

odd_folder() {
    run 0 sluice sweep --out plain --vary gpu.cus=1,2 'fib 5'
    run 0 sluice sweep --out "$odd" --vary gpu.cus=1,2 'fib 5'
    cmp "$odd/results.csv" plain/results.csv
}

# What the engine starts besides the runs, as GNU parallel does to find out how many processes there may be, ends with the
# sweep, however that ends: the engine, which would have ended it, is killed with it.
killed_beginning() {
    local sweep
    mkdir path
    # shellcheck disable=SC2016 # for the script
    printf '#!/bin/sh\n[ "$1" != --version ] || { echo GNU parallel; exit; }\nsleep 10000 &\necho $! >started.new\nmv started.new started\nwait\n' >path/parallel
    chmod +x path/parallel
    PATH=$PWD/path:$PATH "$bin/sluice" sweep --out new 'fib 5' >out 2>err &
    sweep=$!
    # shellcheck disable=SC2317 # called by wait_for
    has_started() {
        [[ -s started ]] || is_gone "$sweep"
    }
    wait_for "$hang_s" has_started
    [[ -s started ]] || fail "nothing started: $(cat out err)"
    kill "-$1" $sweep
    wait_for "$hang_s" is_gone "$(<started)" || fail 'what the engine has started goes on'
}

# What a user's own settings of GNU parallel say is not for us.
own_parallel() {
    mkdir -p .parallel
    echo '--dry-run' >.parallel/config
    export HOME=$PWD PARALLEL=--dry-run
    run 0 sluice sweep --out new 'fib 5'
    expect new/results.csv '^0,fib 5,0,'
}

# GNU parallel's own files are in the sweep's folder: none goes into the user's home, and none that lies there, or that a
# full disk has cut short, is taken.
own_state() {
    local cut
    cut=tmp/sshlogin/$(perl -MSys::Hostname -e 'print hostname')/linelen
    export HOME=$PWD/home
    mkdir home
    run 0 sluice sweep --out new 'fib 5'
    [[ -z $(ls -A home) ]] || fail "in the user's home: $(find home)"
    [[ -s new/parallel/$cut ]] || fail "its file has another place: $(find new/parallel)"
    : >"new/parallel/$cut"
    install -D /dev/null "home/.parallel/$cut"
    rm new/runs/00000/status.json
    run 0 sluice sweep --out new 'fib 5'
    unset HOME
    run 0 sluice sweep --out homeless 'fib 5'
    [[ ! -s err ]] || fail "$(cat err)"
}

# signalled SIGNAL STATUS: ended by the signal, with what it has started, and taken up by the same command
signalled() {
    local status=0 sweep
    env --default-signal "$bin/sluice" sweep --out "$PWD/ended" --vary gpu.cus=1,2,4,8 'queens 11' 'cilk_fib 16' \
        >out 2>err &
    sweep=$!
    wait_for "$hang_s" has_runs ended 1 || fail "no runs: $(cat out err)"
    kill "-$1" $sweep
    wait $sweep || status=$?
    ((status == $2)) || fail "status $status: $(cat out err)"
    expect err 'ended by signal'
    ! pgrep -f "$PWD/ended" >/dev/null || fail "still there: $(pgrep -af "$PWD/ended")"
    (($(done_runs ended) < 8)) || fail "it had come to its end"
    run 0 sluice sweep --out "$PWD/ended" --vary gpu.cus=1,2,4,8 'queens 11' 'cilk_fib 16'
    expect out '^8 of 8 runs are right'
}

# As what starts a sweep may ignore the ends of its own children.
children_ignored() {
    env --ignore-signal=CHLD "$bin/sluice" sweep --out new 'fib 5' >out 2>err || fail "status $?: $(cat err)"
    expect out '^1 of 1 runs? (is|are) right'
}

# path_without PROGRAM...: a folder with all programs of this machine but these, for PATH
path_without() {
    local program
    mkdir -p path
    ln -s /usr/bin/* path/
    for program; do
        rm -f "path/$program"
    done
    export PATH=$PWD/path
}

without_parallel() {
    path_without parallel
    run 3 sluice sweep --out new 'fib 5'
    expect err 'cannot run GNU parallel; it is in Debian.s package parallel'
    # another program of that name
    printf '#!/bin/sh\necho "parallel: invalid option" >&2\nexit 1\n' >path/parallel
    chmod +x path/parallel
    run 3 sluice sweep --out new 'fib 5'
    expect err 'cannot run GNU parallel'
}

without_slurm() {
    path_without sbatch
    run 3 sluice sweep --out new --engine slurm 'fib 5'
    expect err 'cannot run sbatch; it is in Debian.s package slurm-client'
}

# Where a run's folder cannot be made, that run is told of, and the others are done.
unwritable() {
    run 2 sluice sweep --out new --vary gpu.cus=1,900 'fib 5'
    run 3 sluice sweep --out no/such 'fib 5'
    expect err "cannot make the folder no/such: No such file"
    run 0 sluice sweep --out new 'fib 5' 'fib 6'
    rm -r new/runs/00001 new/results.csv
    touch new/runs/00001
    run 3 sluice sweep --out new 'fib 5' 'fib 6'
    expect err 'not all runs could be made'
    rm new/runs/00001
    run 0 sluice sweep --out new 'fib 5' 'fib 6'
    expect out '^2 of 2 runs are right'
}

long_line() {
    # shellcheck disable=SC2046 # words
    run 0 sluice sweep --out new "fib 5 $(printf -- '--quiet %.0s' {1..400})"
}

# A failed run is recorded and not run again, but on request.
failed() {
    run 1 sluice sweep --out bad --vary gpu.cus=1,2 'fib 12 --width 64' 'fib 10'
    expect out '^2 of 4 runs are right'
    expect err '^sluice sweep: run 1 ended with status 3: .*channel'
    expect bad/results.csv '^0,fib 12 --width 64,1,3,,'
    expect bad/runs/00000/err "channel"
    touch -d 2001-01-01 bad/runs/*/status.json
    run 1 sluice sweep --out bad --vary gpu.cus=1,2 'fib 12 --width 64' 'fib 10'
    (($(find bad -name status.json -newermt 2002-01-01 | wc -l) == 0)) || fail "run again"
    run 1 sluice sweep --out bad --vary gpu.cus=1,2 --retry 'fib 12 --width 64' 'fib 10'
    (($(find bad -name status.json -newermt 2002-01-01 | wc -l) == 2)) || fail "not run again"
}

# mistake STATUS PATTERN ARGUMENT...
mistake() {
    run "$1" sluice sweep "${@:3}"
    expect err "$2"
    [[ ! -e new/runs ]] || fail "something has run"
}

other() {
    run 0 sluice sweep --out new 'fib 5'
    run 2 sluice sweep --out new 'fib 6'
    expect err 'new holds another sweep'
}

check "forty-eight runs" whole
check "killed half-way and taken up again" killed
# Fields of results.csv are quoted by RFC 4180, whatever is in values, keys and programs.
odd_fields() {
    run 1 sluice sweep --out odd --vary $'--x"y,z=a\rb' $'fib 5 \r'
    python3 -c 'import csv
rows = list(csv.reader(open("odd/results.csv", newline="")))
assert len(rows) == 2 and len(rows[0]) == len(rows[1]), rows
assert rows[0][2] == "--x\"y,z" and rows[1][1:3] == ["fib 5 \r", "a\rb"], rows'
}

# no_sweep PATTERN RUNS: a sweep.json that has not been written by the command is refused, and nothing is made
no_sweep() {
    local before
    mkdir -p deep/new/runs
    printf '{"keys": [], "runs": %s}' "$2" >deep/new/sweep.json
    before=$(find .)
    run 3 sluice sweep --out deep/new --run 0
    expect err "deep/new/sweep\.json: no sweep: $1"
    rm out err
    [[ $(find .) == "$before" ]] || fail "made: $(find .)"
}

check "fields with what CSV quotes" odd_fields
reason="run 0: 'words' is to be an array of strings"
for runs in '[{}]' '[null]' '[{"words": []}]' '[{"words": "fib"}]' '[{"words": [null]}]' '[{"words": ["fib", null]}]'; do
    check "a sweep of $runs" no_sweep "$reason" "$runs"
done
for name in '../../x' .. . '' a/b; do
    check "a sweep with the folder '$name'" no_sweep "run 0: 'folder' is to be the name of a folder in runs/" \
        "[{\"words\": [\"fib\", \"5\"], \"folder\": \"$name\"}]"
done
check "a sweep with a value too many" no_sweep "run 0: 'values' is to be" '[{"words": ["fib", "5"], "values": ["1"]}]'
check "a sweep with a report that is a number" no_sweep "run 0: 'report' is to be" '[{"words": ["fib", "5"], "report": 1}]'
check "a sweep without runs" no_sweep "it is to have arrays 'keys', of strings, and 'runs'" 1
check "failed runs" failed
check "folder with an odd name" odd_folder
check "program of a user" own_program
check "killed as the engine begins" killed_beginning KILL
check "terminated as the engine begins" killed_beginning TERM
check "settings of GNU parallel" own_parallel
check "files of GNU parallel" own_state
check "interrupted" signalled INT 130
check "ended" signalled TERM 143
check "started with SIGCHLD ignored" children_ignored
check "no GNU parallel" without_parallel
check "no Slurm" without_slurm
check "folders that cannot be made" unwritable
check "a program with 400 arguments" long_line
check "key that is varied twice" mistake 2 'gpu\.cus is varied twice' --out new --vary gpu.cus=1 --vary gpu.cus=2 'fib 5'
check "another sweep in the folder" other
check "no folder" mistake 2 '--out FOLDER is missing' 'fib 5'
check "no programs" mistake 2 'which programs' --out new
check "program that is none" mistake 2 "there is no program 'fibb'" --out new 'fibb 5'
check "value out of range" mistake 2 'gpu\.cus: 900 is out of range' --out new --vary gpu.cus=1,900 'fib 5'
check "key that is none" mistake 2 'gpu\.cuss: no such key' --out new --vary gpu.cuss=1 'fib 5'
check "no values" mistake 2 'expected section\.key=VALUE' --out new --vary gpu.cus 'fib 5'
check "engine that is none" mistake 2 "there is no engine 'cloud'" --out new --engine cloud 'fib 5'
check "run that is none" mistake 3 'no sweep' --out new --run 3
