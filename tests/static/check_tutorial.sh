#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# docs/learn/programming.md, cilk.md, scheduling.md, profiling.md, memory.md, locks.md, performance.md and the pages of docs/examples are the same as the sources that they explain:
# the C blocks of a page, each tagged with its file in a comment above it, put together in order, are the file without
# its two SPDX lines; empty lines do not count. A block tagged "part of" its file, as those of C++ are, is somewhere in it,
# as it stands. A block without a tag is an error, because nothing would compile it. Where the programs are built, they
# also run. The program of docs/learn/programming.md is the template `graph`, but for its name.
# Reports in TAP.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=tests/workloads
bin=${SLUICE_BUILD:-build}/bin
status=0

# report TEXT: reads what is wrong, nothing where all is well.
report() {
    local wrong
    wrong=$(cat)
    if [[ -z $wrong ]]; then
        printf 'ok - %s\n' "$1"
    else
        printf '%s\nnot ok - %s\n' "$wrong" "$1"
        status=1
    fi
}

# blocks PAGE FILE: the C blocks of the page that are tagged with FILE.
blocks() {
    awk -v tag="<!-- $2 -->" '
        /^```/ && inside { inside = 0; next }
        inside { print }
        /^```c$/ && before == tag { inside = 1 }
        { before = $0 }' "$1"
}

untagged() {
    awk -v folder="$folder/" '
        /^```c(pp)?$/ && index(before, "<!-- " folder) != 1 && index(before, "<!-- part of ") != 1 {
            printf "%s:%d: C block without <!-- file --> above it\n", FILENAME, FNR
        }
        { before = $0 }' "$1"
}

# parts PAGE: the blocks tagged "part of" a file that are not in it.
parts() {
    local line before='' file='' block=''
    while IFS= read -r line; do
        if [[ -n $file && $line == '```' ]]; then
            [[ -f $file && $'\n'$(<"$file")$'\n' == *$'\n'"$block"* ]] ||
                printf '%s: this is not in %s:\n%s' "$1" "$file" "$block"
            file=''
        elif [[ -n $file ]]; then
            block+=$line$'\n'
        elif [[ $line =~ ^'```c'(pp)?$ && $before =~ ^'<!-- part of '(.*)' -->'$ ]]; then
            file=${BASH_REMATCH[1]} block=''
        fi
        before=$line
    done <"$1"
}

without_empty_lines() {
    grep -v '^$' || true
}

# page PAGE FILE...: all of the files stand in the page
page() {
    local page=$1 file
    report "$page: every C block names its file" < <(untagged "$page")
    report "$page: parts of files are as they are there" < <(parts "$page")
    for file in "${@:2}"; do
        report "$page has $folder/$file" < <(
            diff -u --label "$folder/$file" --label "$page" \
                <(tail -n +3 "$folder/$file" | without_empty_lines) \
                <(blocks "$page" "$folder/$file" | without_empty_lines) || true
        )
    done
}

# computes PAGE PROGRAM "ARGUMENT = RESULT"...
computes() {
    local page=$1 program=$2 run output
    if [[ ! -x $bin/$program ]]; then
        printf 'ok # SKIP %s is not built\n' "$bin/$program"
        return
    fi
    report "$bin/$program computes what $page says" < <(
        for run in "${@:3}"; do
            output=$("$bin/$program" --quiet "${run%% *}" 2>&1) || true
            [[ $output == "$program(${run%% *}) = ${run##* }" ]] ||
                printf '%s %s: %s; %s is right\n' "$program" "${run%% *}" "$output" "${run##* }"
        done
    )
}

report "scripts/templates/graph is $folder/collatz" < <(
    for end in .c .h _kernel.c; do
        diff -u <(sed 's/the_program/tutorial/g; s/THE_PROGRAM/TUTORIAL/g' "scripts/templates/graph/the_program$end") \
            "$folder/collatz/tutorial$end" || true
    done
)
page docs/learn/programming.md collatz/tutorial.h collatz/tutorial_kernel.c collatz/tutorial.c reduction/reduce_kernel.c
page docs/learn/cilk.md fib/cilk_fib.h fib/cilk_fib_kernel.c queens/queens.h queens/queens_kernel.c tree_sum/tree_sum.h \
    tree_sum/tree_sum_kernel.c tree_sum/tree_sum.c
folder=tests/recipe page docs/know/scheduling.md fewest.c patient.c
page docs/do/profile.md
page docs/know/locks.md
page docs/do/speed-up-kernels.md
for readme in docs/examples/*/README.md; do
    page "$readme"
done
folder=tests/soc/common page docs/look-up/memory-moesi.md
computes docs/learn/programming.md tutorial "1000 = 871" "10000 = 6171"
computes docs/learn/cilk.md tree_sum "1 = 3967065" "1000 = 8574466444"
exit $status
