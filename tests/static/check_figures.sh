#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Console examples in Markdown pages are what the programs print now. A block is checked if it has output and each of its
# commands begins with `make run`, build/bin/, build/examples/ or a loop over such, or is a printf into a file; every page of
# the tree that has such a block is. Its commands run in an empty folder of the block's own and are compared line by line, without lines of progress
# and of the simulator's own speed. Equal runs are equal (docs/know/design.md, "Determinism"), so a difference means that the
# page is out of date. A comment above a block says more:
#     <!-- long -->           it only runs with SLUICE_TEST_LONG
#     <!-- panel LABEL -->    so does this one, a single `sluice report`; otherwise the rows of the program LABEL are compared,
#                             or of Fibonacci, the quickest, without a label
#     <!-- with FILE.c, SCRIPT: PROGRAM ARGUMENTS -->
#                             so does this one, a text block: what PROGRAM says on standard error when sed's SCRIPT has put a
#                             mistake into FILE.c
#     <!-- plot PANEL N LABEL OPTIONS -->
#                             above an image: its SVG file shows the panel's plot N, by tests/page/excerpt.py; the values in its
#                             description are compared, otherwise those of the program LABEL (Fibonacci) alone
#     <!-- plot FILE.html PANEL N: COMMAND -->
#                             the same of the page FILE.html that COMMAND writes, such as a sweep's; all values, always
#     <!-- checks PANEL OPTIONS -->
#                             above a table: the panel's checks; only with SLUICE_TEST_LONG
# Blocks whose commands, programs, simulator and output have not changed since they were last found right in this build folder
# do not run again (tests/static/figures.py). Needs a built tree (make all). Reports in TAP.
# usage: tests/static/check_figures.sh [--write] [PAGE...]     all pages, or those that are named; --write brings all their
#        blocks up to date instead, each as soon as it has run, so that it can be stopped at any time and go on later
#        tests/static/check_figures.sh --self-test     as a run without arguments does first, in a tree of its own
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
figures=$PWD/tests/static/figures.py
build=${SLUICE_BUILD:-build}
# shellcheck source-path=SCRIPTDIR source=../suite/lib/sets.sh
source tests/suite/lib/sets.sh

# pages: what one reads first is of the main set.
pages() {
    local page set
    while IFS= read -r page; do
        case $page in
        README.md | docs/learn/* | docs/look-up/* | docs/do/debug.md | docs/do/trace.md) set=in_main ;;
        *) set=in_rest ;;
        esac
        if $set; then
            printf '%s\n' "$page"
        fi
    done < <(scripts/list-sources.sh md)
}

# ---- self-test: a tree whose simulator is a file, and whose program prints it and writes down that it ran ----

# expect RUNS PATTERN ARGUMENT...: figures.py says what is like the pattern, and so many programs run.
expect() {
    local runs=$1 pattern=$2 output
    : >ran
    output=$(SLUICE_TREE=$PWD SLUICE_BUILD=build "$figures" "${@:3}" 2>&1) || true
    # shellcheck disable=SC2053 # a pattern
    if [[ $output != $pattern || $(wc -l <ran) != "$runs" ]]; then
        printf '%s\n# %d runs\nnot ok - self-test: %s should give "%s" with %d runs\n' "$output" "$(wc -l <ran)" "${*:3}" "$pattern" \
            "$runs"
        self_test_status=1
    fi
}

# shows LINE...: the page has these lines, whole and in this order, and no others between them.
shows() {
    local lines
    lines=$(printf '%s\n' "$@")
    if [[ $'\n'$(<page.md)$'\n' != *$'\n'"$lines"$'\n'* ]]; then
        printf '%s\nnot ok - self-test: the page should show "%s"\n' "$(<page.md)" "$lines"
        self_test_status=1
    fi
}

make_tree() {
    mkdir -p build/{bin,lib,kernels} tests scripts/panels/a
    echo 1 >build/lib/simulator
    # shellcheck disable=SC2016 # for the script
    printf '%s\n' '#!/usr/bin/env bash' 'there=$(dirname "$(readlink -f "$0")")/../..' 'echo "$*" >>"$there/ran"' \
        'echo "$* on $(<"$there/build/lib/simulator")"' 'echo "# 0.5 ms simulated, 1 wavefronts" >&2' \
        'echo "# simulator   0.07 s"' '[[ $1 != stop ]] || kill -TERM $PPID' >build/bin/say
    chmod +x build/bin/say
    cp build/bin/say build/bin/sluice
    # shellcheck disable=SC2016 # for the script
    echo '[[ ! -e $there/busy ]] || { echo "another report" && exit 1; }' >>build/bin/sluice
    touch build/kernels/say.elf build/kernels/other.elf scripts/panels/a/figure1.ini
    cat >page.md <<'PAGE'
```console
$ build/bin/say one
one on 1
```

<!-- long -->
```console
$ for n in 2 3; do build/bin/say $n; done
```

```console
$ build/bin/say no output
```

```console
$ ls
page.md
```

<!-- panel three -->
```console
$ build/bin/sluice report figure1
```
PAGE
    sed -i "s/^\(\\$ for.*\|.*figure1\)$/&\nnothing/" page.md
}

# A plot with a value, and a table of checks, both of what the simulator is.
self_test_excerpts() {
    mkdir -p tests/page build/report
    cat >tests/page/excerpt.py <<'SCRIPT'
#!/usr/bin/env bash
simulator=$(<build/lib/simulator)
case $1 in
picture) printf '<svg><desc>\na &gt; Fibonacci | 1: %s | 2: 4 | 2: 4\n</desc></svg>\n' "$simulator" ;;
values) printf 'a > Fibonacci | 1: %s | 2: 4 | 2: 4\n' "$simulator" ;;
checks) printf '| %s | by %s |\n' "$simulator" "$*" ;;
esac
SCRIPT
    chmod +x tests/page/excerpt.py
    printf '%s\n' '<!-- plot figure1 0 -->' '![a plot](plot.svg)' '' '<!-- checks figure1 --seeds 1 -->' '' 'text' >page.md
    expect 1 '*page.md:2: no row of Fibonacci to compare*not ok - *' page.md
    expect 2 '2 of 2 *page.md:2, 1 of 2: plot figure1 0*page.md:5, 2 of 2: checks figure1 --seeds 1*changed' --write page.md
    if ! grep -q '^| 2 | by checks .*/build/report/index.html figure1 |$' page.md || [[ $(tail -n 2 page.md) != $'\ntext' ]]; then
        cat page.md
        printf 'not ok - self-test: the page should have a table of the checks\n'
        self_test_status=1
    fi
    expect 0 'ok - *' page.md
    expect 0 'ok - *' --long page.md
    echo 3 >build/lib/simulator
    expect 1 '*+a > Fibonacci | 1: 3*not ok - *' page.md
    expect 2 '*-a > Fibonacci | 1: 2*+a > Fibonacci | 1: 3*+| 3 | by *not ok - *' --long page.md
    self_test_page_plot
    self_test_printf
}

