/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Latencies of channels, as the host adds them up by name and tells them
 * (hal/host/observe/statistics/channel_sums.h). */
#include <stdio.h>

#include "common/check.h"
#include "host/observe/statistics/channel_sums.h"

static struct sl_channel_latency latency;

/* Channels 1 to 3 are levels of a stack. */
static void name_channel(const void *owner, uint64_t channel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "%s", channel >= 1 && channel <= 3 ? "tasks" : "other \"one\"");
}

static const struct sl_channel_names names = {NULL, name_channel};

static void add(uint64_t channel, uint64_t ready_ps, uint64_t dispatched_ps, uint64_t elements)
{
    sl_histogram_add(&latency.of[channel].ready, ready_ps, elements);
    sl_histogram_add(&latency.of[channel].dispatched, dispatched_ps, elements);
    latency.count = channel >= latency.count ? channel + 1 : latency.count;
}

static double figure(const json_t *object, const char *name)
{
    const json_t *const value = json_object_get(object, name);

    assert_true(json_is_number(value));
    return json_number_value(value);
}

/* Two runs: levels are one channel, those without an element are none, the order is that of the
 * first one's numbers, and percentiles are those of all elements. */
TEST(test_names_and_sums)
{
    struct sl_channel_sums sums = {.channels = NULL};

    sl_channel_latency_clear(&latency);
    add(1, 1000, 100000, 90);
    add(3, 50000, 100000, 9);
    add(4, 2000, 3000, 1);
    assert_int_equal(sl_channel_sums_take(&sums, &latency, &names), 0);
    sl_channel_latency_clear(&latency);
    add(2, 64000, 200000, 1);
    assert_int_equal(sl_channel_sums_take(&sums, &latency, &names), 0);
    assert_int_equal(sums.count, 2);

    json_t *const array = sl_channel_sums_json(&sums);
    const json_t *const tasks = json_array_get(array, 0);
    assert_int_equal(json_array_size(array), 2);
    assert_string_equal(json_string_value(json_object_get(tasks, "name")), "tasks");
    assert_true(figure(tasks, "ready_elements") == 100);
    assert_true(figure(tasks, "ready_mean_ns") == (90 + 9 * 50 + 64) / 100.0);
    assert_true(figure(tasks, "ready_p50_ns") >= 1 && figure(tasks, "ready_p50_ns") < 1.008);
    assert_true(figure(tasks, "ready_p99_ns") >= 50 && figure(tasks, "ready_p99_ns") < 50.4);
    assert_true(figure(tasks, "ready_max_ns") == 64);
    assert_true(figure(tasks, "dispatched_elements") == 100);
    assert_true(figure(tasks, "dispatched_mean_ns") == 101);
    assert_true(figure(tasks, "dispatched_max_ns") == 200);
    json_decref(array);

    json_t *const object = json_object();
    assert_int_equal(sl_channel_sums_put(object, &sums), 0);
    assert_int_equal(json_object_size(object), 2 * 2 * 5);
    assert_true(figure(object, "latency.tasks.ready_max_ns") == 64);
    assert_true(figure(object, "latency.other \"one\".dispatched_p99_ns") == 3);
    json_decref(object);
    sl_channel_sums_clear(&sums);
    assert_int_equal(sums.count, 0);
}

/* Elements whose wavefront has not ended, as in a run that fails, are not dispatched ones. */
TEST(test_not_ended)
{
    struct sl_channel_sums sums = {.channels = NULL};

    sl_channel_latency_clear(&latency);
    sl_histogram_add(&latency.of[0].ready, 7000, 1);
    latency.count = 1;
    assert_int_equal(sl_channel_sums_take(&sums, &latency, &names), 0);
    json_t *const array = sl_channel_sums_json(&sums);
    assert_true(figure(json_array_get(array, 0), "ready_p99_ns") == 7);
    assert_true(figure(json_array_get(array, 0), "dispatched_elements") == 0);
    assert_true(figure(json_array_get(array, 0), "dispatched_mean_ns") == 0);
    json_decref(array);
    sl_channel_sums_clear(&sums);
}
