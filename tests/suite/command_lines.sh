#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The command lines of all programs and examples: each option and argument takes the values that --help speaks of, and
# refuses others (lib/check_arguments.py). What several arguments have to do with each other is in the programs' own suites.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

arguments() {
    command -v python3 >/dev/null || skip "no python3"
    python3 "$lib/check_arguments.py" "$1" >out 2>err || fail "$(cat err)"
}

while IFS= read -r source; do
    program=$(basename "${source%.*}")
    [[ -x $build/bin/$program ]] || continue
    check "$program" arguments "$build/bin/$program"
done < <(grep -lE '^(int main|SL_PROGRAM)\(' "$root"/tests/{litmus,workloads/*,probes/*}/*.{c,cc} 2>/dev/null)
for folder in "$root"/docs/examples/*/; do
    program=$(basename "$folder")
    check "example $program" arguments "$build/examples/$program"
done
