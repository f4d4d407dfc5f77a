#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Races found as they happen (docs/do/find-races.md): options and their messages, what is told and written of a program that has
# some, its exit status; that what is simulated stays as it is without; and programs that have none.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

models='drf hrf-direct hrf-indirect'
kernel=$root/tests/probes/races/racy_kernel.c

# line MARK: the line of the kernel that has this comment
line() {
    local number
    number=$(grep -nF "/* race: $1 */" "$kernel" | cut -d : -f 1)
    [[ $number =~ ^[0-9]+$ ]] || fail "$kernel has no one line '$1'"
    printf 'racy_kernel.c:%d' "$number"
}

# python FILE EXPRESSION: of the object `races` in the file, and its list `found`
python() {
    with_python -c 'import json, sys
races = json.load(open(sys.argv[1]))
found = races["races"]
print(eval(sys.argv[2]))' "$@"
}

# is FILE EXPRESSION VALUE
is() {
    local value
    value=$(python "$1" "$2")
    [[ $value == "$3" ]] || fail "$2 is '$value', should be '$3': $(cat "$1")"
}

options() {
    bad_arguments '^fib: --check-races: debug\.races: hrf is no choice.*choices: off drf hrf-direct hrf-indirect' \
        fib 10 --check-races hrf
    bad_arguments '--check-races' fib 10 --check-races ''
    bad_arguments "--races: there is nothing to write to 'file' without --check-races MODEL" fib 10 --races file
    bad_arguments 'races\.file = file, debug\.races = off .*needs a model' fib 10 --set races.file=file
    bad_arguments "--races: cannot write 'no/file'" fib 10 --check-races drf --races no/file
    bad_arguments 'debug\.races_limit: -1 is' fib 10 --check-races drf --set debug.races_limit=-1
    [[ ! -e file ]] || fail 'a file was written'
    run 0 fib 10 --quiet --check-races off
    # An option wins over settings.
    run 1 racy 1 --quiet --check-races drf --set debug.races=off
}

# Two pairs of lines: the store with the other work-group's, and with its load.
told() {
    local model
    for model in $models; do
        run 1 racy 1 --quiet --check-races "$model" --races races.json --stats stats
        expect_result 'racy(1) = 14'
        expect err "^racy: race \($model\): store by racy_plain \($(line store)\), lanes 0-63, CU [01], unordered after store by racy_plain \($(line store)\), lane 63, CU [01],\$"
        expect err "^racy: race \($model\): .*racy_plain \($(line load)\)"
        expect err "^racy: race \($model\): .*racy_plain \($(line store)\).*load by|load by.*store by racy_plain \($(line store)\)"
        expect err '^  (not released since|released at device scope, not acquired since); device scope holds both'
        expect err '^racy: 2 races, each of two source lines$'
        is races.json 'races["model"]' "$model"
        is races.json 'len(found)' 2
        is races.json 'races["is_complete"]' True
        is races.json 'sorted({race["kind"] for race in found})' "['ordinary']"
        is races.json 'sorted({(side["function"], side["kernel"]) for race in found for side in (race["earlier"], race["later"])})' \
            "[('racy_plain', 'racy_plain')]"
        is races.json 'sum(race["count"] for race in found)' "$(statistic stats race.ordinary)"
        expect_statistics race.synchronization 0
    done
}

# Atomics of a scope that does not hold both: named by the lines that use them.
scoped() {
    local model
    run 0 racy 1 --groups --quiet --check-races drf
    for model in hrf-direct hrf-indirect; do
        run 1 racy 1 --groups --quiet --check-races "$model" --races races.json --stats stats
        is races.json 'sorted({race["kind"] for race in found})' "['synchronization']"
        is races.json 'sorted({(side["function"], side["scope"]) for race in found for side in (race["earlier"], race["later"])})' \
            "[('racy_groups', 'work-group')]"
        is races.json '{race["smallest_scope"] for race in found}' "{'device'}"
        is races.json 'sorted({side["wave_function"] for race in found for side in (race["earlier"], race["later"])})' \
            "['sl_load_acquire_u32_workgroup', 'sl_store_release_u32_workgroup']"
        expect err "work-group-scope store by racy_groups \\($(line 'scoped store')\\)"
        expect err "work-group-scope load by racy_groups \\($(line 'scoped load')\\)"
        expect err '^  one variable at work-group scope of two work-groups; device scope holds both'
        expect_statistics race.ordinary 0 race.synchronization "$(python races.json 'sum(race["count"] for race in found)')"
    done
}

# The second run of one program starts anew, and its races are added to those of the first.
several_runs() {
    run 1 racy 1 --quiet --check-races hrf-direct --races one.json
    run 1 racy 3 --quiet --check-races hrf-direct --races three.json
    is three.json 'races["runs"]' 3
    is three.json 'len(found)' "$(python one.json 'len(found)')"
    is three.json 'sum(race["count"] for race in found)' "$(python one.json '3 * sum(race["count"] for race in found)')"
    is three.json '{race["run"] for race in found}' '{1}'
    expect err '; [0-9]+ times$'
}

