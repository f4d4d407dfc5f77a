#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What every source file keeps to and a tool can see: clang-format's opinion of C and C++ files, the two
# SPDX lines at the top, and no file of more than 800 lines. Reports in TAP, one line per check.
# A tree given as argument is checked in place of this one. --self-test, which a run without arguments does
# first, proves on a tree of its own that each check can fail.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
most_lines=800

sources() {
    SLUICE_TREE=$tree "$here/scripts/list-sources.sh" "$@"
}

check_clang_format() {
    local files unformatted
    mapfile -t files < <(sources c cc h)
    ((${#files[@]} > 0)) || return 0
    cd "$tree" # check_tree runs this in a subshell
    if ! unformatted=$(clang-format --dry-run -Werror "${files[@]}" 2>&1); then
        grep -E '^[^ :]+:[0-9]+:' <<<"$unformatted" | sort -t : -u -k 1,1
        printf 'the first place of each file is shown; make format formats them all\n'
        return 1
    fi
}

# The two below look at all files in one process: to start one or two for each takes longer than to read it.
check_headers() {
    sources c cc h S inc def ld sh awk py js css html mk Makefile sluice-kernel-cc .ci/run | awk -v "tree=$tree" '
        {
            path = tree "/" $0
            top = ""
            for (i = 0; i < 3 && (getline line <path) > 0; i++) {
                top = top line "\n"
            }
            close(path)
            if (!index(top, "SPDX-License-Identifier: BSD-2-Clause") || !index(top, "SPDX-FileCopyrightText: The Sluice authors")) {
                printf "%s: the first three lines lack the two SPDX lines (see any other file)\n", $0
                bad = 1
            }
        }
        END { exit bad }'
}

check_length() {
    sources c cc h S inc def ld sh awk py js css html mk Makefile sluice-kernel-cc | awk -v "tree=$tree" -v "most=$most_lines" '
        {
            path = tree "/" $0
            for (lines = 0; (getline line <path) > 0; lines++) {
            }
            close(path)
            if (lines > most) {
                printf "%s: %d lines; split it: a file is one idea, at most %d lines\n", $0, lines, most
                bad = 1
            }
        }
        END { exit bad }'
}

check_tree() {
    local check output status=0
    for check in clang_format headers length; do
        if output=$("check_$check"); then
            printf 'ok - %s\n' "$check"
        else
            printf '%s\nnot ok - %s\n' "$output" "$check"
            status=1
        fi
    done
    return $status
}

# Every line of the table is a file that one check has to report.
self_test() {
    local good=$'/* SPDX-License-Identifier: BSD-2-Clause\n * SPDX-FileCopyrightText: The Sluice authors */\n\n'
    local status=0 report check
    tree=$(mktemp -d)
    cp "$here/.clang-format" "$tree"
    printf '%sint x;\n' "$good" >"$tree/good.c"
    if ! report=$(check_tree); then
        printf '%s\nnot ok - self-test: a clean file passes\n' "$report"
        status=1
    fi
    for check in clang_format headers length; do
        case $check in
        clang_format) printf '%sint  x ;\n' "$good" >"$tree/bad.c" ;;
        headers) printf 'int x;\n' >"$tree/bad.c" ;;
        length) { printf '%s' "$good" && yes 'int x;' | head -n $most_lines; } >"$tree/bad.c" ;;
        esac
        report=$(check_tree) || true
        if [[ $(grep '^not ok' <<<"$report") != "not ok - $check" ]]; then
            printf '%s\nnot ok - self-test: %s is caught, and only that\n' "$report" "$check"
            status=1
        fi
    done
    rm -rf "$tree"
    if ((status == 0)); then
        printf 'ok - self-test: each check can fail\n'
    fi
    return $status
}

case ${1:-} in
--self-test) self_test ;;
'')
    status=0
    self_test || status=1
    tree=$here
    check_tree || status=1
    exit $status
    ;;
*)
    tree=$1
    check_tree
    ;;
esac
