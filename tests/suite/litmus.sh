#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Litmus tests (docs/do/write-litmus-tests.md): each file of tests/litmus/scopes on each memory system of the build, 200 runs, and as many as
# it says where something has to be observed (10,000 at most); a million of each with SLUICE_TEST_LONG. Seeds, delays of
# DRAM and the number of lanes follow from the file and the system. The same on the test build's memory system that is as
# stale as permitted (tests/soc/common/stale.c), under several of its seeds: there weak outcomes have to be observed today.
# And what is said of bad files and options.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

tests=$root/tests/litmus/scopes
long=${SLUICE_TEST_LONG:-}
[[ -z $long ]] || hang_s=600

# runs_of FILE SYSTEM: how often the test runs
runs_of() {
    local runs
    runs=$(sed -n "s/^observe \([0-9]*\):.* $2\b.*/\1/p" "$1")
    if [[ -n $long ]]; then
        runs=1000000
    elif ((${runs:=200} > 10000)); then
        runs=200
    fi
    printf '%d' "$runs"
}

# machine NUMBER: options of a machine that differs from run to run
machine() {
    local lanes=(64 64 32 16) simd_lanes=(16 4 16 2) jitter=('0 ps' '4 ns' '20 ns')
    printf '%s\n' --seed "$1" --set "gpu.lanes=${lanes[$1 % 4]}" --set "gpu.simd_lanes=${simd_lanes[$1 % 4]}" \
        --set "mem.jitter=${jitter[$1 % 3]}" --set "mem.jitter_seed=$1"
}

