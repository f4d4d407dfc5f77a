# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Reads public headers, as .clang-format leaves them, for headers.sh: what each declares, in C, and the comments in front.
# page.awk, which is read with it, prints the page.
# usage: awk -v leave_out=REGEX -f headers.awk -f page.awk HEADER...
#
# A comment is that of all declarations up to the next empty line, and of functions behind that have none and are named
# likewise: sl_value_u64, sl_value_i64; or of macros, where it names them. A declaration may have its comment behind it. One without any is an error, unless it is an
# internal one: its name ends in an underscore, or matches leave_out. Families: a macro that is undefined again and makes functions is documented by
# these; where only other macros use it, its parameters stand in their names in capitals.

BEGIN {
    for (i = 1; i < ARGC; i++) { read_header(ARGV[i]) }
    if (errors == 0) { print_page() }
    exit errors > 0
}

function wrong(message) {
    print path ":" at ": " message >"/dev/stderr"
    errors++
}

function read_header(file,    text) {
    path = file
    lines = 0
    while ((getline text < path) > 0) {
        line[++lines] = text
        if (text ~ /^#undef /) { undefined[substr(text, 8)] = path }
    }
    close(path)
    if (lines == 0) { wrong("is empty, or not there") }
    sub(/.*\/include\//, "", file)
    at = 1
    read_comment() # the licence
    read_blank()
    at++
    comment = ""
    read_comment()
    begin_group("`" file "`", comment)
    header = file
    comment = ""
    while (at <= lines) { read_item(line[at]) }
    finish_families()
}

function read_item(text) {
    if (text == "") {
        read_blank()
    } else if (text ~ /^\/\*/) {
        read_comment()
        return
    } else if (text ~ /^#(if|el|endif)/) {
        read_conditional(text)
    } else if (text ~ /^#define /) {
        read_macro()
    } else if (text ~ /^[A-Z][A-Z0-9_]*\(/ || text ~ /^static_assert\(/) {
        read_invocation()
    } else if (text !~ /^(#|})/) {
        read_declaration()
    }
    at++
}

# ---- comments and conditions ----

# An empty line ends what a comment is for; one behind a condition does not.
function read_blank() {
    if (at > 1 && line[at - 1] ~ /^#(if|el)/) { return }
    if (comment ~ /^---- /) { begin_section() }
    comment = ""
    is_joined = 0
}

# A second comment without an empty line between, or behind a condition, adds a paragraph.
function read_comment(    text, whole, is_last) {
    do {
        text = line[at++]
        is_last = text ~ /\*\/$/
        sub(/ *\*\/$/, "", text)
        sub(/^(\/\*| \*)? ?/, "", text)
        whole = whole text "\n"
    } while (!is_last && at <= lines)
    sub(/\n+$/, "", whole)
    comment = comment == "" ? whole : comment "\n\n" whole
}

# `---- title (pages) ----`, and text.
function begin_section(    title) {
    title = comment
    sub(/\n.*/, "", title)
    gsub(/^-+ | -+$/, "", title)
    sub(/^[^\n]*\n*/, "", comment)
    if (match(title, / \(.*\)$/)) {
        comment = comment "\n\nSee " substr(title, RSTART + 2, RLENGTH - 3) "."
        title = substr(title, 1, RSTART - 1)
    }
    begin_group("`" header "`: " title, comment)
    comment = ""
}

# The parts for C, and of others the first.
function read_conditional(text) {
    if (text ~ /^#ifdef __cplusplus/) {
        skip_part(1)
    } else if (text ~ /^#el/) {
        skip_part(0)
    }
}

function skip_part(ends_at_else,    depth) {
    for (at++; at <= lines; at++) {
        if (line[at] ~ /^#if/) {
            depth++
        } else if (line[at] ~ /^#endif/ && depth-- == 0) {
            return
        } else if (line[at] ~ /^#else/ && depth == 0 && ends_at_else) {
            return
        }
    }
}

# ---- macros ----

function read_macro(    text, name, body) {
    text = line[at]
    while (line[at] ~ /\\$/) { text = text "\n" line[++at] }
    name = substr(text, 9)
    match(name, /^[A-Za-z0-9_]+(\([^)]*\))?/)
    body = substr(name, RLENGTH + 1)
    name = substr(name, 1, RLENGTH)
    gsub(/ *\\\n */, " ", body)
    gsub(/^ +| +$/, "", body)
    if (undefined[bare(name)] == path) {
        if (body ~ /static inline/ && comment != "") { begin_family(name, body) }
    } else if (body != "" && !(bare(name) in is_known)) {
        declare(bare(name), "macro", name ~ /\(/ || body ~ /__attribute__|__asm__/ ? name : "#define " name " " body)
    }
}

function bare(name) {
    sub(/\(.*/, "", name)
    return name
}

function begin_family(name, body) {
    family_parameters[bare(name)] = name
    family_body[bare(name)] = body
    family_entry[bare(name)] = begin_entry("function")
    families[++family_count] = bare(name)
}

# A call of a macro at file scope: a family's members.
function read_invocation(    text, name, behind) {
    text = line[at]
    while (text !~ /\)( +\/\*.*\*\/|;)?$/ && at < lines) { text = text " " line[++at] }
    name = bare(text)
    if (!(name in family_entry)) { return }
    if (match(text, / *\/\*.*/)) {
        behind = " " substr(text, RSTART)
        sub(/^ +/, " ", behind)
        text = substr(text, 1, RSTART - 1)
    }
    expand(name, text, behind, family_entry[name])
}

# Those that only macros use: their parameters in capitals.
function finish_families(    i, name, text) {
    for (i = 1; i <= family_count; i++) {
        name = families[i]
        if (!(family_entry[name] in code)) { expand(name, toupper(family_parameters[name]), "", family_entry[name]) }
        delete family_entry[name]
    }
    family_count = 0
}

# The prototypes of the functions that a macro makes of arguments, in an entry.
function expand(name, call, behind, entry,    parameters, arguments, body, count, i, functions) {
    count = split(inside(family_parameters[name]), parameters, / *, */)
    split(inside(call), arguments, / *, */)
    body = family_body[name]
    for (i = 1; i <= count; i++) { body = substituted(body, parameters[i], arguments[i]) }
    gsub(/ *## */, "", body)
    count = split(body, functions, /static inline /)
    for (i = 2; i <= count; i++) { add(entry, function_name(functions[i]), prototype(functions[i]) behind) }
}

function inside(text) {
    sub(/^[^(]*\(/, "", text)
    sub(/\)$/, "", text)
    return text
}

function substituted(text, word, by,    before, result) {
    while (match(text, word)) {
        before = result substr(text, 1, RSTART - 1)
        result = before
        if (before ~ /[A-Za-z0-9_]$/ || substr(text, RSTART + RLENGTH) ~ /^[A-Za-z0-9_]/) {
            result = result word
        } else {
            result = result by
        }
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

# ---- declarations ----

function read_declaration(    text) {
    text = line[at]
    if (text ~ /^(typedef )?(struct|union|enum)[ a-z0-9_]*{/) {
        while (line[at] !~ /^}|};$/ && at < lines) { text = text "\n" line[++at] }
        declare(function_name(text), "type", of_tables(text))
        return
    }
    while (line[at] !~ /;/ && line[at + 1] != "{" && at < lines) { text = text " " line[++at] }
    if (line[at + 1] == "{") {
        while (line[at] != "}" && at < lines) { at++ }
    }
    if (text ~ /^(struct|enum) [a-z0-9_]+;/) {
        declare(function_name(text), "type", text)
    } else {
        declare(function_name(text), "function", prototype(text))
    }
}

# The name that a text declares.
function function_name(text) {
    if (match(text, /^(struct|union|enum) [a-z0-9_]+ ?[;{]/)) {
        text = substr(text, 1, RLENGTH - 1)
        sub(/ $/, "", text)
        return text
    }
    if (match(text, /\(\*[a-z0-9_]+\)/)) { return substr(text, RSTART + 2, RLENGTH - 3) } # of a function type
    if (text ~ /^typedef .*}/) {
        sub(/.*} */, "", text)
    } else {
        text = without_attributes(text)
        sub(/( __asm__)?[(\[;{].*/, "", text)
    }
    gsub(/[; ]+$/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

# Up to the body, without what is for compilers.
function prototype(text) {
    text = without_attributes(text)
    sub(/ *{.*/, "", text)
    gsub(/SL_MUST_USE |SL_[A-Z]+_INLINE |static |inline /, "", text)
    gsub(/  +/, " ", text)
    gsub(/^ /, "", text)
    gsub(/\( /, "(", text)
    sub(/[ ;]*$/, ";", text)
    return wrapped_prototype(text)
}

function without_attributes(text,    start, end, depth) {
    while (match(text, / ?__attribute__\(/)) {
        start = RSTART
        depth = 0
        for (end = RSTART + RLENGTH - 1; end <= length(text); end++) {
            if (substr(text, end, 1) == "(") { depth++ }
            if (substr(text, end, 1) == ")" && --depth == 0) { break }
        }
        text = substr(text, 1, start - 1) substr(text, end + 1)
    }
    return text
}

# A type whose constants or members come from a table: what the macro makes of each line stands for them.
function of_tables(text,    parts, count, i, form, seen, result) {
    gsub(/\\\n */, "", text)
    count = split(text, parts, "\n")
    for (i = 1; i <= count; i++) {
        if (parts[i] ~ /^#define/) {
            form = parts[i]
            sub(/^[^)]*\) */, "", form)
            gsub(/##/, "", form)
        } else if (parts[i] ~ /^#include/) {
            split(parts[i], seen, "\"")
            result = result "    " form " /* and so on: one for each line of " seen[2] " */\n"
        } else if (parts[i] !~ /^#/) {
            result = result parts[i] "\n"
        }
    }
    sub(/\n$/, "", result)
    return result
}

# ---- entries ----

function declare(name, kind, text) {
    if (name ~ /_$/ || name ~ leave_out) {
        comment = ""
        return
    }
    if (comment ~ /^---- /) {
        begin_section()
        begin_entry(kind)
    } else if (comment != "") {
        begin_entry(kind)
    } else if (!is_joined && text ~ /\/\*/) {
        begin_entry(kind)
    } else if (!is_joined && !goes_on(name, kind)) {
        wrong(name " has no comment")
        return
    }
    is_joined = 1
    add(entries, name, text)
}

# Whether it belongs to the comment before, across empty lines.
function goes_on(name, kind,    family) {
    if (entry_kind[entries] != kind) { return 0 }
    family = names[entries]
    sub(/\n.*/, "", family)
    sub(/[^_]*$/, "", family)
    return index(entry_comment[entries], name) > 0 || family != "sl_" && kind == "function" && index(name, family) == 1
}

function begin_entry(kind) {
    entries++
    entry_kind[entries] = kind
    entry_comment[entries] = comment
    entry_group[entries] = groups
    comment = ""
    return entries
}

function add(entry, name, text) {
    is_known[name] = 1
    names[entry] = names[entry] (names[entry] == "" ? "" : "\n") name
    code[entry] = code[entry] (code[entry] == "" ? "" : "\n") text
}

function begin_group(title, text) {
    group_title[++groups] = title
    group_comment[groups] = text
}
