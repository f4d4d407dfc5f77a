# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the scripts tests/suite/test_*.sh share that report in TAP one condition after the other: a folder that goes
# when the script ends, in which `output` is what is shown of a failure, and the script's status.
# shellcheck shell=bash
# shellcheck disable=SC2034 # status is the script's

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

report() { # condition-status, name
    if (($1 == 0)); then
        printf 'ok - %s\n' "$2"
    else
        printf 'not ok - %s\n' "$2"
        sed 's/^/# /' "$folder/output" 2>/dev/null | head -n 40
        status=1
    fi
}