# A plot of a page that a command writes; without the page it is left as it is.
self_test_page_plot() {
    printf '%s\n' '<!-- plot run.html a 0: build/bin/say page >run.html -->' '![a plot](run.svg)' >page.md
    expect 2 '1 of 1 *page.md:2, 1 of 1: plot run.html a 0*changed' --write page.md
    expect 0 'ok - *' page.md
    echo 4 >build/lib/simulator
    expect 1 '*-a > Fibonacci | 1: 3*+a > Fibonacci | 1: 4*not ok - *' page.md
    sed -i 's/ >run.html -->/ >other.html -->/' page.md
    expect 1 '*page.md:2: *not ok - *' page.md
    expect 1 '*left as it is: *' --write page.md
}

# A file that printf makes is there for the block's next command; a block of printf alone is not checked.
self_test_printf() {
    # shellcheck disable=SC2016 # for the page
    printf '%s\n' '```console' "$ printf '5\\n' >own.ini" '$ build/bin/say $(cat own.ini)' 'none' '```' '' \
        '```console' "$ printf 5 >own.ini" 'none' '```' >page.md
    expect 1 '1 of 1 *page.md:2, 1 of 1: printf*changed' --write page.md
    shows '5 on 4' '```'
    expect 0 'ok - *' page.md
}

self_test() {
    local folder
    self_test_status=0
    folder=$(mktemp -d)
    cd "$folder"
    make_tree
    expect 2 '*no row of three to compare*not ok - page.md*' page.md
    expect 3 '2 of 3 blocks have changed inputs*page.md:8, 1 of 2: for n*changed*page.md:23, 2 of 2:*changed' --write page.md
    # shellcheck disable=SC2016 # for the page
    shows '$ for n in 2 3; do build/bin/say $n; done' '2 on 1' '3 on 1' '```'
    shows '$ build/bin/sluice report figure1' 'report figure1 on 1' '```'
    shows '$ build/bin/say no output' '```'
    expect 0 'ok - the examples of page.md are what the programs print' --long page.md
    expect 0 '0 of 3 blocks have changed inputs' --write page.md

    echo more >build/kernels/other.elf
    expect 0 '0 of 3 *' --write page.md
    echo more >build/kernels/say.elf
    expect 3 '2 of 3 *' --write page.md
    echo more >scripts/panels/a/figure1.ini
    touch busy
    expect 1 '*left as it is: *another report' --write page.md
    rm busy
    expect 1 '1 of 3 *' --write page.md
    sed -i 's/^2 on 1$/2 on 9/' page.md
    expect 2 '*-2 on 9*+2 on 1*not ok - *' --long page.md
    expect 2 '1 of 3 *' --write page.md

    echo 2 >build/lib/simulator
    expect 2 '*-one on 1*+one on 2*not ok - *' page.md
    sed -i 's/say one$/say stop/' page.md
    expect 1 '3 of 3 *page.md:2, 1 of 3: build/bin/say stop' --write page.md
    # shellcheck disable=SC2016 # for the page
    sed -i 's/say stop$/say one/; s/say [$]n;/say $n; [[ $n == 2 ]] || kill -TERM $PPID;/' page.md
    expect 3 '3 of 3 *' --write page.md
    shows 'one on 2' '```'
    shows '2 on 1'
    expect 2 '2 of 3 *page.md:8, 1 of 2*' --write page.md
    self_test_excerpts
    cd - >/dev/null
    rm -rf "$folder"
    if ((self_test_status == 0)); then
        printf 'ok - self-test: what is out of date is found and written, and runs once\n'
    fi
    return $self_test_status
}

status=0
options=()
if [[ ${1:-} == --self-test ]]; then
    self_test
    exit
elif [[ ${1:-} == --write ]]; then
    options+=(--write)
    shift
elif (($# == 0)) && in_main; then
    self_test || status=1
fi
if [[ ! -x $build/bin/fib ]]; then
    echo "ok - figures in docs # SKIP not built: run 'make all' first"
    exit $status
fi
if (($# == 0)); then
    mapfile -t pages < <(pages)
    set -- "${pages[@]}"
fi
if (($# == 0)); then
    echo "not ok - figures in docs: there is no page"
    exit 1
fi
if [[ -n ${SLUICE_TEST_LONG:-} ]]; then
    options+=(--long)
fi
python3 "$figures" "${options[@]}" "$@" || status=1
exit $status
