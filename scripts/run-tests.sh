#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Runs test programs and scripts, as many at a time as there are processors, and adds up what they report.
# usage: scripts/run-tests.sh [--list] TEST...     --list: only prints which would run, one a line
# A test reports in TAP on its output: lines that begin with `ok` or `not ok` (cmocka does so when asked).
# One that reports nothing counts as one test, passed when its status is 0; a status other than 0 without a
# `not ok`, as after a crash, counts as one failure. What is skipped is told with its reason; the output of a
# test that fails is shown.
#
# SLUICE_TEST_SET says which of them run: `main` (make test) or `rest` (make test-rest); all without it. The rest has the
# tests with the word `rest` in tests/schedule.txt, as a whole, and the checks of the rest in others: scripts that name
# check_rest, check_sample or in_rest (tests/suite/lib/sets.sh).
#
# What takes long begins first, by the seconds of tests/schedule.txt. Words behind the name there make a test `alone`,
# run when all others have ended (signals and time limits), or `idle`, run beside the others (it waits for something
# most of the time), and `rest`. Machines run on the native engine (docs/know/engines.md), or what SLUICE_ENGINE says; those of a
# test with the word `qemu` on QEMU; a test with the word `both` is run on QEMU once more in the rest. The report is in the order of the arguments, whatever ends first; on a terminal a line below it
# shows what runs. At its end are the tests that took longest and what the time went into (show_clock); test-times.txt
# in the build folder has the seconds of all (real, user and system), with the machines that each has started. Below a
# test that failed is the command that runs it alone. The last line is `N passed, N failed`; the status is 0 when none
# failed and at least one passed.
#
# Each test is a session of its own, which ends with it. A test that has not ended after SLUICE_TEST_LIMIT_S seconds
# (default 1800) is ended and has failed; a signal to this script ends them all (status 130).
# SLUICE_TEST_MAKE: when the make that builds began, and its process, for the clock (mk/tests.mk).
# SLUICE_TEST_JOBS: how many at a time, in place of make's -j or the number of processors; SLUICE_TEST_SCHEDULE:
# another table.
set -uo pipefail

export LC_ALL=C.UTF-8 # of messages and numbers
export CMOCKA_MESSAGE_OUTPUT=TAP
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export SLUICE_TEST_LIMIT_S=${SLUICE_TEST_LIMIT_S:-1800}
schedule=${SLUICE_TEST_SCHEDULE:-$(dirname "${BASH_SOURCE[0]}")/../tests/schedule.txt}
build=${SLUICE_BUILD:-build}
if [[ ${MAKEFLAGS:-} =~ -j([0-9]+) ]]; then
    lanes=${BASH_REMATCH[1]}
else
    lanes=$(nproc)
fi
lanes=${SLUICE_TEST_JOBS:-$lanes}
unset MAKEFLAGS MFLAGS MAKELEVEL # a test that calls make is no part of the one that calls this script

list=no
if [[ ${1:-} == --list ]]; then
    list=yes
    shift
fi
set=${SLUICE_TEST_SET:-}
if [[ ! $set =~ ^(main|rest)?$ ]]; then
    printf "SLUICE_TEST_SET: '%s' is neither main nor rest\n" "$set" >&2
    exit 2
fi
tests=()              # those of the set
names=()              # as in the table
order=()              # indices of tests, in the order in which they begin
declare -A kind=()    # name -> words of the table
declare -A weight=()  # name -> seconds of the table
declare -A running=() # process id -> index of the test
busy=0                # so many of these are not idle
ended=()              # by index
shown=0               # so many in front have been reported
passed=0
failed=0
began=$EPOCHREALTIME
engine=${SLUICE_ENGINE:-native} # of machines, where the table says nothing else
read -r make_began make_pid <<<"${SLUICE_TEST_MAKE:-}"
build_processors=0 # seconds
if [[ -n ${make_pid:-} ]]; then
    stat=$(<"/proc/$make_pid/stat") && stat=${stat##*) }
    # The 14th and 15th behind the name are ticks of the processor, of children that make has waited for.
    read -r -a stat <<<"${stat:-}"
    build_processors=$(awk -v ticks=$((${stat[13]:-0} + ${stat[14]:-0})) -v hz="$(getconf CLK_TCK)" \
        'BEGIN { printf "%.2f", ticks / hz }')
fi
# How a test was called but for the runner's own settings, as words of a shell.
surroundings=
for variable in $(compgen -e | grep -E '^(SLUICE_.*|SEED)$'); do
    case $variable in
    SLUICE_BUILD | SLUICE_ENGINE | SLUICE_STARTS | SLUICE_TEST_MAKE | SLUICE_TEST_JOBS | SLUICE_TEST_SCHEDULE | SLUICE_TEST_SHELL) ;;
    SLUICE_TEST_LIMIT_S) ;;
    *) surroundings+=" $variable=${!variable@Q}" ;;
    esac
