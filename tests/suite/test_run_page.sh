#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Reports of a graph and of a launch in a headless Chromium, as tests/suite/test_page.sh looks at other pages: all that
# the data have is drawn; and their timelines, of wavefronts that yield, of many runs, and of more events than a page has,
# where wheel, pointer and keys do what they should. Screenshots are in build/page.
# Reports in TAP.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)

# shellcheck source=tests/suite/lib/tap.sh
. "$root/tests/suite/lib/tap.sh"
# shellcheck source=tests/page/browser.sh
. "$root/tests/page/browser.sh"
skip_without_browser 'reports of runs in a browser'

# look PROGRAM ARGUMENT...: at a page of a run, with the data of an equal one
look() {
    local name=$1
    cd "$folder" && "$build/bin/$name" "${@:2}" --quiet --report "$name.json" >/dev/null &&
        "$build/bin/$name" "${@:2}" --quiet --report "$name.html" >/dev/null &&
        "$python" "$root/tests/page/check_run.py" "$name.json" "$name.html" "$build/page"
}

for program in 'cilk_fib 24' 'matmul 256'; do
    read -ra words <<<"$program"
    (look "${words[@]}") >"$folder/output" 2>&1
    report $? "the report of $program shows its data, wide and narrow, in light and dark, and on paper"
done

# timeline NAME LOOK PROGRAM ARGUMENT...: at the timeline of a run
timeline() {
    local look
    read -ra look <<<"$2"
    cd "$folder" && "$build/bin/$3" "${@:4}" --quiet --timeline timeline --report "$1.html" >/dev/null &&
        "$python" "$root/tests/page/check_timeline.py" "$1.html" "$build/page" "${look[@]}"
}

(timeline yields '' cilk_fib 20 --width 256) >"$folder/output" 2>&1
report $? 'a timeline tells its slices, and shows the part that is asked for'

(timeline runs '1280 light' bitonic 1024 --separate) >"$folder/output" 2>&1
report $? 'a timeline of many runs'

(timeline many '1280 dark' cilk_fib 27 --width 256) >"$folder/output" 2>&1
report $? 'a timeline of more events than a page has'
exit "$status"
