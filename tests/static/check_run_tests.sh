#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# scripts/run-tests.sh, which all other tests rely on: what it counts, shows and returns, the order in which it begins
# tests and how many run at a time, which run in which set, the end of a test that hangs and what an interrupted run
# leaves. Tests in a folder of our own write down when they begin and end. Reports in TAP.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
runner=$root/scripts/run-tests.sh
suite=$root/tests/suite
unset SLUICE_TEST_SET
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
status=0
export SLUICE_TEST_SCHEDULE=schedule SLUICE_TEST_JOBS=2 SLUICE_TEST_LIMIT_S=60 SLUICE_BUILD=$folder/none
: >schedule

# test_file NAME LINE...: a test that says when it begins and ends
test_file() {
    {
        printf '#!/usr/bin/env bash\n'
        # shellcheck disable=SC2016 # for the script
        printf 'echo "begin $0" >>events\n'
        printf '%s\n' "${@:2}"
        # shellcheck disable=SC2016 # for the script
        printf 'echo "end $0" >>events\n'
    } >"$1"
    chmod +x "$1"
}

# expect STATUS LAST-LINE TEST...: runs them, with what it prints in out
expect() {
    local result=0
    : >events
    "$runner" "${@:3}" >out 2>&1 || result=$?
    [[ $result == "$1" && $(tail -n 1 out) == "$2" ]] ||
        { printf 'status %d, %s\n' "$result" "$(<out)" && return 1; }
}

has() {
    grep -Eq -- "$1" out || { printf "nothing like '%s' in: %s\n" "$1" "$(<out)" && return 1; }
}

events() {
    [[ $(paste -s -d ' ' events) =~ ^$1$ ]] || { printf 'wanted %s, events: %s\n' "$1" "$(paste -s -d ' ' events)" && return 1; }
}

counts() {
    test_file ./two 'echo "ok 1 - one"' 'echo "ok - two # SKIP no such thing"'
    test_file ./silent
    # shellcheck disable=SC2016 # for the script
    test_file ./bad 'echo "ok - one"' 'echo "# because"' 'echo "not ok - two"' 'echo "end $0" >>events; exit 1'
    test_file ./crash 'echo "ok - one"' 'kill -SEGV $$'
    test_file ./mute 'exit 3'
    expect 0 '3 passed, 0 failed' ./two ./silent
    has '^    skipped: two \(no such thing\)$'
    expect 1 '2 passed, 1 failed' ./bad ./silent
    has '^    \| # because$'
    expect 1 '1 passed, 1 failed' ./crash
    has '1 passed, 1 failed \(status 139\)'
    expect 1 '0 passed, 1 failed' ./mute
    expect 1 '0 passed, 1 failed' ./missing
    expect 1 '0 passed, 0 failed'
}

# Reports come in the order of the arguments, each in one piece, though the first ends last.
together() {
    test_file ./slow 'echo "ok - s1"' 'until grep -q "end ./quick" events; do sleep 0.02; done' 'echo "not ok - s2"'
    test_file ./quick 'echo "not ok - q1"'
    expect 1 '1 passed, 2 failed' ./slow ./quick
    [[ $(grep -o 'ok - .*' out | paste -s -d ' ') == 'ok - s1 ok - s2 ok - q1' ]] || { cat out && return 1; }
}