done
unset SLUICE_TEST_MAKE SLUICE_STARTS # those of a run that this one is part of
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'interrupted' INT QUIT TERM HUP

terminal=no
if [[ -t 1 && ${TERM:-dumb} != dumb ]]; then
    terminal=yes
fi

# Shows what runs, in one line.
progress() {
    local text pid separator=' '
    if [[ $terminal == yes ]]; then
        text="${#ended[@]} of ${#tests[@]}:"
        for pid in "${!running[@]}"; do
            text+=$separator${names[running[$pid]]}
            separator=', '
        done
        printf '\r\033[K  %.*s' $((${COLUMNS:-80} - 4)) "$text"
    fi
}

clear_progress() {
    if [[ $terminal == yes ]]; then
        printf '\r\033[K'
    fi
}

# Ends what is left of a test's session.
end_session() { # end_session SIGNAL PID
    pkill "-$1" -s "$2" 2>/dev/null
}

interrupted() {
    local pid
    trap '' INT QUIT TERM HUP
    clear_progress
    for pid in "${!running[@]}"; do
        end_session TERM "$pid"
    done
    sleep 0.5
    for pid in "${!running[@]}"; do
        end_session KILL "$pid"
        printf 'interrupted: %s\n' "${names[running[$pid]]}"
    done
    exit 130
}

# ---- running ----

is() { # is WORD NAME: the table has the word behind the name
    [[ " ${kind[$2]:-} " == *" $1 "* ]]
}

# Reads the table; what is not in it is short.
read_schedule() {
    local seconds name words
    while read -r seconds name words; do
        if [[ -n $seconds && $seconds != '#' ]]; then
            weight[$name]=$seconds
            kind[$name]=$words
        fi
    done <"$schedule"
}

# choose TEST...: those of the set
choose() {
    local test name scripts=$'\n'
    if [[ $set == rest ]]; then
        # Only what a shell reads: in a comment the names count for nothing.
        scripts+=$(grep -lsIE '^[^#]*\b(check_rest|check_sample|in_rest)\b' /dev/null "$@")$'\n'
    fi
    for test in "$@"; do
        name=${test#"$build"/}
        case $set in
        main) ! is rest "$name" || continue ;;
        rest) is rest "$name" || is both "$name" || [[ $scripts == *$'\n'"$test"$'\n'* ]] || continue ;;
        esac
        tests+=("$test")
        names+=("$name")
    done
}

put_in_order() {
    local i name rank
    mapfile -t order < <(for i in "${!tests[@]}"; do
        name=${names[i]}
        rank=1
        ! is idle "$name" || rank=0
        ! is alone "$name" || rank=2
        printf '%d %d %d\n' $rank "${weight[$name]:-0}" "$i"
    done | sort -k 1,1n -k 2,2nr -k 3,3n | cut -d ' ' -f 3)
}

# one TEST FILE: its output goes to FILE.out, real, user and system time to FILE.time (behind what a shell says of a
# crash), and its status to FILE.status; a line for each machine that it starts to FILE.starts, what `times` says in
# shells of the suite to FILE.shell
# shellcheck disable=SC2317 # start calls it
one() {
    local TIMEFORMAT='%R %U %S' status=0
    export SLUICE_STARTS=$2.starts SLUICE_TEST_SHELL=$2.shell
    { time timeout --kill-after=5 "$SLUICE_TEST_LIMIT_S" "$1" >"$2.out" 2>&1 </dev/null; } 2>"$2.time" || status=$?
    printf '%d\n' $status >"$2.status"
}
export -f one

