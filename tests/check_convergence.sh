#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Looks for cross-lane operations that the compiler copied: equal instructions (operation and funct3; not
# sl.id, which may be copied) in one function whose chain of inlined calls and source lines is the same.
# usage: tests/check_convergence.sh [KERNEL.elf...]     default: all kernels that are built
# Two such calls on one source line look like a copy: write them on two. What it does not find: operations
# that were merged, and copies in files without debug information.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${SLUICE_BUILD:-$root/build}
cross=${CROSS:-riscv64-unknown-elf-}

shopt -s nullglob
files=("$@")
((${#files[@]} > 0)) || files=("$build"/kernels/*.elf)
status=0

for file in "${files[@]}"; do
    # address, function, operation (funct7.funct3); custom-0, funct7 1 to 6, one line each
    operations=$("${cross}objdump" -d -M no-aliases "$file" | awk '
        function hex(text,    i, value) {
            for (i = 1; i <= length(text); i++) {
                value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
            }
            return value
        }
        /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
        length($2) == 8 && $2 ~ /^[0-9a-f]+$/ {
            word = hex($2)
            funct7 = int(word / 33554432)
            if (word % 128 == 11 && funct7 >= 1 && funct7 <= 6) {
                sub(":", "", $1)
                print "0x" $1, name, funct7 "." int(word / 4096) % 8
            }
        }')
    [[ -n $operations ]] || continue
    copies=$("${cross}addr2line" -i -a -e "$file" $(cut -d ' ' -f 1 <<<"$operations") | awk -v list="$operations" '
        BEGIN {
            count = split(list, lines, "\n")
            for (i = 1; i <= count; i++) {
                split(lines[i], part, " ")
                key[i] = part[2] " " part[3]
            }
        }
        /^0x/ { at++; next }
        { sub(/ \(discriminator [0-9]+\)/, ""); chain[at] = chain[at] " < " $0 }
        END {
            for (i = 1; i <= count; i++) {
                if (chain[i] !~ /\.S:/ && chain[i] !~ /\?/ && seen[key[i] chain[i]]++) {
                    print substr(chain[i], 4)
                }
            }
        }')
    if [[ -n $copies ]]; then
        status=1
        while read -r place; do
            printf '%s: a cross-lane operation was copied by the compiler (or is twice on one line): %s\n' \
                "${file#"$root"/}" "${place//"$root"\//}" >&2
        done <<<"$copies"
    fi
done
exit $status
