# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the tests of the suite share. A test is a shell function; `check NAME FUNCTION ARGUMENT...` runs it
# in a folder of its own and reports it. The first command in it that fails ends and fails it; so do the
# expectations below. Processes that it has started are ended with it.
#
# `check` is a check of `make test`, `check_rest` one of `make test-rest` (sets.sh). Only the two skip what is not of the
# set that runs: what costs time outside of them is put into `if in_main` or `if in_rest`.
# shellcheck shell=bash
set -uo pipefail

# shellcheck source=tests/suite/lib/sets.sh
source "$(dirname "${BASH_SOURCE[0]}")/sets.sh"

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
build=${SLUICE_BUILD:-build}
[[ $build == /* ]] || build=$root/$build
bin=$build/bin
# What messages call the engine that executes the firmware (docs/know/engines.md).
# shellcheck disable=SC2034 # for suites
engine=QEMU
# shellcheck disable=SC2034
[[ ${SLUICE_ENGINE:-qemu} == qemu ]] || engine='the native engine'
# A program that has not ended after that long hangs. It is so long that no busy or slow machine reaches it.
hang_s=${SLUICE_HANG_S:-300}

area=$(basename "$0" .sh)
suite_folder=$(mktemp -d)
suite_failed=0
trap 'rm -rf "$suite_folder"; tell_times; exit $suite_failed' EXIT

# Of this shell, for the clock of scripts/run-tests.sh.
tell_times() {
    [[ -z ${SLUICE_TEST_SHELL:-} ]] || builtin times >>"$SLUICE_TEST_SHELL"
}

for program in fib wrap faults badgraph attach; do
    if [[ ! -x $bin/$program ]]; then
        printf 'not ok - %s: no %s; build it first (make all)\n' "$area" "$bin/$program"
        suite_failed=1
        exit
    fi
done

# source_file NAME: where a program's or kernel's source that is called so is; nothing where none is
source_file() {
    find "$root"/tests/{litmus,workloads,probes} -name "$1"
}

# ---- running tests ----

# Seconds between two values of EPOCHREALTIME, with a digit of milliseconds.
seconds() {
    local us=$((${2/[.,]/} - ${1/[.,]/}))
    printf '%d.%02d' $((us / 1000000)) $((us % 1000000 / 10000))
}

# in_turn WORDS: in the long suites all of the words, else two, which the name of the test chooses
in_turn() {
    local words first
    read -ra words <<<"$1"
    if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
        printf '%s\n' "${words[@]}"
        return
    fi
    first=$(($(cksum <<<"$test_name" | cut -d ' ' -f 1) % ${#words[@]}))
    printf '%s\n' "${words[first]}" "${words[(first + 1 + first % 2) % ${#words[@]}]}"
}

# memory_systems: those of the programs in $bin
memory_systems() {
    "$bin/sluice" config explain mem.system | sed -n 's/^ *choices *//p'
}

check() { # check NAME FUNCTION ARGUMENT...
    ! in_main || run_check "$@"
}

check_rest() { # check_rest NAME FUNCTION ARGUMENT...
    ! in_rest || run_check "$@"
}

# check_sample N NAME FUNCTION ARGUMENT...: of the checks that are called like this, in the order of their calls, every
# Nth is one of `make test`, beginning with the first, and the others are of `make test-rest`.
samples=0
check_sample() {
    if ((samples++ % $1 == 0)); then
        check "${@:2}"
    else
        check_rest "${@:2}"
    fi
}

run_check() {
    local name=$1 begin=$EPOCHREALTIME status time note=
    shift
    test_name=$name
    rm -rf "$suite_folder/test" && mkdir "$suite_folder/test"
    (
        trap 'end_jobs; tell_times' EXIT
        cd "$suite_folder/test" || exit 1
        set -e
        "$@"
    ) >"$suite_folder/output" 2>&1 </dev/null
    status=$?
    time=$(seconds "$begin" "$EPOCHREALTIME")
    if [[ -f $suite_folder/test/note ]]; then
        IFS= read -r -d '' note <"$suite_folder/test/note" || true # the file's end
        note="; $note"
    fi
    case $status in
    0) printf 'ok - %s: %s (%s s%s)\n' "$area" "$name" "$time" "$note" ;;
    77) printf 'ok - %s: %s # SKIP %s\n' "$area" "$name" "$(tail -n 1 "$suite_folder/output")" ;;
    *)
        printf 'not ok - %s: %s (%s s, status %d)\n' "$area" "$name" "$time" $status
        tail -n 40 "$suite_folder/output" | sed 's/^/#   /'
        suite_failed=1
        ;;
    esac
}

