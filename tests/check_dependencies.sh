#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The dependency rule, checked from the sources' #include lines and identifiers:
#   - hal/ includes neither firmware/ nor sim-soc/; firmware/ and sim-soc/ never include each other;
#     nothing includes tests/ but tests/;
#   - only sim-soc/qemu/ includes its own headers and names anything of QEMU's plugin interface;
#   - exit() is called only in files that have a main(), and in sim-soc/qemu/;
#   - every quoted #include names a file of the tree.
# An include is looked up as the compiler would: beside the file, then in the folders that the build gives to this
# part of the tree; then everywhere else, to say what it would have reached. Conditional compilation is not
# evaluated: a forbidden #include is one also under #if.
# Reports in TAP. A tree given as argument is checked in place of this one. --self-test, which a run without
# arguments does first, proves on trees of its own that each violation is caught.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Reads the list of all files (paths relative to the tree), then each of them; prints one line per violation.
# shellcheck disable=SC2016 # awk's own variables
rules='
function normal(path,    parts, n, i, out, depth, kept) {
    n = split(path, parts, "/")
    depth = 0
    for (i = 1; i <= n; i++) {
        if (parts[i] == "" || parts[i] == ".") { continue }
        if (parts[i] == ".." && depth > 0 && kept[depth] != "..") { depth-- } else { kept[++depth] = parts[i] }
    }
    out = kept[1]
    for (i = 2; i <= depth; i++) { out = out "/" kept[i] }
    return out
}
function area(path,    parts) {
    if (path ~ /^sim-soc\/qemu\//) { return "sim-soc/qemu" }
    split(path, parts, "/")
    return parts[1]
}
function resolve(name, file,    folders, n, i, candidate, own) {
    own = area(file)
    sub(/\/qemu$/, "", own)
    candidate = file
    sub(/[^\/]*$/, "", candidate)
    n = split(candidate "|hal|hal/include|" own "|firmware|sim-soc|sim-soc/qemu|tests|.", folders, "|")
    for (i = 1; i <= n; i++) {
        candidate = normal(folders[i] "/" name)
        if (candidate in exists) { return candidate }
    }
    return ""
}
function allowed(from, to) {
    if (from == to || from == "tests" && to != "sim-soc/qemu") { return 1 }
    if (to == "hal") { return 1 }
    return from == "sim-soc/qemu" && to == "sim-soc"
}
function report(text) { printf "%s:%d: %s\n", file, line, text }
function include(text,    name, quoted, target, from, to) {
    quoted = text ~ /^"/
    if (text !~ /^["<][^">]+[">]/) {
        report("#include of a macro hides what is included; name the file")
        return
    }
    name = substr(text, 2)
    sub(/[">].*/, "", name)
    target = resolve(name, file)
    if (target == "") {
        if (quoted) { report("#include \"" name "\": no such file in the tree; write <" name "> for one of the system") }
        return
    }
    from = area(file)
    to = area(target)
    if (!allowed(from, to)) { report("#include of " target ": " from "/ may not include " to "/") }
}
# The text of a line without comments; in_comment lasts from line to line. Strings are emptied, too, but not
# those of #include lines.
function code(text,    out, c, two, keep) {
    out = ""
    keep = text ~ /^[ \t]*#[ \t]*include/
    while (text != "") {
        two = substr(text, 1, 2)
        c = substr(text, 1, 1)
        if (in_comment) {
            c = index(text, "*/")
            if (c == 0) { return out }
            text = substr(text, c + 2)
            in_comment = 0
        } else if (two == "/*") {
            in_comment = 1
            out = out " "
            text = substr(text, 3)
        } else if (two == "//") {
            return out
        } else if (c == "\"" && !keep && match(text, /^"([^"\\]|\\.)*"/)) {
            out = out "\"\""
            text = substr(text, RLENGTH + 1)
        } else if (c == "\047" && match(text, /^\047([^\047\\]|\\.[^\047]*)\047/)) {
            out = out "0"
            text = substr(text, RLENGTH + 1)
        } else if (match(text, /^[^"\047\/]+/)) {
            out = out substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
        } else {
            out = out c
            text = substr(text, 2)
        }
    }
    return out
}
function check(    text, main, exits, n, i) {
    in_comment = 0
    main = 0
    exits = 0
    line = 0
    while ((getline text < file) > 0) {
        line++
        text = code(text)
        if (text ~ /^[ \t]*#[ \t]*include/) {
            sub(/^[ \t]*#[ \t]*include[ \t]*/, "", text)
            include(text)
            continue
        }
        if (text ~ /(^|[^A-Za-z0-9_])(qemu_plugin|QEMU_PLUGIN)/ && area(file) != "sim-soc/qemu") {
            report("names QEMU\047s plugin interface; only sim-soc/qemu/ may")
        }
        if (text ~ /(^|[^A-Za-z0-9_])main[ \t]*\(/) { main = 1 }
        if (text ~ /(^|[^A-Za-z0-9_.>])exit[ \t]*\(/) { exits++; exit_line[exits] = line }
    }
    close(file)
    if (!main && area(file) != "sim-soc/qemu") {
        for (i = 1; i <= exits; i++) {
            line = exit_line[i]
            report("exit() in a file without main(); return an error")
        }
    }
}
{ exists[$0] = 1; files[++count] = $0 }
END {
    for (f = 1; f <= count; f++) {
        file = files[f]
        if (file ~ /^(hal|firmware|sim-soc|tests)\/.*\.(c|h|S|inc|def)$/) { check() }
    }
}
'

check_tree() {
    local output
    output=$(cd "$1" && SLUICE_TREE=$PWD "$here/scripts/list-sources.sh" | awk "$rules")
    if [[ -n $output ]]; then
        printf '%s\nnot ok - dependency rule\n' "$output"
        return 1
    fi
    printf 'ok - dependency rule\n'
}

# Puts a line into a file of an otherwise clean tree. expect: the words of the report, or nothing for none.
expect() {
    local file=$1 text=$2 words=$3 tree report
    tree=$(mktemp -d)
    mkdir -p "$tree"/{hal/{agg,host,include/sluice},firmware/core,sim-soc/{mem,qemu},tests/unit}
    touch "$tree"/{hal/agg/mmio.h,hal/include/sluice/layouts.h,firmware/core/loop.h}
    touch "$tree"/{sim-soc/mem/flat.h,sim-soc/qemu/plugin_api.h,tests/unit/helper.h}
    printf '%b\n' "$text" >"$tree/$file"
    report=$(check_tree "$tree") || true
    rm -rf "$tree"
    if [[ -z $words && $report == 'ok - dependency rule' ]] ||
        [[ -n $words && $report == "$file:"*"$words"*'not ok - dependency rule' ]]; then
        return
    fi
    printf '%s\nnot ok - self-test: %s with "%s" should give "%s"\n' "$report" "$file" "$text" "$words"
    self_test_status=1
}

self_test() {
    self_test_status=0
    expect hal/host/a.c '#include "sluice/layouts.h"\n#include <stdlib.h>' ''
    expect firmware/core/a.c '#include "core/loop.h"\n#include "agg/mmio.h"' ''
    expect sim-soc/qemu/a.c '#include "plugin_api.h"\n#include "mem/flat.h"\nqemu_plugin_x(); exit(1);' ''
    expect tests/unit/a.c '#include "core/loop.h"\n#include "mem/flat.h"\n#include "helper.h"' ''
    expect hal/host/a.c 'int main(void) { exit(1); }' ''
    expect hal/host/a.c '/* exit(1)\n * qemu_plugin_x */ char *s = "exit(1)"; // exit(1)\n_exit(1);' ''
    expect sim-soc/mem/a.c 'port->exit(port, 1); port.exit(port, 1);' ''
    expect hal/host/a.c '#include "core/loop.h"' 'hal/ may not include firmware/'
    expect hal/host/a.c '  #  include <mem/flat.h>' 'hal/ may not include sim-soc/'
    expect hal/host/a.c '#include "../../sim-soc/mem/flat.h"' 'hal/ may not include sim-soc/'
    expect hal/include/sluice/a.h '#include "unit/helper.h"' 'hal/ may not include tests/'
    expect firmware/core/a.c '#include "mem/flat.h"' 'firmware/ may not include sim-soc/'
    expect firmware/core/a.S '#include "../../tests/unit/helper.h"' 'firmware/ may not include tests/'
    expect sim-soc/mem/a.c '#include "core/loop.h"' 'sim-soc/ may not include firmware/'
    expect sim-soc/mem/a.c '#include "qemu/plugin_api.h"' 'sim-soc/ may not include sim-soc/qemu/'
    expect sim-soc/mem/a.c '#include "../qemu/plugin_api.h"' 'sim-soc/ may not include sim-soc/qemu/'
    expect tests/unit/a.c '#include "qemu/plugin_api.h"' 'tests/ may not include sim-soc/qemu/'
    expect sim-soc/mem/a.c 'qemu_plugin_outs("");' 'only sim-soc/qemu/ may'
    expect tests/unit/a.c 'int x = QEMU_PLUGIN_VERSION;' 'only sim-soc/qemu/ may'
    expect sim-soc/mem/a.c 'char c = '"'\"'"'; exit(1);' 'exit() in a file without main()'
    expect hal/host/a.c '/* one */ exit (2); /* two */' 'exit() in a file without main()'
    expect hal/host/a.c '#include "missing.h"' 'no such file in the tree'
    expect hal/host/a.c '#include TABLE' 'hides what is included'
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
