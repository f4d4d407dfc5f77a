#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The dependency rule, checked from the sources' #include lines and identifiers (check_dependencies.awk):
#   - a folder includes itself and what tests/static/layers.txt names for it; the table itself has no circle;
#   - only sim-soc/qemu/ and sim-soc/native/ name anything of QEMU's plugin interface;
#   - exit() is called only in files that have a main(), in sim-soc/qemu/, and in hal/host/runtime/program/, the frame of programs;
#   - every quoted #include names a file of the tree;
#   - files include each other in no circle, where a header and its source are one;
#   - a folder has at most 25 sources.
# An include is looked up as the compiler would: beside the file, then in the folders that the build gives to this
# part of the tree; then everywhere else, to say what it would have reached. Conditional compilation is not
# evaluated: a forbidden #include is one also under #if.
# Reports in TAP. A tree given as argument is checked in place of this one. --self-test, which a run without
# arguments does first, proves on trees of its own that each violation is caught.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
layers=$here/tests/static/layers.txt
# shellcheck source-path=SCRIPTDIR source=loops.sh
source "$here/tests/static/loops.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

circles() {
    loops "$folder/edges" | awk '{ print $3 ": circle of files: " $1 " includes " $2 }'
}

check_tree() {
    local output
    output=$(cd "$1" && SLUICE_TREE=$PWD "$here/scripts/list-sources.sh" |
        awk -v layers="$layers" -v edges="$folder/edges" -f "$here/tests/static/layers.awk" \
            -f "$here/tests/static/check_dependencies.awk" && circles)
    if [[ -n $output ]]; then
        printf '%s\nnot ok - dependency rule\n' "$output"
        return 1
    fi
    printf 'ok - dependency rule\n'
}

# The table has no circle, but for what is marked `=`.
check_layers() {
    awk -v layers="$layers" -f "$here/tests/static/layers.awk" -f <(
        # shellcheck disable=SC2016 # these are awk's
        printf '%s\n' 'BEGIN { read_layers(layers)
            for (folder in below) {
                n = split(below[folder], parts, " ")
                for (i = 1; i <= n; i++) { if (parts[i] !~ /^=/) { print folder, parts[i] } }
            } }'
    ) >"$folder/pairs"
    if [[ -n $(loops "$folder/pairs") ]]; then
        loops "$folder/pairs" | sed 's/^/# /'
        printf 'not ok - the table of layers: these lines are a circle\n'
        return 1
    fi
    printf 'ok - the table of layers has no circle\n'
}

