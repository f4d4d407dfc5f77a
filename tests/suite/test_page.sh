#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A page of sample data (tests/page/sample.json) in a headless Chromium: at 1280 and 390 pixels, in light and dark, and
# on paper, it has the marks of its data, says their numbers under the pointer, sorts its tables, asks for nothing but
# itself, and the console stays empty. A check of a damaged page, whose faults have to be found, goes first. A second page
# (edges.json) has what plots come to when runs fail: no points, one, zeros on logarithms, more series than colours. A
# third is a report of some panels, a fourth a sweep's, a fifth a profile's.
# Screenshots are in build/page.
# Reports in TAP.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)
pages=$root/tests/page
export SLUICE_PAGE=$build/share/page

# shellcheck source=tests/suite/lib/tap.sh
. "$root/tests/suite/lib/tap.sh"
# shellcheck source=tests/page/browser.sh
. "$pages/browser.sh"
skip_without_browser 'pages in a browser'

check() { # check PAGE [FOLDER_OF_SCREENSHOTS]
    "$python" "$pages/check_sample.py" "$@" >"$folder/output" 2>&1
}

# has WORDS: whether the last check found this fault
has() {
    grep -q -- "$1" "$folder/output"
}

"$build/tests/page/write_page" panels "$pages/sample.json" "$folder/page.html" >"$folder/output" 2>&1
report $? 'a page is written'

# A request, a mark too many, a line that is too wide, a word on the console.
sed 's|</body>|<img src="missing.png" alt=""><script>console.warn("a warning");\
    document.querySelector("#figure15 svg.plot").innerHTML += "<path class=mark>";\
    document.querySelector("h1").style.transform = "translateX(900px)"</script></body>|; /Content-Security-Policy/d' "$folder/page.html" >"$folder/bad.html"
check "$folder/bad.html"
[[ $? -eq 1 ]] && has 'a request to .*missing.png' && has 'section figure15: 65 of .mark, its data have 64' &&
    has 'wider than the window' && has 'a warning'
report $? 'faults of a page are found'

check "$folder/page.html" "$build/page"
report $? 'a page is as its data say, wide and narrow, in light and dark, and on paper'

"$build/tests/page/write_page" panels "$pages/edges.json" "$folder/edges.html" >"$folder/output" 2>&1 &&
    "$python" "$pages/check_report.py" "$folder/edges.html" "$build/page" edges >"$folder/output" 2>&1
report $? 'a page with little or nothing to draw'

# Panels of the core paper, of one workload and two seeds.
"$build/bin/sluice" report --out "$folder/report" --seeds 2 --only Fibonacci figure15 figure16 figure19 table3 \
    >"$folder/output" 2>&1 &&
    "$python" "$pages/check_report.py" "$folder/report/index.html" "$build/page" report >"$folder/output" 2>&1
report $? 'a report of runs'

# Two programs over two keys; one fails.
"$build/bin/sluice" sweep --out "$folder/sweep" --seeds 2 --vary l2.size=64KiB,1MiB --vary agg.core=simple,2way-ooo \
    --plot "$folder/sweep.html" 'fib 8' 'fib 12 --width 64' >"$folder/output" 2>&1
[[ $? -eq 1 ]] && "$python" "$pages/check_report.py" "$folder/sweep.html" "$build/page" sweep >"$folder/output" 2>&1
report $? 'the plots of a sweep'

# A core of one's own beside a built-in one, with two policies; one program fails.
printf '[agg]\ncore = 4way-ooo\n[core]\nrob = 16\n' >"$folder/mine.ini"
"$build/bin/sluice" profile --seeds 2 --cores "2way-ooo,$folder/mine.ini" --policies flat,levelized \
    --page "$folder/profile.html" 'fib 8' 'fib 12 --width 64' >"$folder/output" 2>&1
[[ $? -eq 1 ]] && "$python" "$pages/check_report.py" "$folder/profile.html" "$build/page" profile >"$folder/output" 2>&1
report $? 'the plots of a profile'
exit "$status"
