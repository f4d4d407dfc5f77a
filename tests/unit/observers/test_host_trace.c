/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The Trace Event file of records that are made up here, read back with a JSON parser. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/check.h"
#include "host/observe/trace/timeline.h"
#include "sluice/codes.h"

#define CUS      2
#define CONTEXTS 3
#define RECORDS  16
#define NAMES    (5 + CUS * (1 + CONTEXTS)) /* events that name tracks */

struct fixture {
    char path[64];
    struct sl_trace trace;
    struct sl_timeline *timeline;
    json_t *file;
    json_t *events;
};

static int setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    (void)snprintf(f->path, sizeof f->path, "/tmp/sluice-trace-XXXXXX");
    const int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    (void)close(fd);
    f->timeline = calloc(1, sizeof *f->timeline + RECORDS * sizeof(struct sl_trace_record));
    assert_non_null(f->timeline);
    assert_int_equal(sl_trace_open(&f->trace, f->path, CUS, CONTEXTS), 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    (void)sl_trace_close(&f->trace);
    json_decref(f->file);
    (void)unlink(f->path);
    free(f->timeline);
    free(f);
    return 0;
}

static void add(struct fixture *f, struct sl_trace_record record)
{
    assert_true(f->timeline->count < RECORDS);
    f->timeline->records[f->timeline->count++] = record;
}

static void name_kernel(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "kernel \"%d\"", (int)kernel);
}

static void name_channel(const void *owner, uint64_t channel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "c\\\n\xfc%d", (int)channel);
}

static int append(struct fixture *f)
{
    const struct sl_trace_names names = {"graph", NULL, name_kernel, name_channel};
    return sl_trace_append(&f->trace, f->timeline, &names);
}

/* The file as it is now; its events from `first` on, those that name tracks left out. */
static void read_back(struct fixture *f)
{
    json_error_t error;
    assert_int_equal(sl_trace_publish(&f->trace), 0);
    json_decref(f->file);
    f->file = json_load_file(f->path, 0, &error);
    assert_non_null(f->file);
    f->events = json_object_get(f->file, "traceEvents");
    assert_true(json_is_array(f->events));
    assert_true(json_array_size(f->events) >= NAMES);
}

static const json_t *event(const struct fixture *f, size_t index)
{
    const json_t *found = json_array_get(f->events, NAMES + index);
    assert_non_null(found);
    return found;
}

static const char *text(const json_t *event, const char *key)
{
    const char *value = json_string_value(json_object_get(event, key));
    assert_non_null(value);
    return value;
}

/* A number in thousandths. */
static int64_t milli(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    assert_true(json_is_number(value));
    return (int64_t)(json_number_value(value) * 1000 + 0.5);
}

static void is(const json_t *event, const char *phase, int process, int thread, const char *name,
               int64_t ts_ns)
{
    assert_string_equal(text(event, "ph"), phase);
    assert_int_equal(milli(event, "pid"), process * 1000);
    assert_int_equal(milli(event, "tid"), thread * 1000);
    assert_string_equal(text(event, "name"), name);
    assert_int_equal(milli(event, "ts"), ts_ns);
}

static int64_t other(const struct fixture *f, const char *key)
{
    const json_t *value = json_object_get(json_object_get(f->file, "otherData"), key);
    assert_non_null(value);
    return json_integer_value(value);
}

TEST_WITH(tracks_are_named_before_the_first_run, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(append(f), 0);
    read_back(f);
    assert_int_equal(json_array_size(f->events), NAMES + 1);
    for (size_t i = 0; i < NAMES; i++) {
        const json_t *const named = json_array_get(f->events, i);
        assert_string_equal(text(named, "ph"), "M");
        assert_non_null(json_object_get(json_object_get(named, "args"), "name"));
    }
    assert_int_equal(other(f, "runs"), 1);
}

/* The fixture has made an empty file. */
TEST_WITH(without_a_run_the_old_file_stays, setup, teardown)
{
    struct fixture *f = *state;
    struct stat old;
    struct stat now;
    assert_int_equal(stat(f->path, &old), 0);
    assert_int_equal(sl_trace_publish(&f->trace), 0);
    assert_int_equal(sl_trace_close(&f->trace), 0);
    assert_int_equal(stat(f->path, &now), 0);
    assert_int_equal(now.st_ino, old.st_ino);
    assert_int_equal(now.st_size, 0);
}

