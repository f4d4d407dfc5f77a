/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Configuration files, in inih's dialect: [section], key = value, comments that start with ';' (or
 * '#' at the start of a line). Outside any section a key is written in full, section.key.
 *
 * inih gives its handler no line numbers, cuts overlong lines into pieces, takes an indented line
 * for more of the value before it, and says nothing of a section without keys. Hence the reader
 * here: it hands lines to inih one by one, counts them, takes the indentation away, and refuses
 * what inih would get wrong. */
/* readlink() and realpath() */
#define _XOPEN_SOURCE 700

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/config_internal.h"
#include "sluice/config.h"

#define NAME_MAX_BYTES 128
#define PATH_BYTES     4096

struct file {
    FILE *stream;
    const char *path;
    int line;        /* that was read last */
    int failed_line; /* 0 for none: else error holds the message and nothing more is read */
    int *set_in;     /* line that set a key, 0 for none */
    struct sl_config *config;
    char *error;
    size_t error_bytes;
};

/* Leaves `path:line: message`; the first one stays. */
static void fail_at(struct file *file, int line, const char *message)
{
    if (file->failed_line == 0) {
        file->failed_line = line;
        sl_config_fail(file->error, file->error_bytes, "%s:%d: %s", file->path, line, message);
    }
}

const char *sl_config_behind_section(const char *text)
{
    text += strspn(text, " \t\r\n");
    return strchr(";#", *text) != NULL ? "" : text; /* also at its end */
}

static void check_section(struct file *file, const char *header)
{
    char section[NAME_MAX_BYTES];
    char message[256];
    size_t length = strcspn(header + 1, "]");
    if (header[1 + length] != ']') {
        return; /* inih reports the line */
    }
    const char *const rest = sl_config_behind_section(header + 1 + length + 1);
    if (*rest != '\0') {
        snprintf(section, sizeof section, "%.*s", (int)strcspn(rest, "\r\n"), rest);
        snprintf(message, sizeof message,
                 "a [section] has its line for itself; behind it stands %s",
                 sl_config_quote(section).text);
        fail_at(file, file->line, message);
        return;
    }
    snprintf(section, sizeof section, "%.*s", (int)length, header + 1);
    if (sl_config_is_section(section)) {
        return;
    }
    struct sl_quoted quoted = sl_config_quote(section);
    const char *near = sl_config_suggest_section(section);
    if (near == NULL) {
        snprintf(message, sizeof message,
                 "[%s]: no such section; docs/look-up/configuration.md lists them", quoted.text);
    } else {
        snprintf(message, sizeof message, "[%s]: no such section; did you mean [%.*s]?",
                 quoted.text, sl_config_section_length(near), near);
    }
    fail_at(file, file->line, message);
}

/* Reads up to the end of the line. False at the end of the file, and where the line will not do. */
static bool read_line(struct file *file, char *line, size_t bytes)
{
    size_t length = 0;
    int c = getc(file->stream);
    if (c == EOF) {
        return false;
    }
    file->line++;
    for (; c != EOF && c != '\n'; c = getc(file->stream)) {
        if (length == 0 && isspace(c)) {
            continue;
        }
        if (c == '\0') {
            fail_at(file, file->line, "holds a NUL character; is this a configuration file?");
            return false;
        }
        if (length + 2 >= bytes) {
            char message[80];
            snprintf(message, sizeof message, "longer than %zu characters", bytes - 2);
            fail_at(file, file->line, message);
            return false;
        }
        line[length++] = (char)c;
    }
    line[length++] = '\n';
    line[length] = '\0';
    return true;
}

/* inih's reader (as fgets). */
static char *next_line(char *line, int bytes, void *user)
{
    struct file *file = user;
    if (file->failed_line != 0 || !read_line(file, line, (size_t)bytes)) {
        return NULL;
    }
    if (line[0] == '[') {
        check_section(file, line);
    }
    return file->failed_line != 0 ? NULL : line;
}

