#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Litmus tests of consistency models (docs/do/write-litmus-tests.md, docs/know/memory-model.md), on the accelerator alone: each file of
# tests/litmus/order under each model, with threads on compute units of their own, in wavefronts of one, and in lanes
# of one wavefront; 200 runs, 20,000 with SLUICE_TEST_LONG. No run may end in a way that the model's machine does not.
# The number of lanes, delays of DRAM, and the memory system, of those that are write-atomic, follow from the file.
# Where a model allows what sequential consistency does not, that has to be observed. And what is said of bad options.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

tests=$root/tests/litmus/order
runs=200
[[ -z ${SLUICE_TEST_LONG:-} ]] || runs=20000 hang_s=600

# machine NUMBER MODEL: options of a machine that differs from run to run
machine() {
    local lanes=(64 64 32 16 4) simd_lanes=(16 4 16 2 4) jitter=('0 ps' '4 ns' '20 ns') buffer=(0 0 2)
    printf '%s\n' --seed "$1" --set "gpu.lanes=${lanes[$1 % 5]}" --set "gpu.simd_lanes=${simd_lanes[$1 % 5]}" \
        --set "mem.jitter=${jitter[$1 % 3]}" --set "mem.jitter_seed=$1"
    case $2 in
    tso | sc_wb) printf '%s\n' --set "gpu.write_buffer=${buffer[$1 % 3]}" ;;
    esac
}

# systems NUMBER: the memory systems of a file: most on moesi, the only one whose caches hold what others write; in the
# long suites all, and on another one, too
systems() {
    local short=(moesi moesi flat moesi nol1 moesi partition) other=(flat nol1 partition)
    if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
        printf '%s\n' moesi "${other[$1 % 3]}"
    else
        printf '%s\n' "${short[$1 % 7]}"
    fi
}

# allowed MODEL PLACEMENT: all files, each on a machine that differs from that of the file before
allowed() {
    local number=0 file count=0 options system
    for file in "$tests"/*.litmus; do
        number=$((number + 1))
        mapfile -t options < <(machine "$number" "$1")
        for system in $(systems "$number"); do
            run 0 litmus "$file" --alone --quiet --runs "$runs" --placement "$2" --set "gpu.consistency=$1" \
                --set "mem.system=$system" "${options[@]}"
            count=$((count + 1))
        done
    done
    note "$count times $runs runs"
}

# observed MODEL PLACEMENT NAME...: the conditions of these come true, in some of 20,000 runs on the default machine
observed() {
    local name times=''
    for name in "${@:3}"; do
        run 0 litmus "$tests/$name.litmus" --alone --runs 20000 --placement "$2" --set "gpu.consistency=$1"
        expect_result "litmus($name, 20000) = sometimes"
        expect out 'condition   \* exists: allowed \(weak\), observed in '
        times+=" $name $(sed -n 's/^# condition.*observed in \([0-9]*\) .*/\1/p' out)"
    done
    note "of 20,000:$times"
}

# On nol1 a store is on its way long before it takes effect at the L2, and on a torus ways there differ in length: a
# model that did not wait for its acknowledgement would show here.
acknowledged() {
    local model name
    for model in sc sc_wb tso; do
        for name in SB MP R 2+2W; do
            [[ $model/$name != tso/SB && $model/$name != tso/R ]] || continue
            run 0 litmus "$tests/$name.litmus" --alone --runs 20000 --set "gpu.consistency=$model" \
                --set mem.system=nol1 --set mem.network=torus
            expect out 'condition   \* exists: forbidden, observed in 0 of 20000 runs$'
        done
    done
}

# The same on the whole machine, where work-groups are placed by the dispatcher.
whole() {
    local name
    for name in SB+fences CoRR+line LB+ctrls; do
        run 0 litmus "$tests/$name.litmus" --model order
        expect out '^# model +rmo: 3 outcomes$'
        expect out 'condition   \* exists: forbidden, observed in 0 of 200 runs$'
    done
    run 0 litmus "$tests/SB.litmus" --runs 10000 --set gpu.consistency=tso
    expect out '^# model +tso: 4 outcomes$'
    expect out '^# +0 +0 1 1  allowed \(weak\) +[1-9][0-9]*  \*$'
    run 0 litmus "$tests/SB.litmus" --runs 10000 --set gpu.consistency=sc
    expect out 'condition   \* exists: forbidden, observed in 0 of 10000 runs$'
}

