#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Programs with floats: matrix multiply, Fourier transform, the C library's functions. Default and odd sizes,
# on every shape of the machine, on which results do not depend; equal runs equal; bad arguments.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# right PROGRAM ARGUMENT...: the program checks itself; the last argument is N
right() {
    run 0 "$@" --quiet
    expect out "^$1\(${*: -1}\) = -?[0-9.e+]+$"
}

# by_default PROGRAM N PATTERN: a line of the table fits the pattern
by_default() {
    run 0 "$1"
    expect out "^$1\($2\) = -?[0-9.e+]+$"
    expect out "$3"
}

# What a lane computes with floats is the same wherever it is.
on_every_machine() {
    local wanted setting
    run 0 "$@" --quiet
    wanted=$(<out)
    for setting in gpu.cus=1 gpu.cus=8 gpu.cus=64 "gpu.lanes=32 --set gpu.simd_lanes=8" gpu.lds=256KiB; do
        # shellcheck disable=SC2086 # two options
        run 0 "${@:1:1}" --set $setting "${@:2}" --quiet
        expect_result "$wanted"
    done
}

# Another seed is other numbers.
seeds() {
    run 0 "$1" "$2" --quiet
    local first
    first=$(<out)
    run 0 "$1" "$2" --seed 2 --quiet
    [[ $(<out) != "$first" ]] || fail "seeds 1 and 2 give the same: $first"
}

# Two matrices of 40 x 40 are 3 x 3 tiles of 16 x 16, each four wavefronts, with two barriers for each of
# three pairs of tiles.
counts() {
    run 0 matmul 40 --quiet --stats stats
    (($(statistic stats gpu.workgroups) == 9)) || fail "work-groups: $(cat stats)"
    (($(statistic stats gpu.wavefronts) == 9 * 4)) || fail "wavefronts: $(cat stats)"
    (($(statistic stats simt.barriers) == 9 * 4 * 6)) || fail "barriers: $(cat stats)"
}

# Both styles add up in the same order; the wavefronts are those of a work-item for each element, or for 16.
same_styles() {
    run 0 matmul "$1" --quiet
    local wanted
    wanted=$(<out)
    run 0 matmul "$1" --style blocked --quiet --stats stats
    expect_result "$wanted"
    (($(statistic stats gpu.wavefronts) == $1 * $1 / 16 / 64)) || fail "wavefronts: $(statistic stats gpu.wavefronts)"
}

for n in 1 2 15 16 17 33 100; do
    check "matmul $n" right matmul $n
done
for tile in 1 3 8 31 32; do
    check "tiles of $tile" right matmul --tile $tile 40
done
for n in 64 128 192; do
    check "matmul $n, blocked" right matmul --style blocked $n
    check "matmul $n, same in both styles" same_styles $n
done
for n in 2 4 32 64 128 512 2048 16384; do
    check "fft $n" right fft $n
done
for group in 1 16 1024; do
    check_sample 3 "fft, groups of $group" right fft --group $group 2048
done
for n in 1 65 1000; do
    check "library $n" right library $n
done
check_rest "matmul by default" by_default matmul 512 "^# SIMD utilisation +100.0 %$"
check_rest "fft by default" by_default fft 4096 "^# relative error +[0-9.e-]+, at most 9.55e-06$"
check_sample 3 "matmul on every machine" on_every_machine matmul 65
check_sample 3 "matmul, blocked, on every machine" on_every_machine matmul 64 --style blocked
check_sample 3 "fft on every machine" on_every_machine fft 1024
check_sample 3 "library on every machine" on_every_machine library 300
check_sample 3 "matmul repeated" equal_runs matmul 90
check_sample 3 "fft repeated" equal_runs fft 2048
check_sample 3 "library repeated" equal_runs library 300
check "matmul, seeds" seeds matmul 20
check "fft, seeds" seeds fft 64
check "counts" counts
check "matmul with a tile of blocks" bad_arguments "--tile: tiles of style blocked have a side of 64" matmul --style blocked --tile 8 64
check "matmul of half a block" bad_arguments "N: 96 is not a multiple of 64, as style blocked wants it" matmul 96 --style blocked
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    check "matmul 700" right matmul 700
    check "fft 1048576" right fft 1048576
fi
