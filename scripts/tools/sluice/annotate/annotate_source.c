/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Files of source: a profile names them by their path from where they were compiled, or in full. */
#define _GNU_SOURCE 1
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"

/* The whole of a file as a string; NULL where it cannot be read. */
static char *read_file(const char *path)
{
    FILE *const file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    if (file == NULL) {
        return NULL;
    }
    const ssize_t length = getdelim(&text, &capacity, '\0', file);
    (void)fclose(file);
    if (length < 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Tries it below a folder, then each time without the path's first folder. */
static char *read_below(const char *folder, const char *path)
{
    char full[PATH_MAX];
    char *text = NULL;
    while (text == NULL && path != NULL) {
        path += strspn(path, "/");
        (void)snprintf(full, sizeof full, "%s/%s", folder, path);
        text = read_file(full);
        path = strchr(path, '/');
    }
    return text;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; (text = strchr(text, '\n')) != NULL; text++) {
        count++;
    }
    return count;
}

void annotate_source_open(const struct annotate_options *options, const char *path,
                          struct annotate_source *source)
{
    *source = (struct annotate_source){.text = NULL};
    for (unsigned i = 0; i < options->folder_count && source->text == NULL; i++) {
        source->text = read_below(options->folders[i], path);
    }
    if (source->text == NULL) {
        source->text = read_file(path);
    }
    if (source->text == NULL) {
        return;
    }
    source->lines = calloc(count_lines(source->text), sizeof *source->lines);
    char *rest = source->text;
    while (source->lines != NULL && rest != NULL) {
        source->lines[source->line_count++] = strsep(&rest, "\n");
    }
}

void annotate_source_close(struct annotate_source *source)
{
    free(source->lines);
    free(source->text);
}

const char *annotate_source_line(const struct annotate_source *source, uint32_t line)
{
    return line >= 1 && line <= source->line_count ? source->lines[line - 1] : "";
}