table() {
    run 0 litmus "$tests/SB.litmus" --alone --runs 1000 --set gpu.consistency=tso --placement lanes
    expect_result 'litmus(SB, 1000) = sometimes'
    expect out '^# model +tso: 4 outcomes$'
    expect out '^# placement +P0 in work-group 0, wavefront 0, on CU ([0-7]); P1 in work-group 0, wavefront 0, on CU \1;'
    expect out '^# +0 +0 1 1  allowed \(weak\) +[1-9][0-9]*  \*$'
    expect out '^# +0 +1 1 1  allowed \(SC\) +[1-9][0-9]*$'
    run 0 litmus "$tests/SB.litmus" --alone --model hrf-indirect
    expect out 'condition +\* exists: allowed \(racy\)'
    run 0 litmus "$tests/SB.litmus" --alone --set gpu.rmo_loads=block
    expect out '^# model +rmo, loads block: 4 outcomes$'
    run 0 litmus "$tests/SB.litmus" --alone --set mem.system=wt
    expect out 'condition +\* exists: allowed \(racy\)'
}

repeatable() {
    run 0 litmus "$tests/IRIW.litmus" --alone --runs 5000 && cp out one.out
    run 0 litmus "$tests/IRIW.litmus" --alone --runs 5000 --seed 1
    diff one.out out
    run 0 litmus "$tests/IRIW.litmus" --alone --runs 5000 --seed 2
    ! cmp -s one.out out || fail "another seed changes nothing"
}

# bad PATTERN ARGUMENT...
bad() {
    bad_arguments "$1" litmus "${@:2}"
}

bad_options() {
    local file=$tests/MP.litmus
    bad '^litmus: --stats, --profile, --timeline and --report are of the whole machine; leave out --alone$' "$file" \
        --alone --stats s
    bad '^litmus: --model order needs a write-atomic memory system: .* \(mem.system is wt\)$' "$file" --alone \
        --model order --set mem.system=wt
    bad '^litmus: --model order needs a write-atomic memory system: .* \(mem.system is wt\)$' "$file" \
        --model order --set mem.system=wt
    bad "has no room for the test's wavefronts at once \(gpu.lanes, gpu.cus, gpu.contexts\)\$" "$file" --alone \
        --placement lanes --set gpu.lanes=1 --set gpu.simd_lanes=1
    { printf 'Sluice A\n{ x=0; y=0; z=0; u=0; }\nP0|P1|P2|P3;\n'
      for _ in {1..8}; do printf 'st x,1|st y,1|st z,1|st u,1;\n'; done
      printf 'exists (x=1)\n'; } >t
    bad '^litmus: t: the test has more than 200000 states on tso; make it smaller$' t --alone --set gpu.consistency=tso
}

for model in rmo sc sc_wb tso; do
    for placement in cus cu lanes; do
        check_sample 3 "$model, threads in $placement: nothing that it forbids" allowed $model $placement
    done
done
check "rmo, on different compute units: all that is weak is observed" observed rmo cus SB MP LB S R 2+2W WRC IRIW
check "rmo, in wavefronts of one compute unit: stores are passed, and loads" observed rmo cu SB MP LB S R 2+2W
check "tso, on different compute units: store buffering is observed" observed tso cus SB R
check "tso, in wavefronts of one compute unit: likewise" observed tso cu SB R
check "tso, in lanes of one wavefront: likewise" observed tso lanes SB R
check "strong models where a store is on its way long before it takes effect" acknowledged
check "on the whole machine" whole
check "outcomes in a table, with what the model says" table
check "equal seeds, equal runs" repeatable
check "bad options: status 2" bad_options
