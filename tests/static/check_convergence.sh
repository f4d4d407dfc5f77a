#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Cross-lane operations in kernels are where the source has them: those that are built, and random ones
# (tests/fuzz/kernels.awk), whose number of operations is known, pass check-convergence. It refuses, by name, objects that
# `sluice cc` did not compile, operations written by hand, and jumps through tables; the project's flags make none of
# these. The plugin of `sluice cc` notices what GCC does to operations with other flags than the project's.
# usage: tests/static/check_convergence.sh [FIRST_SEED [FILES]]
# 2 files of 25 kernels; 200 files, 5,000 kernels, with SLUICE_TEST_LONG.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
cross=${CROSS:-riscv64-unknown-elf-}
check=$build/bin/check-convergence
first=${1:-1}
files=${2:-$((${SLUICE_TEST_LONG:+1} + 0 ? 200 : 2))}
per_file=25
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SLUICE_BUILD=$build

if [[ ! -x $check ]]; then
    echo "ok - check-convergence # SKIP not built: run 'make all' first"
    exit 0
fi

status=0
result() { # result CONDITION-STATUS NAME
    if (($1 == 0)); then
        echo "ok - $2"
    else
        echo "not ok - $2"
        status=1
    fi
}

shopt -s nullglob
for file in "$build"/kernels/*.elf; do
    found=0
    "$check" "$file" || found=$?
    result $found "${file##*/}"
done

# As sluice-kernel-cc compiles, but with other options and without the check.
compile_plain() {
    "${cross}gcc" -march=rv64imafd -mabi=lp64d -mcmodel=medany -g -w -I"$root/hal" -I"$root/hal/include" \
        -isystem "$build/newlib/kernel/include" -nostartfiles -nostdlib -T "$root/linker/kernel.ld" \
        -Wl,--no-relax -L "$build/lib" -L "$build/newlib/kernel/lib" "$@" \
        -Wl,--whole-archive -lsluice-wave -Wl,--no-whole-archive -lc -lgcc
}

# One file of random kernels, in a folder of its own, where the number of operations is left.
# shellcheck disable=SC2317 # xargs calls it
random_file() {
    local own=$folder/$1 count expected
    mkdir "$own"
    awk -v "seed=$1" -v "kernels=$per_file" -f "$root/tests/fuzz/kernels.awk" >"$own/kernels_$1.c"
    "$root/scripts/sluice-kernel-cc" -w "$own/kernels_$1.c" -o "$own/kernels.elf" || return 1
    count=$("$check" --count "$own/kernels.elf")
    expected=$(awk '/^\/\* sites:/ { print $3 }' "$own/kernels_$1.c")
    if [[ ${count% *} != "$expected" ]]; then
        echo "seed $1: ${count% *} cross-lane operations; the source has $expected" >&2
        return 1
    fi
    echo "$expected" >"$own/count"
    rm "$own/kernels.elf"
    [[ $1 == "$first" ]] || rm "$own/kernels_$1.c"
}
export -f random_file
export root check folder first per_file

# Seeds whose file is not as it should be are those that left no number.
# shellcheck disable=SC2016 # the inner shell expands
seq "$first" $((first + files - 1)) | xargs -P "$(nproc)" -n 1 bash -c 'random_file "$1" || true' random_file
total=0
bad=0
for ((seed = first; seed < first + files; seed++)); do
    if [[ -s $folder/$seed/count ]]; then
        total=$((total + $(<"$folder/$seed/count")))
    else
        echo "random kernels of seed $seed: see above" >&2
        bad=1
    fi
done
echo "# $((files * per_file)) random kernels, $total cross-lane operations"
result $bad "random kernels: all operations are there, and compared"

