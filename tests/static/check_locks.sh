#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Locks in kernels (docs/look-up/isa.md, "Locks"): the compiler driver and the loader refuse those of tests/locks/refused.c,
# which name the line where they are wrong, and take those of tests/locks/accepted.c, whatever the compiler makes of
# them. With lock.queue=on the loader takes none that nest. Reports in TAP.
# shellcheck disable=SC2317 # `result` calls the functions
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
cross=${CROSS:-riscv64-unknown-elf-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SLUICE_BUILD=$build

if [[ ! -x $build/bin/check-convergence || ! -x $build/bin/fib ]]; then
    echo "ok - locks # SKIP not built: run 'make all' first"
    exit 0
fi

status=0
result() { # result NAME COMMAND...: what it prints is shown where it fails
    if "${@:2}" >"$folder/said" 2>&1; then
        echo "ok - locks: $1"
    else
        sed 's/^/# /' "$folder/said"
        echo "not ok - locks: $1"
        status=1
    fi
}

compile() {
    "$root/scripts/sluice-kernel-cc" -std=gnu11 -Wall -Wextra -Werror "$@"
}

# Linked by hand, so that nothing is checked.
link_plain() {
    "${cross}gcc" -march=rv64imafd -mabi=lp64d -mcmodel=medany -nostartfiles -nostdlib -T "$root/linker/kernel.ld" \
        -Wl,--no-relax -L "$build/lib" -L "$build/newlib/kernel/lib" "$@" \
        -Wl,--whole-archive -lsluice-wave -Wl,--no-whole-archive -lc -lgcc
}

# A program finds its kernels in the folder beside its own.
mkdir "$folder/bin" "$folder/kernels"
cp "$build/bin/fib" "$folder/bin/fib"
ln -s "$build/lib" "$build/firmware" "$folder"

# load OPTION...: of the file of kernels that is there
load() {
    timeout --kill-after=5 300 "$folder/bin/fib" "$@" 5 2>"$folder/messages"
}

said() { # said TEXT
    grep -F -- "$1" "$folder/messages" >/dev/null || { echo "no '$1' in:"; cat "$folder/messages"; return 1; }
}

# line_of CASE: where the source says that it is wrong
line_of() {
    awk -v "begin=CASE == $1\$" '$0 ~ begin { found = 1 } found && /here \*\// { print FNR; exit }' \
        "$root/tests/locks/refused.c"
}

driver() { # driver CASE FUNCTION TEXT
    ! compile "-DCASE=$1" "$root/tests/locks/refused.c" -o "$folder/refused.elf" 2>"$folder/messages" &&
        [[ ! -e $folder/refused.elf ]] && said "tests/locks/refused.c:$(line_of "$1"): $3" && said "($2 in "
}

loader() { # loader CASE FUNCTION TEXT
    local ended=0
    compile "-DCASE=$1" -c "$root/tests/locks/refused.c" -o "$folder/refused.o"
    link_plain "$folder/refused.o" -o "$folder/kernels/fib.elf"
    load || ended=$?
    ((ended == 2)) || { echo "status $ended"; cat "$folder/messages"; return 1; }
    said "kernels/fib.elf': function $2 (" && said "refused.c:$(line_of "$1")): $3"
}

while IFS='|' read -r number function text; do
    result "the driver refuses: $function" driver "$number" "$function" "$text"
    result "the loader refuses: $function" loader "$number" "$function" "$text"
done <<'CASES'
1|differs|ways that meet hold different numbers of locks, 0 and, from refused.c:19, 1:
2|missing|it gives back a lock where none is held:
3|kept|it is left with 1 lock held:
4|calls|it calls adds, which may take locks, with 1 lock held:
5|calls_any|it calls a function through a pointer, which may take locks, with 1 lock held:
6|early|ways that meet hold different numbers of locks, 1 and, from refused.c:
7|gathers|ways that meet hold different numbers of locks, 0 and, from refused.c:
CASES

# The functions of a file stay whole; others may be taken apart.
whole() {
    compile -c "$root/tests/locks/accepted.c" -o "$folder/accepted.o" &&
        ! "${cross}nm" "$folder/accepted.o" | grep '\.part\.' &&
        "${cross}gcc" -march=rv64imafd -mabi=lp64d -mcmodel=medany -O2 -w -I"$root/hal" -I"$root/hal/include" \
            -isystem "$build/newlib/kernel/include" -c "$root/tests/locks/accepted.c" -o "$folder/plain.o" &&
        "${cross}nm" "$folder/plain.o" | grep -q '\.part\.'
}

nested() {
    local ended=0
    cp "$folder/accepted.elf" "$folder/kernels/fib.elf"
    load --set mem.system=flat --set lock.queue=on || ended=$?
    ((ended == 2)) || { echo "status $ended"; cat "$folder/messages"; return 1; }
    said "it takes a lock with 1 lock held, but with lock.queue=on" && said "accepted.c:"
}

# The file is taken; it has no kernel of fib's.
nested_without_queue() {
    ! load --set mem.system=flat && said "has no function 'fib_kernel'"
}

result "the driver takes what is right" compile "$root/tests/locks/accepted.c" -o "$folder/accepted.elf"
result "the compiler splits no function that takes locks, and would" whole
result "the loader refuses locks that nest with lock.queue=on" nested
result "the loader takes them without" nested_without_queue
exit $status