TEST_WITH(phases_cover_the_run, setup, teardown)
{
    struct fixture *f = *state;
    add(f, (struct sl_trace_record){.kind = SL_TRACE_PHASE, .a = SL_PHASE_OTHER});
    add(f, (struct sl_trace_record){4000, SL_TRACE_PHASE, 0, 0, SL_PHASE_POLL, 0});
    add(f, (struct sl_trace_record){4000, SL_TRACE_PHASE, 0, 0, SL_PHASE_RETIRE, 0});
    f->timeline->end_ps = 10000;
    assert_int_equal(append(f), 0);
    read_back(f);
    assert_int_equal(json_array_size(f->events), NAMES + 3);
    is(event(f, 0), "X", SL_TRACE_AGGREGATOR, SL_TRACE_RUNS, "graph", 0);
    assert_int_equal(milli(event(f, 0), "dur"), 10);
    is(event(f, 1), "X", SL_TRACE_AGGREGATOR, SL_TRACE_PHASES, "other", 0);
    assert_int_equal(milli(event(f, 1), "dur"), 4);
    is(event(f, 2), "X", SL_TRACE_AGGREGATOR, SL_TRACE_PHASES, "retire", 4);
    assert_int_equal(milli(event(f, 2), "dur"), 6);
}

TEST_WITH(wavefronts_begin_and_end, setup, teardown)
{
    struct fixture *f = *state;
    add(f, (struct sl_trace_record){1000, SL_TRACE_LAUNCH, 1, 2, 64, 7});
    add(f, (struct sl_trace_record){2000, SL_TRACE_YIELD, 1, 2, 5, 128});
    add(f, (struct sl_trace_record){3000, SL_TRACE_END, 1, 2, 0, 0});
    add(f, (struct sl_trace_record){4000, SL_TRACE_RESTART, 1, 0, 64, 7});
    f->timeline->end_ps = 9000;
    assert_int_equal(append(f), 0);
    read_back(f);
    is(event(f, 1), "B", SL_TRACE_CUS + 1, 3, "kernel \"7\"", 1);
    const json_t *arguments = json_object_get(event(f, 1), "args");
    assert_int_equal(json_integer_value(json_object_get(arguments, "elements")), 64);
    assert_true(json_is_false(json_object_get(arguments, "restarted")));
    is(event(f, 2), "i", SL_TRACE_CUS + 1, 3, "yield", 2);
    arguments = json_object_get(event(f, 2), "args");
    assert_string_equal(text(arguments, "channel"), "c\\\n\\xfc5");
    assert_int_equal(json_integer_value(json_object_get(arguments, "elements")), 128);
    is(event(f, 3), "E", SL_TRACE_CUS + 1, 3, "", 3);
    is(event(f, 4), "B", SL_TRACE_CUS + 1, 1, "kernel \"7\"", 4);
    assert_true(json_is_true(json_object_get(json_object_get(event(f, 4), "args"), "restarted")));
    is(event(f, 5), "i", SL_TRACE_CUS + 1, 1, "restart", 4);
    is(event(f, 6), "X", SL_TRACE_AGGREGATOR, SL_TRACE_PHASES, "other", 0);
    is(event(f, 7), "E", SL_TRACE_CUS + 1, 1, "", 9); /* at the end of the run */
}

TEST_WITH(counters_have_values, setup, teardown)
{
    struct fixture *f = *state;
    add(f, (struct sl_trace_record){1000, SL_TRACE_CHANNEL, 0, 3, 100, 30});
    add(f, (struct sl_trace_record){5000, SL_TRACE_DRAM, 0, 0, 64, 4000});
    f->timeline->end_ps = 6000;
    assert_int_equal(append(f), 0);
    read_back(f);
    is(event(f, 1), "C", SL_TRACE_CHANNELS, 0, "c\\\n\\xfc3", 1);
    const json_t *arguments = json_object_get(event(f, 1), "args");
    assert_int_equal(milli(arguments, "ready"), 30000);
    assert_int_equal(milli(arguments, "reserved, dispatched or done"), 70000);
    is(event(f, 2), "C", SL_TRACE_MEMORY, 0, "DRAM", 1); /* 64 bytes in 4 ns, from 1 ns on */
    assert_int_equal(milli(json_object_get(event(f, 2), "args"), "GB/s"), 16000);
}

TEST_WITH(runs_follow_each_other, setup, teardown)
{
    struct fixture *f = *state;
    add(f, (struct sl_trace_record){1000, SL_TRACE_LAUNCH, 0, 0, 1, 1});
    f->timeline->end_ps = 3000;
    assert_int_equal(append(f), 0);
    assert_int_equal(append(f), 0);
    read_back(f);
    assert_int_equal(json_array_size(f->events), NAMES + 8);
    is(event(f, 4), "X", SL_TRACE_AGGREGATOR, SL_TRACE_RUNS, "graph", 3);
    is(event(f, 5), "B", SL_TRACE_CUS, 1, "kernel \"1\"", 4);
    is(event(f, 7), "E", SL_TRACE_CUS, 1, "", 6);
    assert_int_equal(other(f, "runs"), 2);
    assert_int_equal(other(f, "records"), 2);
    assert_int_equal(other(f, "lost"), 0);
}

/* The file has its name when it is published, and not before; what is appended later goes to a
 * copy, which is published in its turn. */
