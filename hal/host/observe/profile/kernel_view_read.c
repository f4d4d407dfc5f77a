/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reads a profile of kernels line by line. A line that is not understood, a total that its lines do
 * not add up to, and a file without an end are damage: figures of half a file would be wrong. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/utf8.h"
#include "host/observe/profile/kernel_view.h"

#define NONE UINT32_MAX

struct reader {
    struct sl_kernel_view *view;
    const char *path;
    unsigned long number; /* of the line in the file */
    char *error;
    size_t error_bytes;
    bool has_events;
    bool has_totals;
    bool is_call;         /* the next costs are those of calls */
    uint32_t object;      /* names */
    uint32_t file;        /* where lines are */
    uint32_t own_file;    /* where the function is */
    uint32_t function;    /* index of the function, or NONE */
    uint32_t callee;      /* name of what is called */
    uint32_t callee_file; /* and where that is */
    uint64_t totals[SL_KERNEL_EVENTS];
};

static int damaged(const struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int damaged(const struct reader *reader, const char *format, ...)
{
    va_list arguments;
    char what[256];
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(reader->error, reader->error_bytes, "'%s' is damaged: line %lu: %s",
                   reader->path, reader->number, what);
    return -1;
}

static int is_none(const struct reader *reader, const char *why)
{
    (void)snprintf(reader->error, reader->error_bytes,
                   "'%s' is no profile of kernels: %s; option --kernel-profile of a program writes "
                   "one",
                   reader->path, why);
    return -1;
}

static int out_of_memory(const struct reader *reader)
{
    (void)snprintf(reader->error, reader->error_bytes, "'%s': out of memory", reader->path);
    return -1;
}

/* ---- names, kernels, functions ---- */

/* One more item of `bytes`; NULL when out of memory. */
static void *extend(void *items, size_t count, size_t bytes)
{
    const bool is_full = (count & (count - 1)) == 0; /* room doubles at powers of two */
    return is_full ? realloc(items, (count == 0 ? 1 : 2 * count) * bytes) : items;
}

/* The name's index, or NONE when out of memory. */
static uint32_t name_of(struct sl_kernel_view *view, const char *name)
{
    for (size_t i = 0; i < view->name_count; i++) {
        if (strcmp(view->names[i], name) == 0) {
            return (uint32_t)i;
        }
    }
    char **const names = extend(view->names, view->name_count, sizeof *names);
    if (names == NULL) {
        return NONE;
    }
    view->names = names;
    names[view->name_count] = strdup(name);
    return names[view->name_count] != NULL ? (uint32_t)view->name_count++ : NONE;
}

static uint32_t kernel_of(struct sl_kernel_view *view, uint32_t name)
{
    for (size_t i = 0; i < view->kernel_count; i++) {
        if (view->kernels[i].name == name) {
            return (uint32_t)i;
        }
    }
    struct sl_view_kernel *const kernels =
        extend(view->kernels, view->kernel_count, sizeof *kernels);
    if (kernels == NULL) {
        return NONE;
    }
    view->kernels = kernels;
    kernels[view->kernel_count] = (struct sl_view_kernel){.name = name};
    return (uint32_t)view->kernel_count++;
}

static uint32_t function_of(struct sl_kernel_view *view, uint32_t kernel, uint32_t name,
                            uint32_t file)
{
    for (size_t i = 0; i < view->function_count; i++) {
        const struct sl_view_function *const function = &view->functions[i];
        if (function->kernel == kernel && function->name == name && function->file == file) {
            return (uint32_t)i;
        }
    }
    struct sl_view_function *const functions =
        extend(view->functions, view->function_count, sizeof *functions);
    if (functions == NULL) {
        return NONE;
    }
    view->functions = functions;
    functions[view->function_count] =
        (struct sl_view_function){.kernel = kernel, .name = name, .file = file};
    return (uint32_t)view->function_count++;
}

/* ---- the header ---- */

static int read_events(struct reader *reader, const char *text)
{
    for (size_t i = 0; i < SL_KERNEL_EVENTS; i++) {
        const char *const wanted = sl_kernel_event[i].name;
        char why[128];
        text += strspn(text, " ");
        const size_t length = strcspn(text, " ");
        if (length != strlen(wanted) || strncmp(text, wanted, length) != 0) {
            (void)snprintf(why, sizeof why, "its event %zu is '%.*s', not '%s'", i + 1,
                           length > 32 ? 32 : (int)length, text, wanted);
            return is_none(reader, why);
        }
        text += length;
    }
    if (text[strspn(text, " ")] != '\0') {
        return is_none(reader, "it has further events");
    }
    reader->has_events = true;
    return 0;
}

static int keep(const struct reader *reader, char **to, const char *text)
{
    free(*to);
    *to = strdup(text);
    return *to != NULL ? 0 : out_of_memory(reader);
}

static int read_numbers(const struct reader *reader, const char *text,
                        uint64_t out[SL_KERNEL_EVENTS])
{
    for (size_t i = 0; i < SL_KERNEL_EVENTS; i++) {
        char *end;
        text += strspn(text, " ");
        errno = 0;
        out[i] = strtoull(text, &end, 10);
        if (!isdigit((unsigned char)*text) || errno != 0 || (*end != ' ' && *end != '\0')) {
            return damaged(reader, "%zu costs, of which %d are wanted", i, (int)SL_KERNEL_EVENTS);
        }
        text = end;
    }
    return text[strspn(text, " ")] == '\0' ? 0 : damaged(reader, "more costs than events");
}

/* A line "key: text". */
static int read_header(struct reader *reader, const char *key, const char *text)
{
    static const char lost[] = "Instructions that found no room";
    if (strcmp(key, "cmd") == 0) {
        return keep(reader, &reader->view->command, text);
    }
    if (strcmp(key, "desc") == 0 && strncmp(text, lost, strlen(lost)) == 0) {
        return keep(reader, &reader->view->lost, text);
    }
    if (strcmp(key, "positions") == 0 && strcmp(text, "line") != 0) {
        return is_none(reader, "its positions are other ones than lines");
    }
    if (strcmp(key, "events") == 0) {
        return read_events(reader, text);
    }
    if (strcmp(key, "totals") == 0) {
        reader->has_totals = true;
        return read_numbers(reader, text, reader->totals);
    }
    return 0;
}

/* ---- costs ---- */

/* A line "key=text". */
static int read_position(struct reader *reader, const char *key, const char *text)
{
    struct sl_kernel_view *const view = reader->view;
    if (strcmp(key, "calls") == 0) {
        reader->is_call = true;
        return isdigit((unsigned char)*text) ? 0 : damaged(reader, "'%.64s' is no count", text);
    }
    const uint32_t name = name_of(view, text);
    if (name == NONE) {
        return out_of_memory(reader);
    }
    if (strcmp(key, "ob") == 0) {
        reader->object = name;
        reader->function = NONE;
    } else if (strcmp(key, "fl") == 0) {
        reader->file = name;
        reader->own_file = name;
        reader->function = NONE;
    } else if (strcmp(key, "fi") == 0 || strcmp(key, "fe") == 0) {
        reader->file = name;
    } else if (strcmp(key, "cfi") == 0 || strcmp(key, "cfl") == 0) {
        reader->callee_file = name;
    } else if (strcmp(key, "cfn") == 0) {
        reader->callee = name;
    } else if (strcmp(key, "fn") == 0) {
        const uint32_t kernel = reader->object != NONE ? kernel_of(view, reader->object) : NONE;
        if (kernel == NONE || reader->own_file == NONE) {
            return damaged(reader, "function '%.64s' is of no kernel or file", text);
        }
        reader->function = function_of(view, kernel, name, reader->own_file);
        return reader->function != NONE ? 0 : out_of_memory(reader);
    } else if (strcmp(key, "cob") != 0) {
        return damaged(reader, "'%.64s=' is not known", key);
    }
    return 0;
}

static void add(uint64_t sum[SL_KERNEL_EVENTS], const uint64_t cost[SL_KERNEL_EVENTS])
{
    for (size_t i = 0; i < SL_KERNEL_EVENTS; i++) {
        sum[i] += cost[i];
    }
}

static int add_line(struct reader *reader, uint32_t line, const uint64_t cost[SL_KERNEL_EVENTS])
{
    struct sl_kernel_view *const view = reader->view;
    struct sl_view_function *const function = &view->functions[reader->function];
    uint64_t cycles = 0;
    for (size_t i = SL_KERNEL_EVENT_STALL; i < SL_KERNEL_EVENTS; i++) {
        cycles += cost[i];
    }
    if (cycles != cost[SL_KERNEL_EVENT_RESIDENT]) {
        return damaged(reader, "the reasons add up to %" PRIu64 " cycles, not %" PRIu64, cycles,
                       cost[SL_KERNEL_EVENT_RESIDENT]);
    }
    struct sl_view_line *const lines = extend(view->lines, view->line_count, sizeof *lines);
    if (lines == NULL) {
        return out_of_memory(reader);
    }
    view->lines = lines;
    struct sl_view_line *const row = &lines[view->line_count++];
    *row = (struct sl_view_line){reader->function, reader->file, line, {0}};
    add(row->cost, cost);
    add(function->cost, cost);
    add(view->kernels[function->kernel].cost, cost);
    add(view->total, cost);
    return 0;
}

/* A line that begins with a digit: a source line's own costs, or behind "calls=" those of calls. */
static int read_costs(struct reader *reader, const char *text)
{
    uint64_t cost[SL_KERNEL_EVENTS];
    char *end;
    errno = 0;
    const unsigned long line = strtoul(text, &end, 10);
    if (errno != 0 || line > INT32_MAX || *end != ' ') {
        return damaged(reader, "'%.32s' is no line of a source", text);
    }
    if (reader->function == NONE) {
        return damaged(reader, "costs of no function");
    }
    if (read_numbers(reader, end, cost) != 0) {
        return -1;
    }
    if (!reader->is_call) {
        return add_line(reader, (uint32_t)line, cost);
    }
    struct sl_view_function *const function = &reader->view->functions[reader->function];
    reader->is_call = false;
    if (function->name != reader->callee || function->file != reader->callee_file) {
        add(function->called, cost);
    }
    return 0;
}

/* ---- the file ---- */

static int read_line(struct reader *reader, char *line)
{
    const size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz");
    if (line[0] == '\0' || line[0] == '#') {
        return 0;
    }
    if (reader->has_totals) {
        return damaged(reader, "there is more behind the totals");
    }
    if (isdigit((unsigned char)line[0])) {
        return reader->has_events ? read_costs(reader, line) : is_none(reader, "it has no events");
    }
    if (word == 0 || (line[word] != ':' && line[word] != '=')) {
        return damaged(reader, "'%.32s' is not understood", line);
    }
    const bool is_header = line[word] == ':';
    char *const text = line + word + 1;
    line[word] = '\0';
    return is_header ? read_header(reader, line, text + strspn(text, " "))
                     : read_position(reader, line, text);
}

static int compare_lines(const void *left, const void *right)
{
    const struct sl_view_line *const x = left;
    const struct sl_view_line *const y = right;
    if (x->function != y->function) {
        return x->function < y->function ? -1 : 1;
    }
    if (x->file != y->file) {
        return x->file < y->file ? -1 : 1;
    }
    return x->line < y->line ? -1 : x->line > y->line;
}

static void merge_lines(struct sl_kernel_view *view)
{
    size_t kept = 0;
    if (view->line_count == 0) {
        return;
    }
    qsort(view->lines, view->line_count, sizeof *view->lines, compare_lines);
    for (size_t i = 1; i < view->line_count; i++) {
        if (compare_lines(&view->lines[kept], &view->lines[i]) == 0) {
            add(view->lines[kept].cost, view->lines[i].cost);
        } else {
            view->lines[++kept] = view->lines[i];
        }
    }
    view->line_count = kept + 1;
}

/* What can be said at the end only. */
static int check(const struct reader *reader)
{
    if (!reader->has_events) {
        return is_none(reader, "it has no events");
    }
    if (!reader->has_totals) {
        return damaged(reader, "it ends without totals");
    }
    for (size_t i = 0; i < SL_KERNEL_EVENTS; i++) {
        if (reader->totals[i] != reader->view->total[i]) {
            return damaged(reader,
                           "lines add up to %" PRIu64 " of event %s, and the totals say %" PRIu64,
                           reader->view->total[i], sl_kernel_event[i].name, reader->totals[i]);
        }
    }
    return 0;
}

/* Reads the first line, which says what the file is; then the others. */
static int read_lines(struct reader *reader, FILE *stream, char **line, size_t *capacity)
{
    ssize_t length;
    int status = 0;
    while (status == 0 && (length = getline(line, capacity, stream)) >= 0) {
        (*line)[strcspn(*line, "\r\n")] = '\0';
        reader->number++;
        if (!sl_utf8_is_plain(*line)) {
            status = damaged(reader, "it has what is no text");
        } else if (reader->number == 1) {
            status = strcmp(*line, "# callgrind format") == 0
                         ? 0
                         : is_none(reader, "it does not begin with '# callgrind format'");
        } else {
            status = read_line(reader, *line);
        }
    }
    return status;
}

int sl_kernel_view_read(struct sl_kernel_view *view, FILE *stream, const char *path, char *error,
                        size_t error_bytes)
{
    struct reader reader = {
        .view = view,
        .path = path,
        .error = error,
        .error_bytes = error_bytes,
        .object = NONE,
        .file = NONE,
        .own_file = NONE,
        .function = NONE,
        .callee = NONE,
        .callee_file = NONE,
    };
    char *line = NULL;
    size_t capacity = 0;
    *view = (struct sl_kernel_view){.names = NULL};
    errno = 0;
    int status = read_lines(&reader, stream, &line, &capacity);
    const int reason = ferror(stream) != 0 ? errno : 0;
    free(line);
    if (reason != 0) {
        (void)snprintf(error, error_bytes, "cannot read '%s': %s", path, strerror(reason));
        return -1;
    }
    if (status == 0) {
        status = reader.number == 0 ? is_none(&reader, "it is empty") : check(&reader);
    }
    merge_lines(view);
    return status;
}

void sl_kernel_view_clear(struct sl_kernel_view *view)
{
    for (size_t i = 0; i < view->name_count; i++) {
        free(view->names[i]);
    }
    free(view->names);
    free(view->kernels);
    free(view->functions);
    free(view->lines);
    free(view->command);
    free(view->lost);
    *view = (struct sl_kernel_view){.names = NULL};
}