# What the time went into, in rows of one width; the starts of machines are those of the scripts alone.
clock() {
    # shellcheck disable=SC2016 # for the script
    test_file ./starts.sh 'for i in 1 2 3; do echo start >>"$SLUICE_STARTS"; done' \
        'printf "0m0.250s 0m1.000s\n0m9.000s 0m9.000s\n" >>"$SLUICE_TEST_SHELL"'
    # shellcheck disable=SC2016 # for the script
    test_file ./program 'echo start >>"$SLUICE_STARTS"'
    SLUICE_TEST_MAKE="$((EPOCHSECONDS - 100)).0 $$" expect 0 '2 passed, 0 failed' ./starts.sh ./program
    has '^  build +[0-9.]+ s +1[0-9][0-9]\.[0-9] s  '
    has '^  starts of machines +0\.0 s +3 by scripts$'
    has '^  shell +1\.2 s '
    has '^  tests in C .*, with 1 starts$'
    [[ $(sed -n '/^# time/,/^  all/p' out | grep -cE '^(# time {17}processors {8}real|.{31} s  .{10}  .*)$') == 7 ]] ||
        { cat out && return 1; }
    expect 0 '1 passed, 0 failed' ./program
    if has '^# time' >/dev/null; then
        cat out && return 1
    fi
}

# A test that fails is shown with the command that runs it alone, in the same way.
alone() {
    # shellcheck disable=SC2016 # for the script
    test_file ./picky '[[ ${SLUICE_TEST_LONG:-} == 1 && $SEED == "a b" ]] || exit 1' 'exit 3'
    SLUICE_TEST_LONG=1 SEED='a b' expect 1 '0 passed, 1 failed' ./picky
    local command status=0
    command=$(sed -n 's/^    alone: //p' out)
    bash -c "$command" || status=$?
    ((status == 3)) || { printf 'status %d: %s\n' $status "$command" && return 1; }
}

# until_begin NAME: a line of a test that waits for another one
until_begin() {
    printf 'until grep -q "begin %s" events; do sleep 0.02; done' "$1"
}

# Two at a time, the longest first; idle ones beside them; those that are to be alone behind all others.
schedule() {
    local name
    for name in a c e; do
        test_file "./$name"
    done
    test_file ./b "$(until_begin ./d)"
    test_file ./d "$(until_begin ./b)"
    printf '# seconds, test\n\n  7 ./b\n 30 ./d\n 90 ./a alone\n' >schedule
    expect 0 '5 passed, 0 failed' ./a ./b ./c ./d ./e
    events 'begin ./(d begin ./b|b begin ./d) .*end ./[bcde] begin ./a end ./a'
    [[ $(awk '{ now += $1 == "begin" ? 1 : -1; most = now > most ? now : most } END { print most }' events) == 2 ]] ||
        { cat events && return 1; }
    printf '1 ./a idle\n1 ./b alone\n1 ./c alone\n' >schedule
    test_file ./a "$(until_begin ./e)"
    test_file ./b
    test_file ./d
    SLUICE_TEST_JOBS=1 expect 0 '5 passed, 0 failed' ./a ./b ./c ./d ./e
    events '.*begin ./b end ./b begin ./c end ./c'
    : >schedule
}

# suite_file NAME LINE...: a script of the suite, whose checks write down that they have run
suite_file() {
    {
        # shellcheck disable=SC2016 # for the script
        printf '#!/usr/bin/env bash\nsource %q/lib/common.sh\nran() { echo "ran $area $1" >>%q/ran; }\n' "$suite" "$folder"
        printf '%s\n' "${@:2}"
    } >"$1"
    chmod +x "$1"
}

# checks_of SET TEST...: what runs of the tests, sorted; SET may be empty
checks_of() {
    : >ran
    SLUICE_TEST_SET=$1 "$runner" "${@:2}" >out 2>&1 || { cat out && return 1; }
    sort ran
}

