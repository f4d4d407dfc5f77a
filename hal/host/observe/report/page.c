/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Self-contained pages. The template's lines are copied, but for those that begin with an `@`:
 *
 *   @include NAME   the file of that name beside the template
 *   @library        the plotting library
 *   @data           the view's name and its data, in an element that no script runs
 *
 * A check is the same walk without data, whose output goes nowhere. */
#define _GNU_SOURCE 1
#include "host/observe/report/page.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/install_paths.h"
#include "config/number.h"
#include "host/base/atomic_file.h"

#define LIBRARY_FILE "/usr/share/nodejs/d3/dist/d3.min.js"
#define DATA_DIGITS  10 /* of a real number: more than a plot shows */

struct page {
    char folder[PATH_MAX]; /* of the template and what it includes */
    const char *library;
    const char *view;
    const json_t *data;
    FILE *out;
    int reason; /* why writing failed first, or 0 */
    char *error;
    size_t bytes;
};

static void put(struct page *page, const char *text, size_t length)
{
    if (fwrite(text, 1, length, page->out) != length && page->reason == 0) {
        page->reason = errno != 0 ? errno : EIO;
    }
}

static void put_text(struct page *page, const char *text)
{
    put(page, text, strlen(text));
}

static const char *from_environment(const char *name, const char *otherwise)
{
    const char *const value = getenv(name);
    return value == NULL || value[0] == '\0' ? otherwise : value;
}

static int find_sources(struct page *page)
{
    const char *const folder = from_environment("SLUICE_PAGE", NULL);
    page->library = from_environment("SLUICE_D3", LIBRARY_FILE);
    if (folder != NULL) {
        (void)snprintf(page->folder, sizeof page->folder, "%s", folder);
        return 0;
    }
    if (sl_home_path("share/page", page->folder, sizeof page->folder) == 0) {
        return 0;
    }
    (void)snprintf(page->error, page->bytes, "cannot tell where the program is: %s",
                   strerror(errno));
    return -1;
}

static FILE *open_source(const struct page *page, const char *name)
{
    char path[PATH_MAX + 256];
    char advice[PATH_MAX + 256];
    (void)snprintf(path, sizeof path, "%s/%s", page->folder, name);
    FILE *const file = fopen(path, "re");
    if (file == NULL) {
        const int reason = errno;
        (void)snprintf(page->error, page->bytes, "cannot read %s: %s; pages are made of it: %s",
                       path, strerror(reason), sl_home_advice("all", advice, sizeof advice));
    }
    return file;
}

static FILE *open_library(const struct page *page)
{
    FILE *const file = fopen(page->library, "re");
    if (file == NULL) {
        (void)snprintf(
            page->error, page->bytes,
            "cannot read the plotting library %s: %s; it is in Debian's package node-d3: "
            "apt-get install --no-install-recommends node-d3",
            page->library, strerror(errno));
    }
    return file;
}

/* Closes the source. */
static int put_source(struct page *page, FILE *source, const char *name)
{
    char piece[16384];
    size_t length;
    if (source == NULL) {
        return -1;
    }
    while ((length = fread(piece, 1, sizeof piece, source)) > 0) {
        put(page, piece, length);
    }
    const int reason = ferror(source) ? errno : 0;
    (void)fclose(source);
    if (reason != 0) {
        (void)snprintf(page->error, page->bytes, "cannot read %s: %s", name, strerror(reason));
        return -1;
    }
    return 0;
}

/* JSON has a '<' in strings alone, where it can be written so that no text ends the element or
 * begins a comment in it (HTML, "Restrictions for contents of script elements"). */
static int put_escaped(const char *text, size_t length, void *page)
{
    const char *const end = text + length;
    while (text < end) {
        const char *const at = memchr(text, '<', (size_t)(end - text));
        const char *const stop = at == NULL ? end : at;
        put(page, text, (size_t)(stop - text));
        if (at != NULL) {
            put_text(page, "\\u003c");
        }
        text = stop + (at != NULL);
    }
    return 0;
}

static int put_data(struct page *page)
{
    if (page->data == NULL) {
        return 0;
    }
    put_text(page, "<script type=\"application/json\" id=\"data\">\n{\"view\":\"");
    put_text(page, page->view);
    put_text(page, "\",\"data\":");
    const locale_t before = sl_number_begin();
    const int status = json_dump_callback(page->data, put_escaped, page,
                                          JSON_COMPACT | JSON_REAL_PRECISION(DATA_DIGITS));
    sl_number_end(before);
    if (status != 0) {
        (void)snprintf(page->error, page->bytes, "the page's data are no JSON object");
        return -1;
    }
    put_text(page, "}\n</script>\n");
    return 0;
}

static int put_line(struct page *page, const char *line)
{
    char name[64];
    if (sscanf(line, "@include %63s", name) == 1) {
        return put_source(page, open_source(page, name), name);
    }
    if (strcmp(line, "@library\n") == 0) {
        return put_source(page, open_library(page), page->library);
    }
    if (strcmp(line, "@data\n") == 0) {
        return put_data(page);
    }
    put_text(page, line);
    return 0;
}

static int put_template(struct page *page)
{
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    FILE *const template = open_source(page, "page.html");
    if (template == NULL) {
        return -1;
    }
    while (status == 0 && getline(&line, &capacity, template) > 0) {
        status = put_line(page, line);
    }
    free(line);
    (void)fclose(template);
    return status;
}

/* To the page's file, which is open or could not be opened. */
static int write_page(struct page *page, struct sl_output *output)
{
    page->out = output->file;
    const int status = output->file != NULL ? put_template(page) : 0;
    const int reason = sl_output_close(output, status != 0 ? ECANCELED : page->reason);

    if (status == 0 && reason != 0) {
        (void)snprintf(page->error, page->bytes, "cannot write %s: %s", output->path,
                       strerror(reason));
        return -1;
    }
    return status;
}

int sl_page_write(const char *path, const char *view, const json_t *data, char *error, size_t bytes)
{
    struct page page = {.view = view, .data = data, .error = error, .bytes = bytes};
    struct sl_output output;
    if (find_sources(&page) != 0) {
        return -1;
    }
    (void)sl_output_open(&output, path); /* closing says what came of it */
    return write_page(&page, &output);
}

int sl_page_check(char *error, size_t bytes)
{
    struct page page = {.error = error, .bytes = bytes};
    struct sl_output output;
    if (find_sources(&page) != 0) {
        return -1;
    }
    (void)sl_output_open(&output, "/dev/null");
    return write_page(&page, &output);
}
