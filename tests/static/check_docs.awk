# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What check_docs.sh says of citations, links and names of files. Reads the list of all files, by paths relative to the
# tree that is the current folder, then each of them; prints one line for each violation.
# usage: scripts/list-sources.sh | awk -f tests/static/check_docs.awk

{
    file[++files] = $0
    note_path($0)
}

END {
    for (i = 1; i <= files; i++) {
        if (is_page(file[i])) { read_page(file[i]) }
    }
    for (i = 1; i <= files; i++) {
        if (file[i] != "tests/static/check_docs.sh") { check_file(file[i]) } # what it cites is wrong on purpose
    }
}

# ---- what there is to cite ----

function is_page(path) {
    return path ~ /\.md$/
}

# Notes a file and its folders, and the ends of their paths: pages may leave out where something is.
function note_path(path,    end) {
    while (path != "" && !(path in there)) {
        there[path] = 1
        for (end = path; sub(/^[^\/]*\//, "", end); ) { end_of[end] = 1 }
        if (!sub(/\/[^\/]*$/, "", path)) { return }
    }
}

# Notes a page's headings, their anchors as GitHub makes them, facts and rules, and the table of papers.
function read_page(page,    line, fence, title) {
    while ((getline line < page) > 0) {
        if (line ~ /^```/) { fence = !fence }
        if (fence) { continue }
        if (match(line, /^#+ /)) {
            title = substr(line, RLENGTH + 1)
            gsub(/`/, "", title)
            heading[page, title] = 1
            title = tolower(title)
            gsub(/[^a-z0-9 _-]/, "", title)
            gsub(/ /, "-", title)
            anchor[page, title] = 1
        }
        if (page == "docs/know/papers.md" && match(line, /^\|.*\| papers\/0[0-9]+ \|/)) {
            match(line, /papers\/0[0-9]+/)
            known_paper[substr(line, RSTART, RLENGTH)] = 1
        }
        if (match(line, /\*\*(Fact|Rule) [0-9]+\.\*\*/)) {
            numbered[page, tolower(substr(line, RSTART + 2, RLENGTH - 5))] = 1
        }
    }
    close(page)
}

# ---- what a file cites ----

# A citation may go on in the next two lines, behind what begins each line of a comment.
function check_file(path,    text, lines, line, n, fence, page) {
    page = is_page(path)
    for (n = 0; (getline line < path) > 0; ) {
        if (!page) { sub(/^[ \t]*(\*|#+ |;|\/\/)?[ \t]*/, "", line) }
        text[++n] = line
    }
    close(path)
    lines = n
    for (n = 1; n <= lines; n++) {
        here = path ":" n ": "
        line = text[n] (n < lines ? " " text[n + 1] : "") (n + 1 < lines ? " " text[n + 2] : "")
        check_words(text[n])
        check_citations(line, length(text[n]))
        if (page && text[n] ~ /^```/) { fence = !fence }
        if (page && !fence) {
            check_links(path, text[n])
            check_names(text[n])
        } else if (path ~ /\.(c|cc|h|S|def|inc|ld)$/) {
            check_sources(text[n])
        }
    }
}

function wrong(message) {
    print here message
}

function check_words(line,    paper) {
    if ((" " line " ") ~ /[^A-Za-z0-9_]DESIG[N][^A-Za-z0-9_]/) {
        wrong("cites a design that is not in the tree; cite docs/know/design.md by heading or number")
    }
    while (match(line, /papers\/0[0-9]+/)) {
        paper = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        if (!(paper in known_paper)) { wrong(paper " is not in docs/know/papers.md") }
    }
}

# Of `length_here` characters a citation has to begin in the first ones.
function check_citations(line, length_here,    at, page) {
    at = 0
    while (match(line, /docs\/[A-Za-z0-9_\/-]+\.md/) && at + RSTART <= length_here) {
        page = substr(line, RSTART, RLENGTH)
        at += RSTART + RLENGTH - 1
        line = substr(line, RSTART + RLENGTH)
        if (!(page in there)) {
            if (page !~ /\/NAME/) { wrong("no page " page) }
        } else {
            check_places(page, line)
        }
    }
}

# The headings, facts and rules that follow a page's name: , "One" and "Another" or , rules 1 and 2
function check_places(page, line,    title, kind) {
    while (match(line, /^(,| and|, and) "[^"]+"/)) {
        title = substr(line, 1, RLENGTH - 1)
        line = substr(line, RLENGTH + 1)
        sub(/^[^"]*"/, "", title)
        if (!((page, title) in heading)) { wrong(page " has no heading \"" title "\"") }
    }
    while (match(line, kind ? "^(, | and |, and )((fact|rule)s? )?[0-9]+" : "^, (fact|rule)s? [0-9]+")) {
        title = substr(line, 1, RLENGTH)
        line = substr(line, RLENGTH + 1)
        kind = title ~ /fact/ ? "fact" : title ~ /rule/ ? "rule" : kind
        sub(/^[^0-9]*/, "", title)
        if (!((page, kind " " title) in numbered)) { wrong(page " has no " kind " " title) }
    }
}

# ---- what a page links to and names ----

function check_links(page, line,    link, target, folder) {
    folder = page ~ /\// ? substr(page, 1, match(page, /\/[^\/]*$/)) : ""
    if (line ~ /^\[[^]]+\]: [^ ]+$/) {
        sub(/^\[[^]]+\]: /, "](", line)
        line = line ")"
    }
    while (match(line, /\]\([^)]+\)/)) {
        link = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        if (link ~ /^https?:/) { continue }
        target = link
        sub(/#.*/, "", target)
        target = target == "" ? page : folder target
        while (sub(/[^\/]+\/\.\.\//, "", target)) { }
        if (!(target in there)) {
            wrong("links to " link ", which is not there")
        } else if (link ~ /#/ && !((target, substr(link, index(link, "#") + 1)) in anchor)) {
            wrong("links to " link ", but the page has no such heading")
        }
    }
}

# Names of files and folders in `...`; what is still to come says so on its line.
function check_names(line,    name, span) {
    if (line ~ /to come/) { return }
    while (match(line, /`[^`]+`/)) {
        span = substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
        name = span
        sub(/\/$/, "", name)
        if (name !~ /^[A-Za-z0-9_.*\/-]+$/ || name ~ /^(NAME|build\/|\/|\.)/) { continue }
        if (name ~ /\.(c|cc|h|S|def|inc|ld|sh|awk|py|mk|md|ini|pml)$/ ||
            name ~ /^(docs|firmware|hal|linker|mk|scripts|sim-soc|tests)\//) {
            if (!is_there(name)) { wrong("no file or folder `" span "`") }
        }
    }
}

# Sources that a comment names with their folders.
function check_sources(line,    name) {
    if (line ~ /#[ \t]*include|to come/) { return }
    while (match(line, /(^|[^A-Za-z0-9_.\/])(firmware|hal|scripts|sim-soc|tests)\/[A-Za-z0-9_.\/-]+\.(c|cc|h|S|def)/)) {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        sub(/^[^a-z]/, "", name)
        if (!(name in there)) { wrong("no file " name) }
    }
}

function is_there(name,    path) {
    if (name !~ /\*/) { return (name in there) || (name in end_of) }
    gsub(/\./, "\\.", name)
    gsub(/\*/, "[^/]*", name)
    for (path in there) {
        if (path ~ ("(^|/)" name "$")) { return 1 }
    }
    return 0
}