# What another compiler made is refused: each function once, by its name, and by its line where that is known.
refused_once() { # refused_once PLACE: what is in messages
    ! grep -qv "^$1: the cross-lane operation [a-z_.]* was not compiled by sluice cc, .* (kernel_[0-9]* in " \
        "$folder/messages" &&
        (($(wc -l <"$folder/messages") == $(grep -o '(kernel_[0-9]* in ' "$folder/messages" | sort -u | wc -l)))
}
source=$folder/$first/kernels_$first.c
for options in -O2 -O3 "-O2 -g0"; do
    # shellcheck disable=SC2086 # words
    compile_plain $options -fno-jump-tables "$source" -o "$folder/plain.elf"
    found=$("$check" --count "$folder/plain.elf" 2>"$folder/messages") || true
    echo "# plain $options: ${found% *} operations, ${found#* } findings"
    place=".*kernels_$first\\.c:[0-9]*"
    [[ $options != *-g0 ]] || place="address 0x[0-9a-f]*"
    failed=0
    ((${found#* } > 1)) && refused_once "$place" || failed=1
    result $failed "plain $options is refused, function by function"
done

# An operation without a record, and a call without one.
cat >"$folder/hand.c" <<'SOURCE'
#include "sluice/wave/wave.h"
SL_KERNEL void hand(int source, int index, uint64_t *out)
{
    uint64_t first;
    __asm__ volatile(".insn r 0x0b, 0, 3, %0, %1, x0" : "=r"(first) : "r"(out) : "memory");
    out[index] = first + (uint64_t)source;
}
SOURCE
cat >"$folder/called.c" <<'SOURCE'
#include "sluice/wave/wave.h"
SL_KERNEL void called(int source, int index)
{
    sl_tfree(source, index);
    (sl_tfree)(source, index + 1);
}
SOURCE
# What GCC does with other flags: it copies code with the operation, or takes the operation out of its loop.
cat >"$folder/rounds.c" <<'SOURCE'
#include "sluice/wave/wave.h"
static uint64_t together(uint64_t x)
{
    return sl_reduce_add(x);
}
SL_KERNEL void rounds(const uint64_t *v, uint64_t *out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = together(v[i]);
    }
}
SOURCE
cat >"$folder/flag.c" <<'SOURCE'
#include "sluice/wave/wave.h"
SL_KERNEL void flag(int source, int index, uint64_t *out)
{
    for (int i = 0; i < source; i++) {
        sl_tfree(source, i);
        if (index) {
            out[i] *= 3;
        }
    }
}
SOURCE
cp "$root/tests/fuzz/convergence/serve_kernel.c" "$source" "$folder"
# Equal code, of which crossjumping makes one where neither the label of the header nor the plugin keeps it apart.
cat >"$folder/merged.c" <<'SOURCE'
#include "sluice/wave/wave.h"
#undef SL_WAVE_HERE
#define SL_WAVE_HERE [here] "i"(0)
SL_KERNEL void merged(int source, int index, uint64_t *out)
{
    sl_enq(source, 0, index);
    if (out[2]) {
        out[1] = 3;
        sl_tfree(source, index);
        out[5] = out[6] * 3 + out[7];
        out[9] = out[10] * 5;
    } else {
        out[4] = 4;
        sl_tfree(source, index);
        out[5] = out[6] * 3 + out[7];
        out[9] = out[10] * 5;
    }
}
SOURCE

fails() { # fails NAME LINE WORD OPTION: the kernel build, whose output is named by the option
    ! "$root/scripts/sluice-kernel-cc" "$folder/$1.c" "${@:4}" "$folder/$1.elf" 2>"$folder/messages" &&
        [[ ! -e $folder/$1.elf ]] && grep -q "$1.c:$2: .*$3" "$folder/messages" &&
        (($(wc -l <"$folder/messages") == 1))
}
for case in "hand 5 hand" "called 5 hand"; do
    failed=0
    # shellcheck disable=SC2086 # three words
    fails $case -o || failed=1
    result $failed "the kernel build fails and names the line: ${case%% *}"
done

with_plugin() { # with_plugin NAME FLAG...: the plugin, without the project's flags
    "${cross}gcc" -march=rv64imafd -mabi=lp64d -mcmodel=medany -g -w -I"$root/hal" -I"$root/hal/include" \
        -isystem "$build/newlib/kernel/include" -fplugin="$build/lib/sluice-kernel-plugin.so" "${@:2}" \
        -c "$folder/$1.c" -o "$folder/$1.o" 2>"$folder/messages"
}
# By name: the line, flags, and what the plugin says of them.
damages="
rounds          4    -O3                  copied 'sl_reduce_add',
flag            5    -O2,-funswitch-loops copied 'sl_tfree',
serve_kernel    18   -O2                  moved 'sl_reduce_add' out of a loop,
serve_kernel    18   -O3                  moved 'sl_reduce_add' out of a loop,
kernels_$first  [0-9]* -O2                .* 'sl_[a-z_]*'
kernels_$first  [0-9]* -O3                .* 'sl_[a-z_]*'
"
while read -r name line flags message; do
    [[ -n $name ]] || continue
    flags=${flags//,/ }
    failed=1
    # shellcheck disable=SC2086 # words
    if ! with_plugin "$name" $flags && [[ ! -e $folder/$name.o ]] &&
        grep -q "/$name\.c:$line:[0-9]*: error: the compiler $message" "$folder/messages"; then
        failed=0
    fi
    ((failed == 0)) || sed 's/^/# /' "$folder/messages"
    result $failed "the plugin refuses what $flags does: $name"
done <<<"$damages"

# The project's flags change nothing of these; nor does crossjumping, with the plugin.
for case in "rounds 1" "flag 1" "serve_kernel 2" "merged 3"; do
    failed=0
    "$root/scripts/sluice-kernel-cc" "$folder/${case% *}.c" -o "$folder/right.elf" || failed=1
    [[ $("$check" --count "$folder/right.elf") == "${case#* } 0" ]] || failed=1
    result $failed "the project's flags: ${case% *}"
done
failed=0
compile_plain -O2 "$folder/merged.c" -o "$folder/right.elf" || failed=1
[[ $("$check" --count "$folder/right.elf" 2>/dev/null) == "2 1" ]] || failed=1
with_plugin merged -O2 && "$root/scripts/sluice-kernel-cc" "$folder/merged.o" -o "$folder/right.elf" || failed=1
[[ $("$check" --count "$folder/right.elf") == "3 0" ]] || failed=1
result $failed "the plugin keeps equal operations apart"

# However the output is named, it is checked.
joined() {
    ! "$root/scripts/sluice-kernel-cc" "$folder/hand.c" "$1$folder/hand.elf" 2>"$folder/messages" &&
        [[ ! -e $folder/hand.elf ]] && grep -q "hand.c:5: .*hand" "$folder/messages"
}
failed=0
fails hand 5 hand --output || failed=1
joined -o || failed=1
joined --output= || failed=1
printf '%s\n' "-o $folder/hand.elf" >"$folder/options"
! "$root/scripts/sluice-kernel-cc" "$folder/hand.c" "@$folder/options" 2>"$folder/messages" || failed=1
[[ ! -e $folder/hand.elf ]] && grep -q "options are not taken from a file" "$folder/messages" || failed=1
result $failed "the kernel build fails, whichever option names its output"

# The kernel of tests/install/project/squares.c, with a switch, and what looks like its table: a tail call through a
# pointer out of one, and a division of GCC's library, which has a table of its own.
cat >"$folder/table.c" <<'SOURCE'
#include "sluice/wave/wave.h"
typedef void adder(uint64_t *, uint64_t);
__attribute__((noinline)) static void once(uint64_t *sum, uint64_t a) { sl_atomic_add_u64(sum, a); }
__attribute__((noinline)) static void parts(uint64_t *sum, uint64_t a)
{
    sl_atomic_add_u64(sum, (uint64_t)((long double)a / 3.0L));
    sl_atomic_add_u64(sum, a - (uint64_t)((long double)a / 3.0L));
}
adder *const adders[] = {once, parts};
__attribute__((noinline)) static void add(uint64_t *sum, uint64_t a) { adders[a & 1](sum, a); }
__attribute__((noinline)) uint64_t square(uint64_t i)
{
    switch (i % 11) {
    case 0: return i * i;
    case 1: return (i - 1) * (i + 1) + 1;
    case 2: return (i - 2) * (i + 2) + 4;
    case 3: return (i - 3) * (i + 3) + 9;
    case 4: return (i + 1) * (i + 1) - 2 * i - 1;
    case 5: return (i + 2) * (i + 2) - 4 * i - 4;
    case 6: return (i * 3) * (i * 3) / 9;
    case 7: return (i * 5) * (i * 7) / 35;
    case 8: return (i + 3) * i - 3 * i;
    default: return (i - 5) * i + 5 * i;
    }
}
SL_KERNEL void add_squares(uint64_t *sum)
{
    add(sum, square(sl_global_id(0)));
}
SOURCE
foreign() { # foreign OPTION...: another compiler's object, linked by the project's driver
    "${cross}gcc" -march=rv64imafd -mabi=lp64d -g -w -fjump-tables -I"$root/hal" -I"$root/hal/include" \
        -isystem "$build/newlib/kernel/include" "$@" -S "$folder/table.c" -o "$folder/table.s" &&
        "${cross}gcc" -march=rv64imafd -mabi=lp64d -c "$folder/table.s" -o "$folder/table.o" &&
        "$root/scripts/sluice-kernel-cc" "$folder/table.o" -o "$folder/table.elf"
}
line=$(grep -n 'switch (' "$folder/table.c")
for options in "-O2 -mcmodel=medany" "-O0 -mcmodel=medany" "-Os -mcmodel=medany"; do
    failed=1
    # shellcheck disable=SC2086 # words
    if ! foreign $options 2>"$folder/messages" && [[ ! -e $folder/table.elf ]] &&
        grep -q "table\.c:${line%%:*}: a jump through a table, .*: compile it with sluice cc.*(square in " \
            "$folder/messages" && (($(wc -l <"$folder/messages") == 1)); then
        failed=0
    fi
    ((failed == 0)) || cat "$folder/messages" >&2
    result $failed "a jump through a table is refused, with its source line: $options"
done
runs() { # the file of kernels, by a host program that knows the result
    cp "$folder/table.elf" "$folder/squares.elf" && "$folder/squares" --quiet 1000 >"$folder/messages"
}
read -ra host < <(PKG_CONFIG_PATH=$build/lib/pkgconfig pkg-config --cflags --libs sluice)
"${CC:-cc}" -pthread "$root/tests/install/project/squares.c" "${host[@]}" -o "$folder/squares"
failed=0
foreign -O2 -mcmodel=medany -fno-jump-tables && runs || failed=1
result $failed "without tables the same object is taken, and runs"
rm -f "$folder/table.elf" "$folder/squares.elf"
failed=0
"$root/scripts/sluice-kernel-cc" "$folder/table.c" -o "$folder/table.elf" && runs || failed=1
"${cross}nm" "$folder/table.elf" | grep ' __divtf3$' >"$folder/messages" || failed=1
result $failed "the project's flags make no jump through a table, and what they make runs"
exit $status
