#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What tests/bench/lines.sh counts as a line of code, on programs made for it, and that the build has the figures of the
# core paper's Table 4.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# file NAME: from standard input
file() {
    mkdir -p "tree/tests/workloads/$(dirname "$1")"
    cat >"tree/tests/workloads/$1"
}

lines() {
    SLUICE_TREE=$PWD/tree "$root/tests/bench/lines.sh" "$@"
}

# toy LINES KERNEL COMMON: of the program so named
toy() {
    lines toy >out
    expect out "^  \"toy\": \{\"lines\": $1, \"kernel_lines\": $2, \"common_lines\": $3\}\$"
}

# Six lines of code in the host program, two in its header, three in the kernel, two and one in the common file.
program() {
    file toy/toy.c <<'END'
/* A comment
 * of three lines
 */
#include "workloads/toy/toy.h"
#include "workloads/common/help.h"

// Another one.
int main(void)
{
    return help(
        1 /* one */,
        2
    );
}
END
    file toy/toy.h <<'END'
#define A \
    1
END
    file toy/toy_kernel.c <<'END'
#include "workloads/toy/toy.h"

void kernel(void)
{
    /* nothing */
    char *text = "/* no comment */";
}
END
    file common/help.c <<'END'
#include "workloads/common/help.h"
int help(int a, int b) { return a + b; }
END
    file common/help.h <<'END'
int help(int a, int b);
END
}

counted() {
    program
    toy 11 5 3
}

# more LINES KERNEL COMMON FILE TEXT: what the count is with this at the file's end
more() {
    program
    printf '%b\n' "$5" >>"tree/tests/workloads/$4"
    toy "$1" "$2" "$3"
}

# What a file includes is counted once, in whatever way it is reached, with what it includes itself.
included() {
    program
    printf '#include "workloads/toy/deep.h"\n' >>tree/tests/workloads/toy/toy.h
    printf '#include "workloads/toy/toy.h"\nint deep;\n' | file toy/deep.h
    toy 14 8 3
}

two() {
    program
    printf 'int x;\n' | file other/other.c
    printf 'int y;\n' | file other/other_kernel.c
    lines toy other | tr -d ' \n' >out
    expect out '^\{"toy":\{"lines":11,"kernel_lines":5,"common_lines":3\},"other":\{"lines":2,"kernel_lines":1,"common_lines":0\}\}$'
}

# Another kernel of a program, under its own name: six lines and two of the host program, one of the kernel.
other_kernel() {
    program
    printf 'int y;\n' | file other/other_kernel.c
    lines toy:other >out
    expect out '^  "other": \{"lines": 9, "kernel_lines": 1, "common_lines": 3\}$'
}

# missing PATTERN PROGRAM...
missing() {
    program
    printf '#include "workloads/gone.h"\n' | file other/broken.c
    printf 'int y;\n' | file other/broken_kernel.c
    local status=0
    lines "${@:2}" >out 2>err || status=$?
    ((status == 2)) || fail "status $status"
    expect err "$1"
}

built() {
    "$root/tests/bench/lines.sh" strassen matmul matmul:matmul_blocked queens nqueens nqueens:nqueens_nqu >now
    cmp now "$build/share/lines.json" || fail "not what the build has: $(cat now)"
    # Less than the files have, which are full of comments, and more than half of it.
    local all code
    all=$(cat "$root"/tests/workloads/matmul/matmul.c "$root"/tests/workloads/matmul/matmul_kernel.c | wc -l)
    code=$(sed -nE 's/^  "matmul": \{"lines": ([0-9]+),.*/\1/p' now)
    ((code > all / 2 && code < all)) || fail "matmul: $code lines of $all"
}

check "a program" counted
check "a line more" more 12 5 3 toy/toy.c 'int more;'
check "a line more of the kernel" more 12 6 3 toy/toy_kernel.c 'int more;'
check "a line more of a common file" more 11 5 4 common/help.c 'int more;'
check "comments" more 11 5 3 toy/toy_kernel.c '/* int less;\n * */\n// int less;\n   /* */'
check "blank lines" more 11 5 3 toy/toy.c '\n   \n\t\n'
check "braces" more 11 5 3 toy/toy.c '{\n  }\n};\n),\n({})\n;'
check "a comment behind code" more 12 5 3 toy/toy.c 'int more; /* or\n less */'
check "headers of headers" included
check "two programs" two
check "another kernel" other_kernel
check "no other kernel" missing '^lines: none_kernel: no such file in tests/workloads$' toy:none
check "no program" missing '^lines: no program named$'
check "no such program" missing '^lines: none: no such file in tests/workloads$' toy none
check "no such header" missing 'lines: .*tests/workloads/gone\.h' broken
check "what is built" built