# Each check is in one of two sets, and a run without a set has them all.
sets() {
    local program
    mkdir -p none/bin
    for program in fib wrap faults badgraph attach; do # without them no script of the suite runs
        install -m 755 /dev/null "none/bin/$program"
    done
    # shellcheck disable=SC2016 # for the script
    suite_file ./mixed 'check a ran a' 'check_rest b ran b' \
        'for i in 1 2; do if in_rest; then check_rest "c$i" ran "c$i"; fi; done' 'if in_main; then check d ran d; fi'
    suite_file ./main 'check e ran e # no check_rest' 'check f ran f'
    suite_file ./rest 'check g ran g' 'check_rest h ran h'
    test_file ./plain 'echo "ran plain p" >>ran'
    printf '9 ./rest alone rest\n1 ./plain idle\n' >schedule
    checks_of '' ./mixed ./main ./rest ./plain >all
    checks_of main ./mixed ./main ./rest ./plain >in_main
    [[ $(tail -n 1 out) == '5 passed, 0 failed' ]] || { cat out && return 1; }
    checks_of rest ./mixed ./main ./rest ./plain >in_rest
    has '^5 passed, 0 failed'
    has '^# 2 tests '
    [[ $(wc -l <all) == 10 ]] || { cat all && return 1; }
    [[ -z $(comm -12 in_main in_rest) ]] || { echo "in both:" && comm -12 in_main in_rest && return 1; }
    diff all <(sort in_main in_rest)
    SLUICE_TEST_SET=none expect 2 "SLUICE_TEST_SET: 'none' is neither main nor rest" ./main
    : >schedule
}

# The same of the tests of this tree, as far as the runner chooses them.
sets_of_tree() {
    local list=() own
    mapfile -t list < <(cd "$root" && find tests -name 'check_*.sh' -o -name 'test_*.sh' -o -path '*/suite/*.sh')
    listed() {
        (cd "$root" && SLUICE_TEST_SCHEDULE=tests/schedule.txt SLUICE_TEST_SET=$1 scripts/run-tests.sh --list "${list[@]}" | sort)
    }
    listed main >in_main
    listed rest >in_rest
    [[ -s in_main && -s in_rest ]] || { echo "a set is empty" && return 1; }
    diff <(printf '%s\n' "${list[@]}" | sort) <(sort -u in_main in_rest)
    # In a file that scripts include the runner does not find them.
    own=$(cd "$suite/lib" && grep -lE '\b(check_rest|check_sample|in_rest)\b' ./*) || true
    [[ $own == $'./common.sh\n./sets.sh' ]] || { printf 'checks of the rest in: %s\n' "$own" && return 1; }
    # What has a word has to be there.
    while read -r seconds own _; do
        [[ -z $seconds || $seconds == '#' || $own != *.sh || -x $root/$own ]] || { echo "no $own" && return 1; }
    done <"$root/tests/schedule.txt"
}

# is_gone PID: it has ended, whether or not its parent knows
is_gone() {
    local state
    state=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c 1)
    [[ -z $state || $state == Z || $state == X ]] || { echo "process $1 is still there" && return 1; }
}

# What hangs is ended, with all that it has started.
hangs() {
    # shellcheck disable=SC2016 # for the script
    test_file ./hang 'timeout 1000 sleep 1000 & echo $! >pid' 'echo "ok - one"' 'wait'
    SLUICE_TEST_LIMIT_S=2 expect 1 '1 passed, 1 failed' ./hang
    has 'not ended after 2 s'
    is_gone "$(<pid)"
}

interrupted() { # interrupted SIGNAL
    local result=0
    rm -f pid
    env --default-signal "$runner" ./hang >out 2>&1 &
    until [[ -s pid ]]; do sleep 0.02; done
    kill "-$1" $!
    wait $! || result=$?
    ((result == 130)) || { printf 'status %d\n' "$result" && return 1; }
    has '^interrupted: ./hang$'
    is_gone "$(<pid)"
}

check() { # check FUNCTION [ARGUMENT]
    local output
    if output=$( (set -e; "$@") 2>&1); then
        printf 'ok - run-tests: %s\n' "$*"
    else
        printf '%s\nnot ok - run-tests: %s\n' "$output" "$*"
        status=1
    fi
}

check counts
check together
check schedule
check clock
check alone
check sets
check sets_of_tree
check hangs
for signal in INT QUIT TERM HUP; do
    check interrupted "$signal"
done
((status == 0))
