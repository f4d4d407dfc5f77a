#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Lines of code of programs of tests/workloads, for the core paper's Table 4, as JSON:
#     {"queens": {"lines": 301, "kernel_lines": 95, "common_lines": 230}}
# `lines` are those of a program's host file and kernel file and of the headers of programs that these include,
# tests/workloads/common apart; `kernel_lines` are the kernel file's and its headers'. `common_lines` are those of
# the common files that they include directly, sources and headers. What the library has for all programs
# (sluice/program.h) is not counted, nor are kernels for other forms of channel elements (NAME_forms_kernel.c), which
# are further versions of a program. PROGRAM:KERNEL is a program with another kernel file, KERNEL_kernel.c, and has the
# kernel's name.
# A line is one that has more than comments, blanks, braces and their punctuation.
# usage: tests/bench/lines.sh PROGRAM[:KERNEL]...
#        SLUICE_TREE names another tree; CROSS is the prefix of the compiler, which leaves out the comments.
# Exit status 2 where a program or a file that it includes is missing.
set -euo pipefail

me=$(basename "$0" .sh)
tests=${SLUICE_TREE:-$(dirname "${BASH_SOURCE[0]}")/../..}/tests
compiler=${CROSS:-riscv64-unknown-elf-}gcc

fail() {
    printf '%s: %s\n' "$me" "$1" >&2
    exit 2
}

# Prints where a source is that is called so, in tests/.
source_file() {
    local found
    found=$(cd "$tests" && find workloads -name "$1")
    [[ -n $found ]] || fail "${1%.c}: no such file in tests/workloads"
    printf '%s\n' "$found"
}

# Prints the files of the tree that a file includes, by a pattern of their names.
includes() {
    sed -nE "s|^#include \"(workloads/$2)\"|\1|p" "$tests/$1"
}

# Prints a program's own files: these, and what they include.
own_files() {
    local file included
    local -A seen=()
    local pending=("$@")
    while ((${#pending[@]} > 0)); do
        file=${pending[0]}
        pending=("${pending[@]:1}")
        [[ -z ${seen[$file]-} ]] || continue
        seen[$file]=yes
        printf '%s\n' "$file"
        while IFS= read -r included; do
            [[ $included == workloads/common/* ]] || pending+=("$included")
        done < <(includes "$file" '[^"]*')
    done
}

# Prints the common files that the files on standard input include, sources with their headers.
common_files() {
    local file header
    while IFS= read -r file; do
        while IFS= read -r header; do
            printf '%s\n' "$header"
            [[ ! -f $tests/${header%.h}.c ]] || printf '%s\n' "${header%.h}.c"
        done < <(includes "$file" 'common/[^"]*')
    done | sort -u
}

# Counts the lines of the files on standard input.
count_lines() {
    local file
    while IFS= read -r file; do
        "$compiler" -fpreprocessed -dD -E "$tests/$file" || fail "cannot read tests/$file"
    done | sed -E '/^# [0-9]/d; /^[[:space:]{};,()]*$/d' | wc -l
}

(($# > 0)) || fail 'no program named'
separator='{'
for program in "$@"; do
    host=${program%%:*}
    program=${program##*:}
    host=$(source_file "$host.c")
    kernel=$(source_file "${program}_kernel.c")
    lines=$(own_files "$host" "$kernel" | count_lines)
    kernel_lines=$(own_files "$kernel" | count_lines)
    common_lines=$(own_files "$host" "$kernel" | common_files | count_lines)
    printf '%s\n  "%s": {"lines": %d, "kernel_lines": %d, "common_lines": %d}' \
        "$separator" "$program" "$lines" "$kernel_lines" "$common_lines"
    separator=,
done
printf '\n}\n'
