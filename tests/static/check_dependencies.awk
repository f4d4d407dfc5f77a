# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The rules of tests/static/check_dependencies.sh, which says what they are. Reads the list of all files, by paths relative to
# the tree that is the current folder, then those of C and assembly; prints one line for each violation.
# usage: scripts/list-sources.sh | awk -f tests/static/check_dependencies.awk

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

function allowed(from, to) {
    if (from == to || from == "tests" && to != "sim-soc/qemu") { return 1 }
    if (to == "hal") { return 1 }
    if (from == "sim-soc/native") { return to == "sim-soc/qemu" }
    return from == "sim-soc/qemu" && to == "sim-soc"
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
    from = area_of(file)
    to = area_of(target)
    if (!allowed(from, to)) { report("#include of " target ": " from "/ may not include " to "/") }
    add_edge(unit_successors, unit_place, unit_of(file), unit_of(target))
    add_edge(folder_successors, folder_place, folder_of(file), folder_of(target))
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
    if (!main && area_of(file) != "sim-soc/qemu") {
        for (i = 1; i <= exits; i++) {
            line = exit_line[i]
            report("exit() in a file without main(); return an error")
        }
    }
}

# ---- circles: a graph is the successors of each node, as words, and the place of each edge in a source ----

function add_edge(successors, place, from, to) {
    if (from != to && !((from, to) in place)) {
        successors[from] = successors[from] " " to
        place[from, to] = file ":" line
    }
}

function remove_edge(successors, from, to,    parts, n, i, rest) {
    n = split(successors[from], parts, " ")
    for (i = 1; i <= n; i++) {
        if (parts[i] != to) { rest = rest " " parts[i] }
    }
    successors[from] = rest
}

# Takes out what cannot be part of a circle because it leads nowhere, over and over.
function strip(successors,    node, parts, n, i, is_changed) {
    do {
        is_changed = 0
        for (node in successors) {
            n = split(successors[node], parts, " ")
            for (i = 1; i <= n; i++) {
                if (!(parts[i] in successors)) {
                    remove_edge(successors, node, parts[i])
                    is_changed = 1
                }
            }
            if (successors[node] == "") {
                delete successors[node]
                is_changed = 1
            }
        }
    } while (is_changed)
}

# The nodes of the shortest way from one back to itself, as words; nothing where there is none.
function way_back(successors, begin,    before, queue, head, tail, parts, n, i, node, way) {
    queue[tail = 1] = begin
    for (head = 1; head <= tail; head++) {
        n = split(successors[queue[head]], parts, " ")
        for (i = 1; i <= n; i++) {
            if (parts[i] == begin) {
                way = queue[head]
                for (node = way; node != begin; way = node " " way) { node = before[node] }
                return way
            }
            if (!(parts[i] in before)) {
                before[parts[i]] = queue[head]
                queue[++tail] = parts[i]
            }
        }
    }
    return ""
}

function shortest_circle(successors,    node, way, best, parts, length_of_best) {
    strip(successors)
    for (node in successors) {
        way = way_back(successors, node)
        if (way != "" && (best == "" || split(way, parts, " ") < length_of_best || \
                          split(way, parts, " ") == length_of_best && way < best)) {
            best = way
            length_of_best = split(best, parts, " ")
        }
    }
    return best
}

# Each of the shortest circles, until there would be none if those reported were broken up at their last edge.
function report_circles(what, successors, place,    circle, nodes, n, i, text) {
    while ((circle = shortest_circle(successors)) != "") {
        n = split(circle, nodes, " ")
        nodes[n + 1] = nodes[1]
        text = nodes[1]
        for (i = 1; i <= n; i++) { text = text " -> " nodes[i + 1] " (" place[nodes[i], nodes[i + 1]] ")" }
        printf "%s: circle of %s: %s\n", place[nodes[n], nodes[1]], what, text
        remove_edge(successors, nodes[n], nodes[1])
    }
}

# ---- size of folders ----

function report_sizes(    i, folder) {
    for (i = 1; i <= count; i++) {
        folder = folder_of(files[i])
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
}
{ exists[$0] = 1; files[++count] = $0 }
END {
    for (f = 1; f <= count; f++) {
        file = files[f]
        if (file ~ /^(hal|firmware|sim-soc|scripts|tests)\/.*\.(c|h|S|inc|def)$/) { check() }
    }
    report_circles("files", unit_successors, unit_place)
    report_circles("folders", folder_successors, folder_place)
    report_sizes()
}
