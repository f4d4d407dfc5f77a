#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The pages agree with the sources:
#   - the generated pages in docs/ are what tables give now; that of the configuration names each preset, and each key and
#     statistic is in a group with a title;
#   - what is cited is there (check_docs.awk): of a page of docs/ the page, its "Heading", and its fact or rule by number;
#     a paper of papers/ in docs/know/papers.md; nothing cites a design outside the tree;
#   - a page links a term of the glossary where it mentions it first (glossary.py);
#   - links of pages lead to pages and headings that are there, and files and folders that pages name in `...`, or
#     comments with their folders, to files of the tree; a line that says "to come" may name what is not there yet.
# The first needs build/bin/docgen (make test and make check build it). Reports in TAP. Citations of a tree given as
# argument are checked in place of this one's. --self-test, which a run without arguments does first, proves on trees of
# its own that each violation is caught.
# shellcheck disable=SC2016 # `...` is meant for pages
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# check_page PAGE COMMAND: the page is what the command prints now.
check_page() {
    local difference
    if difference=$("$2" "$1" 2>&1 | diff -u "docs/look-up/$1.md" - 2>&1); then
        printf 'ok - docs/look-up/%s.md is up to date\n' "$1"
    else
        printf '%s\nnot ok - docs/look-up/%s.md differs from what it is made of: run make docs\n' "$difference" "$1"
        return 1
    fi
}

check_generated() {
    local docgen=${SLUICE_BUILD:-build}/bin/docgen page preset name status=0
    if [[ ! -x $docgen ]]; then
        printf "not ok - %s is not built: run 'make %s' first ('make check' does so itself)\n" "$docgen" "$docgen"
        return 1
    fi
    for page in registers statistics configuration errors; do
        check_page "$page" "$docgen" || status=1
    done
    for preset in sim-soc/configs/*.ini; do
        name=$(basename "$preset" .ini)
        if ! grep -q "^| \`$name\` |" docs/look-up/configuration.md; then
            printf 'not ok - docs/look-up/configuration.md does not name preset %s: add it to scripts/tools/docgen/configuration_page.c, run make docs\n' "$name"
            status=1
        fi
    done
    if name=$(grep -hE '^#+ (Key|Statistic) `' docs/look-up/{configuration,statistics}.md); then
        printf 'not ok - %s: it has no group; add its section to groups[] in scripts/tools/docgen, run make docs\n' "$name"
        status=1
    fi
    return $status
}

check_citations() {
    local output
    output=$(cd "$1" && SLUICE_TREE=$PWD "$here/scripts/list-sources.sh" | awk -f "$here/tests/static/check_docs.awk")
    if [[ -n $output ]]; then
        printf '%s\nnot ok - what is cited is there\n' "$output"
        return 1
    fi
    printf 'ok - what is cited is there\n'
}

check_terms() {
    local output
    if ! output=$(cd "$1" && find docs -name '*.md' -exec python3 "$here/tests/static/glossary.py" {} +); then
        printf '%s\nnot ok - terms are linked where they come first: run tests/static/glossary.py --write PAGE\n' "$output"
        return 1
    fi
    printf 'ok - terms are linked where they come first\n'
}

# expect WORDS FILE TEXT: puts a file with this text into an otherwise clean tree. WORDS are those of the report on its
# last line but one; none where there is nothing to report.
expect() {
    local words=$1 file=$2 text=$3 report tree line
    tree=$(mktemp -d)
    mkdir -p "$tree"/{docs/know,hal/aggregator,firmware/graph}
    touch "$tree/hal/aggregator/mmio.h"
    printf '# The design\n\n## Memory map, `flat`\n\n- **Fact 7.** One.\n- **Rule 2.** Two.\n\n```\n## No heading\n```\n' \
        >"$tree/docs/know/design.md"
    printf '# Papers\n\n| [Orr14] | papers/001 | channels |\n' >"$tree/docs/know/papers.md"
    printf '%b\n\n' "$text" >"$tree/$file"
    line=$(($(wc -l <"$tree/$file") - 1))
    report=$(check_citations "$tree") || true
    rm -rf "$tree"
    if [[ -z $words && $report == 'ok - '* ]] || [[ -n $words && $report == "$file:$line: $words"*'not ok - '* ]]; then
        return
    fi
    printf '%s\nnot ok - self-test: %s with "%s" should give "%s"\n' "$report" "$file" "$text" "$words"
    self_test_status=1
}

self_test_citations() {
    expect '' hal/a.c '/* docs/know/design.md, "Memory map, flat", says (docs/know/design.md, fact 7; papers/001 section 3) */'
    expect '' hal/a.c '/* One thing (docs/know/design.md,\n * "Memory\n * map, flat" and "The design"), docs/know/papers.md */'
    expect '' hal/a.c 'printf("docs/know/design.md, and \\"more\\"");'
    expect '' hal/a.sh '# As docs/know/design.md, rule 2, and\n# docs/know/design.md, facts 7 and 7, say 3 things.'
    expect 'no page docs/know/desing.md' hal/a.c '/* docs/know/desing.md */'
    expect 'docs/know/design.md has no heading "Map"' hal/a.c '/* docs/know/design.md, "Map" */'
    expect 'docs/know/design.md has no heading "Map"' hal/a.c '/* docs/know/design.md, "The design" and "Map" */'
    expect 'docs/know/design.md has no heading "No heading"' hal/a.c '/* docs/know/design.md, "No heading" */'
    expect 'docs/know/design.md has no rule 3' hal/a.S '/* docs/know/design.md, rule 3 */'
    expect 'docs/know/design.md has no rule 7' hal/a.c '/* docs/know/design.md, rules 2 and 7 */'
    expect 'docs/know/design.md has no fact 2' docs/know/a.md 'docs/know/design.md, rule 2, fact 2'
    expect 'papers/007 is not in docs/know/papers.md' hal/a.ini '; papers/007 Table 1'
    expect 'cites a design' hal/a.def '/* DESIG''N section 3 */'
    expect '' hal/a.c '#define DESIG''NATED 1'
}

