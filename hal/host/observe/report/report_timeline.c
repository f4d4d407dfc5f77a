/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The timeline in a report: rows of slices (host/observe/trace/slices.h), each an array for what
 * its slices have. Times are in units that divide all of them, and a slice's begin is the distance
 * from the end of the one before. An array of zeros is left out. */
#include "host/observe/report/report.h"

#include "host/base/utf8.h"
#include "sluice/codes.h"

static uint64_t common_divisor(uint64_t left, uint64_t right)
{
    while (right != 0) {
        const uint64_t rest = left % right;
        left = right;
        right = rest;
    }
    return left;
}

static uint64_t find_unit(const struct sl_slices *slices)
{
    uint64_t unit = slices->end_ps;
    for (size_t row = 0; row < slices->row_count; row++) {
        const struct sl_slice_list *const list = &slices->rows[row];
        for (size_t i = 0; i < list->count && unit != 1; i++) {
            unit = common_divisor(unit, list->slices[i].begin_ps);
            unit = common_divisor(unit, list->slices[i].end_ps);
            unit = common_divisor(unit, list->slices[i].busy_ps);
        }
    }
    return unit > 0 ? unit : 1;
}

/* ---- what slices have ---- */

typedef uint64_t value_of(const struct sl_slice *slice, const struct sl_slice *before,
                          uint64_t unit_ps);

static uint64_t gap(const struct sl_slice *slice, const struct sl_slice *before, uint64_t unit_ps)
{
    return (slice->begin_ps - (before != NULL ? before->end_ps : 0)) / unit_ps;
}

static uint64_t length(const struct sl_slice *slice, const struct sl_slice *before,
                       uint64_t unit_ps)
{
    (void)before;
    return (slice->end_ps - slice->begin_ps) / unit_ps;
}

static uint64_t idle(const struct sl_slice *slice, const struct sl_slice *before, uint64_t unit_ps)
{
    (void)before;
    return (slice->end_ps - slice->begin_ps - slice->busy_ps) / unit_ps;
}

/* Beyond the first. */
static uint64_t others(const struct sl_slice *slice, const struct sl_slice *before,
                       uint64_t unit_ps)
{
    (void)before;
    (void)unit_ps;
    return slice->count - 1;
}

#define VALUE_OF(member)                                                                           \
    static uint64_t member(const struct sl_slice *slice, const struct sl_slice *before,            \
                           uint64_t unit_ps)                                                       \
    {                                                                                              \
        (void)before;                                                                              \
        (void)unit_ps;                                                                             \
        return slice->member;                                                                      \
    }
VALUE_OF(name)
VALUE_OF(amount)
VALUE_OF(ready)
VALUE_OF(flags)
VALUE_OF(channel)
VALUE_OF(wanted)

static const struct {
    const char *member;
    value_of *value;
} columns[] = {
    {"gap", gap},         {"length", length}, {"others", others}, {"idle", idle},
    {"name", name},       {"amount", amount}, {"ready", ready},   {"flags", flags},
    {"channel", channel}, {"wanted", wanted},
};

static int put_column(json_t *row, const char *member, value_of *value,
                      const struct sl_slice_list *list, uint64_t unit_ps)
{
    json_t *const array = json_array();
    int failed = 0;
    uint64_t any = 0;
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t here = value(&list->slices[i], i > 0 ? &list->slices[i - 1] : NULL, unit_ps);
        any |= here;
        failed |= json_array_append_new(array, json_integer((json_int_t)here));
    }
    if (any == 0 && failed == 0) {
        json_decref(array);
        return 0;
    }
    return json_object_set_new(row, member, array) | failed;
}

/* What the row is of. */
static json_t *row_json(const struct sl_slices *slices, size_t row)
{
    if (row == SL_SLICES_PHASES || row == SL_SLICES_DRAM) {
        return json_pack("{s:s}", "track", row == SL_SLICES_PHASES ? "phases" : "dram");
    }
    if (row < SL_SLICES_CONTEXTS) {
        return json_pack("{s:s,s:i}", "track", "channel", "number",
                         (int)(row - SL_SLICES_CHANNELS));
    }
    const size_t context = row - SL_SLICES_CONTEXTS;
    return json_pack("{s:s,s:i,s:i}", "track", "cu", "number", (int)(context / slices->contexts),
                     "context", (int)(context % slices->contexts));
}

/* Those with a slice. */
static json_t *rows(const struct sl_slices *slices, uint64_t unit_ps)
{
    json_t *const array = json_array();
    int failed = 0;
    for (size_t row = 0; row < slices->row_count; row++) {
        if (slices->rows[row].count > 0) {
            json_t *const object = row_json(slices, row);
            for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
                failed |= put_column(object, columns[i].member, columns[i].value,
                                     &slices->rows[row], unit_ps);
            }
            failed |= json_array_append_new(array, object);
        }
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *kernel_names(const struct sl_slices *slices)
{
    json_t *const array = json_array();
    int failed = 0;
    for (size_t i = 0; i < slices->kernel_count; i++) {
        failed |= json_array_append_new(array, sl_json_text(slices->kernels[i]));
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

static json_t *phase_names(void)
{
    json_t *const array = json_array();
    int failed = 0;
    for (unsigned i = 0; i < SL_PHASE_COUNT; i++) {
        failed |= json_array_append_new(array, json_string(sl_trace_phase_name(i)));
    }
    if (failed != 0) {
        json_decref(array);
        return NULL;
    }
    return array;
}

int sl_report_put_timeline(json_t *data, const struct sl_slices *slices,
                           const struct sl_config *config)
{
    const uint64_t unit_ps = find_unit(slices);
    const struct {
        const char *member;
        uint64_t value;
    } numbers[] = {
        {"unit_ps", unit_ps},
        {"agg_cycle_ps", sl_config_period_ps(config, SL_CFG_AGG_CLOCK)},
        {"gpu_cycle_ps", sl_config_period_ps(config, SL_CFG_GPU_CLOCK)},
        {"end_ps", slices->end_ps},
        {"events", slices->events},
        {"slices", slices->count},
        {"step_ps", slices->step_ps},
        {"lost", slices->lost},
        {"first_lost_ps", slices->first_lost_ps},
    };
    json_t *const object = json_pack("{s:o,s:o,s:o}", "phases", phase_names(), "kernels",
                                     kernel_names(slices), "rows", rows(slices, unit_ps));
    int failed = json_object_set_new(data, "timeline", object);
    for (size_t i = 0; failed == 0 && i < sizeof numbers / sizeof numbers[0]; i++) {
        failed = json_object_set_new(object, numbers[i].member,
                                     json_integer((json_int_t)numbers[i].value));
    }
    return failed;
}