# expect WORDS FILE TEXT [FILE TEXT]...: puts files with this text into an otherwise clean tree. WORDS are those of the
# report on the first of them, or on `place` where that is set; none where there is nothing to report.
expect() {
    local words=$1 at=${place:-$2} text=$3 report tree
    tree=$(mktemp -d)
    mkdir -p "$tree"/{hal/{aggregator,host/base,host/observe/print,include/sluice},firmware/graph,tests/unit}
    mkdir -p "$tree"/sim-soc/{dispatcher,mem/systems/flat,native,qemu}
    mkdir -p "$tree"/scripts/tools/{docgen,mkflash}
    touch "$tree"/{hal/aggregator/mmio.h,hal/include/sluice/layouts.h,firmware/graph/loop.h}
    touch "$tree"/{sim-soc/mem/flat.h,sim-soc/qemu/plugin_api.h,tests/unit/helper.h,scripts/tools/docgen/docgen.h}
    shift
    while (($# > 0)); do
        mkdir -p "$tree/$(dirname "$1")"
        printf '%b\n' "$2" >"$tree/$1"
        shift 2
    done
    report=$(check_tree "$tree") || true
    rm -rf "$tree"
    if [[ -z $words && $report == 'ok - dependency rule' ]] ||
        [[ -n $words && $report == *"$at:"*"$words"*'not ok - dependency rule' ]]; then
        return
    fi
    printf '%s\nnot ok - self-test: %s with "%s" should give "%s"\n' "$report" "$at" "$text" "$words"
    self_test_status=1
}

# sources COUNT FOLDER: so many sources, for expect
sources() {
    local i
    files=()
    for ((i = 0; i < $1; i++)); do
        files+=("$2/part$i.c" 'int x;')
    done
}

self_test_rules() {
    expect '' hal/host/base/a.c '#include "sluice/layouts.h"\n#include <stdlib.h>'
    expect '' firmware/graph/a.c '#include "graph/loop.h"\n#include "aggregator/mmio.h"'
    expect '' sim-soc/qemu/a.c '#include "plugin_api.h"\n#include "mem/flat.h"\nqemu_plugin_x(); exit(1);'
    expect '' sim-soc/native/a.c '#include "native/b.h"\n#include "qemu/plugin_api.h"\nqemu_plugin_x();' \
        sim-soc/native/b.h ''
    expect '' tests/unit/a.c '#include "graph/loop.h"\n#include "mem/flat.h"\n#include "helper.h"'
    expect '' scripts/tools/docgen/a.c '#include "docgen.h"\n#include "sluice/layouts.h"'
    expect '' sim-soc/mem/systems/flat/a.c '#include "mem/flat.h"'
    expect '' hal/host/base/a.c 'int main(void) { exit(1); }'
    expect '' hal/host/runtime/program/a.c 'exit(1);'
    expect '' hal/host/base/a.c '/* exit(1)\n * qemu_plugin_x */ char *s = "exit(1)"; // exit(1)\n_exit(1);'
    expect '' sim-soc/mem/a.c 'port->exit(port, 1); port.exit(port, 1);'
    expect 'hal/host/base may not include firmware/graph' hal/host/base/a.c '#include "graph/loop.h"'
    expect 'hal/host/base may not include hal/host/observe/print' hal/host/base/a.c '#include "host/observe/print/b.h"' \
        hal/host/observe/print/b.h ''
    expect 'hal/host/base may not include sim-soc/mem' hal/host/base/a.c '  #  include <mem/flat.h>'
    expect 'hal/host/base may not include sim-soc/mem' hal/host/base/a.c '#include "../../../sim-soc/mem/flat.h"'
    expect 'hal/include may not include tests' hal/include/sluice/a.h '#include "unit/helper.h"'
    expect 'hal/host/base may not include scripts/tools/docgen' hal/host/base/a.c \
        '#include "../../../scripts/tools/docgen/docgen.h"'
    expect 'firmware/graph may not include sim-soc/mem' firmware/graph/a.c '#include "mem/flat.h"'
    expect 'firmware/graph may not include tests' firmware/graph/a.S '#include "../../tests/unit/helper.h"'
    expect 'sim-soc/mem may not include firmware/graph' sim-soc/mem/a.c '#include "graph/loop.h"'
    expect 'sim-soc/mem may not include sim-soc/dispatcher' sim-soc/mem/b.c '#include "dispatcher/c.h"' sim-soc/dispatcher/c.h ''
    expect 'sim-soc/mem may not include sim-soc/mem/systems/flat' sim-soc/mem/a.c '#include "systems/flat/b.h"' \
        sim-soc/mem/systems/flat/b.h ''
    expect 'sim-soc/mem may not include sim-soc/qemu' sim-soc/mem/a.c '#include "qemu/plugin_api.h"'
    expect 'sim-soc/mem may not include sim-soc/qemu' sim-soc/mem/a.c '#include "../qemu/plugin_api.h"'
    expect 'sim-soc/native may not include sim-soc/mem' sim-soc/native/a.c '#include "mem/flat.h"'
    expect 'tests may not include sim-soc/qemu' tests/unit/a.c '#include "qemu/plugin_api.h"'
    expect 'scripts/tools/docgen may not include sim-soc/mem' scripts/tools/docgen/a.c '#include "mem/flat.h"'
    expect 'scripts/tools/mkflash may not include scripts/tools/docgen' scripts/tools/mkflash/a.c \
        '#include "../docgen/docgen.h"'
    expect 'only sim-soc/qemu/ and sim-soc/native/ may' sim-soc/mem/a.c 'qemu_plugin_outs("");'
    expect 'only sim-soc/qemu/ and sim-soc/native/ may' tests/unit/a.c 'int x = QEMU_PLUGIN_VERSION;'
    expect 'exit() in a file without main()' sim-soc/mem/a.c 'char c = '"'\"'"'; exit(1);'
    expect 'exit() in a file without main()' hal/host/base/a.c '/* one */ exit (2); /* two */'
    expect 'no such file in the tree' hal/host/base/a.c '#include "missing.h"'
    expect 'hides what is included' hal/host/base/a.c '#include TABLE'
}

self_test_folders() {
    local files base=hal/host/base
    expect '' $base/a.c '#include "host/base/a.h"\n#include "host/base/b.h"' $base/a.h '' $base/b.h ''
    expect "circle of files: $base/b includes $base/a" \
        $base/b.c '#include "host/base/b.h"\n#include "host/base/a.h"' $base/b.h '' $base/a.h '#include "host/base/b.h"'
    place=$base/a.c expect "circle of files: $base/a includes $base/c" \
        $base/b.h '#include "a.h"' $base/a.c '#include "c.h"' $base/a.h '' $base/c.c '#include "b.h"' $base/c.h ''
    sources 25 sim-soc/mem
    expect '' "${files[@]}"
    sources 26 sim-soc/mem
    place=sim-soc/mem expect 'folder of 26 sources; split it' "${files[@]}"
    sources 25 $base
    place=$base expect 'folder of 26 sources; split it' "${files[@]}" $base/start.S ''
    place=hal/else expect 'has no line for this folder' hal/else/a.c 'int x;'
}

self_test() {
    self_test_status=0
    self_test_rules
    self_test_folders
    if ((self_test_status == 0)); then
        printf 'ok - self-test: each violation is caught\n'
    fi
    return $self_test_status
}

case ${1:-} in
--self-test) self_test ;;
'')
    status=0
    self_test || status=1
    check_layers || status=1
    check_tree "$here" || status=1
    exit $status
    ;;
*) check_tree "$1" ;;
esac
