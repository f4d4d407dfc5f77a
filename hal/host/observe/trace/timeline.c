/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Records to events. Records of one track come in the order of their times, and so do its events.
 * Wavefronts are pairs of B and E on the row of their context, which holds one at a time; one that
 * holds it at the end of the run, or where records begin to be lost, ends there. */
#include "host/observe/trace/timeline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/number.h"
#include "host/base/utf8.h"
#include "sluice/codes.h"

#define NAME_BYTES 160

/* A run that is being appended. */
struct run {
    struct sl_trace *trace;
    const struct sl_trace_names *names;
    uint64_t end_ps; /* slices end here at the latest */
    uint64_t phase;
    uint64_t phase_ps; /* when it began */
};

static const char *const phase_names[SL_PHASE_COUNT] = {
    [SL_PHASE_OTHER] = "other",         [SL_PHASE_POLL] = "poll",
    [SL_PHASE_PREDICATE] = "predicate", [SL_PHASE_SCHEDULE] = "schedule",
    [SL_PHASE_DISPATCH] = "dispatch",   [SL_PHASE_RETIRE] = "retire",
    [SL_PHASE_YIELD] = "yield",         [SL_PHASE_MAILBOX] = "mailbox",
};

const char *sl_trace_phase_name(uint64_t phase)
{
    return phase < SL_PHASE_COUNT ? phase_names[phase] : "?";
}

/* ---- JSON ---- */

/* A string with its quotes. */
static void write_string(struct sl_trace *trace, const char *text)
{
    json_t *const string = sl_json_text(text);
    if (json_dumpf(string, trace->output.file, JSON_ENCODE_ANY) != 0) {
        trace->reason = ferror(trace->output.file) != 0 ? trace->reason : ENOMEM;
    }
    json_decref(string);
}

static void write_us(FILE *stream, const char *key, uint64_t ps)
{
    (void)fprintf(stream, ",\"%s\":%" PRIu64 ".%06" PRIu64, key, ps / 1000000, ps % 1000000);
}

/* Begins an event: the rest of its fields and the closing brace follow. */
static void begin_event(struct sl_trace *trace, const char *phase, uint32_t process,
                        const char *name)
{
    (void)fprintf(trace->output.file,
                  "%s{\"ph\":\"%s\",\"pid\":%u,\"name\":", trace->has_events ? ",\n" : "", phase,
                  process);
    write_string(trace, name);
    trace->has_events = true;
}

static void write_thread(const struct sl_trace *trace, uint32_t thread)
{
    (void)fprintf(trace->output.file, ",\"tid\":%u", thread);
}

static void end_event(const struct sl_trace *trace)
{
    (void)fputc('}', trace->output.file);
}

/* The name of a process (thread 0) or thread. */
static void write_name(struct sl_trace *trace, uint32_t process, uint32_t thread, const char *name)
{
    begin_event(trace, "M", process, thread == 0 ? "process_name" : "thread_name");
    if (thread > 0) {
        write_thread(trace, thread);
    }
    (void)fputs(",\"args\":{\"name\":", trace->output.file);
    write_string(trace, name);
    (void)fputc('}', trace->output.file);
    end_event(trace);
}

/* ---- events of a run ---- */

static void begin_timed(struct run *run, const char *phase, uint32_t process, uint32_t thread,
                        const char *name, uint64_t time_ps)
{
    begin_event(run->trace, phase, process, name);
    write_thread(run->trace, thread);
    write_us(run->trace->output.file, "ts", run->trace->offset_ps + time_ps);
}

static void write_slice(struct run *run, uint32_t thread, const char *name, const char *category,
                        uint64_t begin_ps, uint64_t end_ps)
{
    begin_timed(run, "X", SL_TRACE_AGGREGATOR, thread, name, begin_ps);
    write_us(run->trace->output.file, "dur", end_ps - begin_ps);
    (void)fprintf(run->trace->output.file, ",\"cat\":\"%s\"", category);
    end_event(run->trace);
}

