/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions in the order of their addresses, in each its lines as its instructions come, and behind
 * a line the calls that it makes. Costs of inlined code are on its own lines, in its own file;
 * calls that it makes are on the line of the function that it is inlined into, so that they are
 * that function's. */
#include "host/observe/profile/callgrind.h"

#include <inttypes.h>
#include <string.h>

#include "host/base/utf8.h"

#define UNKNOWN "???"

static const char *or_unknown(const char *name)
{
    return name != NULL ? name : UNKNOWN;
}

static struct sl_source source_of(const struct sl_callgrind *callgrind, uint64_t pc)
{
    struct sl_source source = callgrind->source(callgrind->code, pc);
    source.function = or_unknown(source.function);
    source.function_file = or_unknown(source.function_file);
    source.file = or_unknown(source.file);
    return source;
}

static void write_costs(const struct sl_callgrind *callgrind, const uint64_t *cost)
{
    for (size_t i = 0; i < callgrind->event_count; i++) {
        (void)fprintf(callgrind->stream, " %" PRIu64, cost[i]);
    }
    (void)fputc('\n', callgrind->stream);
}

static void enter_file(struct sl_callgrind *callgrind, const struct sl_source *source,
                       const char *file)
{
    if (strcmp(callgrind->file, file) != 0) {
        const bool is_back = strcmp(file, source->function_file) == 0;
        (void)fprintf(callgrind->stream, "%s=%s\n", is_back ? "fe" : "fi", file);
        callgrind->file = file;
    }
}

static void finish_line(struct sl_callgrind *callgrind)
{
    if (callgrind->has_line) {
        enter_file(callgrind, &callgrind->last, callgrind->last.file);
        (void)fprintf(callgrind->stream, "%d", callgrind->last.line);
        write_costs(callgrind, callgrind->line_cost);
        memset(callgrind->line_cost, 0, sizeof callgrind->line_cost);
        callgrind->has_line = false;
    }
}

static bool is_same_function(const struct sl_source *x, const struct sl_source *y)
{
    return strcmp(x->function, y->function) == 0 && strcmp(x->function_file, y->function_file) == 0;
}

static bool is_same_line(const struct sl_source *x, const struct sl_source *y)
{
    return is_same_function(x, y) && strcmp(x->file, y->file) == 0 && x->line == y->line;
}

static void enter_function(struct sl_callgrind *callgrind, const struct sl_source *source)
{
    if (!callgrind->has_function || !is_same_function(source, &callgrind->last)) {
        (void)fprintf(callgrind->stream, "\nfl=%s\nfn=%s\n", source->function_file,
                      source->function);
        callgrind->has_function = true;
        callgrind->file = source->function_file;
    }
}

static bool is_of_group(const struct sl_callgrind_event *event, const char *group)
{
    return event->group != NULL && strcmp(event->group, group) == 0;
}

/* Derived events: formulas over the others. */
static void write_groups(const struct sl_callgrind *callgrind)
{
    const struct sl_callgrind_event *const events = callgrind->events;
    for (size_t i = 0; i < callgrind->event_count;) {
        const char *const group = events[i].group;
        if (group == NULL) {
            i++;
            continue;
        }
        (void)fprintf(callgrind->stream, "event: %s = %s", group, events[i++].name);
        for (; i < callgrind->event_count && is_of_group(&events[i], group); i++) {
            (void)fprintf(callgrind->stream, " + %s", events[i].name);
        }
        (void)fprintf(callgrind->stream, " : all %s_*\n", group);
    }
}

void sl_callgrind_begin(const struct sl_callgrind *callgrind, const char *command,
                        const char *description, const char *lost)
{
    FILE *const stream = callgrind->stream;
    char shown[256];
    sl_utf8_show(command, shown, sizeof shown);
    (void)fprintf(stream,
                  "# callgrind format\nversion: 1\ncreator: sluice\ncmd: %s\npart: 1\ndesc: %s\n",
                  shown, description);
    if (lost != NULL) {
        (void)fprintf(stream, "desc: %s\n", lost);
    }
    (void)fputs("positions: line\n", stream);
    for (size_t i = 0; i < callgrind->event_count; i++) {
        (void)fprintf(stream, "event: %s : %s\n", callgrind->events[i].name,
                      callgrind->events[i].words);
    }
    write_groups(callgrind);
    (void)fputs("events:", stream);
    for (size_t i = 0; i < callgrind->event_count; i++) {
        (void)fprintf(stream, " %s", callgrind->events[i].name);
    }
    (void)fputc('\n', stream);
}

void sl_callgrind_object(struct sl_callgrind *callgrind, const char *object)
{
    finish_line(callgrind);
    (void)fprintf(callgrind->stream, "\nob=%s\n", object);
    callgrind->object = object;
    callgrind->has_function = false;
}

void sl_callgrind_cost(struct sl_callgrind *callgrind, uint64_t pc, const uint64_t *cost)
{
    const struct sl_source source = source_of(callgrind, pc);
    if (callgrind->has_line && !is_same_line(&source, &callgrind->last)) {
        finish_line(callgrind);
    }
    enter_function(callgrind, &source);
    callgrind->last = source;
    callgrind->has_line = true;
    for (size_t i = 0; i < callgrind->event_count; i++) {
        callgrind->line_cost[i] += cost[i];
        callgrind->total[i] += cost[i];
    }
}

void sl_callgrind_call(struct sl_callgrind *callgrind, const struct sl_callgrind_call *call)
{
    const struct sl_source from = source_of(callgrind, call->site);
    const struct sl_source to = source_of(callgrind, call->callee);
    FILE *const stream = callgrind->stream;
    finish_line(callgrind);
    enter_function(callgrind, &from);
    enter_file(callgrind, &from, from.function_file);
    callgrind->last = from;
    if (callgrind->object != NULL) {
        (void)fprintf(stream, "cob=%s\n", callgrind->object);
    }
    (void)fprintf(stream, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " %d\n%d", to.function_file, to.function,
                  call->count, callgrind->outer_line(callgrind->code, call->callee),
                  callgrind->outer_line(callgrind->code, call->site));
    write_costs(callgrind, call->cost);
}

int sl_callgrind_end(struct sl_callgrind *callgrind)
{
    finish_line(callgrind);
    (void)fputs("\ntotals:", callgrind->stream);
    write_costs(callgrind, callgrind->total);
    return ferror(callgrind->stream) != 0 ? -1 : 0;
}
