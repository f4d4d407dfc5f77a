#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The dependency rule, checked from the sources' #include lines and identifiers (check_dependencies.awk):
#   - hal/ includes neither firmware/ nor sim-soc/; firmware/ and sim-soc/ never include each other; each of
#     scripts/tools/ includes hal/ and itself; nothing includes tests/ but tests/;
#   - only sim-soc/qemu/ and sim-soc/native/ include headers of the former and name anything of QEMU's plugin interface;
#   - exit() is called only in files that have a main(), and in sim-soc/qemu/;
#   - every quoted #include names a file of the tree;
#   - files include each other in no circle, where a header and its source are one, nor do folders;
#   - a folder has at most 25 sources.
# An include is looked up as the compiler would: beside the file, then in the folders that the build gives to this
# part of the tree; then everywhere else, to say what it would have reached. Conditional compilation is not
# evaluated: a forbidden #include is one also under #if.
# Reports in TAP. A tree given as argument is checked in place of this one. --self-test, which a run without
# arguments does first, proves on trees of its own that each violation is caught.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

check_tree() {
    local output
    output=$(cd "$1" && SLUICE_TREE=$PWD "$here/scripts/list-sources.sh" |
        awk -f "$here/tests/static/check_dependencies.awk")
    if [[ -n $output ]]; then
        printf '%s\nnot ok - dependency rule\n' "$output"
        return 1
    fi
    printf 'ok - dependency rule\n'
}