self_test_pages() {
    expect '' docs/know/a.md '[one](design.md#memory-map-flat), [two](#here), [three](../../hal/aggregator/mmio.h), [4](https://a.b/c)\n# Here'
    expect '' docs/know/a.md '`hal/aggregator/mmio.h`, `mmio.h`, `hal/aggregator/`, `aggregator/*.h`, `build/x.c`, `NAME.c`, `hal/x` to come, `a - b.c`'
    expect '' docs/know/a.md '```\n[one](two.md) `three.c`\n```'
    expect 'links to deisgn.md, which' docs/know/a.md '[one](deisgn.md)'
    expect 'links to design.md, which' a.md '[one](design.md)'
    expect 'links to design.md#map, but' docs/know/a.md '[one](design.md#map)'
    expect 'links to #map, but' docs/know/a.md '[one](#map)'
    expect 'no file or folder `gmmio.h`' docs/know/a.md 'One `gmmio.h`'
    expect 'no file or folder `hal/host/`' docs/know/a.md 'One `hal/host/`'
    expect 'no file or folder `aggregator/*.c`' docs/know/a.md 'One `aggregator/*.c`'
    expect '' hal/a.c '/* hal/aggregator/mmio.h, x/hal/none.h, hal/none */\n#include "hal/none.h"'
    expect 'no file hal/none.h' hal/a.c '/* As in hal/none.h */'
}

# A page whose terms are code, a heading, part of a word and a link's text before one comes that is to be linked.
self_test_terms() {
    local tree page=docs/know/a.md report written
    tree=$(mktemp -d)
    mkdir -p "$tree"/docs/{know,look-up}
    printf '# Glossary\n\n### compute unit\n\n### LDS\n\n### host\n' >"$tree/docs/look-up/glossary.md"
    printf '# Compute units\n\n`LDS` of a host: LDS-like, [LDS](b.md).\n\n```c\nLDS;\n```\n\nTwo compute\nunits, a compute unit.\n' \
        >"$tree/$page"
    report=$(check_terms "$tree") || true
    (cd "$tree" && python3 "$here/tests/static/glossary.py" --write "$page")
    written=$(tail -n 2 "$tree/$page")
    if [[ $report != "$page:9: the first \"compute unit\" is no link to ../look-up/glossary.md#compute-unit"$'\n'"not ok - "* ||
        $written != $'Two [compute\nunits](../look-up/glossary.md#compute-unit), a compute unit.' ]] || ! check_terms "$tree" >/dev/null; then
        printf '%s\n%s\nnot ok - self-test: the first compute unit should become a link, and nothing else\n' "$report" "$written"
        self_test_status=1
    fi
    rm -rf "$tree"
}

self_test() {
    self_test_status=0
    self_test_terms
    self_test_citations
    self_test_pages
    if ((self_test_status == 0)); then
        printf 'ok - self-test: each violation is caught\n'
    fi
    return $self_test_status
}

case ${1:-} in
--self-test) self_test ;;
'')
    status=0
    cd "$here"
    self_test || status=1
    check_generated || status=1
    check_citations "$here" || status=1
    check_terms "$here" || status=1
    exit $status
    ;;
*) check_citations "$1" ;;
esac
