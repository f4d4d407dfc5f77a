#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Whole-machine tests: host programs, QEMU with the plugin, flashed firmware, kernels. Each file of suite/
# is one idea and runs by itself too; this one runs them all.
# usage: tests/programs/suite.sh [name...]     names of files in suite/, without .sh
# Reports in TAP, a line with its wall time for each test, and what a failed one printed. No test is passed
# or failed by the clock: limits are there so that nothing hangs. Works from any directory on the
# tree that SLUICE_BUILD names (default build/), which has to be built (make all).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
limit_s=600

if (($# == 0)); then
    for file in "$here"/suite/*.sh; do
        set -- "$@" "$(basename "$file" .sh)"
    done
fi
status=0
for name in "$@"; do
    if [[ ! -f $here/suite/$name.sh ]]; then
        printf 'not ok - %s: there is no %s\n' "$name" "tests/programs/suite/$name.sh"
        status=1
    elif ! timeout --foreground --kill-after=10 $limit_s "$here/suite/$name.sh"; then
        status=1
    fi
done
exit $status
