/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reading a panel's file: inih's dialect, with sections [kind name], keys that may be repeated, and
 * indented lines that go on with the value before them. What a section may and must have is one
 * table. inih cuts long lines and long names without a word, so that lengths are checked here. */
#define _GNU_SOURCE 1
#include "report/panel.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_internal.h"
#include "host/base/text.h"
#include "host/base/utf8.h"

#define LINE_BYTES 200 /* inih's */
#define NAME_BYTES 50  /* inih's, of sections and keys */

/* Keys of a kind of section, with a mark: + has to be there, * may be repeated. */
static const struct kind {
    const char *name;
    bool is_single; /* without a name, once, and it has to be there */
    bool is_open;   /* any key */
    const char *keys;
} kinds[] = {
    {"panel", true, false, "+title +source +about differs rank"},
    {"runs", false, false, "*+program *vary *set *config with"},
    {"value", false, false, "+label unit +is runs"},
    {"plot", false, false, "+title +kind +x +y xlabel ylabel xscale yscale series facet runs"},
    {"table", false, false, "title +rows columns +values runs"},
    {"paper", false, true, ""},
    {"check", false, false, "+says +is above below unit paper why"},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

struct reader {
    const struct cli_command *command;
    struct panel *panel;
    FILE *file;
    int line;
    int status;
    bool is_continued; /* the line is indented: more of the value before it */
    bool has_key;      /* there is a value before it */
    json_t *section;   /* borrowed; NULL before the first one */
    const struct kind *kind;
};

static int fail_line(struct reader *reader, const char *what, const char *detail)
{
    if (reader->status == CLI_DONE) {
        reader->status = cli_fail(reader->command, CLI_USAGE, "%s:%d: %s%s", reader->panel->path,
                                  reader->line, what, detail);
    }
    return 0;
}

/* ---- the table ---- */

/* The marks of a key of a kind, or NULL where it has no such key. */
static const char *marks_of(const struct kind *kind, const char *key, char marks[4])
{
    const size_t length = strlen(key);
    const char *word = kind->keys;

    while (*word != '\0') {
        const size_t count = strspn(word, "+*");
        const size_t bytes = strcspn(word + count, " ");
        if (bytes == length && strncmp(word + count, key, bytes) == 0) {
            (void)snprintf(marks, 4, "%.*s", (int)count, word);
            return marks;
        }
        word += count + bytes;
        word += strspn(word, " ");
    }
    return NULL;
}

/* The table's keys without their marks. */
static int fail_key(struct reader *reader, const char *key)
{
    char detail[512];

    (void)snprintf(detail, sizeof detail, "[%s] has no key '%s'; it has:", reader->kind->name, key);
    for (const char *word = reader->kind->keys; *word != '\0'; word += strspn(word, " ")) {
        word += strspn(word, "+*");
        const size_t bytes = strcspn(word, " ");
        sl_text_append(detail, sizeof detail, " %.*s", (int)bytes, word);
        word += bytes;
    }
    return fail_line(reader, detail, "");
}

/* ---- sections ---- */

static json_t *open_section(struct reader *reader, const char *name)
{
    json_t *const section = json_object();

    if (reader->kind->is_single) {
        json_object_set_new(reader->panel->sections, reader->kind->name, section);
        return section;
    }
    json_t *const all = json_object_get(reader->panel->sections, reader->kind->name);
    json_object_set_new(section, "name", json_string(name));
    json_array_append_new(all, section);
    return section;
}

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* Names stand in expressions, between quotes. */
static bool is_name(const char *text)
{
    return isalpha((unsigned char)text[0]) &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] ==
               '\0';
}

/* "[kind name]" */
static void begin_section(struct reader *reader, char *header)
{
    char *const end = header + strcspn(header, "]");
    const char *const rest = sl_config_behind_section(*end == ']' ? end + 1 : end);

    if (*rest != '\0') {
        (void)fail_line(reader, "a [section] has its line for itself; behind it stands ", rest);
        return;
    }
    reader->has_key = false;
    *end = '\0';
    if (strlen(header) >= NAME_BYTES) {
        (void)fail_line(reader, "a section's name is too long; at most 49 characters", "");
        return;
    }
    char *const own = header + strcspn(header, " ");
    const bool has_name = *own != '\0';
    *own = '\0';
    const char *const name = has_name ? own + 1 + strspn(own + 1, " ") : "";
    reader->kind = find_kind(header);
    if (reader->kind == NULL) {
        (void)fail_line(reader,
                        "unknown section; there are panel, runs, value, plot, table, "
                        "paper and check, not ",
                        header);
    } else if (!reader->kind->is_single && !is_name(name)) {
        (void)fail_line(reader,
                        "a section but [panel] has a name of letters, digits, _ and -, such as "
                        "[value speedup], not ",
                        name);
    } else if (reader->kind->is_single
                   ? json_object_get(reader->panel->sections, reader->kind->name) != NULL
                   : panel_find(reader->panel, reader->kind->name, name) != NULL) {
        (void)fail_line(reader, "this section is there already", "");
    } else {
        reader->section = open_section(reader, name);
    }
}

/* ---- keys ---- */

static int append_text(json_t *object, const char *key, const char *more)
{
    char *joined = NULL;
    const char *const before = json_string_value(json_object_get(object, key));

    if (asprintf(&joined, "%s %s", before, more) < 0) {
        return -1;
    }
    const int status = json_object_set_new(object, key, json_string(joined));
    free(joined);
    return status;
}

