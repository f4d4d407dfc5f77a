#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Makes the site of all pages, FOLDER/html, to look at in a browser: docs/conf.py has its settings. Pages that have not
# changed are not read again. A warning is an error.
# usage: scripts/site.sh [FOLDER]    default: BUILD/site
# Environment: SLUICE_BUILD, the build folder, in which `sluice` is built. Needs the packages that
# `scripts/setup.sh missing site` names.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
SLUICE_SITE=${1:-${SLUICE_BUILD:-build}/site} # conf.py reads it, too
mkdir -p "$SLUICE_SITE/manuals"
SLUICE_SITE=$(cd "$SLUICE_SITE" && pwd)
export SLUICE_SITE
cd "$root"
build=${SLUICE_BUILD:-build}
python=/usr/bin/python3 # Debian's, whose packages are not there for another one in PATH

# put_manual NAME: standard input, as `man` shows it; a file that would stay the same is left alone.
put_manual() {
    local file=$SLUICE_SITE/manuals/$1
    sed '/^\.TH/a .ad l' | groff -man -Tutf8 -P-cbou -rLL=90n -rHY=0 >"$file.new"
    if cmp -s "$file.new" "$file"; then
        rm "$file.new"
    else
        mv "$file.new" "$file"
    fi
}

put_manuals() {
    local version page
    version=$(sed -n 's/^#define SL_VERSION "\(.*\)"/\1/p' hal/include/sluice/version.h)
    "$build/bin/sluice" manual | put_manual sluice.1
    for page in docs/man/*.[1-9]; do
        sed "s/@VERSION@/$version/" "$page" | put_manual "${page##*/}"
    done
}

# Sphinx does not notice that its settings have changed or that a page is gone: then all is made anew.
forget_what_changed() {
    local inputs=$SLUICE_SITE/inputs
    {
        scripts/list-sources.sh md
        cat docs/conf.py docs/api_pages.py docs/site/*
    } | cksum >"$inputs.new"
    if ! cmp -s "$inputs.new" "$inputs"; then
        rm -rf "$SLUICE_SITE/read" "$SLUICE_SITE/html"
        mv "$inputs.new" "$inputs"
    fi
}

# Sphinx warns of a page when it reads it: where there was a warning, all is made anew the next time, too.
put_pages() {
    if ! "$python" -B -m sphinx -b html -W --keep-going -n -q -j auto -c docs -d "$SLUICE_SITE/read" . "$SLUICE_SITE/html"; then
        rm -rf "$SLUICE_SITE/read" "$SLUICE_SITE/html"
        exit 1
    fi
}

# Debian's furo 2022.12 is not bundled: its script imports another, which file:// forbids, and its style one that only a web
# server has. Both are put together here.
put_theme() {
    local scripts=$SLUICE_SITE/html/_static/scripts styles=$SLUICE_SITE/html/_static/styles
    if grep -q '^import Gumshoe' "$scripts/furo.js"; then
        sed -i '/^import Gumshoe/d' "$scripts/furo.js"
        cat "$scripts/gumshoe-patched.js" "$scripts/furo.js" >"$scripts/furo.js.new"
        mv "$scripts/furo.js.new" "$scripts/furo.js"
    fi
    if grep -q 'url(/javascript/normalize.css/' "$styles/furo.css"; then
        cp /usr/share/javascript/normalize.css/normalize.css "$styles/"
        sed -i 's|url(/javascript/normalize.css/|url(|' "$styles/furo.css"
    fi
}

forget_what_changed
scripts/api-xml.sh "$SLUICE_SITE/api"
put_manuals
put_pages
put_theme
cat >"$SLUICE_SITE/html/index.html" <<'HTML'
<!doctype html>
<title>Sluice</title>
<meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">Sluice</a>
HTML
printf '%s\n' "$SLUICE_SITE/html/index.html"
