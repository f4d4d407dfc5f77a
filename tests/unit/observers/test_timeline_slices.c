/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The timeline of a report: slices of records that are made up here, in rows that stay within their
 * limit, and what is written of them to the page's data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "host/observe/report/report.h"
#include "sluice/codes.h"
#include "sluice/config.h"

#define CUS      2
#define CONTEXTS 3
#define RECORDS  4096
#define NS       1000ull /* ps */

struct fixture {
    struct sl_slices slices;
    struct sl_timeline *timeline;
    struct sl_config config;
    json_t *data;
};

static int setup(void **state)
{
    struct fixture *const f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->timeline = calloc(1, sizeof *f->timeline + RECORDS * sizeof(struct sl_trace_record));
    assert_non_null(f->timeline);
    sl_config_init(&f->config);
    assert_int_equal(sl_slices_open(&f->slices, CUS, CONTEXTS, SL_SLICES_MOST), 0);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *const f = *state;
    sl_slices_close(&f->slices);
    json_decref(f->data);
    free(f->timeline);
    free(f);
    return 0;
}

static void add(struct fixture *f, struct sl_trace_record record)
{
    assert_true(f->timeline->count < RECORDS);
    f->timeline->records[f->timeline->count++] = record;
}

static void phase(struct fixture *f, uint64_t time_ps, enum sl_phase begins)
{
    add(f, (struct sl_trace_record){
               .time_ps = time_ps, .kind = SL_TRACE_PHASE, .a = (uint64_t)begins});
}

static void wave(struct fixture *f, uint64_t time_ps, enum sl_trace_kind kind, uint64_t a,
                 uint64_t b)
{
    add(f, (struct sl_trace_record){
               .time_ps = time_ps, .kind = (uint16_t)kind, .cu = 1, .id = 2, .a = a, .b = b});
}

static void name_kernel(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "kernel %d", (int)kernel);
}

static void take(struct fixture *f, uint64_t end_ps)
{
    const struct sl_trace_names names = {"graph", NULL, name_kernel, name_kernel};
    f->timeline->end_ps = end_ps;
    assert_int_equal(sl_slices_take(&f->slices, f->timeline, &names), 0);
    f->timeline->count = 0;
}

static const struct sl_slice_list *row(const struct fixture *f, size_t number, size_t count)
{
    assert_int_equal(f->slices.rows[number].count, count);
    return &f->slices.rows[number];
}

static void is(const struct sl_slice *slice, uint64_t begin_ps, uint64_t end_ps, uint64_t name,
               uint64_t amount)
{
    assert_int_equal(slice->begin_ps, begin_ps);
    assert_int_equal(slice->end_ps, end_ps);
    assert_int_equal(slice->busy_ps, end_ps - begin_ps);
    assert_int_equal(slice->count, 1);
    assert_int_equal(slice->name, name);
    assert_int_equal(slice->amount, amount);
}

TEST_WITH(phases_follow_each_other_to_the_end, setup, teardown)
{
    struct fixture *const f = *state;
    phase(f, 0, SL_PHASE_OTHER);
    phase(f, 0, SL_PHASE_POLL); /* at once: the first takes no time */
    phase(f, 7 * NS, SL_PHASE_RETIRE);
    take(f, 9 * NS);
    phase(f, 0, SL_PHASE_POLL);
    take(f, 5 * NS);
    const struct sl_slice_list *const phases = row(f, SL_SLICES_PHASES, 3);
    is(&phases->slices[0], 0, 7 * NS, SL_PHASE_POLL, 0);
    is(&phases->slices[1], 7 * NS, 9 * NS, SL_PHASE_RETIRE, 0);
    is(&phases->slices[2], 9 * NS, 14 * NS, SL_PHASE_POLL, 0);
    assert_int_equal(f->slices.events, 3);
    assert_int_equal(f->slices.end_ps, 14 * NS);
}

