#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Constant arguments of kernels, held against their prototypes (tests/probes/launches/arguments.c), on shapes of the machine on
# which registers are saved and cleared in other ways; a kernel file without debug information.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

all_right() {
    run 0 arguments --quiet "$@"
    expect out '^arguments\(14\) = 14$'
}

# with OPTION...: the kernels, compiled with it
with() {
    local folder=$suite_folder/with$*
    mkdir -p "$folder/bin" "$folder/kernels"
    cp "$bin/arguments" "$folder/bin"
    ln -s "$build/lib" "$build/firmware" "$folder"
    SLUICE_BUILD=$build "$root/scripts/sluice-kernel-cc" "$@" -I"$root/tests" "$root/tests/probes/launches/arguments_kernel.c" \
        -o "$folder/kernels/arguments.elf" 2>messages || fail "$(cat messages)"
    bin=$folder/bin
}

# Without debug information of parameters nothing is checked, and what is given has its type: a float goes where one is
# looked for, and is not made the double that daxpy takes.
unchecked() {
    with "$@"
    run 1 arguments --quiet
    expect err "wrong: 'it is launched' should have 'argument 2 'y' is float \*, an integer was given'"
    expect out '^arguments\(14\) = 3$'
    ! grep -Eq 'wrong: (saxpy|mix|yields): ' err || fail "$(cat err)"
}

checked() {
    with "$1"
    all_right "${@:2}"
}

check "arguments" all_right
check "arguments, live registers saved" all_right --set gpu.yield_saves=live
check "arguments, 16 lanes, flat memory" all_right --set gpu.lanes=16 --set mem.system=flat
check "arguments of kernels without debug information" unchecked -g0
check "arguments of kernels with lines alone" unchecked -g1
check "arguments of kernels whose debug information is in other files" unchecked -gsplit-dwarf
for option in -g3 -gdwarf-{2..5} -gz; do
    check "arguments of kernels with $option" checked "$option"
done
