#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The pages avoid phrases that have to be read twice (tests/static/prose.rules) and long sentences. Those that they still have
# are counted in tests/static/prose.txt, which may only shrink: a page fails that has more of a kind than stand there, and so
# does one that has fewer, until they are counted anew. Reports in TAP.
# usage: tests/static/check_prose.sh [--self-test]
#        tests/static/check_prose.sh --write              count anew; refused if the pages together have more of some kind
#        tests/static/check_prose.sh show PAGE [RULE]     what is counted in a page
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
prose=$PWD/tests/static/prose.py
baseline=$PWD/tests/static/prose.txt

count() {
    scripts/list-sources.sh md | xargs python3 "$prose" count
}

# compare BASELINE NOW: the pages and rules that differ, and whether there is one with more.
compare() {
    awk '
         FNR == 1 { for (f = 2; f <= NF; f++) rule[f] = $f; next }
         NR == FNR { for (f = 2; f <= NF; f++) old[$1, f] = $f; next }
         { for (f = 2; f <= NF; f++)
               if ($f > old[$1, f] + 0) { printf "%s: rule %s: %d, counted were %d: tests/static/check_prose.sh show %s %s\n",
                                                 $1, rule[f], $f, old[$1, f], $1, rule[f]; bad = 1 }
               else if ($f < old[$1, f] + 0) { fewer = 1 } }
         END { if (!bad && fewer) { print "there are fewer: run tests/static/check_prose.sh --write"; bad = 1 }
               exit bad }' "$1" "$2"
}

# totals FILE: the sum of each rule.
totals() {
    awk 'NR == 1 { fields = NF; next } { for (f = 2; f <= NF; f++) sum[f] += $f }
         END { for (f = 2; f <= fields; f++) printf "%d ", sum[f]; print "" }' "$1"
}

# grows OLD NEW: whether some rule has more in all.
grows() {
    paste -d' ' <(totals "$1") <(totals "$2") |
        awk '{ half = NF / 2; for (f = 1; f <= half; f++) if ($(f + half) > $f) grown = 1 } END { exit !grown }'
}

# ---- self-test: a page with one of each kind ----

self_test() {
    local folder rules shown
    folder=$(mktemp -d)
    # shellcheck disable=SC2016 # for the page
    printf '%s\n' '# What it is' '' 'Who wants it reads on. Nothing waits' 'behind it, too.' '' '```c' 'Nobody(nothing);' '```' '' \
        '| `nothing` | but one |' >"$folder/page.md"
    python3 "$prose" show "$folder/page.md" >"$folder/shown"
    rules=$(grep -o 'rule [0-9]*' "$folder/shown" | sort -u | tr -d 'a-z\n')
    shown=$(printf '%s\n' 'page 1 2' 'a.md 1 2' | tee "$folder/old" | sed 's/1 2$/2 1/')
    printf '%s\n' "$shown" | sed 1s/.*/page\ 1\ 2/ >"$folder/new"
    if [[ $rules != " 1 12 5 6 9" ]] || ! grep -q 'page.md:3: rule 12: .*Nothing waits behind' "$folder/shown" ||
        compare "$folder/old" "$folder/new" >"$folder/said" || ! grep -q '^a.md: rule 1: 2, counted were 1' "$folder/said" ||
        compare "$folder/new" <(sed 's/2 1$/2 0/' "$folder/new") >"$folder/said" || ! grep -q '^there are fewer' "$folder/said" ||
        ! compare "$folder/old" "$folder/old" || ! grows "$folder/old" "$folder/new" || grows "$folder/old" "$folder/old"; then
        cat "$folder/shown" "$folder/said"
        printf 'not ok - self-test: phrases are found, and counts compared\n'
        return 1
    fi
    rm -rf "$folder"
    printf 'ok - self-test: phrases are found, and counts compared\n'
}

case ${1:-} in
show) exec python3 "$prose" "$@" ;;
--self-test)
    self_test
    exit
    ;;
--write)
    count >"$baseline.new"
    if [[ -e $baseline ]] && grows "$baseline" "$baseline.new"; then
        compare "$baseline" "$baseline.new" || true
        rm "$baseline.new"
        echo "not written: the pages have more of some kind than before" >&2
        exit 1
    fi
    mv "$baseline.new" "$baseline"
    exit
    ;;
esac
status=0
self_test || status=1
if ! compare "$baseline" <(count); then
    printf 'not ok - pages have no more phrases to avoid than are counted\n'
    exit 1
fi
printf 'ok - pages have no more phrases to avoid than are counted\n'
exit $status