TEST_WITH(a_wavefront_yields_and_is_restarted, setup, teardown)
{
    struct fixture *const f = *state;
    wave(f, 1 * NS, SL_TRACE_LAUNCH, 64, 5);
    wave(f, 3 * NS, SL_TRACE_YIELD, 12, 40);
    wave(f, 4 * NS, SL_TRACE_END, 0, 0);
    wave(f, 6 * NS, SL_TRACE_RESTART, 64, 5);
    wave(f, 7 * NS, SL_TRACE_END, 0, 0);
    wave(f, 8 * NS, SL_TRACE_LAUNCH, 3, 6); /* on at the end of the run */
    take(f, 10 * NS);
    const struct sl_slice_list *const waves = row(f, SL_SLICES_CONTEXTS + CONTEXTS + 2, 3);
    is(&waves->slices[0], 1 * NS, 4 * NS, 0, 64);
    assert_int_equal(waves->slices[0].flags, SL_SLICE_YIELDED);
    assert_int_equal(waves->slices[0].channel, 12);
    assert_int_equal(waves->slices[0].wanted, 40);
    is(&waves->slices[1], 6 * NS, 7 * NS, 0, 64);
    assert_int_equal(waves->slices[1].flags, SL_SLICE_RESTARTED);
    is(&waves->slices[2], 8 * NS, 10 * NS, 1, 3);
    assert_string_equal(f->slices.kernels[1], "kernel 6");
}

TEST_WITH(counters_hold_until_they_change, setup, teardown)
{
    struct fixture *const f = *state;
    add(f, (struct sl_trace_record){2 * NS, SL_TRACE_CHANNEL, 0, 7, 10, 12});
    add(f, (struct sl_trace_record){4 * NS, SL_TRACE_CHANNEL, 0, 7, 0, 0}); /* empty: no slice */
    add(f, (struct sl_trace_record){6 * NS, SL_TRACE_CHANNEL, 0, 7, 5, 1});
    add(f, (struct sl_trace_record){3 * NS, SL_TRACE_DRAM, 0, 0, 640, 2 * NS});
    add(f, (struct sl_trace_record){5 * NS, SL_TRACE_DRAM, 0, 0, 0, 2 * NS});
    take(f, 9 * NS);
    const struct sl_slice_list *const channel = row(f, SL_SLICES_CHANNELS + 7, 2);
    is(&channel->slices[0], 2 * NS, 4 * NS, 0, 10);
    assert_int_equal(channel->slices[0].ready, 10);
    is(&channel->slices[1], 6 * NS, 9 * NS, 0, 5);
    assert_int_equal(channel->slices[1].ready, 1);
    is(&row(f, SL_SLICES_DRAM, 1)->slices[0], 1 * NS, 3 * NS, 0, 640);
}

/* Records of a machine that this is not. */
TEST_WITH(what_has_no_row_is_not_taken, setup, teardown)
{
    struct fixture *const f = *state;
    add(f, (struct sl_trace_record){1, SL_TRACE_LAUNCH, CUS, 0, 1, 1});
    add(f, (struct sl_trace_record){1, SL_TRACE_LAUNCH, 0, CONTEXTS, 1, 1});
    add(f, (struct sl_trace_record){1, SL_TRACE_CHANNEL, 0, SL_GRAPH_CHANNELS, 1, 1});
    take(f, 9 * NS);
    assert_int_equal(f->slices.count, 0);
}

TEST_WITH(what_is_lost_is_known, setup, teardown)
{
    struct fixture *const f = *state;
    phase(f, 0, SL_PHASE_POLL);
    take(f, 10 * NS);
    phase(f, 0, SL_PHASE_POLL);
    f->timeline->lost = 3;
    f->timeline->first_lost_ps = 4 * NS;
    take(f, 20 * NS);
    take(f, 5 * NS); /* has nothing but losses */
    is(&row(f, SL_SLICES_PHASES, 2)->slices[1], 10 * NS, 14 * NS, SL_PHASE_POLL, 0);
    assert_int_equal(f->slices.lost, 6);
    assert_int_equal(f->slices.first_lost_ps, 14 * NS);
    assert_int_equal(f->slices.end_ps, 35 * NS);
}

