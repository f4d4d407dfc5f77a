#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The examples (docs/examples): each as it is shown, with the bottleneck that its page names; small ones on other machines and free of races, results that somebody
# else has computed, kernels with a mistake that each has to notice; and those of docs/do/speed-up-kernels.md, of
# which one of each pair is the quicker.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"
bin=$build/examples

# default RESULT REASON PROGRAM ARGUMENT...: REASON is what the first screen of the profile names
default() {
    run 0 "${@:3}" --kernel-profile profile
    expect_result "$1"
    expect out "^# wavefronts' time +$2 [0-9.]+ %"
    bin=$build/bin run 0 sluice annotate profile
    expect out "^The largest part is $2, [0-9.]+ %: "
    expect out "^ *[0-9.]+% +[0-9.]+ [a-z0-9_]+\.[hc]:[0-9]+ "
}

# elsewhere RESULT PROGRAM ARGUMENT...
elsewhere() {
    local options
    for options in '--set gpu.cus=1' '--set gpu.lanes=32 --set gpu.cus=2' '--config qr' '--check-races hrf-direct'; do
        # shellcheck disable=SC2086 # words
        run 0 "${@:2}" --quiet $options
        expect_result "$1"
        [[ ! -s err ]] || fail "something on standard error: $(cat err)"
    done
}

# The nodes of a tree, by a SHA-1 that is not ours.
by_hashlib() {
    python3 - "$@" <<'PYTHON'
import hashlib, math, sys

depth, seed = int(sys.argv[1]), int(sys.argv[2])
least = [math.ceil(2**31 * (1 - 0.8 ** (n + 1))) for n in range(40)]
nodes, waiting = 0, [(bytes(20), seed, 0)]
while waiting:
    parent, number, level = waiting.pop()
    digest = hashlib.sha1(parent + number.to_bytes(4, "big")).digest()
    random = int.from_bytes(digest[16:], "big") & 0x7FFFFFFF
    nodes += 1
    if level < depth:
        waiting += [(digest, i, level + 1) for i in range(sum(random >= bound for bound in least))]
print(nodes)
PYTHON
}

trees() {
    local depth seed
    command -v python3 >/dev/null || skip "no python3"
    while read -r depth seed; do
        run 0 uts "$depth" --seed "$seed" --quiet
        expect_result "uts($depth, $seed) = $(by_hashlib "$depth" "$seed")"
    done <<<$'1 5\n6 1\n7 3'
}

# The tone that is hidden: the first number that the generator gives says where.
tones() {
    local points seed
    command -v python3 >/dev/null || skip "no python3"
    while read -r points seed; do
        run 0 fft "$points" --seed "$seed" --quiet
        expect_result "fft($points) = $(python3 -c "
state = ($seed * 6364136223846793005 + 1442695040888963407) % 2**64
print(int((0.1 + 0.3 * (state >> 32) / 2**32) * $points))")"
    done <<<$'4096 3\n16384 7'
}

sizes() {
    local n
    for n in 32 64 128; do
        run 0 fft $n --quiet
    done
    for n in 3 24 25; do
        run 0 stencil $n --quiet --steps 4
    done
    run 0 bfs 2 --quiet
    run 0 uts 1 --quiet
}

# mistake PROGRAM SCRIPT ARGUMENT...: with this change of its kernels (for sed), the program's result is wrong, and it says so
mistake() {
    local example=$root/docs/examples/$1
    cp "$bin/$1" "$example"/*.h .
    sed "$2" "$example/$1_kernel.c" >"$1_kernel.c"
    ! cmp -s "$1_kernel.c" "$example/$1_kernel.c" || fail "the kernel is the same after sed '$2'"
    SLUICE_BUILD=$build "$root/scripts/sluice-kernel-cc" "$1_kernel.c" -o "$1.elf"
    bin=$PWD
    run 1 "${@:3}" --quiet --set host.plugin="$build/lib" --set host.flash="$build/firmware/sluice.flash"
    expect err "^$1: wrong: "
}

# The makefile that users have: the tree's `sluice` in place of the one that is installed, which says where the library is.
makefile() {
    cp -r "$root/docs/examples/$1" .
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u PKG_CONFIG_PATH PATH="$build/bin:$PATH" \
        make -C "$1" WARNINGS='-Wall -Wextra -Werror' test >out 2>&1 || fail "$(cat out)"
    expect out '^ok - '
}

# makefile_alike NAME: it is the one of `sluice new`, but for what is the example's own.
makefile_alike() {
    sed "s/the_program/$1/" "$root/scripts/templates/common/Makefile" | grep -v '^ARGUMENTS' >wanted
    grep -v '^ARGUMENTS\|^LIBRARIES' "$root/docs/examples/$1/Makefile" >is
    diff wanted is || fail "differs from scripts/templates/common/Makefile"
}

help() {
    local program
    for program in uts bfs fft stencil performance; do
        run 0 $program --help
        expect out '--stats='
        expect out '--quiet'
    done
}

# quicker PERCENT EXAMPLE: the version `after` takes so much of the time of `before` at most
quicker() {
    local version cycles=()
    for version in before after; do
        run 0 performance "$2" $version --stats stats
        cycles+=("$(statistic stats gpu.cycles)")
    done
    note "${cycles[0]} and ${cycles[1]} cycles"
    ((100 * cycles[1] <= $1 * cycles[0])) || fail "$2: ${cycles[0]} cycles before, ${cycles[1]} after"
}

check "uts as it is shown" default "uts(8, 1) = 123387" issuing uts
check "bfs as it is shown" default "bfs(200000) = 8 levels, 200000 vertices reached" DRAM bfs
check "fft as it is shown" default "fft(65536) = 14874" L2 fft
check "stencil as it is shown" default "stencil(512, 4) = 0.097600" "no slot" stencil --steps 4
check "uts elsewhere" elsewhere "uts(5, 1) = 1819" uts 5
check "bfs elsewhere" elsewhere "bfs(1000) = 5 levels, 1000 vertices reached" bfs 1000
check "fft elsewhere" elsewhere "fft(1024) = 232" fft 1024
check "stencil elsewhere" elsewhere "stencil(50, 8) = 0.047956" stencil 50 --steps 8
check "uts: trees, counted by hashlib" trees
check "fft: tones" tones
check "smallest inputs" sizes
check "uts notices a mistake" mistake uts 's/child.depth + 1/child.depth + 2/' uts 6
check "bfs notices a mistake" mistake bfs 's/visit.distance + 1/visit.distance + 2/' bfs 500
check "fft notices a mistake" mistake fft 's/{0, 2, 1, 3}/{0, 1, 2, 3}/' fft 256
check "stencil notices a mistake" mistake stencil '/sl_barrier/d' stencil 50
check "performance notices a mistake" mistake performance 's/item.number + half/item.number/' performance grain after
check "its own makefile" makefile bfs
for name in uts bfs fft stencil performance; do
    check "the makefile of $name" makefile_alike $name
done
check "stencil, no multiple of four steps" bad_arguments 'stencil: --steps: 6 is not a multiple of 4' stencil --steps 6
check "--help" help
check "performance: enqueue" quicker 40 enqueue
check "performance: grain" quicker 30 grain
check "performance: residency" quicker 25 residency
check "performance: divergence" quicker 65 divergence
check "performance: coalescing" quicker 10 coalescing
check "performance: stack" quicker 25 stack
check "performance: banks" quicker 90 banks
