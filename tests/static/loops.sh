# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
# shellcheck shell=bash
#
# Circles among pairs, for the checks of who uses whom.

# loops FILE: of the lines "user used ..." those of which both are part of a circle; nothing where there is none
loops() {
    awk 'NR == FNR { loop[$1] = 1; next } $1 in loop && $2 in loop' <(cut -d ' ' -f 1,2 "$1" | tsort_loops) "$1"
}

# Who is part of a circle, a line each. tsort's status says no more than that there is one.
tsort_loops() {
    { tsort 2>&1 >/dev/null || true; } | sed -n 's/^tsort: //; /: input contains a loop:$/d; p' | sort -u
}
