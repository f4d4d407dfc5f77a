#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Entries (docs/look-up/isa.md, "Entries"): kernels save no registers for a caller, and nothing calls them.
#   - In all kernels that are built: each function marked SL_KERNEL is an entry, and none stores a register that
#     callees keep before it has set it. The same code compiled without bin/kernel-entries has to be found.
#   - Functions as entries (tests/entries) give their results in qemu-riscv64, all frames gone at the end.
#   - gdb on one of them: variables, and a backtrace that ends with the entry.
#   - scripts/sluice-kernel-cc: calls of entries are refused; -S, -pipe and -save-temps; errors of the compiler,
#     and of the linker where a kernel calls what it does not have.
# Reports in TAP.
# shellcheck disable=SC2317 # `result` calls the functions
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
cross=${CROSS:-riscv64-unknown-elf-}
folder=$(mktemp -d)
qemu=
trap '[[ -z $qemu ]] || kill "$qemu" 2>/dev/null || true; rm -rf "$folder"' EXIT
export SLUICE_BUILD=$build

if [[ ! -x $build/bin/kernel-entries || ! -e $build/lib/libsluice-wave.a ]]; then
    echo "ok - entries # SKIP not built: run 'make all' first"
    exit 0
fi

status=0
result() { # result NAME COMMAND...: what it prints is shown where it fails
    if "${@:2}" >"$folder/said" 2>&1; then
        echo "ok - entries: $1"
    else
        sed 's/^/# /' "$folder/said"
        echo "not ok - entries: $1"
        status=1
    fi
}

# As sluice-kernel-cc compiles, but for the entries.
compile_plain() {
    "${cross}gcc" -march=rv64imafd -mabi=lp64d -mcmodel=medany -O2 -g -fno-shrink-wrap -w \
        -I"$root/hal" -I"$root/hal/include" -I"$root/tests" -isystem "$build/newlib/kernel/include" "$@"
}

compile() {
    "$root/scripts/sluice-kernel-cc" -std=gnu11 -Wall -Wextra -Werror -I"$root/tests" "$@"
}

# ---- what was compiled ----

# marked FILE: the names of its entries
marked() {
    "${cross}readelf" -sW "$1" | awk '$4 == "FUNC" && /VARIANT_CC/ { print $NF }'
}

# saves FILE NAME...: stores on the stack, in these functions, of registers that callees keep and that the function has
# not named before
saves() {
    "${cross}objdump" -d --no-show-raw-insn "$1" | awk -v "names=${*:2}" '
        BEGIN { count = split(names, list); for (i = 1; i <= count; i++) wanted[list[i]] = 1 }
        /^[0-9a-f]+ <\./ { next } # a label in it
        /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); delete named; next }
        !(name in wanted) || $1 !~ /:$/ { next }
        {
            first = $3
            sub(/,.*/, "", first)
            if ($2 ~ /^f?sd$/ && $3 ~ /\((sp|s0)\)$/ && first ~ /^(ra|f?s[0-9]+)$/ && !(first in named)) {
                print name ": " $2 " " $3
            }
            count = split($3, words, /[,()]/)
            for (i = 1; i <= count; i++) named[words[i]] = 1
        }'
}

# The functions that a source marks SL_KERNEL.
kernels_of() {
    compile_plain -E -P "$1" |
        grep -oE 'section\("\.text\.kernels"\)\)\)( __attribute__\(\([a-z]+\)\))* void [a-z_0-9]+' |
        awk '{ print $NF }' | sort
}

are_entries() {
    local program=$1 found names # are_entries PROGRAM SOURCE
    names=$(kernels_of "$2")
    [[ -n $names ]] || { echo "no kernel in it"; return 1; }
    found=$(comm -23 <(echo "$names") <(marked "$build/kernels/$program.elf" | sort))
    [[ -z $found ]] || { echo "no entries: $found"; return 1; }
    # shellcheck disable=SC2046 # names are words
    found=$(saves "$build/kernels/$program.elf" $(marked "$build/kernels/$program.elf"))
    [[ -z $found ]] || { echo "$found"; return 1; }
}

