#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The test build of the recipes in docs/: a copy of the sources in build/recipe, to which each recipe adds one file and
# one line of a table, as its page has it; firmware, plugin and library of it are in build/recipe/build. Kernels and
# programs are those of the build itself: no recipe touches their sources, and a program finds the copy's library as
# those of users find a new one. What has not changed since the last time is not built again. make does all this before
# `make test` (mk/tests.mk); tests/suite/test_recipe.sh and test_stale.sh use it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$(cd "${SLUICE_BUILD:-build}" && pwd)
tree=$build/recipe

# add FILE FOLDER PAGE START TABLE: the file goes into the folder, the page's line that begins with START into the
# table, above the line that says so or at its end. The table is as old as the younger of page and table.
add() {
    local file=$1 folder=$2 page=$3 start=$4 table=$5 line
    if [[ $(grep -c "^ *$start" "$page") != 1 ]]; then
        echo "tests/recipe/build.sh: $page has no line, or several, that begin with $start" >&2
        exit 1
    fi
    line=$(grep "^ *$start" "$page")
    mkdir -p "$tree/$folder"
    cp -p "$file" "$tree/$folder"
    if grep -q 'a new one: above this line' "$table"; then
        awk -v line="${line//\\/\\\\}" '/a new one: above this line/ { print line } { print }' "$table" >"$tree/$table"
    else
        printf '%s\n' "$line" >>"$tree/$table"
    fi
    if [[ $page -nt $table ]]; then
        table=$page
    fi
    touch -r "$table" "$tree/$5"
}

mkdir -p "$tree/build/"{lib,obj/sim-soc/simt,stamps}
find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
scripts/list-sources.sh | tar -c -T - | tar -x -C "$tree"
add tests/recipe/fewest.c firmware/policies docs/know/scheduling.md 'SL_POLICY(' hal/contract/policies.def
add tests/recipe/patient.c firmware/predicates docs/know/scheduling.md 'SL_PREDICATE(' hal/contract/predicates.def
add tests/recipe/syncs.c sim-soc/observers docs/do/profile.md 'SL_OBSERVER(' sim-soc/observers/observers.def
add tests/soc/common/stale.c sim-soc/mem/systems/stale docs/look-up/memory-moesi.md 'SYSTEM(' hal/include/sluice/mem_systems.h

# reuse FOLDER PATTERN: objects that know none of these tables, or nothing but what a further line does not change
reuse() {
    (cd "$build/obj" && find "$1" -name "$2") | while read -r object; do
        mkdir -p "$tree/build/obj/$(dirname "$object")"
        cp -pu "$build/obj/$object" "$tree/build/obj/$object"
    done
}

ln -sfn "$build/newlib" "$tree/build/newlib"
ln -sfn "$build/kernels" "$tree/build/kernels"
cp -pu "$build/stamps/host" "$tree/build/stamps"
reuse sim-soc/simt/lanes '*_ex*.*.o'
reuse sim-soc/simt/float '*_ex*.*.o'
reuse tests/litmus '*.o'
reuse tests/workloads/common '*.o'

# Optimized as a whole, the plugin would take longer to link than the runs that it would make faster. Nothing here is
# looked at in a debugger.
if ! make -s -C "$tree" BUILD=build WHOLE=-g0 flash libraries build/lib/sluice-plugin.so build/bin/litmus \
    >"$tree/build/log" 2>&1; then
    cat "$tree/build/log"
    exit 1
fi
ln -f "$build/lib/sluice-native" "$tree/build/lib/sluice-native"
grep -lE '^(int main|SL_PROGRAM)\(' tests/workloads/*/*.c tests/probes/*/*.c | while read -r program; do
    name=$(basename "$program" .c)
    [[ $name == badgraph ]] || ln -f "$build/bin/$name" "$tree/build/bin/$name"
done
touch "$tree/built"