/* inih's handler; 1 is success. */
static int take(void *user, const char *section, const char *key, const char *value)
{
    struct reader *const reader = user;
    char marks[4] = "";

    (void)section;
    if (reader->status != CLI_DONE) {
        return 0;
    }
    if (reader->section == NULL) {
        return fail_line(reader, "a key in front of the first section: ", key);
    }
    reader->has_key = true;
    if (!reader->kind->is_open && marks_of(reader->kind, key, marks) == NULL) {
        return fail_key(reader, key);
    }
    json_t *const before = json_object_get(reader->section, key);
    if (reader->is_continued && before == NULL) {
        return fail_line(reader, "a key begins its line; there is space before ", key);
    }
    if (strchr(marks, '*') != NULL) {
        if (reader->is_continued) {
            return fail_line(reader, "a list goes on with another line of its key: ", key);
        }
        if (before == NULL) {
            json_object_set_new(reader->section, key, json_array());
        }
        json_array_append_new(json_object_get(reader->section, key), json_string(value));
        return 1;
    }
    if (reader->is_continued) {
        return append_text(reader->section, key, value) == 0;
    }
    if (before != NULL) {
        return fail_line(reader, "this key is there already: ", key);
    }
    json_object_set_new(reader->section, key, json_string(value));
    return 1;
}

/* inih would find that, too, but go on. */
static bool is_a_line(const char *line)
{
    const char *const text = line + strspn(line, " \t\r\n");
    return *text == '\0' || strchr(";#[", *text) != NULL || isspace((unsigned char)line[0]) ||
           strpbrk(text, "=:") != NULL;
}

/* inih's reader of lines. */
static char *read_line(char *line, int bytes, void *stream)
{
    struct reader *const reader = stream;

    if (reader->status != CLI_DONE || fgets(line, bytes, reader->file) == NULL) {
        return NULL;
    }
    reader->line++;
    if (strchr(line, '\n') == NULL && !feof(reader->file)) {
        (void)fail_line(reader, "the line is too long; go on in an indented one", "");
        return NULL;
    }
    if (!sl_utf8_is(line)) {
        (void)fail_line(reader, "the line is not UTF-8", "");
        return NULL;
    }
    if (!is_a_line(line)) {
        (void)fail_line(reader, "neither a [section] nor key = value", "");
        return NULL;
    }
    reader->is_continued = isspace((unsigned char)line[0]) != 0;
    char text[LINE_BYTES];
    (void)snprintf(text, sizeof text, "%s", line + strspn(line, " \t\r\n"));
    text[strcspn(text, "\r\n")] = '\0';
    if (text[0] == '[' && !reader->is_continued) {
        begin_section(reader, text + 1);
    } else if (text[0] == '[' && !reader->has_key) { /* inih would begin it */
        (void)fail_line(reader, "a [section] begins its line; there is space before ", text);
    }
    return reader->status == CLI_DONE ? line : NULL;
}

/* ---- what has to be there ---- */

static int check_section(const struct reader *reader, const struct kind *kind,
                         const json_t *section)
{
    char key[NAME_BYTES];

    for (const char *word = kind->keys; *word != '\0'; word += strspn(word, " ")) {
        const size_t count = strspn(word, "+*");
        const size_t bytes = strcspn(word + count, " ");
        (void)snprintf(key, sizeof key, "%.*s", (int)bytes, word + count);
        if (memchr(word, '+', count) != NULL && json_object_get(section, key) == NULL) {
            const char *const name = section_text(section, "name");
            return cli_fail(reader->command, CLI_USAGE, "%s: [%s%s%s] lacks the key '%s'",
                            reader->panel->path, kind->name, name != NULL ? " " : "",
                            name != NULL ? name : "", key);
        }
        word += count + bytes;
    }
    return CLI_DONE;
}

static int check_sections(const struct reader *reader)
{
    for (size_t i = 0; i < KINDS; i++) {
        const json_t *const of_kind = json_object_get(reader->panel->sections, kinds[i].name);
        if (kinds[i].is_single && of_kind == NULL) {
            return cli_fail(reader->command, CLI_USAGE, "%s: there is no section [%s]",
                            reader->panel->path, kinds[i].name);
        }
        const size_t count = kinds[i].is_single ? 1 : json_array_size(of_kind);
        for (size_t k = 0; k < count; k++) {
            const int status = check_section(
                reader, &kinds[i], kinds[i].is_single ? of_kind : json_array_get(of_kind, k));
            if (status != CLI_DONE) {
                return status;
            }
        }
    }
    return json_array_size(panel_sections(reader->panel, "runs")) > 0
               ? CLI_DONE
               : cli_fail(reader->command, CLI_USAGE, "%s: there is no section [runs]",
                          reader->panel->path);
}

int panel_read(const struct cli_command *command, const char *path, struct panel *panel)
{
    *panel = (struct panel){.sections = json_object()};
    struct reader reader = {.command = command, .panel = panel, .file = fopen(path, "re")};

    (void)snprintf(panel->path, sizeof panel->path, "%s", path);
    (void)panel_name(path, panel->name);
    for (size_t i = 0; i < KINDS; i++) {
        if (!kinds[i].is_single) {
            json_object_set_new(panel->sections, kinds[i].name, json_array());
        }
    }
    if (reader.file == NULL) {
        return cli_fail(command, CLI_USAGE, "cannot read the panel %s: %s", path, strerror(errno));
    }
    const int bad_line = ini_parse_stream(read_line, &reader, take, &reader);
    const int reason = ferror(reader.file) ? errno : 0;
    (void)fclose(reader.file);
    if (reason != 0) {
        return cli_fail(command, CLI_USAGE, "cannot read the panel %s: %s", path, strerror(reason));
    }
    if (reader.status == CLI_DONE && bad_line != 0) {
        reader.line = bad_line > 0 ? bad_line : reader.line;
        (void)fail_line(&reader, "neither a [section] nor key = value", "");
    }
    return reader.status != CLI_DONE ? reader.status : check_sections(&reader);
}
