# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the scripts share that look at pages in a browser (browser.py): Debian's Python, since its packages are not there
# for another one in PATH.
# shellcheck shell=bash
# shellcheck disable=SC2034 # python is the script's

python=/usr/bin/python3
export PYTHONDONTWRITEBYTECODE=1 # nothing is left beside the scripts

# skip_without_browser NAME: where the packages are missing, the script ends here.
skip_without_browser() {
    local package missing=()
    [[ -x /usr/bin/chromium ]] || missing+=(chromium)
    [[ -x /usr/bin/chromedriver ]] || missing+=(chromium-driver)
    "$python" -c 'import selenium' 2>/dev/null || missing+=(python3-selenium)
    [[ -f ${SLUICE_D3:-/usr/share/nodejs/d3/dist/d3.min.js} ]] || missing+=(node-d3)
    if ((${#missing[@]} > 0)); then
        printf 'ok - %s # SKIP not on this machine: apt-get install %s\n' "$1" "${missing[*]}"
        exit 0
    fi
}