/* A long phase, 100 ns, and 9 short ones, 1 ns, 200 times. Only 900 slices fit. In 9 ns are 2.2
 * ends of steps of 4,096 ps, with a phase across each and one slice of the others before, between
 * and behind them: 6.4 slices with the long one, 1,280 in all. Of 8,192 ps: 4.2, 840 in all. */
TEST_WITH(short_slices_become_one_where_they_are_too_many, setup, teardown)
{
    struct fixture *const f = *state;
    uint64_t time_ps = 0;
    f->slices.limit = 900;
    for (unsigned i = 0; i < 200; i++) {
        phase(f, time_ps, SL_PHASE_RETIRE);
        time_ps += 100 * NS;
        for (unsigned k = 0; k < 9; k++) {
            phase(f, time_ps, k % 2 == 0 ? SL_PHASE_POLL : SL_PHASE_SCHEDULE);
            time_ps += NS;
        }
    }
    take(f, time_ps);
    const struct sl_slice_list *const phases = &f->slices.rows[SL_SLICES_PHASES];
    uint64_t events = 0;
    uint64_t busy_ps = 0;
    unsigned whole = 0;
    for (size_t i = 0; i < phases->count; i++) {
        const struct sl_slice *const slice = &phases->slices[i];
        assert_true(i == 0 || slice->begin_ps == phases->slices[i - 1].end_ps);
        assert_true(slice->count == 1 || slice->end_ps - slice->begin_ps <= f->slices.step_ps);
        events += slice->count;
        busy_ps += slice->busy_ps;
        whole += slice->count == 1 && slice->name == SL_PHASE_RETIRE;
    }
    assert_int_equal(f->slices.count, phases->count);
    assert_true(phases->count <= 900);
    assert_int_equal(events, 2000);
    assert_int_equal(f->slices.events, 2000);
    assert_int_equal(busy_ps, time_ps);
    assert_int_equal(whole, 200); /* longer than a step */
    assert_int_equal(f->slices.step_ps, 8192);
}

/* Of several: the longest one's name, elements as sums of wavefronts and the most of a channel, and
 * gaps that are no part of it. */
TEST_WITH(one_slice_says_what_several_were, setup, teardown)
{
    struct fixture *const f = *state;
    f->slices.limit = 2;
    wave(f, 100, SL_TRACE_LAUNCH, 8, 5);
    wave(f, 200, SL_TRACE_END, 0, 0);
    wave(f, 400, SL_TRACE_RESTART, 16, 6);
    wave(f, 600, SL_TRACE_YIELD, 9, 30);
    wave(f, 700, SL_TRACE_END, 0, 0);
    add(f, (struct sl_trace_record){100, SL_TRACE_CHANNEL, 0, 7, 10, 1});
    add(f, (struct sl_trace_record){200, SL_TRACE_CHANNEL, 0, 7, 4, 3});
    take(f, 1000);
    const struct sl_slice *const waves = &row(f, SL_SLICES_CONTEXTS + CONTEXTS + 2, 1)->slices[0];
    assert_int_equal(waves->begin_ps, 100);
    assert_int_equal(waves->end_ps, 700);
    assert_int_equal(waves->busy_ps, 400);
    assert_int_equal(waves->count, 2);
    assert_int_equal(waves->amount, 24);
    assert_int_equal(waves->name, 1);
    assert_int_equal(waves->flags, SL_SLICE_RESTARTED | SL_SLICE_YIELDED);
    assert_int_equal(waves->wanted, 30);
    const struct sl_slice *const channel = &row(f, SL_SLICES_CHANNELS + 7, 1)->slices[0];
    assert_int_equal(channel->amount, 10);
    assert_int_equal(channel->ready, 3);
    assert_int_equal(channel->end_ps, 1000);
}