end_jobs() {
    local pids
    pids=$(jobs -p)
    # shellcheck disable=SC2086 # one word each
    [[ -z $pids ]] || kill -KILL $pids 2>/dev/null || true
    wait 2>/dev/null || true
}

fail() {
    printf '%s\n' "$*"
    exit 1
}

skip() {
    printf '%s\n' "$*"
    exit 77
}

# A figure that is shown with the result.
note() {
    printf '%s' "$*" >note
}

# ---- programs ----

# run STATUS PROGRAM ARGUMENT...: runs a program of build/bin, with its output in files out and err.
run() {
    local wanted=$1 status=0
    shift
    stat=()
    timeout --kill-after=5 "$hang_s" "$bin/$1" "${@:2}" >out 2>err || status=$?
    if ((status != wanted)); then
        ((status != 124)) || printf 'not ended after %d s\n' "$hang_s"
        fail "$* ended with status $status, wanted $wanted: $(cat out err)"
    fi
}

# expect FILE PATTERN: the file has a line that matches the extended regular expression. Most have it near their top,
# where it needs no process.
expect() {
    local all_lines line
    mapfile -t -n 30 all_lines <"$1"
    for line in "${all_lines[@]}"; do
        [[ ! $line =~ $2 ]] || return 0
    done
    grep -Eq -- "$2" "$1" || fail "$1 has nothing like '$2': $(cat "$1")"
}

# expect_result RESULT: the first line of ./out that is no comment.
expect_result() {
    local all_lines line result=
    mapfile -t all_lines <out
    for line in "${all_lines[@]}"; do
        if [[ $line != '#'* ]]; then
            result=$line
            break
        fi
    done
    [[ $result == "$1" ]] || fail "result line '$result', wanted '$1': $(cat err)"
}

# bad_arguments PATTERN PROGRAM ARGUMENT...: the program refuses them, says why, and gives no result.
bad_arguments() {
    run 2 "${@:2}"
    expect err "$1"
    [[ ! -s out ]] || fail "something on standard output: $(cat out)"
}

# The nth Fibonacci number.
fibonacci() {
    local a=0 b=1 next i
    for ((i = 1; i < $1; i++)); do
        next=$((a + b)) a=$b b=$next
    done
    printf '%d' "$b"
}

# with_python ARGUMENT...: the python3 of PATH. That may be a script that looks for the right one, which takes longer than
# what is run here; it says once where that is.
with_python() {
    local python
    [[ -s $suite_folder/python ]] || python3 -c 'import sys; print(sys.executable)' >"$suite_folder/python" || return
    read -r python <"$suite_folder/python"
    "$python" "$@"
}