is_idle() { # is_idle INDEX
    is idle "${names[$1]}"
}

# is_whole INDEX: all of its checks are of the rest, which runs
is_whole() {
    [[ $set == rest ]] && { is rest "${names[$1]}" || is both "${names[$1]}"; }
}

# engine_of INDEX: the engine of its machines
engine_of() {
    if is qemu "${names[$1]}" || { is_whole "$1" && is both "${names[$1]}"; }; then
        printf 'qemu'
    else
        printf '%s' "$engine"
    fi
}

start() { # start INDEX
    (
        ! is_whole "$1" || unset SLUICE_TEST_SET
        # shellcheck disable=SC2016 # the inner shell expands
        SLUICE_ENGINE=$(engine_of "$1") exec setsid bash -c 'one "$@"' one "${tests[$1]}" "$folder/$1"
    ) &
    running[$!]=$1
    is_idle "$1" || busy=$((busy + 1))
    progress
}

# Waits until one of those that run has ended.
wait_for_one() {
    local pid='' index
    wait -n -p pid "${!running[@]}"
    [[ -n $pid ]] || return 0
    index=${running[$pid]}
    unset "running[$pid]"
    end_session KILL "$pid"
    ended[index]=yes
    is_idle "$index" || busy=$((busy - 1))
    show_ended
}

