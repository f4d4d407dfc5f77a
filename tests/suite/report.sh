#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Reports of runs (docs/do/profile.md): what they have over time, of kernels and of functions adds up to the statistics, which
# are what they are without them; pages have the same data as files of data, and are no larger than they may be.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib

most_bytes=5242880

# check_report FILE [DATA]: figures are in `figures` then
check_report() {
    with_python "$lib/check_report.py" "$@" >figures 2>err || fail "not a report: $(head -n 5 err)"
}

figure() {
    awk -F= -v name="$1" '$1 == name { value = $2 } END { print value + 0 }' figures
}

is() {
    (($2 == $3)) || fail "$1: $2, wanted $3"
}

# observed PROGRAM ARGUMENT...
observed() {
    run 0 "$@" --quiet --stats plain
    run 0 "$@" --quiet --stats stats --report data.json
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    expect_same_statistics plain stats
    check_report data.json
    note "$(figure bins) bins, $(figure kernels) kernels, $(figure channels) channels, $(wc -c <data.json) bytes"
}

# page PROGRAM ARGUMENT...
page() {
    [[ -f ${SLUICE_D3:-/usr/share/nodejs/d3/dist/d3.min.js} ]] || skip 'no plotting library: apt-get install node-d3'
    run 0 "$@" --quiet --report data.json --timeline timeline
    run 0 "$@" --quiet --stats stats --report page.html --profile profile --timeline timeline
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    check_report page.html data.json
    (($(wc -c <page.html) < most_bytes)) || fail "$(wc -c <page.html) bytes"
    [[ -s profile && -s timeline ]] || fail "no profile or timeline beside it"
    # Nothing of it is elsewhere.
    ! grep -oE '(src|href)="[^"#d][^"]*"' page.html || fail "it refers to something"
    note "$(wc -c <page.html) bytes"
}

# All elements pass through every state, and none is left behind.
states() {
    observed cilk_fib 18
    local state
    for state in waiting ready dispatched finished; do
        (($(figure "rows.$state") >= 10)) || fail "$(figure "rows.$state") channels with elements $state"
    done
    # Elements held, over time, are their times added up (Little's law): samples on one side, events on the other.
    for state in ready dispatched; do
        awk -v held="$(figure "held.$state")" -v measured="$(figure "measured.$state")" \
            'BEGIN { exit !(held > 0.99 * measured && held < 1.01 * measured) }' ||
            fail "elements $state: $(figure "held.$state") ns over time, $(figure "measured.$state") ns one by one"
    done
}

# More events than a page has slices.
long_timeline() {
    run 0 cilk_fib 27 --width 256 --quiet --report page.html --timeline timeline
    check_report page.html
    (($(figure timeline.events) > 100000)) || fail "events: $(figure timeline.events)"
    (($(figure timeline.slices) <= 100000)) || fail "slices: $(figure timeline.slices)"
    (($(figure timeline.step_ps) > 0)) || fail "none is of several"
    (($(wc -c <page.html) < most_bytes)) || fail "$(wc -c <page.html) bytes"
    note "$(figure timeline.events) events in $(figure timeline.slices) slices, $(wc -c <page.html) bytes"
}

lost_events() {
    run 0 cilk_fib 18 --quiet --report data.json --timeline timeline --set timeline.events=200
    check_report data.json
    (($(figure timeline.lost) > 0 && $(figure timeline.first_lost_ps) > 0)) || fail "nothing is lost"
}

no_timeline() {
    run 0 cilk_fib 18 --quiet --report data.json
    check_report data.json
    (($(figure timeline.end_ps) == 0)) || fail "there is one"
}

several() {
    observed bitonic 1024 --separate
    (($(figure runs) > 1)) || fail "runs: $(figure runs)"
    observed scan 1000
    is "kernels of a sequence" "$(figure kernels)" 2
}

machine() {
    run 0 fib 10 --quiet --report data.json --set gpu.cus=3 --set 'agg.core = simple'
    check_report data.json
    is "compute units" "$(figure cus)" 3
    expect figures '^title fib 10$'
    expect figures "^command .*/fib 10 --quiet --report data.json --set gpu.cus=3 --set 'agg.core = simple'$"
    expect figures '^changed gpu\.cus = 3, not 8, by --set$'
    expect figures '^changed agg\.core = simple, not 2way-ooo, by --set$'
    # What comes with the core is none of these.
    is "keys that differ" "$(grep -c '^changed ' figures)" 2
}

