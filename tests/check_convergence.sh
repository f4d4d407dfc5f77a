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

# Prints a message for each copy in a file. Returns 1 where there are any.
check() {
    local file=$1 operations copies place
    # address, function, operation (funct7.funct3); custom-0, funct7 1 to 7, one line each
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
            if (word % 128 == 11 && funct7 >= 1 && funct7 <= 7) {
                sub(":", "", $1)
                print "0x" $1, name, funct7 "." int(word / 4096) % 8
            }
        }')
    [[ -n $operations ]] || return 0
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
    [[ -n $copies ]] || return 0
    while read -r place; do
        printf '%s: a cross-lane operation was copied by the compiler (or is twice on one line): %s\n' \
            "${file#"$root"/}" "${place//"$root"\//}" >&2
    done <<<"$copies"
    return 1
}

# The check itself: options under which GCC unrolls a loop must be noticed.
check_itself() {
    local folder
    folder=$(mktemp -d)
    trap "rm -rf '$folder'" EXIT
    cat >"$folder/copied.c" <<'EOF'
#include "wave/lanes.h"
void copied(uint64_t *p)
{
    for (int i = 0; i < 4; i++) {
        p[i] = sl_reduce_add(p[i]);
    }
}
EOF
    "${cross}gcc" -march=rv64imafd -mabi=lp64d -O3 -g -ffreestanding -I"$root/hal" -nostdlib -Wl,-e,copied \
        "$folder/copied.c" -o "$folder/copied.elf"
    if check "$folder/copied.elf" 2>/dev/null; then
        printf 'tests/check_convergence.sh: does not notice the copies that gcc -O3 makes\n' >&2
        return 1
    fi
}

files=("$@")
status=0
if ((${#files[@]} == 0)); then
    shopt -s nullglob
    files=("$build"/kernels/*.elf)
    if check_itself; then
        echo "ok - self-test: copies are noticed"
    else
        echo "not ok - self-test: copies are noticed"
        status=1
    fi
fi
for file in "${files[@]}"; do
    if check "$file"; then
        echo "ok - ${file##*/}"
    else
        echo "not ok - ${file##*/}"
        status=1
    fi
done
exit $status
