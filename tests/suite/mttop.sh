#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The programs of docs/know/consistency-programs.md: right from the smallest sizes on, on every memory system that there is, where
# results are the same, also where releases are not transitive; on one compute unit and several, with wavefronts of 8
# lanes and of 64; on their own machine, as one launch; equal runs equal; grids that cannot be resident as a whole, and
# other bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

systems=$(memory_systems)

# name, a small size, other sizes
programs="
barnes_hut 150 1,2,4,5,8,9,600
bfs 700 1,2,3,65,3001
conv2d 30 1,2,5,64,65
dijkstra 40 1,2,3,4,5,65,130
fft 256 2,4,8,2048,4096
hotspot 30 1,2,3,64,65
kmeans 300 1,2,5,63,1000
matmul 30 1,2,63,65
nn 1000 1,2,63,5000
"

# right PROGRAM ARGUMENT...: the program checks itself; the last argument is N
right() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = -?[0-9.e+-]+$"
}

# everywhere PROGRAM ARGUMENT...: the same result in each memory system, or in the two whose turn it is
everywhere() {
    local system line=
    for system in $(in_turn "$systems"); do
        right "$1" --set mem.system="$system" "${@:2}"
        [[ -z $line || $(<out) == "$line" ]] || fail "$(<out) with $system, $line before"
        line=$(<out)
    done
    [[ -n $line ]] || fail "no memory systems"
}

# every_system PROGRAM ARGUMENT...: likewise, in each memory system
every_system() {
    local SLUICE_TEST_LONG=1
    everywhere "$@"
}

# shapes PROGRAM N: the same result on every machine, with as many wavefronts as it has room for, and with few
shapes() {
    local cus lanes line=
    for cus in 1 3 8; do
        for lanes in 8 64; do
            right "$1" --set gpu.cus=$cus --set gpu.lanes=$lanes --set gpu.simd_lanes=8 "$2"
            [[ -z $line || $(<out) == "$line" ]] || fail "$(<out) on $cus compute units of $lanes lanes, $line before"
            line=$(<out)
        done
    done
    right "$1" --groups 1 "$2"
    [[ $(<out) == "$line" ]] || fail "$(<out) with one work-group, $line before"
}

# A release of one wavefront is not one of what others have released to it.
not_transitive() {
    right "$1" --set mem.system=quickrelease --set quickrelease.fifo=wavefront "$2"
    mv out first
    right "$1" --set mem.system=scoped --set scoped.flush=wavefront "$2"
    cmp out first || fail "$(cat out first)"
}

# own_machine PROGRAM N: one launch, whose wavefronts meet at barriers, without LDS
own_machine() {
    run 0 "$1" --config mttop --quiet --stats stats "$2"
    (($(statistic stats gpu.dispatches) == 1)) || fail "$(statistic stats gpu.dispatches) launches"
    (($(statistic stats simt.lds_accesses) == 0)) || fail "$(statistic stats simt.lds_accesses) accesses to LDS"
    (($(statistic stats simt.barriers) == 0)) || fail "barriers of work-groups"
    (($(statistic stats simt.atomics) >= $(statistic stats gpu.wavefronts))) || fail "$(statistic stats simt.atomics) atomics"
}

repeated() {
    local i
    for i in 1 2; do
        run 0 "$1" --config mttop --quiet --stats "stats$i" "$2"
    done
    expect_same_statistics stats1 stats2
}

# by_default PROGRAM: more data than the L2 of its own machine holds, so that it goes there more than once
by_default() {
    run 0 "$1" --config mttop --quiet --stats stats
    expect out "^$1\([0-9]+\) = "
    (($(statistic stats dram.reads) > 2048)) || fail "$(statistic stats dram.reads) lines from DRAM"
    note "$(statistic stats gpu.cycles) cycles"
}

# bad PATTERN PROGRAM ARGUMENT...
bad() {
    run 2 "${@:2}"
    expect err "$1"
    [[ ! -s out ]] || fail "something on standard output: $(cat out)"
}