# expect WORDS FILE TEXT [FILE TEXT]...: puts files with this text into an otherwise clean tree. WORDS are those of the
# report on the first of them, or on `place` where that is set; none where there is nothing to report.
expect() {
    local words=$1 at=${place:-$2} text=$3 report tree
    tree=$(mktemp -d)
    mkdir -p "$tree"/{hal/{aggregator,host/driver/graph,include/sluice},firmware/graph,sim-soc/{dispatcher,mem,native,qemu},tests/unit}
    mkdir -p "$tree"/scripts/tools/{docgen,mkflash}
    touch "$tree"/{hal/aggregator/mmio.h,hal/include/sluice/layouts.h,firmware/graph/loop.h}
    touch "$tree"/{sim-soc/mem/flat.h,sim-soc/qemu/plugin_api.h,tests/unit/helper.h,scripts/tools/docgen/docgen.h}
    shift
    while (($# > 0)); do
        printf '%b\n' "$2" >"$tree/$1"
        shift 2
    done
    report=$(check_tree "$tree") || true
    rm -rf "$tree"
    if [[ -z $words && $report == 'ok - dependency rule' ]] ||
        [[ -n $words && $report == "$at:"*"$words"*'not ok - dependency rule' ]]; then
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
    expect '' hal/host/a.c '#include "sluice/layouts.h"\n#include <stdlib.h>'
    expect '' firmware/graph/a.c '#include "graph/loop.h"\n#include "aggregator/mmio.h"'
    expect '' sim-soc/qemu/a.c '#include "plugin_api.h"\n#include "mem/flat.h"\nqemu_plugin_x(); exit(1);'
    expect '' sim-soc/native/a.c '#include "native/b.h"\n#include "qemu/plugin_api.h"\nqemu_plugin_x();' \
        sim-soc/native/b.h ''
    expect '' tests/unit/a.c '#include "graph/loop.h"\n#include "mem/flat.h"\n#include "helper.h"'
    expect '' scripts/tools/docgen/a.c '#include "docgen.h"\n#include "sluice/layouts.h"'
    expect '' hal/host/a.c 'int main(void) { exit(1); }'
    expect '' hal/host/a.c '/* exit(1)\n * qemu_plugin_x */ char *s = "exit(1)"; // exit(1)\n_exit(1);'
    expect '' sim-soc/mem/a.c 'port->exit(port, 1); port.exit(port, 1);'
    expect 'hal/ may not include firmware/' hal/host/a.c '#include "graph/loop.h"'
    expect 'hal/ may not include sim-soc/' hal/host/a.c '  #  include <mem/flat.h>'
    expect 'hal/ may not include sim-soc/' hal/host/a.c '#include "../../sim-soc/mem/flat.h"'
    expect 'hal/ may not include tests/' hal/include/sluice/a.h '#include "unit/helper.h"'
    expect 'hal/ may not include scripts/tools/docgen/' hal/host/a.c '#include "../../scripts/tools/docgen/docgen.h"'
    expect 'firmware/ may not include sim-soc/' firmware/graph/a.c '#include "mem/flat.h"'
    expect 'firmware/ may not include tests/' firmware/graph/a.S '#include "../../tests/unit/helper.h"'
    expect 'sim-soc/ may not include firmware/' sim-soc/mem/a.c '#include "graph/loop.h"'
    expect 'sim-soc/ may not include sim-soc/qemu/' sim-soc/mem/a.c '#include "qemu/plugin_api.h"'
    expect 'sim-soc/ may not include sim-soc/qemu/' sim-soc/mem/a.c '#include "../qemu/plugin_api.h"'
    expect 'sim-soc/native/ may not include sim-soc/' sim-soc/native/a.c '#include "mem/flat.h"'
    expect 'sim-soc/ may not include sim-soc/native/' sim-soc/mem/a.c '#include "native/b.h"' sim-soc/native/b.h ''
    expect 'tests/ may not include sim-soc/qemu/' tests/unit/a.c '#include "qemu/plugin_api.h"'
    expect 'scripts/tools/docgen/ may not include sim-soc/' scripts/tools/docgen/a.c '#include "mem/flat.h"'
    expect 'scripts/tools/mkflash/ may not include scripts/tools/docgen/' scripts/tools/mkflash/a.c \
        '#include "../docgen/docgen.h"'
    expect 'only sim-soc/qemu/ and sim-soc/native/ may' sim-soc/mem/a.c 'qemu_plugin_outs("");'
    expect 'only sim-soc/qemu/ and sim-soc/native/ may' tests/unit/a.c 'int x = QEMU_PLUGIN_VERSION;'
    expect 'exit() in a file without main()' sim-soc/mem/a.c 'char c = '"'\"'"'; exit(1);'
    expect 'exit() in a file without main()' hal/host/a.c '/* one */ exit (2); /* two */'
    expect 'no such file in the tree' hal/host/a.c '#include "missing.h"'
    expect 'hides what is included' hal/host/a.c '#include TABLE'
}

# Of a circle the last edge is reported, which is the first file here.
self_test_folders() {
    local files
    expect '' hal/host/a.c '#include "host/a.h"\n#include "host/b.h"' hal/host/a.h '' hal/host/b.h ''
    expect '' sim-soc/mem/a.c '#include "dispatcher/b.h"' sim-soc/dispatcher/b.h '' sim-soc/mem/c.c '#include "dispatcher/b.h"'
    expect 'circle of files: hal/host/a -> hal/host/b (hal/host/a.h:1) -> hal/host/a (hal/host/b.c:2)' \
        hal/host/b.c '#include "host/b.h"\n#include "host/a.h"' hal/host/b.h '' hal/host/a.h '#include "host/b.h"'
    expect 'circle of files: hal/host/a -> hal/host/c (hal/host/a.c:1) -> hal/host/b (hal/host/c.c:1) -> hal/host/a' \
        hal/host/b.h '#include "a.h"' hal/host/a.c '#include "c.h"' hal/host/a.h '' hal/host/c.c '#include "b.h"' \
        hal/host/c.h ''
    expect 'circle of folders: sim-soc/dispatcher -> sim-soc/mem (sim-soc/dispatcher/a.c:1) -> sim-soc/dispatcher' \
        sim-soc/mem/b.c '#include "dispatcher/c.h"' sim-soc/dispatcher/a.c '#include "mem/flat.h"' sim-soc/dispatcher/c.h ''
    expect 'circle of folders: hal/host -> hal/host/driver/graph (hal/host/a.c:1) -> hal/host' \
        hal/host/driver/graph/b.c '#include "host/c.h"' hal/host/a.c '#include "driver/graph/d.h"' hal/host/driver/graph/d.h '' hal/host/c.h ''
    sources 25 sim-soc/mem
    expect '' "${files[@]}"
    sources 26 sim-soc/mem
    place=sim-soc/mem expect 'folder of 26 sources; split it' "${files[@]}"
    sources 25 hal/host
    place=hal/host expect 'folder of 26 sources; split it' "${files[@]}" hal/host/start.S ''
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
    check_tree "$here" || status=1
    exit $status
    ;;
*) check_tree "$1" ;;
esac
