#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The site of the pages (make site): it is made anew without a warning; no link is dead, nothing is loaded from a network, and
# every page is two clicks from the first (tests/page/check_site.py; a damaged site goes first, whose faults have to be found).
# In a headless Chromium, from file://, a search finds pages, and no page is wider than a phone's window
# (tests/page/look_at_site.py). Screenshots are in build/page.
# Reports in TAP.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "${SLUICE_BUILD:-$root/build}" && pwd)

# shellcheck source=tests/suite/lib/tap.sh
. "$root/tests/suite/lib/tap.sh"
# shellcheck source=tests/page/browser.sh
. "$root/tests/page/browser.sh"

mapfile -t missing < <("$root/scripts/setup.sh" missing site)
if ((${#missing[@]} > 0)); then
    printf 'ok - the site # SKIP not on this machine: apt-get install %s\n' "${missing[*]}"
    exit 0
fi

# has WORDS: whether the last check found this fault
has() {
    grep -q -- "$1" "$folder/output"
}

SLUICE_BUILD=$build "$root/scripts/site.sh" "$folder/site" >"$folder/output" 2>&1
report $? 'a site is made without a warning'
((status == 0)) || exit 1
site=$folder/site/html

cp -r "$site" "$folder/bad"
rm "$folder/bad/docs/know/papers.html"
cp "$folder/bad/docs/know/locks.html" "$folder/bad/docs/know/apart.html"
sed -i 's|</article>|<a href="#no-such-place">.</a></article><img src="http://127.0.0.1/a.png">|' "$folder/bad/docs/know/index.html"
printf '@font-face { src: url("https://127.0.0.1/a.woff") }\n' >>"$folder/bad/_static/site.css"
"$python" "$root/tests/page/check_site.py" "$folder/bad" >"$folder/output" 2>&1
[[ $? -eq 1 ]] && has 'know/index.html: links to papers.html, which is not there' &&
    has 'know/index.html: links to #no-such-place, but' && has 'know/index.html: loads http://127.0.0.1/a.png from a network' &&
    has 'site.css: loads https://127.0.0.1/a.woff from a network' && has 'know/apart.html: is no number of clicks'
report $? 'faults of a site are found'

"$python" "$root/tests/page/check_site.py" "$site" >"$folder/output" 2>&1
report $? 'no link of the site is dead, it loads nothing from a network, and every page is two clicks away'
((status == 0)) || exit 1

skip_without_browser 'the site in a browser'
"$python" "$root/tests/page/look_at_site.py" "$site" levelization "$build/page" docs/learn/cilk.html docs/look-up/registers.html \
    >"$folder/output" 2>&1
report $? 'from file://, a search for levelization finds it, and no page is wider than a window'
exit "$status"