/* inih's handler of a key. */
static int take_key(void *user, const char *section, const char *name, const char *value)
{
    struct file *file = user;
    char full[NAME_MAX_BYTES];
    char message[384];
    snprintf(full, sizeof full, "%s%s%s", section, section[0] == '\0' ? "" : ".", name);

    int key = sl_config_find(full);
    if (key < 0) {
        (void)sl_config_fail_key(full, full, message, sizeof message);
        fail_at(file, file->line, message);
        return 1;
    }
    if (file->set_in[key] != 0) {
        snprintf(message, sizeof message, "%s: already set in line %d", full, file->set_in[key]);
        fail_at(file, file->line, message);
        return 1;
    }
    file->set_in[key] = file->line;

    char source[SL_CONFIG_SOURCE_MAX];
    size_t length = strlen(file->path);
    size_t room = sizeof source - 16; /* for the line */
    const char *shown = length > room ? file->path + (length - room) : file->path;
    snprintf(source, sizeof source, "%s%s:%d", shown == file->path ? "" : "...", shown, file->line);
    if (sl_config_assign(file->config, (enum sl_config_key)key, value, source, message,
                         sizeof message) != 0) {
        fail_at(file, file->line, message);
    }
    return 1;
}

static int read_stream(struct sl_config *config, FILE *stream, const char *path, char *error,
                       size_t error_bytes)
{
    int set_in[SL_CFG_COUNT] = {0};
    struct file file = {
        .stream = stream,
        .path = path,
        .set_in = set_in,
        .config = config,
        .error = error,
        .error_bytes = error_bytes,
    };
    int wrong_line = ini_parse_stream(next_line, &file, take_key, &file);
    int stream_error = ferror(stream) ? errno : 0;
    if (wrong_line > 0 && wrong_line < file.failed_line) {
        file.failed_line = 0;
    }
    if (wrong_line > 0) {
        fail_at(&file, wrong_line, "neither [section], key = value nor a comment");
    }
    if (file.failed_line != 0) {
        return -1;
    }
    if (stream_error != 0) {
        return sl_config_fail(error, error_bytes, "%s: %s", path, strerror(stream_error));
    }
    return 0;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static bool is_preset_name(const char *path)
{
    return path[0] != '\0' && strchr(path, '/') == NULL && strstr(path, ".ini") == NULL;
}

/* Opens a regular file: a FIFO would wait for its writer, and a device may never end. Returns NULL
 * with the error's text in *why otherwise. */
static FILE *open_file(const char *path, const char **why)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        *why = strerror(errno);
    } else if (S_ISDIR(status.st_mode)) {
        *why = strerror(EISDIR);
    } else if (!S_ISREG(status.st_mode)) {
        *why = "not a regular file";
    } else {
        FILE *const stream = fdopen(fd, "r");
        if (stream != NULL) {
            return stream;
        }
        *why = strerror(errno);
    }
    if (fd >= 0) {
        close(fd);
    }
    return NULL;
}

int sl_config_read(struct sl_config *config, const char *path, char *error, size_t error_bytes)
{
    char preset[PATH_BYTES];
    char resolved[PATH_BYTES];
    if (!is_file(path) && is_preset_name(path)) {
        if (sl_preset_find(path, preset, sizeof preset, error, error_bytes) != 0) {
            return -1;
        }
        path = realpath(preset, resolved) == NULL ? preset : resolved;
    }

    const char *why = NULL;
    FILE *stream = open_file(path, &why);
    if (stream == NULL) {
        return sl_config_fail(error, error_bytes, "%s: %s", path, why);
    }
    /* A file that is wrong changes nothing. */
    struct sl_config next = *config;
    int status = read_stream(&next, stream, path, error, error_bytes);
    fclose(stream);
    if (status == 0) {
        *config = next;
    }
    return status;
}
