#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The command lines of all programs and examples: each option and argument takes the values that --help speaks of, and
# refuses others (lib/check_arguments.py). What several arguments have to do with each other is in the programs' own suites.
# shellcheck source-path=SCRIPTDIR source=lib/common.sh
lib=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

programs=()
while IFS= read -r source; do
    program=$build/bin/$(basename "${source%.*}")
    [[ -x $program ]] && programs+=("$program")
done < <(grep -lE '^(int main|SL_PROGRAM)\(' "$root"/tests/{litmus,workloads/*,probes/*}/*.{c,cc} 2>/dev/null)
programs+=("$build"/examples/{bfs,fft,performance,stencil,uts})
results=$suite_folder/results
command -v python3 >/dev/null && python3 "$lib/check_arguments.py" "${programs[@]}" >"$results"

# arguments NUMBER NAME: the result of this number
arguments() {
    local name wrong
    command -v python3 >/dev/null || skip "no python3"
    IFS=$'\t' read -r name wrong < <(sed -n "$1p" "$results")
    [[ $name == "$2" ]] || fail "no result of $2"
    [[ -z $wrong ]] || fail "$wrong"
}

number=0
for program in "${programs[@]}"; do
    number=$((number + 1))
    check "${program#"$build/"}" arguments "$number" "$(basename "$program")"
done
