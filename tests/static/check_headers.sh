#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What users include compiles alone, without a warning: each header of hal/include/sluice in C11 and C++17 for the host,
# those of wave/ there as scripts/sluice-kernel-cc compiles kernels. Where the compiler is not there, the check is skipped.
# Reports in TAP. A self-test proves on headers of its own that one which needs another before it, or is C alone, is found.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${SLUICE_BUILD:-build}
cross=${CROSS:-riscv64-unknown-elf-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

kernel=(-march=rv64imafd -mabi=lp64d -mcmodel=medany -O2 -isystem "$build/newlib/kernel/include")

# compile LANGUAGE ROOT COMPILER OPTION...: every header on standard input, by its name below ROOT, each alone
compile() {
    local language=$1 root=$2 name wrong=0
    while IFS= read -r name; do
        printf '#include "%s"\n' "$name" >"$folder/alone"
        "${@:3}" -x "${language%%:*}" "-std=${language##*:}" -Wall -Wextra -Werror -Ihal "-I$root" -fsyntax-only \
            "$folder/alone" || { printf '%s as %s\n' "$name" "${language##*:}" && wrong=1; }
    done
    return $wrong
}

# check NAME LANGUAGE FOLDER COMPILER OPTION...: the headers of this folder of hal/include
check() {
    if ! command -v "$4" >/dev/null; then
        printf 'ok - headers: %s # SKIP no %s\n' "$1" "$4"
    elif (cd hal/include && find "$3" -maxdepth 1 -name '*.h' | sort) >"$folder/names" && [[ -s $folder/names ]] &&
        compile "$2" hal/include "${@:4}" <"$folder/names" >"$folder/said" 2>&1; then
        printf 'ok - headers: %s\n' "$1"
    else
        sed 's/^/# /' "$folder/said"
        printf 'not ok - headers: %s\n' "$1"
        status=1
    fi
}

# refuses LANGUAGE TEXT: a header with this text does not pass
refuses() {
    printf '%b\n' "$2" >"$folder/mine.h"
    if printf 'mine.h\n' | compile "$1" "$folder" g++ >/dev/null 2>&1; then
        printf 'not ok - headers: self-test: %s should be refused as %s\n' "$2" "$1"
        status=1
    fi
}

if command -v g++ >/dev/null; then
    refuses c++:c++17 'static inline int *f(void *p) { return p; }'
    refuses c++:c++17 'uint32_t x;'
    refuses c:c11 'uint32_t x;'
    refuses c++:c++17 'struct s { int a; int b; };\nstatic inline s f() { return s{1}; }'
    printf 'ok - headers: self-test\n'
fi
check 'C11, host' c:c11 sluice "${CC:-gcc}"
check 'C++17, host' c++:c++17 sluice g++
check 'C11, kernels' c:c11 sluice/wave "${cross}gcc" "${kernel[@]}"
check 'C++17, kernels' c++:c++17 sluice/wave "${cross}g++" "${kernel[@]}" -fno-exceptions -fno-rtti
exit $status