run_all() {
    local i
    for i in "${order[@]}"; do
        if is alone "${names[i]}"; then
            while ((${#running[@]} > 0)); do wait_for_one; done
        elif ! is idle "${names[i]}"; then
            while ((busy >= lanes)); do wait_for_one; done
        fi
        start "$i"
    done
    while ((${#running[@]} > 0)); do
        wait_for_one
    done
}

# ---- reporting ----

# Shows the tests that have ended, up to the first that has not.
show_ended() {
    while ((shown < ${#tests[@]})) && [[ -n ${ended[shown]:-} ]]; do
        clear_progress
        show "$shown"
        shown=$((shown + 1))
    done
    progress
}

show() { # show INDEX
    local output=$folder/$1.out status=1 ok bad times starts
    read -r status 2>/dev/null <"$folder/$1.status"
    ok=$(grep -c '^ok\b' "$output")
    bad=$(grep -c '^not ok\b' "$output")
    if ((status == 124)); then
        printf 'not ended after %s s\n' "$SLUICE_TEST_LIMIT_S" >>"$output"
    fi
    if ((ok + bad == 0 && status == 0)); then
        ok=1
    elif ((bad == 0 && status != 0)); then
        bad=1
    fi
    passed=$((passed + ok))
    failed=$((failed + bad))
    times=$(tail -n 1 "$folder/$1.time" 2>/dev/null)
    times=${times:-0 0 0}
    starts=0
    [[ ! -f $folder/$1.starts ]] || starts=$(wc -l <"$folder/$1.starts")
    printf '%s %s %d %s\n' "$times" "${names[$1]}" "$starts" "$(shell_seconds "$folder/$1.shell")" >>"$folder/times"
    if ((bad == 0)); then
        printf '  %-44s %4d passed  %6.1f s\n' "${names[$1]}" "$ok" "${times%% *}"
        sed -n -E 's/^ok( [0-9]+)?( -)? *(.*)# SKIP *(.*)/    skipped: \3(\4)/p' "$output"
    else
        printf '  %-44s %4d passed, %d failed (status %d):\n' "${names[$1]}" "$ok" "$bad" "$status"
        sed 's/^/    | /' "$output"
        printf '    alone: %s%s %q\n' "SLUICE_BUILD=${build@Q} SLUICE_ENGINE=$(engine_of "$1")" "$(settings_of "$1")" "${tests[$1]}"
    fi
}

# settings_of INDEX: the variables that a test ran with
settings_of() {
    if is_whole "$1"; then
        printf '%s' "${surroundings/ SLUICE_TEST_SET=\'rest\'/}"
    else
        printf '%s' "$surroundings"
    fi
}

# shell_seconds FILE: of the lines `0m0.003s 0m0.001s` of `times`, the shells' own, in turn with those of their children
shell_seconds() {
    [[ -f $1 ]] || { echo 0 && return; }
    awk 'NR % 2 == 1 { for (i = 1; i <= NF; i++) { split($i, part, "m"); sum += part[1] * 60 + part[2] } }
        END { printf "%.3f", sum }' "$1"
}

# Tests by real time; the first ten, and the sums.
show_times() {
    sort -rn "$folder/times" | awk -v lanes="$lanes" -v wall="$1" '
        NR <= 10 { text = text sprintf("  %6.1f s, processors %6.1f s: %s\n", $1, $2 + $3, $4) }
        { real += $1; busy += $2 + $3 }
        END { printf "# %d tests in %.0f s, %d at a time; one by one %.0f s, processors %.0f s. The longest:\n%s",
                  NR, wall, lanes, real, busy, text }'
    if [[ -d $build ]]; then
        sort -rn "$folder/times" | cut -d ' ' -f 1-5 >"$build/test-times.txt"
    fi
}

# Milliseconds of processor time of one start of a machine with a smallest program, host and QEMU together: of ten.
start_ms() {
    local TIMEFORMAT='%U %S' i
    { time for i in 1 2 3 4 5 6 7 8 9 10; do
        SLUICE_ENGINE=$engine "$build/bin/fib" 1 --quiet >/dev/null 2>&1 </dev/null || true
    done; } 2>&1 | awk '{ printf "%.1f", ($1 + $2) * 100 }'
}

# What the time went into, by kind: seconds of processors, which add up, and of real time, where only the build and the
# run as a whole have one. A program in C has its starts in its own row; what shells start is in the rows of starts and
# of the rest.
show_clock() { # show_clock SECONDS
    local ms=0 build_s=0
    [[ -z ${make_began:-} ]] || build_s=$(awk -v begin="$make_began" -v end="$began" 'BEGIN { printf "%.1f", end - begin }')
    if [[ -x $build/bin/fib ]] && awk '$4 ~ /\.sh$/ { sum += $5 } END { exit !sum }' "$folder/times"; then
        ms=$(start_ms)
    fi
    awk -v wall="$1" -v build="$build_s" -v build_processors="$build_processors" -v ms="$ms" '
        function row(name, processors, real, text) {
            printf "  %-20s %8.1f s  %10s  %s\n", name, processors, real == "" ? "" : sprintf("%.1f s", real), text
        }
        $4 ~ /\.sh$/ { starts += $5; shell += $6; scripts += $2 + $3; next }
        { programs += $2 + $3; own_starts += $5 }
        END {
            started = starts * ms / 1000
            other = scripts - started - shell
            printf "# %-20s %10s  %10s\n", "time", "processors", "real"
            row("build", build_processors, build, "until the first test began")
            row("starts of machines", started, "", starts " by scripts" (ms > 0 ? ", of " ms " ms each, as measured with fib 1" : ""))
            row("shell", shell, "", "shells of the suite and of its checks, without $(...) and what they start")
            row("tests in C", programs, "", "cmocka programs" (own_starts ? ", with " own_starts " starts" : ""))
            row("other", other < 0 ? 0 : other, "", "what scripts start besides: simulation, compilers, grep; other shells")
            row("all", build_processors + programs + scripts, build + wall, "what this script needs itself left out")
        }' "$folder/times"
}

read_schedule
choose "$@"
if [[ $list == yes ]]; then
    ((${#tests[@]} == 0)) || printf '%s\n' "${tests[@]}"
    exit 0
fi
put_in_order
run_all
clear_progress
if ((${#tests[@]} > 1)); then
    wall=$(awk -v begin="$began" -v end="$EPOCHREALTIME" 'BEGIN { print end - begin }')
    show_times "$wall"
    show_clock "$wall"
fi
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0 && passed > 0))
