#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Damaged files in the hands of the tools: kernel files under a profile of kernels and a report, profiles under `sluice
# annotate`, firmware images under `sluice flash verify`. Each ends in time, with a status that the pages know.
#
# usage: tests/attack/tools.sh [SEED [COUNT]]
set -uo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
build=$(realpath "${SLUICE_BUILD:-build}")
seed=${1:-1}
count=${2:-100}
limit_s=120
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
declare -A tried=()

# damage FILE NUMBER: some bytes of it, or its end
damage() {
    python3 - "$1" $((seed * 1000003 + $2)) <<'END'
import random
import sys

rng = random.Random(int(sys.argv[2]))
with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
if rng.random() < 0.15:
    data = data[:rng.randrange(len(data))]
else:
    for _ in range(rng.choice([1, 1, 2, 8, 64])):
        data[rng.randrange(len(data))] = rng.randrange(256)
with open(sys.argv[1], "wb") as file:
    file.write(data)
END
}

# ends COMMAND...: with status 0 to 3
ends() {
    local status=0
    timeout --kill-after=1 "$limit_s" "$@" >"$folder/out" 2>"$folder/err" </dev/null || status=$?
    tried[$status]=$((${tried[$status]:-0} + 1))
    if ((status > 3)); then
        printf 'attack: status %d: %s\n' "$status" "$*" >&2
        failed=$((failed + 1))
    fi
}

# A tree with kernels of its own.
mkdir -p "$folder/bin" "$folder/kernels"
cp "$build/bin/fib" "$folder/bin"
ln -s "$build/lib" "$build/firmware" "$build/share" "$folder"
"$build/bin/fib" 10 --quiet --kernel-profile "$folder/profile" >/dev/null || exit 1

for ((i = 0; i < count; i++)); do
    case $((i % 4)) in
    0)
        cp "$folder/profile" "$folder/damaged"
        damage "$folder/damaged" $i
        ends "$build/bin/sluice" annotate "$folder/damaged"
        ;;
    1)
        cp "$build/firmware/sluice.flash" "$folder/damaged"
        damage "$folder/damaged" $i
        ends "$build/bin/sluice" flash verify "$folder/damaged"
        ;;
    2)
        cp "$build/kernels/fib.elf" "$folder/kernels"
        damage "$folder/kernels/fib.elf" $i
        ends "$folder/bin/fib" 8 --set gpu.cycle_limit=1000000 --kernel-profile "$folder/of-damaged"
        ;;
    3)
        cp "$build/kernels/fib.elf" "$folder/kernels"
        damage "$folder/kernels/fib.elf" $i
        ends "$folder/bin/fib" 8 --set gpu.cycle_limit=1000000 --report "$folder/report.html"
        ;;
    esac
done
printf '\n# tools, seed %d: %d files:' "$seed" "$count"
for status in "${!tried[@]}"; do
    printf ' status %s: %d' "$status" "${tried[$status]}"
done
printf '\n'
((failed == 0))
