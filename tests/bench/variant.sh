#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Runs an example of docs/examples with a change: what is done about a bottleneck is seen best where it is undone. Needs a
# built tree (make all).
# usage: tests/bench/variant.sh EXAMPLE SCRIPT [ARGUMENT...]    SCRIPT is sed's, and is applied to each of the example's
# sources; an empty one changes nothing. The arguments are the example's.
set -euo pipefail

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${SLUICE_BUILD:-$root/build}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if (($# < 2)) || [[ ! -f $root/docs/examples/$1/$1.c ]]; then
    echo "usage: tests/bench/variant.sh EXAMPLE SCRIPT [ARGUMENT...], EXAMPLE a folder of docs/examples" >&2
    exit 2
fi
example=$1 script=$2
for file in "$root/docs/examples/$example"/*.[ch]; do
    sed "$script" "$file" >"$folder/$(basename "$file")"
done
gcc -std=gnu11 -O2 -I"$root/hal" -I"$root/hal/include" "$folder/$example.c" "$build/lib/libsluice.a" -o "$folder/$example" \
    -pthread -lelf -ldw -linih -ljansson -lm
SLUICE_BUILD=$build "$root/scripts/sluice-kernel-cc" "$folder/${example}_kernel.c" -o "$folder/$example.elf"
"$folder/$example" --set host.plugin="$build/lib" --set host.flash="$build/firmware/sluice.flash" "${@:3}"
