/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Functions in the order of their addresses, in each its lines as its instructions come, and behind
 * a line the calls that it makes. Costs of inlined code are on its own lines, in its own file;
 * calls that it makes are on the line of the function that it is inlined into, so that they are
 * that function's. */
#include "host/observation/profile.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN "???"

/* What was written last. */
struct writer {
    const struct sl_callgrind *callgrind;
    FILE *stream;
    const char *file;
    struct sl_source source; /* of the line that is being added up, or was last */
    bool has_function;
    bool has_line;
    uint64_t line_cost[SL_COST_COUNT];
    uint64_t total[SL_COST_COUNT];
    const struct sl_profile_call **calls; /* in order of site and callee */
    size_t call_count;
    size_t next_call;
};

static const char *or_unknown(const char *name)
{
    return name != NULL ? name : UNKNOWN;
}

static uint64_t pc_of(uint64_t place)
{
    return SL_FIRMWARE_BASE + 2 * place;
}

static struct sl_source source_of(const struct writer *writer, uint64_t place)
{
    struct sl_source source = {.function = NULL};
    if (place < SL_PROFILE_PLACES) {
        source = writer->callgrind->source(writer->callgrind->code, pc_of(place));
    }
    source.function = or_unknown(source.function);
    source.function_file = or_unknown(source.function_file);
    source.file = or_unknown(source.file);
    return source;
}

static int outer_line_of(const struct writer *writer, uint64_t place)
{
    const struct sl_callgrind *const callgrind = writer->callgrind;
    return place < SL_PROFILE_PLACES ? callgrind->outer_line(callgrind->code, pc_of(place)) : 0;
}

static void write_costs(const struct writer *writer, const uint64_t *cost)
{
    for (unsigned i = 0; i < SL_COST_COUNT; i++) {
        const uint64_t unit = i == SL_COST_PS ? writer->callgrind->cycle_ps : 1;
        (void)fprintf(writer->stream, " %" PRIu64, cost[i] / unit);
    }
    (void)fputc('\n', writer->stream);
}

static void enter_file(struct writer *writer, const struct sl_source *source, const char *file)
{
    if (strcmp(writer->file, file) != 0) {
        const bool is_back = strcmp(file, source->function_file) == 0;
        (void)fprintf(writer->stream, "%s=%s\n", is_back ? "fe" : "fi", file);
        writer->file = file;
    }
}

static void finish_line(struct writer *writer)
{
    if (writer->has_line) {
        enter_file(writer, &writer->source, writer->source.file);
        (void)fprintf(writer->stream, "%d", writer->source.line);
        write_costs(writer, writer->line_cost);
        memset(writer->line_cost, 0, sizeof writer->line_cost);
        writer->has_line = false;
    }
}

static bool is_same_function(const struct sl_source *x, const struct sl_source *y)
{
    return strcmp(x->function, y->function) == 0 && strcmp(x->function_file, y->function_file) == 0;
}

static void enter_function(struct writer *writer, const struct sl_source *source)
{
    if (!writer->has_function || !is_same_function(source, &writer->source)) {
        (void)fprintf(writer->stream, "\nfl=%s\nfn=%s\n", source->function_file, source->function);
        writer->has_function = true;
        writer->file = source->function_file;
    }
}

static void write_calls(struct writer *writer, uint64_t place, const struct sl_source *from)
{
    for (; writer->next_call < writer->call_count; writer->next_call++) {
        const struct sl_profile_call *const call = writer->calls[writer->next_call];
        if (call->site > place) {
            break;
        }
        finish_line(writer);
        const struct sl_source to = source_of(writer, call->callee);
        enter_file(writer, from, from->function_file);
        (void)fprintf(writer->stream, "cfi=%s\ncfn=%s\ncalls=%" PRIu64 " %d\n%d", to.function_file,
                      to.function, call->count, outer_line_of(writer, call->callee),
                      outer_line_of(writer, call->site));
        write_costs(writer, call->cost);
    }
}

static void write_place(struct writer *writer, uint64_t place)
{
    const struct sl_profile_place *const at = &writer->callgrind->profile->places[place];
    if (at->cost[SL_COST_INSTRUCTIONS] == 0 && at->cost[SL_COST_PS] == 0) {
        return;
    }
    const struct sl_source source = source_of(writer, place);
    const struct sl_source *const last = &writer->source;
    if (writer->has_line && (!is_same_function(&source, last) ||
                             strcmp(source.file, last->file) != 0 || source.line != last->line)) {
        finish_line(writer);
    }
    enter_function(writer, &source);
    writer->source = source;
    writer->has_line = true;
    for (unsigned i = 0; i < SL_COST_COUNT; i++) {
        writer->line_cost[i] += at->cost[i];
        writer->total[i] += at->cost[i];
    }
    write_calls(writer, place, &source);
}

static int compare_calls(const void *left, const void *right)
{
    const struct sl_profile_call *const x = *(const struct sl_profile_call *const *)left;
    const struct sl_profile_call *const y = *(const struct sl_profile_call *const *)right;
    if (x->site != y->site) {
        return x->site < y->site ? -1 : 1;
    }
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static int sort_calls(struct writer *writer)
{
    const struct sl_profile_call *const calls = writer->callgrind->profile->calls;
    writer->calls = malloc(SL_PROFILE_CALLS * sizeof(const struct sl_profile_call *));
    if (writer->calls == NULL) {
        return -1;
    }
    for (size_t i = 0; i < SL_PROFILE_CALLS; i++) {
        if (calls[i].count > 0) {
            writer->calls[writer->call_count++] = &calls[i];
        }
    }
    qsort(writer->calls, writer->call_count, sizeof(const struct sl_profile_call *), compare_calls);
    return 0;
}

static void write_header(const struct writer *writer)
{
    (void)fprintf(writer->stream,
                  "# callgrind format\nversion: 1\ncreator: sluice\ncmd: %s\npart: 1\n"
                  "desc: Aggregator firmware, within the runs of graphs and launches\n",
                  writer->callgrind->command);
    if (writer->callgrind->profile->lost_calls > 0) {
        (void)fprintf(writer->stream, "desc: Calls that found no room: %" PRIu64 "\n",
                      writer->callgrind->profile->lost_calls);
    }
    (void)fprintf(writer->stream, "positions: line\n"
                                  "event: Cycles : Aggregator cycles\n"
                                  "event: Ir : Instructions\n"
                                  "event: I1m : L1I misses\n"
                                  "event: D1m : L1D misses\n"
                                  "event: Bm : Mispredicted branches\n"
                                  "events: Cycles Ir I1m D1m Bm\n");
}

int sl_callgrind_write(const struct sl_callgrind *callgrind, FILE *stream)
{
    struct writer writer = {.callgrind = callgrind, .stream = stream};
    if (sort_calls(&writer) != 0) {
        return -1;
    }
    write_header(&writer);
    for (uint64_t place = 0; place < callgrind->places; place++) {
        write_place(&writer, place);
    }
    write_place(&writer, SL_PROFILE_PLACES);
    finish_line(&writer);
    (void)fputs("\ntotals:", stream);
    write_costs(&writer, writer.total);
    free(writer.calls);
    return ferror(stream) != 0 ? -1 : 0;
}