/* Ends the phase that is on, and begins another. */
static void enter_phase(struct run *run, uint64_t time_ps, uint64_t phase)
{
    if (time_ps > run->phase_ps) {
        write_slice(run, SL_TRACE_PHASES, sl_trace_phase_name(run->phase), "phase", run->phase_ps,
                    time_ps);
    }
    run->phase = phase;
    run->phase_ps = time_ps;
}

static void write_instant(struct run *run, const struct sl_trace_record *record, const char *name)
{
    char channel[NAME_BYTES];
    begin_timed(run, "i", SL_TRACE_CUS + record->cu, record->id + 1, name, record->time_ps);
    (void)fprintf(run->trace->output.file, ",\"cat\":\"%s\",\"s\":\"t\"", name);
    if (record->kind == SL_TRACE_YIELD) {
        run->names->channel(run->names->owner, record->a, channel, sizeof channel);
        (void)fputs(",\"args\":{\"channel\":", run->trace->output.file);
        write_string(run->trace, channel);
        (void)fprintf(run->trace->output.file, ",\"elements\":%" PRIu64 "}", record->b);
    }
    end_event(run->trace);
}

static void end_wavefront(struct run *run, uint32_t cu, uint32_t context, uint64_t time_ps)
{
    struct sl_trace *const trace = run->trace;
    bool *const is_used = &trace->is_used[cu * trace->contexts + context];
    if (*is_used) {
        *is_used = false;
        begin_timed(run, "E", SL_TRACE_CUS + cu, context + 1, "", time_ps);
        end_event(trace);
    }
}

static void begin_wavefront(struct run *run, const struct sl_trace_record *record)
{
    struct sl_trace *const trace = run->trace;
    char name[NAME_BYTES];
    end_wavefront(run, record->cu, record->id, record->time_ps);
    run->names->kernel(run->names->owner, record->b, name, sizeof name);
    begin_timed(run, "B", SL_TRACE_CUS + record->cu, record->id + 1, name, record->time_ps);
    (void)fprintf(trace->output.file,
                  ",\"cat\":\"wavefront\",\"args\":{\"elements\":%" PRIu64 ",\"restarted\":%s}",
                  record->a, record->kind == SL_TRACE_RESTART ? "true" : "false");
    end_event(trace);
    trace->is_used[record->cu * trace->contexts + record->id] = true;
    if (record->kind == SL_TRACE_RESTART) {
        write_instant(run, record, "restart");
    }
}

static void write_channel(struct run *run, const struct sl_trace_record *record)
{
    char name[NAME_BYTES];
    const uint64_t ready = record->b < record->a ? record->b : record->a;
    run->names->channel(run->names->owner, record->id, name, sizeof name);
    begin_timed(run, "C", SL_TRACE_CHANNELS, 0, name, record->time_ps);
    (void)fprintf(run->trace->output.file,
                  ",\"id\":%u,\"args\":{\"ready\":%" PRIu64
                  ",\"reserved, dispatched or done\":%" PRIu64 "}",
                  record->id, ready, record->a - ready);
    end_event(run->trace);
}

/* A counter holds from its timestamp on: that of the interval's beginning. */
static void write_dram(struct run *run, const struct sl_trace_record *record)
{
    const double gigabytes = record->b > 0 ? (double)record->a * 1e3 / (double)record->b : 0;
    begin_timed(run, "C", SL_TRACE_MEMORY, 0, "DRAM", record->time_ps - record->b);
    (void)sl_number_write(run->trace->output.file, ",\"args\":{\"GB/s\":%.6f}", gigabytes);
    end_event(run->trace);
}

static void write_record(struct run *run, const struct sl_trace_record *record)
{
    const struct sl_trace *const trace = run->trace;
    const bool is_row = record->cu < trace->cus && record->id < trace->contexts;
    switch ((enum sl_trace_kind)record->kind) {
    case SL_TRACE_PHASE:
        enter_phase(run, record->time_ps, record->a);
        break;
    case SL_TRACE_LAUNCH:
    case SL_TRACE_RESTART:
        if (is_row) {
            begin_wavefront(run, record);
        }
        break;
    case SL_TRACE_END:
        if (is_row) {
            end_wavefront(run, record->cu, record->id, record->time_ps);
        }
        break;
    case SL_TRACE_YIELD:
        if (is_row) {
            write_instant(run, record, "yield");
        }
        break;
    case SL_TRACE_CHANNEL:
        write_channel(run, record);
        break;
    case SL_TRACE_DRAM:
        write_dram(run, record);
        break;
    }
}

