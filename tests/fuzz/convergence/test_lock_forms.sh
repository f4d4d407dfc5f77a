#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Loops by which lanes wait for each other: the forms of a lock in C (locks_kernel.c), and serving lanes by value
# (serve_kernel.c), each compiled alone and executed on the model of the device (run_kernels). Which loops the build warns
# of is compared for others, too (spins_kernel.c). Constructs of C++ with operations (constructs_kernel.cc). Reports in TAP.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
export SLUICE_BUILD=$build
if [[ ! -x $build/fuzz/run_kernels ]]; then
    echo "ok - locks # SKIP not built: run 'make $build/fuzz/run_kernels' first"
    exit 0
fi

# What becomes of each form, as outcome() has it: `right`; `deadlock`, a fault; `refused`, by the build; `told`, a deadlock
# of which the build warns, at the line of the loop that the lock is taken in. A warning of any other form is `warned`.
forms='
flag_while         right
flag_do            right
flag_for           right
flag_first         right
got_do             right
old_do             right
flag_pause         right
flag_pause_behind  right
flag_test          right
flag_items         right
flag_keys          right
flag_two           right
elect              right
states             right
states_if          right
helper             right
helper_flag        right
helper_far         right
helper_break       right
break_body         right
continue_body      right
goto_body          right
return_body        right
return_value       right
builtin_body       right
spin               told
'

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
status=0

result() { # result NAME GOT EXPECTED
    if [[ $2 == "$3" ]]; then
        echo "ok - $1: $3"
    else
        echo "not ok - $1: $2 instead of $3"
        status=1
    fi
}

words() { # words COUNT EXPRESSION-OF-i: in hexadecimal
    awk -v "count=$1" "BEGIN { for (i = 0; i < count; i++) { printf \" %x\", $2 } }"
}

# Whether the build has warned of the loop in spin(), and said where its lock is released.
spins() {
    local line
    line=$(awk '/^static inline void spin\(/ { found = 1 } found && /while/ { print NR; exit }' "$here/locks_kernel.c")
    grep -q "locks_kernel.c:$line:.* warning: lanes that have taken this lock wait" messages &&
        grep -q 'locks_kernel.c:[0-9]*:[0-9]*: note: it is released here' messages
}

# outcome NAME ITEMS INPUT EXPECTED SOURCE [OPTION]: input and results are expressions of the item's number
outcome() {
    local verdict
    if ! "$root/scripts/sluice-kernel-cc" "${@:6}" "$here/$5" -o kernel.elf 2>messages; then
        echo refused
        return
    fi
    printf 'input%s\n%s_kernel%s\n' "$(words "$2" "$3")" "$1" "$(words "$2" "$4")" >kernel.expect
    verdict=$("$build/fuzz/run_kernels" kernel.elf kernel.expect 2>&1) || true
    case $verdict in
    *' same') [[ -s messages ]] && echo warned || echo right ;;
    *' fault deadlock') spins && echo told || echo deadlock ;;
    *) echo "$verdict" ;;
    esac
}

lock() { # lock FORM ITEMS ENTRIES: as often does each item enter
    outcome "$1" "$2" i "$3" locks_kernel.c "-DFORMS(FORM)=FORM($1)"
}

while read -r form expected; do
    if [[ -n $form ]]; then
        entries=1
        [[ $form != flag_items ]] || entries=3
        result "$form" "$(lock "$form" 64 $entries)" "$expected"
    fi
done <<<"$forms"
result "two work-groups" "$(lock flag_while 128 1)" right
result "serving by value" "$(outcome serve 64 "i * i % 8" "i % 2 ? 32 : 16" serve_kernel.c)" right
result "serving by value, two work-groups" "$(outcome serve 128 "i * 7 % 64 % 3" \
    "i * 7 % 64 % 3 == 0 ? 22 : 21" serve_kernel.c)" right
result "serving by value, as C++" "$(outcome serve 64 "i * i % 8" "i % 2 ? 32 : 16" serve_kernel.c -x c++)" right

# In C++. Lanes that count together: by range, those for which a step is left; 0 and 1 fall together; items that are even,
# and 5, then 0, 1, 2 and 5; and those once more behind all.
constructs() {
    outcome "$1" 64 i "$2" constructs_kernel.cc
}
result "a loop over a range" "$(constructs range "64 * (i % 4 + 1) - 8 * (i % 4) * (i % 4 + 1)")" right
result "a switch" "$(constructs choice "i % 4 == 0 ? 132 : i % 4 == 1 ? 32 : i % 4 == 2 ? 16 : 0")" right
result "a lambda" "$(constructs lambda "(i % 2 == 0 || i == 5 ? 33 : 0) + (i < 3 || i == 5 ? 400 : 0)")" right
result "a destructor" "$(constructs destructor "i % 2 == 0 || i == 5 ? 1097 : 64")" right

"$root/scripts/sluice-kernel-cc" -Wall -Wextra "$here/spins_kernel.c" -o kernel.elf 2>messages || true
result "lines that the build warns of" \
    "$(sed -n -E 's/.*spins_kernel\.c:([0-9]+):.*(warning|error): .*/\1/p' messages | sort -n | tr '\n' ' ')" \
    "$(sed -n '/\/\* told \*\/$/=' "$here/spins_kernel.c" | tr '\n' ' ')"
exit $status
