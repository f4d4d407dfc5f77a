# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The rules of tests/static/check_dependencies.sh, which says what they are. Reads the list of all files, by paths relative to
# the tree that is the current folder, then those of C and assembly; prints one line for each violation, and to the file
# `edges` who includes whom, and where. With layers.awk, whose table is the file `layers`.
# usage: scripts/list-sources.sh | awk -v layers=FILE -v edges=FILE -f layers.awk -f check_dependencies.awk

# ---- where a file belongs, and what an #include names ----

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

function folder_of(path) {
    return match(path, /.*\//) ? substr(path, 1, RLENGTH - 1) : "."
}

# A header and its source are one.
function unit_of(path) {
    sub(/\.[A-Za-z]+$/, "", path)
    return path
}

function area_of(path,    parts) {
    if (match(path, /^sim-soc\/(qemu|native)\//)) { return substr(path, 1, RLENGTH - 1) }
    split(path, parts, "/")
    return path ~ /^scripts\/tools\// ? parts[1] "/" parts[2] "/" parts[3] : parts[1]
}

function resolve(name, file,    places, n, i, candidate, own) {
    own = area_of(file)
    sub(/\/(qemu|native)$/, "", own)
    n = split(folder_of(file) "|hal|hal/include|" own "|firmware|sim-soc|sim-soc/qemu|tests|.", places, "|")
    for (i = 1; i <= n; i++) {
        candidate = normal(places[i] "/" name)
        if (candidate in exists) { return candidate }
    }
    return ""
}

# Unit tests of the native engine are called back as a plugin is.
function may_name_plugin(file) {
    return area_of(file) ~ /^sim-soc\/(qemu|native)$/ || file ~ /^tests\/unit\/native\//
}

function report(text) { printf "%s:%d: %s\n", file, line, text }

# ---- one file ----

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
    from = layer_of(folder_of(file))
    to = layer_of(folder_of(target))
    if (from != "" && to != "" && !may_use(from, to)) {
        report("#include of " target ": " from " may not include " to " (tests/static/layers.txt)")
    }
    if (unit_of(file) != unit_of(target)) { print unit_of(file), unit_of(target), file ":" line >edges }
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
        } else if (c == "'" && match(text, /^'([^'\\]|\\.[^']*)'/)) {
            out = out "0"
            text = substr(text, RLENGTH + 1)
        } else if (match(text, /^[^"'\/]+/)) {
            out = out substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
        } else {
            out = out c
            text = substr(text, 2)
        }
    }
    return out
}

function check(    text, main, exits, exit_line, i) {
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
        if (text ~ /(^|[^A-Za-z0-9_])(qemu_plugin|QEMU_PLUGIN)/ && !may_name_plugin(file)) {
            report("names QEMU's plugin interface; only sim-soc/qemu/ and sim-soc/native/ may")
        }
        if (text ~ /(^|[^A-Za-z0-9_])main[ \t]*\(/) { main = 1 }
        if (text ~ /(^|[^A-Za-z0-9_.>])exit[ \t]*\(/) { exit_line[++exits] = line }
    }
    close(file)
    if (!main && area_of(file) != "sim-soc/qemu" && file !~ /^hal\/host\/runtime\/program\//) {
        for (i = 1; i <= exits; i++) {
            line = exit_line[i]
            report("exit() in a file without main(); return an error")
        }
    }
}

# ---- size of folders ----

function report_sizes(    i, folder) {
    for (i = 1; i <= count; i++) {
        folder = folder_of(files[i])
        if (files[i] ~ /^(hal|firmware|sim-soc)\// && files[i] ~ /\.[chS]$/ && layer_of(folder) == "" && !told[folder]++) {
            printf "%s: tests/static/layers.txt has no line for this folder; say what it may include\n", folder
        }
        if (files[i] !~ /\.[cS]$/) { continue }
        if (++sources[folder] == most_sources + 1) { large[++larges] = folder }
    }
    for (i = 1; i <= larges; i++) {
        printf "%s: folder of %d sources; split it: a folder is one job, at most %d .c and .S files\n", \
            large[i], sources[large[i]], most_sources
    }
}

BEGIN {
    most_sources = 25
    printf "" >edges
    read_layers(layers)
}
{ exists[$0] = 1; files[++count] = $0 }
END {
    for (f = 1; f <= count; f++) {
        file = files[f]
        if (file ~ /^(hal|firmware|sim-soc|scripts|tests)\/.*\.(c|h|S|inc|def)$/) { check() }
    }
    report_sizes()
}
