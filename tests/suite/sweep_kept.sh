#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What a sweep keeps (docs/know/trust.md, "Results"): a run whose files are not as it has left them is run again; a sweep
# that is killed at any moment is taken up right; nothing that is no file is removed for it; and a killed profile's
# folder goes with the next one.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

files=(status.json out err stats.json)
ways=(empty truncated changed missing)

# damage WAY FILE
damage() {
    local bytes at
    bytes=$(stat -c %s "$2")
    case $1 in
    empty) : >"$2" ;;
    truncated) truncate -s $((bytes / 2)) "$2" ;;
    changed)
        at=$((bytes / 3))
        if [[ $(dd if="$2" bs=1 skip=$at count=1 status=none) == 7 ]]; then printf 8; else printf 7; fi |
            dd of="$2" bs=1 seek=$at conv=notrunc status=none
        ;;
    missing) rm "$2" ;;
    esac
}

# A sweep of one run for each damage, each of another file in another way; an empty file that is damaged is one that is missing.
cases=$((${#files[@]} * ${#ways[@]}))
sweep_of_cases() {
    run "$1" sluice sweep --out "$2" --set gpu.simd_lanes=16 --vary "gpu.contexts=$(seq -s , 20 $((19 + cases)))" \
        "${@:3}" 'fib 5'
}

reference=$suite_folder/reference
whole() {
    sweep_of_cases 0 "$reference"
    expect out "^$cases of $cases runs are right"
}

# done_at FOLDER: each run with the moment at which it was done
done_at() {
    find "$1" -name status.json -printf '%P %T@\n' | sort
}

damaged() {
    local file way run=0 again
    cp -a "$reference" copy
    for file in "${files[@]}"; do
        for way in "${ways[@]}"; do
            if [[ -s copy/runs/$(printf %05d $run)/$file || $way == missing ]]; then
                damage "$way" "copy/runs/$(printf %05d $run)/$file"
            else
                rm "copy/runs/$(printf %05d $run)/$file" # of an empty one
            fi
            run=$((run + 1))
        done
    done
    done_at copy >before
    sweep_of_cases 0 copy
    cmp copy/results.csv "$reference/results.csv"
    again=$(done_at copy | join - before | awk '$2 == $3' | wc -l)
    ((again == 0)) || fail "$again damaged runs were not run again: $(done_at copy | join - before | awk '$2 == $3')"
    done_at copy >before
    sweep_of_cases 0 copy
    cmp before <(done_at copy) || fail "whole runs were run again"
    note "$run damaged files"
}

# A status that was changed so that a failed run looks right, or a hash with its file, is not believed.
changed_status() {
    run 1 sluice sweep --out bad 'fib 12 --width 64' 'fib 5'
    sed -i 's/"status": 3/"status": 0/' bad/runs/00000/status.json
    run 1 sluice sweep --out bad 'fib 12 --width 64' 'fib 5'
    expect bad/runs/00000/status.json '"status": 3'
}

# What is no file, in a file's place, stays, and is told of.
no_file() {
    local file
    run 0 sluice sweep --out new 'fib 5'
    for file in "${files[@]}"; do
        rm "new/runs/00000/$file"
        mkdir "new/runs/00000/$file"
        run 3 sluice sweep --out new 'fib 5'
        expect err "run 0: new/runs/00000/$file is no file, and stays; move it away"
        [[ -d new/runs/00000/$file ]] || fail "$file is gone"
        rmdir "new/runs/00000/$file"
    done
    ln -s /etc/passwd new/runs/00000/out
    run 3 sluice sweep --out new 'fib 5'
    expect err "run 0: new/runs/00000/out is no file, and stays"
    rm new/runs/00000/out
    run 0 sluice sweep --out new 'fib 5'
    expect out '^1 of 1 runs are right'
}

# One that cannot be read is run again.
unreadable() {
    ((EUID == 0)) || skip "needs to be root, to be somebody else"
    mkdir open
    chmod 777 open
    chmod 755 "$suite_folder" .
    local file status
    for file in status.json out stats.json; do
        status=0
        HOME=$PWD/open setpriv --reuid 65534 --regid 65534 --clear-groups \
            "$bin/sluice" sweep --out open/new 'fib 5' >out 2>err || status=$?
        ((status == 0)) || fail "status $status: $(cat err)"
        expect open/new/results.csv '^0,fib 5,0,fib\(5\) = 5,'
        chmod 000 "open/new/runs/00000/$file"
    done
    HOME=$PWD/open setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$bin/sluice" sweep --out open/new 'fib 5' >out 2>err || fail "$(cat err)"
    [[ $(stat -c %a open/new/runs/00000/stats.json) != 0 ]] || fail "not run again"
}

# Killed at random moments, again and again, until it has come to its end, and then anew. SEED=N has the same moments.
killed() {
    local kills=0 wanted=3 ends=0 sweep
    RANDOM=${SEED:-1}
    printf 'SEED=%d\n' "${SEED:-1}"
    [[ -z ${SLUICE_TEST_LONG:-} ]] || wanted=50
    while ((kills < wanted)); do
        "$bin/sluice" sweep --out killed --set gpu.simd_lanes=16 --quiet \
            --vary "gpu.contexts=$(seq -s , 20 $((19 + cases)))" 'fib 5' >out 2>err &
        sweep=$!
        sleep "0.$(printf %03d $((RANDOM % 1000)))"
        if kill -KILL $sweep 2>/dev/null; then
            kills=$((kills + 1))
        fi
        wait $sweep && status=0 || status=$?
        if ((status == 0)); then
            cmp killed/results.csv "$reference/results.csv"
            ends=$((ends + 1))
            rm -r killed
        fi
    done
    sweep_of_cases 0 killed
    cmp killed/results.csv "$reference/results.csv"
    [[ -z $(find killed -name '.*.sluice-*') ]] || fail "left: $(find killed -name '.*.sluice-*')"
    note "$kills kills, $((ends + 1)) ends"
}

# values OPTION LIST: a list with an empty value is refused
values() {
    run 2 sluice "$1" "${@:2}" 'fib 5'
    expect err 'empty'
    [[ ! -e new ]] || fail "something has run"
}

# profile_killed SIGNAL LEFT: how many folders it leaves; the next profile leaves none
profile_killed() {
    mkdir -p tmp
    export TMPDIR=$PWD/tmp
    ulimit -c 0 # SIGQUIT
    env --default-signal "$bin/sluice" profile --cores simple --seeds 3 'cilk_fib 16' >out 2>err &
    local profile=$!
    # shellcheck disable=SC2317 # called by wait_for
    has_folder() {
        compgen -G 'tmp/sluice-profile.*/runs/*' >/dev/null
    }
    wait_for "$hang_s" has_folder || fail "no folder: $(cat err)"
    kill "-$1" $profile
    wait $profile || true
    (($(find tmp -mindepth 1 -maxdepth 1 | wc -l) == $2)) || fail "left: $(find tmp)"
    mkdir tmp/sluice-profile.mine
    if (($2 > 0)); then
        run 0 sluice profile --cores simple --seeds 1 'fib 5'
        (($(find tmp -mindepth 1 -maxdepth 1 | wc -l) == 1)) || fail "left: $(find tmp)"
    fi
    [[ -d tmp/sluice-profile.mine ]] || fail "another folder is gone"
}

check "$cases runs" whole
check "damaged files" damaged
check "a status that says otherwise" changed_status
check "something else in a file's place" no_file
check "files that cannot be read" unreadable
check "killed at random moments" killed
check "--vary with an empty value" values sweep --out new --vary gpu.cus=1,,2
check "--vary with an empty value at the end" values sweep --out new --vary gpu.cus=1,
check "--vary without a value" values sweep --out new --vary gpu.cus=
check "--cores with an empty name" values profile --out new --cores simple,,2way-ooo
check "a profile that is ended" profile_killed TERM 0
check "a profile that is interrupted" profile_killed INT 0
check "a profile whose terminal goes" profile_killed HUP 0
check "a profile that is quit" profile_killed QUIT 0
check "a profile that is killed" profile_killed KILL 1