/* Ends what is still open. */
static void end_run(struct run *run)
{
    enter_phase(run, run->end_ps, SL_PHASE_OTHER);
    for (uint32_t cu = 0; cu < run->trace->cus; cu++) {
        for (uint32_t context = 0; context < run->trace->contexts; context++) {
            end_wavefront(run, cu, context, run->end_ps);
        }
    }
}

static void write_lost(struct run *run, const struct sl_timeline *timeline)
{
    begin_timed(run, "i", SL_TRACE_AGGREGATOR, SL_TRACE_RUNS, "events lost from here on",
                timeline->first_lost_ps);
    (void)fprintf(run->trace->output.file,
                  ",\"cat\":\"lost\",\"s\":\"g\",\"args\":{\"lost\":%" PRIu64 "}", timeline->lost);
    end_event(run->trace);
}

/* ---- the file ---- */

/* Returns 0, or -1 with errno where something could not be written. */
static int check_written(const struct sl_trace *trace)
{
    if (trace->reason != 0) {
        errno = trace->reason;
    }
    return trace->reason != 0 || ferror(trace->output.file) != 0 ? -1 : 0;
}

/* What stands behind the events. The next run is written over it. */
static int write_end(struct sl_trace *trace)
{
    trace->end = trace->is_whole ? ftell(trace->output.file) : 0;
    (void)fprintf(
        trace->output.file,
        "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"creator\":\"sluice\",\"runs\":%" PRIu64
        ",\"records\":%" PRIu64 ",\"lost\":%" PRIu64,
        trace->runs, trace->records, trace->lost);
    if (trace->lost > 0) {
        write_us(trace->output.file, "first_lost_us", trace->first_lost_ps);
    }
    (void)fputs("}}\n", trace->output.file);
    return trace->end < 0 || fflush(trace->output.file) != 0 ? -1 : check_written(trace);
}

static void write_names(struct sl_trace *trace)
{
    char name[NAME_BYTES];
    write_name(trace, SL_TRACE_AGGREGATOR, 0, "aggregator");
    write_name(trace, SL_TRACE_AGGREGATOR, SL_TRACE_RUNS, "runs");
    write_name(trace, SL_TRACE_AGGREGATOR, SL_TRACE_PHASES, "phases");
    write_name(trace, SL_TRACE_CHANNELS, 0, "channels");
    write_name(trace, SL_TRACE_MEMORY, 0, "memory");
    for (uint32_t cu = 0; cu < trace->cus; cu++) {
        (void)snprintf(name, sizeof name, "CU %u", cu);
        write_name(trace, SL_TRACE_CUS + cu, 0, name);
        for (uint32_t context = 0; context < trace->contexts; context++) {
            (void)snprintf(name, sizeof name, "context %u", context);
            write_name(trace, SL_TRACE_CUS + cu, context + 1, name);
        }
    }
}

/* Where it can be gone back in, the end is written behind each run, to be written over. */
static int open_output(struct sl_trace *trace, const char *path)
{
    const int reason = sl_output_open(&trace->output, path);

    trace->is_open = reason == 0;
    trace->is_whole = reason == 0 && sl_target_is_file(&trace->output.place);
    return reason;
}

