#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# A file of random kernels for campaign.sh, which says what becomes of it: generated, compiled, checked, executed.
# usage: tests/fuzz/convergence/try_file.sh COUNT LOG PROFILE SEED, in a folder for its files
# A line is added to LOG where all of that could be done; else the exit status is 1, with the reason on standard error.
# SLUICE_BUILD has to be an absolute path.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$SLUICE_BUILD
count=$1
log=$2
profile=$3
seed=$4
name=$profile-$seed

generate() { # generate NAME OPTION...
    "$here/generate.py" "${@:2}" "$seed" "$count" "$profile" "$1"
}

# What the compiler refuses is left out, so that the others are tried.
compile() {
    local without
    until "$root/scripts/sluice-kernel-cc" -c "$name.c" -o "$name.o" 2>"$name.messages"; do
        without=$("$here/verdicts.py" refused "$name") || return
        generate "$name" --without "$without"
    done
}

# Both: the status says whether all could be tried, whatever they did.
check() {
    local status=0
    "$build/bin/check-convergence" "$name.elf" 2>"$name.check" || status=$?
    ((status < 2)) || cat "$name.check" >>"$name.messages"
    ((status < 2))
}

execute() { # execute OPTION... OUTPUT
    local status=0
    "$build/fuzz/run_kernels" "${@:1:$#-1}" >"${!#}" 2>>"$name.messages" || status=$?
    ((status < 2))
}

# The reason of a fault has other words on the whole machine.
execute_sample() {
    local sample verdict
    sample=$(awk 'NR == 1 { print $1 }' "$name.verdicts")
    [[ -n $sample ]] || return 0
    execute --machine "$name.elf" "$name.expect" "$sample" "$name.machine"
    verdict=$(sed -n '1s/ fault .*/ fault/p; 1t; 1p' "$name.verdicts")
    if [[ $(sed 's/ fault .*/ fault/' "$name.machine") != "$verdict" ]]; then
        printf '%s on the whole machine: ' "$(<"$name.machine")" >>"$name.messages"
        printf '%s on the model\n' "$verdict" >>"$name.messages"
        return 1
    fi
}

# Kernels that were wrong leave their source beside the log.
keep() {
    local kernel verdict
    while read -r _ _ kernel verdict _; do
        if [[ $verdict == wrong || $verdict == fault ]]; then
            generate "$(dirname "$log")/$name-$kernel" --only "$kernel"
        fi
    done <"$name.findings"
    cat "$name.findings" >>"$log.findings"
}

generate "$name"
if ! { compile && "$here/link.sh" "$name.o" "$name.elf" 2>>"$name.messages" &&
    check && execute "$name.elf" "$name.expect" "$name.verdicts" && execute_sample; }; then
    printf '%s, seed %s, could not be tried: %s\n' "$profile" "$seed" "$(tail -n 5 "$name.messages")" >&2
    exit 1
fi
line=$("$here/verdicts.py" tally "$name" "$profile" "$seed")
keep
rm "$name".*
printf '%s\n' "$line" >>"$log"