/* More rows than slices are wanted: one of each is left, and it ends. */
TEST_WITH(each_row_keeps_a_slice, setup, teardown)
{
    struct fixture *const f = *state;
    f->slices.limit = 1;
    for (uint32_t id = 0; id < CONTEXTS; id++) {
        add(f, (struct sl_trace_record){NS, SL_TRACE_LAUNCH, 0, id, 1, 1});
        add(f, (struct sl_trace_record){9 * NS, SL_TRACE_END, 0, id, 0, 0});
    }
    take(f, 10 * NS);
    assert_int_equal(f->slices.count, CONTEXTS);
}

/* ---- the page's data ---- */

static const json_t *member(const struct fixture *f, const char *name)
{
    const json_t *const found = json_object_get(json_object_get(f->data, "timeline"), name);
    assert_non_null(found);
    return found;
}

static void put(struct fixture *f)
{
    f->data = json_object();
    assert_int_equal(sl_report_put_timeline(f->data, &f->slices, &f->config), 0);
}

static void has(const json_t *object, const char *name, const char *expected)
{
    char *const text = json_dumps(json_object_get(object, name), JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

TEST_WITH(times_are_in_units_that_divide_them, setup, teardown)
{
    struct fixture *const f = *state;
    wave(f, 1500, SL_TRACE_LAUNCH, 64, 5);
    wave(f, 4000, SL_TRACE_END, 0, 0);
    wave(f, 6000, SL_TRACE_LAUNCH, 64, 6);
    take(f, 10000);
    put(f);
    assert_int_equal(json_integer_value(member(f, "unit_ps")), 500);
    assert_int_equal(json_integer_value(member(f, "agg_cycle_ps")), 500);
    assert_int_equal(json_integer_value(member(f, "gpu_cycle_ps")), 1000);
    assert_int_equal(json_integer_value(member(f, "events")), 2);
    assert_int_equal(json_integer_value(member(f, "step_ps")), 0);
    has(json_object_get(f->data, "timeline"), "kernels", "[\"kernel 5\",\"kernel 6\"]");
    assert_int_equal(json_array_size(member(f, "rows")), 1);
    const json_t *const waves = json_array_get(member(f, "rows"), 0);
    has(waves, "track", "\"cu\"");
    has(waves, "number", "1");
    has(waves, "context", "2");
    has(waves, "gap", "[3,4]");
    has(waves, "length", "[5,8]");
    has(waves, "name", "[0,1]");
    has(waves, "amount", "[64,64]");
    /* Zeros. */
    assert_null(json_object_get(waves, "others"));
    assert_null(json_object_get(waves, "idle"));
    assert_null(json_object_get(waves, "flags"));
}

TEST_WITH(several_are_told_in_the_data, setup, teardown)
{
    struct fixture *const f = *state;
    f->slices.limit = 1;
    wave(f, 100, SL_TRACE_LAUNCH, 8, 5);
    wave(f, 200, SL_TRACE_END, 0, 0);
    wave(f, 400, SL_TRACE_LAUNCH, 16, 5);
    take(f, 700);
    put(f);
    assert_int_equal(json_integer_value(member(f, "events")), 2);
    assert_int_equal(json_integer_value(member(f, "slices")), 1);
    assert_int_equal(json_integer_value(member(f, "step_ps")), 1024);
    const json_t *const waves = json_array_get(member(f, "rows"), 0);
    has(waves, "others", "[1]");
    has(waves, "idle", "[2]");
    has(waves, "amount", "[24]");
}

TEST_WITH(a_run_without_events_has_no_rows, setup, teardown)
{
    struct fixture *const f = *state;
    put(f);
    assert_int_equal(json_array_size(member(f, "rows")), 0);
    assert_int_equal(json_integer_value(member(f, "unit_ps")), 1);
}