int sl_trace_open(struct sl_trace *trace, const char *path, uint32_t cus, uint32_t contexts)
{
    *trace = (struct sl_trace){.cus = cus, .contexts = contexts};
    trace->is_used = calloc((size_t)cus * contexts, sizeof *trace->is_used);
    int reason = trace->is_used != NULL ? open_output(trace, path) : ENOMEM;
    if (reason == 0) {
        (void)fputs("{\"traceEvents\":[\n", trace->output.file);
        write_names(trace);
        const bool is_bad = trace->is_whole
                                ? write_end(trace) != 0
                                : fflush(trace->output.file) != 0 || check_written(trace) != 0;
        reason = is_bad ? errno : 0;
    }
    if (reason != 0) {
        (void)sl_output_close(&trace->output, reason);
        free(trace->is_used);
        *trace = (struct sl_trace){.is_open = false};
        errno = reason;
        return -1;
    }
    return 0;
}

/* A new file with the events of the one that has its name already. */
static int open_again(struct sl_trace *trace)
{
    char path[PATH_MAX];
    char piece[4096];
    long left = trace->end;

    memcpy(path, trace->output.path, sizeof path);
    FILE *const from = fopen(path, "re");
    int reason = from != NULL ? open_output(trace, path) : errno;
    while (reason == 0 && left > 0) {
        const size_t most = left < (long)sizeof piece ? (size_t)left : sizeof piece;
        const size_t got = fread(piece, 1, most, from);
        const bool is_copied = got > 0 && fwrite(piece, 1, got, trace->output.file) == got;
        left -= (long)got;
        reason = is_copied ? 0 : trace->output.reason != 0 ? trace->output.reason : EIO;
    }
    if (from != NULL) {
        (void)fclose(from);
    }
    if (reason != 0) {
        (void)sl_output_close(&trace->output, reason);
        trace->is_open = false;
        trace->reason = reason;
        errno = reason;
    }
    return reason == 0 ? 0 : -1;
}

/* To the end of the events. */
static int begin_run(struct sl_trace *trace)
{
    if (trace->reason != 0) {
        errno = trace->reason;
        return -1;
    }
    if (!trace->is_open) {
        return open_again(trace);
    }
    return trace->is_whole ? fseek(trace->output.file, trace->end, SEEK_SET) : 0;
}

int sl_trace_append(struct sl_trace *trace, const struct sl_timeline *timeline,
                    const struct sl_trace_names *names)
{
    struct run run = {.trace = trace, .names = names, .end_ps = timeline->end_ps};
    if (begin_run(trace) != 0) {
        return -1;
    }
    write_slice(&run, SL_TRACE_RUNS, names->run, "run", 0, timeline->end_ps);
    if (timeline->lost > 0) {
        run.end_ps = timeline->first_lost_ps;
        if (trace->lost == 0) {
            trace->first_lost_ps = trace->offset_ps + timeline->first_lost_ps;
        }
    }
    for (uint64_t i = 0; i < timeline->count; i++) {
        write_record(&run, &timeline->records[i]);
    }
    end_run(&run);
    if (timeline->lost > 0) {
        write_lost(&run, timeline);
    }
    trace->runs++;
    trace->offset_ps += timeline->end_ps;
    trace->records += timeline->count;
    trace->lost += timeline->lost;
    return trace->is_whole ? write_end(trace) : check_written(trace);
}

/* Without a run there is nothing for a new file. */
static bool has_nothing(const struct sl_trace *trace)
{
    return trace->is_whole && trace->runs == 0;
}

int sl_trace_publish(struct sl_trace *trace)
{
    if (!trace->is_open || has_nothing(trace)) {
        return 0;
    }
    if (!trace->is_whole) {
        return fflush(trace->output.file) != 0 ? -1 : check_written(trace);
    }
    trace->is_open = false;
    trace->reason = sl_output_close(&trace->output, trace->reason);
    errno = trace->reason;
    return trace->reason == 0 ? 0 : -1;
}

int sl_trace_close(struct sl_trace *trace)
{
    int reason = 0;

    if (trace->is_open && has_nothing(trace)) {
        (void)sl_output_close(&trace->output, ECANCELED);
    } else if (trace->is_open) {
        reason = trace->is_whole || write_end(trace) == 0 ? trace->reason : errno;
        reason = sl_output_close(&trace->output, reason);
    }
    free(trace->is_used);
    *trace = (struct sl_trace){.is_open = false};
    errno = reason;
    return reason == 0 ? 0 : -1;
}