for elf in "$build"/kernels/*.elf; do
    program=$(basename "$elf" .elf)
    for source in "$root"/tests/{litmus,workloads/*,probes/*}/"${program}_kernel."{c,cc}; do
        [[ ! -f $source ]] || result "$program.elf" are_entries "$program" "$source"
    done
done

# link_cases COMPILE: the program of tests/entries, called so
link_cases() {
    "$1" -c "$root/tests/entries/cases.c" -o "$folder/$1.o" &&
        compile_plain -ffreestanding -c "$root/tests/entries/runner.c" -o "$folder/runner.o" &&
        "${cross}gcc" -march=rv64imafd -mabi=lp64d -nostdlib -static -Wl,--no-relax \
            -Wl,--section-start=.lane_exit=0x40000000 "$folder/runner.o" "$folder/$1.o" -L "$build/newlib/kernel/lib" \
            -L "$build/lib" -Wl,--start-group -lsluice-wave -lc -lm -lgcc -Wl,--end-group -o "$folder/$1"
}

savers_are_found() {
    local name
    link_cases compile_plain || return
    [[ -z $(marked "$folder/compile_plain") ]] || return
    for name in entry_floats_kept unchanged_floats_kept entry_large_frame entry_array_of_length entry_debugged; do
        [[ -n $(saves "$folder/compile_plain" "$name") ]] || { echo "not found: $name"; return 1; }
        [[ -z $(saves "$folder/compile" "$name") ]] || { saves "$folder/compile" "$name"; return 1; }
    done
}

# ---- what it does ----

results() {
    timeout --kill-after=5 300 qemu-riscv64 "$folder/compile"
}

said() { # said PATTERN: in gdb.log
    grep -qE "$1" "$folder/gdb.log" || { echo "no line '$1' in:"; cat "$folder/gdb.log"; return 1; }
}

debugged() {
    qemu-riscv64 -g "$folder/socket" "$folder/compile" >/dev/null 2>&1 &
    qemu=$!
    until [[ -S $folder/socket ]] || ! kill -0 "$qemu" 2>/dev/null; do
        sleep 0.02
    done
    timeout --kill-after=5 300 gdb-multiarch -nx -batch -iex 'set auto-load off' -iex 'set width 0' \
        -ex "target remote $folder/socket" -ex 'break debugged_leaf' -ex 'continue' -ex 'backtrace' \
        -ex 'up 2' -ex 'info locals' -ex 'print input' -ex 'info frame' "$folder/compile" >"$folder/gdb.log" 2>&1 ||
        { echo "gdb ended with status $?:"; cat "$folder/gdb.log"; return 1; }
    kill "$qemu"
    qemu=
    said '^#0 +debugged_leaf \(n=' && said '^#1 .* in debugged \(n=' && said '^#2 .* in entry_debugged \(input=12, ' &&
        ! grep '^#3' "$folder/gdb.log" && said '^kept = 84$' && said '^real = 3$' && said '^[$]1 = 12$' &&
        said 'Outermost frame: outermost'
}

# ---- the compiler driver ----

cat >"$folder/calls.c" <<'SOURCE'
#include "sluice/wave/wave.h"
SL_KERNEL void called(int source, int index)
{
    sl_tfree(source, index);
}
SL_KERNEL void calls(int source, int index, int more)
{
#if CASE == 1
    called(source, index);
    sl_tfree(source, more);
#elif CASE == 2
    sl_tfree(source, more);
    called(source, index);
#else
    void (*volatile pointer)(int, int) = called;
    pointer(source, more);
    sl_tfree(source, index);
#endif
}
SOURCE

refused() { # refused CASE
    ! compile "-DCASE=$1" "$folder/calls.c" -o "$folder/calls.elf" 2>"$folder/messages" &&
        [[ ! -e $folder/calls.elf ]] &&
        grep "calls the kernel 'called' in 'calls': a kernel saves no registers for a caller" "$folder/messages"
}

# Assembly as it is assembled, without the comments that the entries are found by.
readable() {
    compile -S "$root/tests/workloads/fib/fib_kernel.c" -o "$folder/fib.s" &&
        grep -q 'variant_cc.*fib_kernel$' "$folder/fib.s" && ! grep -n '(insn\|(reg:' "$folder/fib.s"
}

same_code() {
    local option
    cd "$folder"
    compile -c "$root/tests/workloads/fib/fib_kernel.c" -o "$folder/fib.o" || return
    for option in -pipe -save-temps=obj; do
        compile "$option" -c "$root/tests/workloads/fib/fib_kernel.c" -o "$folder/other.o" &&
            "${cross}objcopy" -O binary -j .text.kernels "$folder/fib.o" "$folder/fib.bin" &&
            "${cross}objcopy" -O binary -j .text.kernels "$folder/other.o" "$folder/other.bin" &&
            cmp "$folder/fib.bin" "$folder/other.bin" || return
    done
}

bad_source() {
    echo 'SL_KERNEL void nothing(' >"$folder/bad.c"
    ! compile -c "$folder/bad.c" -o "$folder/bad.o" 2>"$folder/messages" && [[ ! -e $folder/bad.o ]] &&
        grep -q 'bad.c:1:.* error:' "$folder/messages"
}

unwritable() {
    ! compile -S "$root/tests/workloads/fib/fib_kernel.c" -o "$folder/none/fib.s" 2>"$folder/messages" &&
        grep -q "kernel-entries: .*none/fib.s: No such file" "$folder/messages"
}

# What a kernel cannot call is told with its line and what to call instead, and nothing of what the C library would call
# in turn; what is missing otherwise is told as always.
absent() {
    cat >"$folder/absent.c" <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "sluice/wave/wave.h"
int missing(int number);
SL_KERNEL void absent(int source, int index, void **out)
{
    printf("%d\n", index);
    *out = malloc(8);
    assert(missing(index) > 0);
    sl_tfree(source, index);
}
END
    ! compile "$folder/absent.c" -o "$folder/absent.elf" 2>"$folder/messages" && [[ ! -e $folder/absent.elf ]] || return 1
    cat "$folder/messages"
    local wanted
    for wanted in 'absent.c:8: error: printf(): .* sl_printf()' 'absent.c:9: error: malloc(): .* sl_alloc()' \
        'absent.c:10: error: __assert_func(): .* SL_ASSERT()' 'undefined reference to .missing'; do
        grep -q "$wanted" "$folder/messages" || return 1
    done
    ! grep -Eq 'libc\.a|_sbrk|_write' "$folder/messages"
}

# A function of the C library that is none of these, but needs what they do.
absent_below() {
    cat >"$folder/below.c" <<'END'
#include <stdio.h>
#include "sluice/wave/wave.h"
SL_KERNEL void below(int source, int index) { remove("file"); sl_tfree(source, index); }
END
    ! compile -Wno-unused-result "$folder/below.c" -o "$folder/below.elf" 2>"$folder/messages" || return 1
    cat "$folder/messages"
    grep -q 'needs an operating system, which they do not have: _unlink' "$folder/messages" &&
        ! grep -q 'libc\.a' "$folder/messages"
}

# Who has one of his own is not told.
own() {
    cat >"$folder/own.c" <<'END'
#include "sluice/wave/wave.h"
void *malloc(size_t bytes);
__attribute__((noipa)) void *malloc(size_t bytes) { return (void *)bytes; }
SL_KERNEL void own(int source, int index, void **out) { *out = malloc(8); sl_tfree(source, index); }
END
    compile "$folder/own.c" -o "$folder/own.elf" 2>"$folder/messages" && [[ ! -s $folder/messages ]]
}

result "functions as entries: compiled and linked" link_cases compile
result "saves are found where they are" savers_are_found
if command -v qemu-riscv64 >/dev/null; then
    result "functions as entries: results" results
    if command -v gdb-multiarch >/dev/null; then
        result "gdb: variables, and a backtrace that ends" debugged
    else
        echo "ok - entries: gdb # SKIP no gdb-multiarch"
    fi
else
    echo "ok - entries: functions as entries # SKIP no qemu-riscv64"
fi
result "a call is refused" refused 1
result "a call at a function's end is refused" refused 2
result "a pointer is not" compile -DCASE=3 "$folder/calls.c" -o "$folder/calls.elf"
result "-S is readable" readable
result "-pipe and -save-temps make the same code" same_code
result "errors in the source" bad_source
result "assembly that cannot be written" unwritable
result "functions that kernels do not have" absent
result "what the C library needs below" absent_below
result "functions of one's own by their names" own
exit $status