# start_ms: processor time of the smallest program on this machine, as far as it is loaded now, in milliseconds. A limit that
# a machine which works has to keep is a multiple of that.
start_ms() {
    local TIMEFORMAT='%3U %3S' user system
    read -r user system < <({ time "$bin/fib" 1 --quiet >/dev/null 2>&1; } 2>&1)
    printf '%d' $((10#${user/[.,]/} + 10#${system/[.,]/} + 1))
}

# ---- statistics ----

# What two equal runs have in common: all but the figures of the simulator itself.
comparable() {
    grep -v '"sim\.' "$1"
}

expect_same_statistics() {
    local left_lines right_lines own='*"sim.*' IFS=$'\n'
    [[ -s $1 && -s $2 ]] || fail "no statistics in $1 or $2"
    mapfile -t left_lines <"$1"
    mapfile -t right_lines <"$2"
    if [[ ${left_lines[*]/$own/} != "${right_lines[*]/$own/}" ]]; then
        diff <(comparable "$1") <(comparable "$2") || fail "statistics of $1 and $2 differ"
    fi
}

# equal_runs PROGRAM ARGUMENT...: two runs have the same results and statistics.
equal_runs() {
    local i
    for i in 1 2; do
        run 0 "$@" --quiet --stats "stats$i"
        mv out "out$i"
    done
    expect_same_statistics stats1 stats2
    cmp out1 out2 || fail "results differ"
}

# Figures of a statistics file by name, for laws of many of them: `figures FILE` reads them into `stat`, each run of a program
# drops them. A name that has none is an unbound variable, which fails the test.
declare -A stat=()

figures() {
    local name value
    stat=()
    while IFS='": ,' read -r _ name _ value _; do
        # shellcheck disable=SC2034 # for the suites
        [[ -z $value ]] || stat[$name]=$value
    done <"$1"
}

# statistic_into VARIABLE FILE NAME: one figure, empty where the file has none of that name
statistic_into() {
    local text
    mapfile -t -d '' text <"$2" || return
    if [[ ${text[0]:-} =~ \"${3//./\\.}\":\ *([0-9.e+-]+),*$'\n' ]]; then
        printf -v "$1" '%s' "${BASH_REMATCH[1]}"
    else
        printf -v "$1" ''
    fi
}

# statistic FILE NAME: prints it
statistic() {
    local figure
    statistic_into figure "$@" || return
    [[ -z $figure ]] || printf '%s\n' "$figure"
}

# served_sum PATTERN: of the figures served.* of ./stats whose names go on as the extended regular expression says.
served_sum() {
    awk -v pattern="\"served\\.$1\"" '$1 ~ pattern { sub(/,/, "", $2); sum += $2 } END { printf "%d", sum }' stats
}

# expect_statistics STATISTIC VALUE...: of the last run, whose statistics are in ./stats.
expect_statistics() {
    local figure
    while (($# > 0)); do
        statistic_into figure stats "$1"
        [[ $figure == "$2" ]] || fail "$1 is $figure, should be $2"
        shift 2
    done
}

# ---- processes ----

# wait_for SECONDS COMMAND...: until the command succeeds; fails after so many seconds.
wait_for() {
    local end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    until "$@"; do
        ((${EPOCHREALTIME/[.,]/} < end)) || return 1
        sleep 0.02
    done
}

is_gone() {
    local state threads
    state=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -c 1)
    threads=("/proc/$1/task/"*)
    # The first thread may have ended before the others, which keep its files open.
    [[ -z $state || $state == X ]] || [[ $state == Z && ${#threads[@]} -le 1 ]]
}

has_line() {
    grep -Eq -- "$2" "$1" 2>/dev/null
}

# wait_line PID FILE PATTERN: until the process has written such a line to the file.
wait_line() {
    # shellcheck disable=SC2317 # called by wait_for
    is_there() {
        has_line "$2" "$3" || is_gone "$1"
    }
    wait_for "$hang_s" is_there "$@" || fail "no line '$3' in $2 after $hang_s s: $(cat "$2")"
    has_line "$2" "$3" || fail "ended without a line '$3' in $2: $(cat ./*out ./*err 2>/dev/null)"
}

# Prints the QEMU of a host program, or the native engine.
qemu_of() {
    local child
    # shellcheck disable=SC2013 # words, not lines
    for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
        if tr '\0' ' ' <"/proc/$child/cmdline" 2>/dev/null | grep -Eq -- '-machine virt|sluice-native'; then
            printf '%d' "$child"
            return 0
        fi
    done
    return 1
}

# Whether the QEMU of a host program has used so many hundredths of a second of CPU time. To boot takes a
# few; after more it computes.
has_computed() {
    local qemu fields
    qemu=$(qemu_of "$1") || return 1
    fields=$(sed 's/.*) //' "/proc/$qemu/stat" 2>/dev/null) || return 1
    # shellcheck disable=SC2086 # fields
    set -- "$2" $fields
    ((${13} >= $1))
}