# too_many PROGRAM N: one work-group more than are resident at once
too_many() {
    local room
    run 2 "$1" --config mttop --groups 1000 "$2"
    expect err "'[a-z0-9_]*': its wavefronts wait for each other, .* the grid has 1000 work-groups, of 8 wavefronts with"
    expect err "\(gpu.cus is 4, gpu.contexts is 64, gpu.registers is 2048, gpu.lds is 64 KiB, pool.blocks is 0\)"
    room=$(sed -n 's/.*there is room for \([0-9]*\) of them.*/\1/p' err)
    right "$1" --config mttop --groups "$room" "$2"
    run 2 "$1" --config mttop --groups $((room + 1)) "$2"
}

# rounds NUMBER ARGUMENT...: what mttop_kmeans says
rounds() {
    run 0 mttop_kmeans "${@:2}"
    expect out "^# rounds *$1$"
}

# nearest FOUND ARGUMENT...: what mttop_nn says, the nearest first
nearest() {
    run 0 mttop_nn "${@:2}"
    (($(grep -c '^# neighbour' out) == $1)) || fail "$(cat out)"
    sort -c -k 10,10g <(grep '^# neighbour' out) || fail "not in order: $(cat out)"
}

# gaps N: mttop_fft has the same result wherever its points lie
gaps() {
    local gap line=
    for gap in 0 1 3 64; do
        right mttop_fft --gap $gap "$1"
        [[ -z $line || $(<out) == "$line" ]] || fail "$(<out) with a gap of $gap lines, $line before"
        line=$(<out)
    done
}

while read -r name small sizes; do
    [[ -n $name ]] || continue
    program=mttop_$name
    for n in ${sizes//,/ }; do
        check_sample 3 "$program $n" everywhere "$program" "$n"
    done
    check_sample 3 "$program, every memory system" every_system "$program" "$small"
    check_sample 3 "$program, every shape" shapes "$program" "$small"
    check_sample 3 "$program, releases that are not transitive" not_transitive "$program" "$small"
    check_sample 3 "$program, its own machine" own_machine "$program" "$small"
    check_sample 3 "$program, repeated" repeated "$program" "$small"
    check_sample 3 "$program, more than is resident" too_many "$program" "$small"
    if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
        check_rest "$program by default" by_default "$program"
    fi
done <<<"$programs"

for option in gpu.contexts=7 gpu.registers=64; do
    check "no room for a work-group, $option" bad "make the work-group smaller" mttop_bfs --config mttop --set $option 300
done
check "a state for each wavefront" bad "room for 2 of them .*pool.blocks is 16" mttop_bfs --config mttop \
    --set pool.blocks=16 --groups 3 300

check_sample 3 "mttop_barnes_hut, ten steps" everywhere mttop_barnes_hut --steps 10 100
check_sample 3 "mttop_bfs, degree 32" everywhere mttop_bfs --degree 32 --seed 7 700
check_sample 3 "mttop_bfs, degree 1" everywhere mttop_bfs --degree 1 700
check_sample 3 "mttop_conv2d, once" everywhere mttop_conv2d --times 1 30
check_sample 3 "mttop_conv2d, five times" everywhere mttop_conv2d --times 5 30
check_sample 3 "mttop_dijkstra, another graph" everywhere mttop_dijkstra --seed 7 50
check "mttop_fft, gaps" gaps 2048
check_sample 3 "mttop_hotspot, one step" everywhere mttop_hotspot --steps 1 30
check_sample 3 "mttop_kmeans, a cluster for each point" everywhere mttop_kmeans --clusters 40 --rounds 3 40
check_sample 3 "mttop_kmeans, one cluster of one coordinate" everywhere mttop_kmeans --clusters 1 --features 1 500
check_sample 3 "mttop_kmeans, most coordinates" everywhere mttop_kmeans --clusters 3 --features 64 300
check "mttop_kmeans, one round" rounds 1 --rounds 1 300
check "mttop_kmeans, until no point moves" rounds '([3-9]|[1-9][0-9])' --clusters 3 --rounds 1000 300
check_sample 3 "mttop_matmul, once" everywhere mttop_matmul --times 1 30
check_sample 3 "mttop_matmul, five times" everywhere mttop_matmul --times 5 30
check "mttop_nn, one" nearest 1 --nearest 1 1000
check "mttop_nn, most" nearest 64 --nearest 64 1000
check "mttop_nn, nearest of few" nearest 3 3

check "mttop_kmeans, more clusters than points" bad "--clusters: 9 are more than the 8 points" mttop_kmeans --clusters 9 8