# on_system SYSTEM FIRST_SEED: all files, each on a machine that differs from that of the file before
on_system() {
    local number=$2 file count=0 options
    for file in "$tests"/*.litmus; do
        number=$((number + 1))
        mapfile -t options < <(machine "$number")
        run 0 litmus "$file" --quiet --runs "$(runs_of "$file" "$1")" --set "mem.system=$1" "${options[@]}"
        count=$((count + 1))
    done
    note "$count files"
}

# Weak outcomes are observed, forbidden ones never.
on_stale() {
    if [[ ! -e $build/recipe/built ]]; then
        skip "no $build/recipe/built (make $build/recipe/built)"
    fi
    bin=$build/recipe/build/bin
    SLUICE_STALE_SEED=$1 on_system stale "$1"
}

# ---- what is printed ----

# text LINE...: a litmus file t of these lines
text() {
    printf '%s\n' "$@" >t
}

mp=('Sluice MP' '{ x=0; y=0; }' 'P0 | P1 ;' 'st x,1 | ld.acq.dev r1,y ;' 'st.rel.dev y,1 | beqz r1,E ;'
    ' | ld r2,x ;' ' | E: ;')

table() {
    text "${mp[@]}" 'exists (1:r1=1 /\ 1:r2=0)'
    run 0 litmus t --runs 1000
    expect_result 'litmus(MP, 1000) = never'
    expect out '^# model +hrf-indirect, 2 sequentially consistent executions: no race$'
    expect out '^# placement +P0 in work-group 0, wavefront 0, on CU 0; P1 in work-group 1, wavefront 0, on CU 1;'
    expect out '^# 1:r1 1:r2 x y  model             observed$'
    expect out '^#    0    0 1 1  allowed \(SC\)  +[1-9][0-9]*$'
    expect out '^#    1    1 1 1  allowed \(SC\)  +[1-9][0-9]*$'
    expect out '^# condition +\* exists: forbidden, observed in 0 of 1000 runs$'
    run 0 litmus t --runs 1000 --quiet
    [[ $(wc -l <out) == 1 ]] || fail "more than a line: $(cat out)"
}

# The race-free test of papers/002 Figure 6 races in HRF-direct.
models() {
    run 0 litmus "$tests/Figure6.litmus"
    expect out 'hrf-indirect, 3 sequentially consistent executions: no race$'
    expect out 'condition +\* exists: forbidden'
    run 0 litmus "$tests/Figure6.litmus" --model hrf-direct
    expect out "hrf-direct, 3 sequentially consistent executions: P0's line 8 and P2's line 11 race\$"
    expect out 'condition +\* exists: allowed \(racy\)'
}

# Where a release is of its wavefront's bytes alone, it is not transitive (papers/002 section 6).
transitive() {
    "$bin/sluice" config explain scoped.flush >/dev/null 2>&1 || skip "no setting scoped.flush"
    run 0 litmus "$tests/Figure6.litmus" --runs 10000 --set mem.system=scoped
    run 1 litmus "$tests/Figure6.litmus" --runs 10000 --set mem.system=scoped --set scoped.flush=wavefront
    expect err '^litmus: wrong: .*Figure6.litmus: forbidden outcomes in [0-9]+ runs on scoped$'
}

# Two work-groups on the one compute unit that there is: told, and no error.
crowded() {
    run 0 litmus "$tests/MP+dev.litmus" --set gpu.cus=1
    expect out 'placement +not as the file wants it in 1 of 1 sets: work-groups share a compute unit$'
    run 0 litmus "$tests/MP+dev.litmus"
    ! grep -q 'not as the file wants it' out || fail "placement: $(cat out)"
}

repeatable() {
    run 0 litmus "$tests/IRIW.litmus" --runs 3000 --stats one && grep -v simulator out >one.out
    run 0 litmus "$tests/IRIW.litmus" --runs 3000 --stats two && grep -v simulator out >two.out
    run 0 litmus "$tests/IRIW.litmus" --runs 3000 --seed 2 && grep -v simulator out >three.out
    expect_same_statistics one two
    diff one.out two.out
    ! cmp -s one.out three.out || fail "another seed changes nothing"
}

# As few as there may be, and a machine on which sets have to wait for others.
few() {
    run 0 litmus "$tests/CoAdd.litmus" --runs 1
    expect_result 'litmus(CoAdd, 1) = always'
    run 0 litmus "$tests/CoAdd.litmus" --runs 2000 --set gpu.cus=3 --set gpu.contexts=1 --set gpu.simds=1
    expect_result 'litmus(CoAdd, 2000) = always'
}

# More instances than a launch has.
many() {
    run 0 litmus "$tests/CoAdd.litmus" --runs 40000
    expect_result 'litmus(CoAdd, 40000) = always'
    expect out ' in 3 dispatches$'
}

# ---- status 1 ----

violated() {
    text "${mp[@]}" '~exists (1:r1=1)'
    run 1 litmus t --runs 1000
    expect err '^litmus: wrong: t: the condition does not hold: [0-9]+ of 1000 runs on moesi end as it says$'
    text "${mp[@]}" 'forall (1:r1=1)'
    run 1 litmus t --runs 1000
    expect err '^litmus: wrong: t: the condition does not hold: '
    text "${mp[@]}" 'never: flat' 'exists (1:r1=1)'
    run 0 litmus t --runs 1000
    run 1 litmus t --runs 1000 --set mem.system=flat
    expect err '^litmus: wrong: t:8: [0-9]+ of 1000 runs on flat end as the condition says, and none should$'
    text "${mp[@]}" 'observe 500: *' 'exists (1:r1=2)'
    run 0 litmus t --runs 499
    run 1 litmus t --runs 500
    expect err '^litmus: wrong: t:8: 0 of 500 runs on moesi end as the condition says, and some should$'
}

# ---- status 2 ----

# bad PATTERN ARGUMENT...
bad() {
    bad_arguments "$1" litmus "${@:2}"
}

bad_files() {
    bad "^litmus: cannot read 'none': No such file or directory$" none
    bad "^litmus: cannot read '\.': Is a directory$" .
    text "${mp[@]}" 'exists (1:r3=1)'
    bad '^litmus: t:8: P1 loads nothing into r3$' t
    text "${mp[@]}"
    bad "^litmus: t:8: 'the end of the file' where a condition, " t
    head -c 1000 /dev/urandom >t
    bad '^litmus: t' t
    { printf 'Sluice A\n{ x=0; }\nP0|P1|P2|P3;\n'
      for _ in {1..12}; do printf 'add x|add x|add x|add x;\n' | sed 's/add x/swap r1,x,1/g'; done
      printf 'exists (x=1)\n'; } >t
    bad '^litmus: t: the test has more than 200000 sequentially consistent executions; make it smaller$' t
    text 'Sluice A' '{ x=0; }' 'P0 | P1 ;' 'ld r1,x | st x,1 ;' 'scopes: (dev (wg (wf P0 P1)))' 'exists (x=1)'
    bad 'the test has more threads in a wavefront than the machine has lanes \(gpu.lanes is 1\)$' t --set gpu.lanes=1 \
        --set gpu.simd_lanes=1
    bad 'has 2 work-groups of up to 1 wavefronts, which run at the same time, .* room for 1 \(gpu.cus is 1, ' \
        "$tests/MP.litmus" --set gpu.cus=1 --set gpu.contexts=1 --set gpu.simds=1
}

for system in $(memory_systems); do
    check_sample 3 "$system: nothing forbidden, and what has to be observed" on_system "$system" 1
done
for seed in 1 2; do
    check_rest "stale, seed $seed: weak outcomes are observed, none that is forbidden" on_stale "$seed"
done
check "outcomes in a table, with what the model says" table
check "HRF-direct and HRF-indirect" models
check "a release of a wavefront alone is not transitive" transitive
check "work-groups that share a compute unit are told" crowded
check "equal seeds, equal runs" repeatable
check "one run, and little room" few
check "many launches" many
check "what is not as the file says: status 1" violated
check "bad files: status 2, with the line" bad_files
