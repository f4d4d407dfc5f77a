# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# The page of what headers.awk has read: an index, then a section for each header, an entry for each comment.

function print_page(    g, e) {
    for (e = 1; e <= entries; e++) { title_of(e) }
    print_index()
    for (g = 1; g <= groups; g++) {
        if (!(g in is_used) && group_comment[g] == "") { continue }
        print "\n## " group_title[g]
        if (group_comment[g] != "") { print_text(group_comment[g]) }
        for (e = 1; e <= entries; e++) {
            if (entry_group[e] == g && e in code) {
                print "\n### " title[e] "\n\n```c\n" code[e] "\n```"
                print_text(entry_comment[e])
            }
        }
    }
}

# Up to three names; names that differ in capitals alone would have one anchor.
function title_of(e,    parts, count) {
    count = split(names[e], parts, "\n")
    title[e] = parts[1]
    if (count > 3) {
        title[e] = title[e] " and " (count - 1) " more"
    } else if (count > 1) {
        title[e] = title[e] ", " parts[2] (count == 3 ? ", " parts[3] : "")
    }
    if (anchor(title[e]) in is_anchor) { title[e] = title[e] ", the macro" }
    is_anchor[anchor(title[e])] = 1
    if (e in code) { is_used[entry_group[e]] = 1 }
}

# As GitHub makes them of headings.
function anchor(text) {
    text = tolower(text)
    gsub(/[^a-z0-9 _-]/, "", text)
    gsub(/ /, "-", text)
    return text
}

function print_index(    g, e) {
    print "## Index"
    for (g = 1; g <= groups; g++) {
        if (!(g in is_used)) { continue }
        print "\n[" group_title[g] "](#" anchor(group_title[g]) ")\n"
        for (e = 1; e <= entries; e++) {
            if (entry_group[e] == g && e in code) {
                print "- [" title[e] "](#" anchor(title[e]) ")" summary(entry_comment[e])
            }
        }
    }
}

# A comment's first sentence.
function summary(text) {
    if (text == "") { return "" }
    sub(/\n\n.*/, "", text)
    gsub(/\n/, " ", text)
    if (match(text, /[.;] /)) { text = substr(text, 1, RSTART - 1) }
    if (match(text, /[^ ] [^:]*: /)) { text = substr(text, 1, RSTART + RLENGTH - 3) }
    sub(/\.$/, "", text)
    gsub(/ \([^)]*(docs|papers)\/[^)]*\)/, "", text)
    return ": " in_line(text)
}

# ---- a comment as Markdown ----

# Paragraphs, items that begin with "-", and as code what is indented otherwise.
function print_text(text,    parts, count, i, paragraph, is_code, indent) {
    count = split(text "\n", parts, "\n")
    for (i = 1; i <= count; i++) {
        if (is_code && parts[i] !~ /^  / && !(parts[i] == "" && parts[i + 1] ~ /^  /)) {
            print "```"
            is_code = 0
        }
        if (parts[i] ~ /^  / && !is_code && paragraph !~ /^- /) {
            print_paragraph(paragraph)
            indent = match(parts[i], /[^ ]/)
            print "\n```text"
            is_code = 1
            paragraph = ""
        }
        if (is_code) {
            print substr(parts[i], indent)
        } else if (parts[i] == "" || parts[i] ~ /^- /) {
            print_paragraph(paragraph)
            paragraph = parts[i]
        } else {
            sub(/^ +/, "", parts[i])
            paragraph = paragraph (paragraph == "" ? "" : " ") parts[i]
        }
    }
}

function print_paragraph(text,    words, count, i, out, indent) {
    if (text == "") { return }
    if (text ~ /^- /) { indent = "  " }
    if (!(indent != "" && was_item)) { print "" }
    was_item = indent != ""
    count = split(in_line(text), words, " ")
    out = words[1]
    for (i = 2; i <= count; i++) {
        if (length(out) + 1 + length(words[i]) > 120 && words[i] !~ /^([-+*]|#+|[0-9]+[.)])$/) {
            print out
            out = indent words[i]
        } else {
            out = out " " words[i]
        }
    }
    print out
}

# Names as code, pages and papers as links.
function in_line(text,    words, count, i, out) {
    count = split(linked(text), words, " ")
    for (i = 1; i <= count; i++) { out = out (i == 1 ? "" : " ") word(words[i]) }
    return out
}

function linked(text,    out, page, target, heading) {
    while (match(text, /docs\/[a-z\/-]+\.md(, "[^"]+")?/)) {
        out = out substr(text, 1, RSTART - 1)
        page = substr(text, RSTART + 5, RLENGTH - 5)
        text = substr(text, RSTART + RLENGTH)
        heading = page
        sub(/,.*/, "", page)
        target = page
        if (!sub(/^look-up\//, "", target)) { target = "../" target }
        sub(/^.*\//, "", page)
        if (sub(/^[^"]*"/, "", heading)) {
            sub(/"$/, "", heading)
            out = out "[" page ", \"" heading "\"](" target "#" anchor(heading) ")"
        } else {
            out = out "[" page "](" target ")"
        }
    }
    text = out text
    out = ""
    while (match(text, /papers\/0[0-9]+/)) {
        page = substr(text, RSTART, RLENGTH)
        out = out substr(text, 1, RSTART - 1) "[" page "](../know/papers.md)"
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

function word(text,    before, behind) {
    if (text ~ /`|\]\(/) { return text }
    if (match(text, /^[("]+/)) {
        before = substr(text, 1, RLENGTH)
        text = substr(text, RLENGTH + 1)
    }
    while (text ~ /[.,:;"]$/ || text ~ /\)$/ && text !~ /\(/) {
        behind = substr(text, length(text)) behind
        text = substr(text, 1, length(text) - 1)
    }
    if (text ~ /^[*&]?[A-Za-z][A-Za-z0-9_.]*_[A-Za-z0-9_.]*(\([^)]*\)|\*)?$/ || text ~ /^[*&][a-z]+$/ ||
        text ~ /^[a-z]+\(\)$/ || text ~ /^[a-z-]+(\/[a-z_*-]+)+\.(h|def|c|S)$/) {
        text = "`" text "`"
    } else {
        gsub(/[*<]/, "\\\\&", text)
    }
    return before text behind
}

# A prototype in lines of 100, arguments below each other.
function wrapped_prototype(text,    parts, count, i, out, row, indent) {
    indent = sprintf("%" index(text, "(") "s", "")
    count = split(text, parts, /, /)
    row = parts[1]
    for (i = 2; i <= count; i++) {
        if (length(row) + 2 + length(parts[i]) > 100) {
            out = out row ",\n"
            row = indent parts[i]
        } else {
            row = row ", " parts[i]
        }
    }
    return out row
}