# A run whose traffic is all that it does.
busy() {
    run 0 stream 8 --quiet --report data.json
    check_report data.json
    sed -n '/^finding /{p;q}' figures >first
    expect first '^finding DRAM is busy: DRAM is busy [89][0-9] %'
}

# A function has the cycles that the profile has in it, inlined code of other files too.
functions() {
    run 0 cilk_fib 18 --quiet --report data.json --profile profile
    python3 - <<'EOF' >wrong
import collections, json
cycles, is_call = collections.Counter(), False
for line in open("profile"):
    if line.startswith("fl="):
        file = line[3:].rstrip()
    elif line.startswith("fn="):
        function = line[3:].rstrip(), file
    elif line[:1].isdigit() and not is_call:
        cycles[function] += int(line.split()[1])
    is_call = line.startswith("calls=")
for one in json.load(open("data.json"))["functions"]:
    name = next(key for key in cycles if key[0] == one["name"] and key[1].endswith(one["file"]))
    if cycles.pop(name) != one["cycles"]:
        print(one)
print(*cycles, sep="\n", end="")
EOF
    [[ ! -s wrong ]] || fail "$(cat wrong)"
}

# Three launches of little work, without channels; a graph that polls most of all, but not while the GPU waits.
blocked() {
    local before
    run 0 scan 1000 --quiet --report data.json
    check_report data.json
    sed -n '/^finding /{p;q}' figures >first
    expect first '^finding The GPU is blocked on the aggregator: For [0-9]+ % of the time .*once in a run: more work'
    run 0 queens 9 --report data.json --stats stats
    check_report data.json
    (($(statistic stats agg.phase.poll_cycles) > $(statistic stats agg.cycles) / 2)) || fail "not much polling: $(cat stats)"
    before=$(awk "BEGIN { print 100 * $(statistic stats gpu.blocked.start_cycles) / $(statistic stats gpu.cycles) }")
    sed -n '/^finding The GPU is blocked/p' figures >blocked
    expect blocked ": $(printf %.0f "$before") % before the first wavefront, .* Before the first, .*: fewer channels"
    ! grep -q polling blocked || fail "$(cat blocked)"
    expect out "^# blocked on aggregator +[0-9.]+ %: $(printf %.1f "$before") % before the first wavefront, [0-9.]+ % between, [0-9.]+ % after$"
}

faulted() {
    run 3 faults null --quiet --report data.json
    check_report data.json
    (($(figure faults) >= 1)) || fail "no fault"
}

repeated() {
    run 0 cilk_fib 18 --width 256 --quiet --report one.json
    run 0 cilk_fib 18 --width 256 --quiet --report other.json
    check_report one.json other.json
}

# bad STATUS PATTERN ARGUMENT...
bad() {
    run "$1" fib 10 --quiet "${@:3}"
    expect err "$2"
}

no_library() {
    SLUICE_D3=/no/such/d3.js bad 2 "/no/such/d3\.js.*node-d3" --report page.html
    [[ ! -e page.html && ! -s out ]] || fail "it ran"
    SLUICE_D3=/no/such/d3.js run 0 fib 10 --quiet --report data.json
}

check "fib 20" observed fib 20
check "cilk_fib 20 that yields" observed cilk_fib 20 --width 256
check "queens 8, flat memory" observed queens 8 --set mem.system=flat
check "cilksort 5000, in order" observed cilksort 5000 --set agg.core=2-stage
check "a launch" observed matmul 64
check "64 compute units" observed fib 16 --set gpu.cus=64
check "several runs" several
check "elements by state" states
check "the machine" machine
check "functions as in the profile" functions
check "what to look at first: DRAM" busy
check "what to look at first: the aggregator" blocked
check "page of cilk_fib 24" page cilk_fib 24
check "a timeline of more events than a page has" long_timeline
check "a timeline that lost events" lost_events
check "no timeline unless it is asked for" no_timeline
check "page of many runs" page bitonic 1024 --separate
check "a run that faults" faulted
check "repeated" repeated
check "report in no folder" bad 2 "^fib: --report: cannot write 'no/such/folder/r.html': No such file" --report no/such/folder/r.html
check "a folder for a report" bad 2 "^fib: --report: cannot write '/': Is a directory" --report /
check "the same as a setting" bad 2 "report\.file: cannot write '/no/such/r\.json': No such file" --set report.file=/no/such/r.json
check "page on a full disk" bad 3 "/dev/full: No space left" --report /dev/full
check "no plotting library" no_library
