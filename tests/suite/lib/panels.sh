# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the tests of panels share, behind common.sh. Panels with small inputs are in $panels; their report is made once, in
# $report, for the tests to look at.
# shellcheck shell=bash

# shellcheck disable=SC2154 # common.sh's
report=$suite_folder/report panels=$suite_folder/panels

# Makes the report of what is in $panels.
make_report() {
    run 0 sluice report --out "$report" --seeds 1 "$panels"/*.ini
    # panel, hold, fail, undecided, unknown: every check has a figure
    awk 'NR > 1 && NF > 5 && $5 != 0 { print; bad = 1 } END { exit bad }' out || fail "checks without a figure"
    ! grep -q 'runs failed' out || fail "$(cat out)"
    (($(find "$report" -name '*.csv' | wc -l) == $(find "$panels" -name '*.ini' | wc -l))) || fail "$(ls "$report")"
    note "$(find "$report/runs" -name status.json | wc -l) runs"
}

# law PANEL CONDITION: holds for each row of the panel's data; the condition is awk's, v("NAME") a column
law() {
    awk -F, -v panel="$1" '
        function v(name) {
            if (!(name in column)) { print panel ": no column " name; bad = 1 }
            return $column[name]
        }
        function near(a, b) { return (a - b) ^ 2 <= 1e-6 * (1 + b * b) }
        NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i } next }
        { rows++ }
        !('"$2"') { printf "%s: %s\n", panel, $0; bad = 1 }
        END { exit bad || rows == 0 }' "$report/$1.csv" || fail "$1: not $2"
}