limit() {
    run 1 racy 1 --quiet --check-races drf --set debug.races_limit=1
    (($(grep -c 'race (drf)' err) == 1)) || fail "not one race: $(cat err)"
    expect err '^racy: 1 further pair of source lines race$'
    run 1 racy 1 --quiet --check-races drf --set debug.races_limit=0 --races races.json
    ! grep -q 'race (drf)' err || fail "told all the same: $(cat err)"
    expect err '^racy: 2 races, each of two source lines$'
    is races.json 'len(found)' 2
}

# Whether old bytes may be read from there on depends on the memory system.
stale() {
    local system
    for system in moesi nol1; do
        run 1 racy 1 --quiet --check-races hrf-indirect --set mem.system=$system --races races.json
        ! grep -q 'sequentially consistent' err || fail "$system does not go stale: $(cat err)"
        is races.json 'races["goes_stale"]' False
    done
    for system in wt quickrelease scoped hybrid; do
        run 1 racy 1 --quiet --check-races hrf-indirect --set mem.system=$system --races races.json
        (($(grep -c 'sequentially consistent' err) == 1)) || fail "not said once: $(cat err)"
        is races.json 'races["goes_stale"]' True
    done
}

# equal PROGRAM ARGUMENT...: with races
equal() {
    local i
    for i in 1 2; do
        run 1 "$@" --quiet --check-races hrf-direct --races "races$i.json" --stats "stats$i"
        mv err "err$i"
    done
    cmp races1.json races2.json || fail 'the files differ'
    cmp err1 err2 || fail 'the messages differ'
    expect_same_statistics stats1 stats2
}

# clean MODEL PROGRAM ARGUMENT...: no races, and all else is as without the checker
clean() {
    local model=$1
    shift
    run 0 "$@" --quiet --stats without
    mv out out.without
    run 0 "$@" --quiet --check-races "$model" --races races.json --stats with
    [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    cmp out.without out || fail 'the result is another'
    is races.json 'len(found)' 0
    diff <(comparable without | grep -v '"race\.') <(comparable with | grep -v '"race\.') || fail 'statistics differ'
    cp with stats
    expect_statistics race.ordinary 0 race.synchronization 0
    (($(statistic with race.accesses) > 0 && $(statistic with race.sync_operations) > 0)) || fail 'nothing was checked'
    cp without stats
    expect_statistics race.accesses 0 race.sync_operations 0
    note "$(statistic with race.accesses) accesses"
}

# yielding MODEL PROGRAM ARGUMENT...: the same of a program whose wavefronts yield
yielding() {
    clean "$@"
    (($(statistic with gpu.yields) > 0)) || fail 'none has yielded'
}

# What is told of the racy program changes nothing of it either.
unchanged() {
    local system
    for system in moesi scoped quickrelease hybrid; do
        run 0 racy 2 --quiet --stats without --set mem.system=$system
        run 1 racy 2 --quiet --stats with --set mem.system=$system --check-races drf
        diff <(comparable without | grep -v '"race\.') <(comparable with | grep -v '"race\.') || fail 'statistics differ'
    done
}

# Lanes of one wavefront race where it has a write buffer. The word of racy's first wavefront is stored by all of its lanes.
between_lanes() {
    local model
    for model in sc_wb tso; do
        run 1 racy 1 --quiet --check-races hrf-indirect --races races.json --set gpu.consistency=$model
        expect err 'race \(hrf-indirect\): load by racy_plain .*, unordered after store by racy_plain .*,$'
        expect err 'lanes of one wavefront, not released and acquired in between; wavefront scope holds both'
        is races.json 'sum(r["lacks"] == "release and acquire between lanes" for r in found)' 1
    done
    for model in rmo sc; do
        run 1 racy 1 --quiet --check-races hrf-indirect --set gpu.consistency=$model
        ! grep -q 'lanes of one wavefront' err || fail "$model: $(cat err)"
    done
}

check 'options' options
check 'lanes of one wavefront' between_lanes
check 'a race, told and written' told
check 'scopes too small, told and written' scoped
check 'races of several runs' several_runs
check 'debug.races_limit' limit
check 'memory that goes stale' stale
check 'equal runs give equal reports' equal racy 2
check 'equal runs give equal reports of many wavefronts' equal uts -t 1 -a 3 -d 6 -b 4 -r 21 --version indirect
check 'what is simulated stays the same' unchanged
check 'atomics do not race' clean hrf-direct racy 1 --atomic
for model in $models; do
    check "fib, $model" clean "$model" fib 14
    check "a graph on channel stacks, $model" clean "$model" cilk_fib 12
    check "wavefronts that yield, $model" yielding "$model" histogram 2000 --yield-every 7
done
check 'work-groups' clean hrf-indirect reduce 5000
check 'packets in memory' clean hrf-direct fib 14 --set front.memory=coherent
check 'memory that is written through' clean hrf-direct fib 14 --set mem.system=wt
check 'memory that flushes by scope' clean hrf-direct fib 14 --set mem.system=scoped
check 'QuickRelease' clean hrf-direct fib 14 --set mem.system=quickrelease