TEST_WITH(published_runs_are_kept, setup, teardown)
{
    struct fixture *f = *state;
    struct stat before;
    struct stat now;
    assert_int_equal(stat(f->path, &before), 0);
    assert_int_equal(before.st_size, 0);
    add(f, (struct sl_trace_record){1000, SL_TRACE_LAUNCH, 0, 0, 1, 1});
    f->timeline->end_ps = 2000;
    assert_int_equal(append(f), 0);
    assert_int_equal(stat(f->path, &now), 0);
    assert_int_equal(now.st_size, 0);
    read_back(f);
    const size_t events = json_array_size(f->events) - NAMES;
    assert_int_equal(stat(f->path, &before), 0);
    assert_int_equal(append(f), 0);
    assert_int_equal(stat(f->path, &now), 0);
    assert_int_equal(now.st_size, before.st_size);
    read_back(f);
    assert_int_equal(json_array_size(f->events), NAMES + 2 * events);
    assert_int_equal(other(f, "runs"), 2);
}

/* One that could not take its name takes no more runs: what is under the name is another's. */
TEST_WITH(unpublished_files_are_given_up, setup, teardown)
{
    struct fixture *f = *state;
    assert_int_equal(append(f), 0);
    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(mkdir(f->path, 0777), 0);
    const int published = sl_trace_publish(&f->trace);
    const int reason = errno;
    assert_int_equal(rmdir(f->path), 0);
    assert_int_equal(published, -1);
    assert_int_equal(reason, EISDIR);
    errno = 0;
    assert_int_equal(append(f), -1);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(sl_trace_publish(&f->trace), 0);
    assert_int_not_equal(access(f->path, F_OK), 0);
}

/* Slices end where the first event is missing, and the file says how many are. */
TEST_WITH(losses_are_told, setup, teardown)
{
    struct fixture *f = *state;
    add(f, (struct sl_trace_record){1000, SL_TRACE_LAUNCH, 0, 0, 1, 1});
    f->timeline->lost = 12;
    f->timeline->first_lost_ps = 2000;
    f->timeline->end_ps = 9000;
    assert_int_equal(append(f), 0);
    read_back(f);
    is(event(f, 2), "X", SL_TRACE_AGGREGATOR, SL_TRACE_PHASES, "other", 0);
    assert_int_equal(milli(event(f, 2), "dur"), 2);
    is(event(f, 3), "E", SL_TRACE_CUS, 1, "", 2);
    is(event(f, 4), "i", SL_TRACE_AGGREGATOR, SL_TRACE_RUNS, "events lost from here on", 2);
    assert_int_equal(other(f, "lost"), 12);
}

/* What the simulator cannot have written does no harm. */
TEST_WITH(wrong_records_are_left_out, setup, teardown)
{
    struct fixture *f = *state;
    add(f, (struct sl_trace_record){1000, SL_TRACE_LAUNCH, CUS, 0, 1, 1});
    add(f, (struct sl_trace_record){1000, SL_TRACE_LAUNCH, 0, CONTEXTS, 1, 1});
    add(f, (struct sl_trace_record){1000, SL_TRACE_END, 0, 1, 0, 0});
    add(f, (struct sl_trace_record){1000, 99, 0, 0, 0, 0});
    add(f, (struct sl_trace_record){1000, SL_TRACE_PHASE, 0, 0, 99, 0});
    f->timeline->end_ps = 2000;
    assert_int_equal(append(f), 0);
    read_back(f);
    assert_int_equal(json_array_size(f->events), NAMES + 3);
}

/* What cannot be gone back in is complete when it is closed. */
TEST_WITH(pipes_are_complete_at_the_end, setup, teardown)
{
    struct fixture *f = *state;
    struct sl_trace trace;
    int ends[2];
    char path[32];
    static char text_of[1 << 16];
    assert_int_equal(pipe(ends), 0);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    assert_int_equal(sl_trace_open(&trace, path, CUS, CONTEXTS), 0);
    const struct sl_trace_names names = {"graph", NULL, name_kernel, name_channel};
    assert_int_equal(sl_trace_append(&trace, f->timeline, &names), 0);
    assert_int_equal(sl_trace_append(&trace, f->timeline, &names), 0);
    assert_int_equal(sl_trace_close(&trace), 0);
    (void)close(ends[1]);
    const ssize_t bytes = read(ends[0], text_of, sizeof text_of);
    assert_true(bytes > 0);
    (void)close(ends[0]);
    json_error_t error;
    json_t *file = json_loadb(text_of, (size_t)bytes, 0, &error);
    assert_non_null(file);
    assert_int_equal(json_array_size(json_object_get(file, "traceEvents")), NAMES + 2);
    json_decref(file);
}

TEST_WITH(errors_are_the_systems, setup, teardown)
{
    struct fixture *f = *state;
    struct sl_trace trace;
    errno = 0;
    assert_int_equal(sl_trace_open(&trace, "/no/such/folder/t", CUS, CONTEXTS), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(sl_trace_open(&trace, "/dev/full", CUS, CONTEXTS), -1);
    assert_int_equal(errno, ENOSPC);
    assert_false(trace.is_open);
    assert_int_equal(append(f), 0);
}
