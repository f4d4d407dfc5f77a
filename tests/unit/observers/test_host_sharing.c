/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What the host makes of who shares what (mem.sharing): figures of several runs by names, in the
 * file of statistics, and the patterns of papers/003 Table 4.2 by the rule of
 * docs/look-up/memory-moesi.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/check.h"
#include "host/observe/sharing/sharing.h"

#define BIT(pattern) (1u << SL_SHARING_##pattern)

static void kernel_name(const void *owner, uint64_t kernel, char *out, size_t bytes)
{
    (void)owner;
    (void)snprintf(out, bytes, "kernel%" PRIu64, kernel);
}

static const struct sl_trace_names names = {.kernel = kernel_name};

/* ---- the rule ---- */

/* A launch on 16 compute units that loads 1000 lines of 32 words from as many wavefront
 * instructions of 32 lanes. */
static struct sl_sharing_figures partitioned(void)
{
    return (struct sl_sharing_figures){
        .launches = 1,
        .cus = 16,
        .lines = 1000,
        .line_cus = 1000,
        .words = 32000,
        .compared = 1000,
        .by_kind = {[SL_SHARING_LOADS] = {.instructions = 1000, .lanes = 32000, .lines = 1000}},
    };
}

static unsigned alone(const struct sl_sharing_figures *array)
{
    return sl_sharing_patterns(array, array);
}

/* Of 32 lanes, 7 lines are few and 8 are not. */
TEST(partitions)
{
    struct sl_sharing_figures array = partitioned();

    assert_int_equal(alone(&array), BIT(COALESCED));
    array.by_kind[SL_SHARING_LOADS].lines = 7999;
    assert_int_equal(alone(&array), BIT(COALESCED));
    array.by_kind[SL_SHARING_LOADS].lines = 8000;
    assert_int_equal(alone(&array), BIT(NON_COALESCED));
    array.irregular = 1000;
    assert_int_equal(alone(&array), BIT(NON_COALESCED));
    array.shared_lines = 249;
    assert_int_equal(alone(&array), BIT(NON_COALESCED));
}

TEST(shared_data)
{
    struct sl_sharing_figures array = partitioned();

    array.shared_lines = 250;
    array.shared_words = 10666;
    assert_int_equal(alone(&array), BIT(BOUNDARY));
    array.shared_words = 10667;
    assert_int_equal(alone(&array), BIT(BROADCAST));
    array.irregular = 500;
    assert_int_equal(alone(&array), BIT(BROADCAST));
    array.irregular = 501;
    assert_int_equal(alone(&array), BIT(DYNAMIC));
    array.shared_words = 1;
    assert_int_equal(alone(&array), BIT(DYNAMIC));
}

/* Atomics count however few they are; the rest where it is a tenth of the lines or instructions.
 * What atomics access is no partition. */
TEST(significance)
{
    struct sl_sharing_figures array = partitioned();
    struct sl_sharing_figures kernel = partitioned();

    kernel.lines = 10001;
    kernel.by_kind[SL_SHARING_STORES].instructions = 9001;
    assert_int_equal(sl_sharing_patterns(&array, &kernel), 0);
    kernel.lines = 10000;
    assert_int_equal(sl_sharing_patterns(&array, &kernel), BIT(COALESCED));
    kernel.lines = 10001;
    kernel.by_kind[SL_SHARING_STORES].instructions = 9000;
    assert_int_equal(sl_sharing_patterns(&array, &kernel), BIT(COALESCED));
    array.by_kind[SL_SHARING_ATOMICS].instructions = 1;
    assert_int_equal(sl_sharing_patterns(&array, &kernel), BIT(ATOMIC));
    array.shared_lines = 1000;
    array.shared_words = 32000;
    assert_int_equal(sl_sharing_patterns(&array, &kernel), BIT(ATOMIC) | BIT(BROADCAST));
    kernel.by_kind[SL_SHARING_STORES].instructions = 10000;
    assert_int_equal(sl_sharing_patterns(&array, &kernel), BIT(ATOMIC));
}

/* ---- lists ---- */

static void put_row(struct sl_sharing *shared, uint64_t kernel, uint32_t allocation, uint32_t use,
                    uint64_t lines)
{
    struct sl_sharing_figures figures = partitioned();

    figures.lines = lines;
    figures.by_cus[4] = lines;
    shared->rows[shared->count++] = (struct sl_sharing_row){
        .kernel = kernel, .allocation = allocation, .use = use, .figures = figures};
}

static void expect(const json_t *object, const char *name, uint64_t value)
{
    const json_t *const figure = json_object_get(object, name);

    if (!json_is_integer(figure)) {
        fail_msg("no figure %s", name);
    }
    assert_int_equal(json_integer_value(figure), value);
}

/* Two runs: their rows are in another order, and allocations are by
 * number, not by place. */
TEST(runs)
{
    struct sl_sharing *const shared = calloc(1, sizeof *shared);
    struct sl_sharing_list list = {.count = 0};
    json_t *const object = json_object();

    shared->allocation_count = 2;
    shared->allocations[0] =
        (struct sl_sharing_allocation){.address = 0x1000, .bytes = 64, .number = 9};
    shared->allocations[1] =
        (struct sl_sharing_allocation){.address = 0x2000, .bytes = 128, .number = 4};
    put_row(shared, 1, 9, 1, 10);
    put_row(shared, 2, 4, 5, 20);
    put_row(shared, 1, 0, 2, 40);
    assert_int_equal(sl_sharing_take(&list, shared, &names), 0);
    shared->count = 0;
    shared->lost = 3;
    put_row(shared, 2, 4, 5, 100);
    put_row(shared, 1, 4, 7, 200);
    put_row(shared, 1, 9, 1, 400);
    assert_int_equal(sl_sharing_take(&list, shared, &names), 0);

    assert_int_equal(sl_sharing_put(object, &list), 0);
    expect(object, "sharing.kernel1.other_store.lines.touched", 40);
    expect(object, "sharing.kernel1.a4_load_store_atomic.lines.touched", 200);
    expect(object, "sharing.kernel1.a9_load.lines.touched", 410);
    expect(object, "sharing.kernel1.a9_load.lines.cus_9_16", 410);
    expect(object, "sharing.kernel1.a9_load.lines.cus_1", 0);
    expect(object, "sharing.kernel1.a9_load.loads.lanes", 64000);
    expect(object, "sharing.kernel1.a9_load.launches", 2);
    expect(object, "sharing.kernel2.a4_load_atomic.lines.touched", 120);
    expect(object, "sharing.kernel1.patterns.coalesced", 3);
    expect(object, "sharing.kernel1.patterns.atomic", 0);
    expect(object, "sharing.kernel2.patterns.coalesced", 1);
    expect(object, "sharing_allocation.a4.address", 0x2000);
    expect(object, "sharing_allocation.a9.bytes", 64);
    expect(object, "sharing_lost", 3);
    json_decref(object);
    sl_sharing_clear(&list);
    free(shared);
}

TEST(nothing)
{
    const struct sl_sharing_list list = {.count = 0};
    json_t *const object = json_object();

    assert_int_equal(sl_sharing_put(object, &list), 0);
    assert_int_equal(json_object_size(object), 0);
    json_decref(object);
}
