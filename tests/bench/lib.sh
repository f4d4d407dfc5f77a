# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the scripts of tests/bench share: where the built programs are, a folder that goes when the script ends,
# and figures out of statistics. Names the script `me` in messages.
# shellcheck shell=bash

me=$(basename "$0" .sh)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${SLUICE_BUILD:-build}
[[ $build == /* ]] || build=$root/$build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if [[ ! -x $build/bin/fib ]]; then
    printf '%s: no %s; build it first (make all)\n' "$me" "$build/bin/fib" >&2
    exit 2
fi

# statistic FILE NAME
statistic() {
    sed -n "s/^ *\"$2\": *\([0-9.e+-]*\),*\$/\1/p" "$1"
}
