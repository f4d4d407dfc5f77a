/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Who shares what, in the file of statistics, as further names:
 *     sharing.KERNEL.aN_USE.FIGURE       of allocation N, by launches that use it so: `load`,
 *                                        `store`, `load_store`...; of what is in none `other_USE`
 *     sharing.KERNEL.patterns.PATTERN    how many of these have the pattern
 *     sharing_allocation.aN.FIGURE       where the allocation is
 *     sharing_lost                       launches, by allocation, that no figure has */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "host/base/text.h"
#include "host/base/utf8.h"
#include "host/observe/sharing/sharing.h"

#define NAME_BYTES 384

static int put(json_t *object, const char *array, const char *figure, uint64_t value)
{
    char name[NAME_BYTES];

    (void)snprintf(name, sizeof name, "%s.%s", array, figure);
    return sl_json_set_new(object, name, json_integer((json_int_t)value));
}

static int put_bins(json_t *object, const char *array, const uint64_t by_cus[SL_SHARING_BINS])
{
    int failed = 0;

    for (unsigned bin = 0; bin < SL_SHARING_BINS; bin++) {
        const unsigned most = 1u << bin;
        const unsigned least = bin < 2 ? most : most / 2 + 1;
        char figure[NAME_BYTES / 2];
        if (least == most) {
            (void)snprintf(figure, sizeof figure, "lines.cus_%u", most);
        } else {
            (void)snprintf(figure, sizeof figure, "lines.cus_%u_%u", least, most);
        }
        failed |= put(object, array, figure, by_cus[bin]);
    }
    return failed;
}

static int put_kinds(json_t *object, const char *array,
                     const struct sl_sharing_accesses by_kind[SL_SHARING_KINDS])
{
    static const char *const kinds[SL_SHARING_KINDS] = {
        [SL_SHARING_LOADS] = "loads",
        [SL_SHARING_STORES] = "stores",
        [SL_SHARING_ATOMICS] = "atomics",
    };
    int failed = 0;

    for (unsigned kind = 0; kind < SL_SHARING_KINDS; kind++) {
        const struct sl_sharing_accesses *const accesses = &by_kind[kind];
        char part[NAME_BYTES];
        (void)snprintf(part, sizeof part, "%s.%s", array, kinds[kind]);
        failed |= put(object, part, "instructions", accesses->instructions) |
                  put(object, part, "lanes", accesses->lanes) |
                  put(object, part, "lines", accesses->lines) |
                  put(object, part, "least_lines", accesses->least_lines) |
                  put(object, part, "bytes", accesses->bytes);
    }
    return failed;
}

static void array_name(const char *kernel, const struct sl_sharing_array *array,
                       char name[NAME_BYTES])
{
    static const char *const uses[SL_SHARING_KINDS] = {
        [SL_SHARING_LOADS] = "_load",
        [SL_SHARING_STORES] = "_store",
        [SL_SHARING_ATOMICS] = "_atomic",
    };

    name[0] = '\0';
    if (array->allocation == 0) {
        sl_text_append(name, NAME_BYTES, "%s.other", kernel);
    } else {
        sl_text_append(name, NAME_BYTES, "%s.a%" PRIu32, kernel, array->allocation);
    }
    for (unsigned kind = 0; kind < SL_SHARING_KINDS; kind++) {
        if ((array->use >> kind & 1) != 0) {
            sl_text_append(name, NAME_BYTES, "%s", uses[kind]);
        }
    }
}

static int put_array(json_t *object, const char *kernel, const struct sl_sharing_array *array)
{
    const struct sl_sharing_figures *const figures = &array->figures;
    char name[NAME_BYTES];

    array_name(kernel, array, name);
    return put(object, name, "launches", figures->launches) |
           put(object, name, "cus", figures->cus) |
           put(object, name, "lines.touched", figures->lines) |
           put_bins(object, name, figures->by_cus) |
           put(object, name, "lines.cus", figures->line_cus) |
           put(object, name, "lines.shared", figures->shared_lines) |
           put(object, name, "lines.shared_cus", figures->shared_line_cus) |
           put(object, name, "words.touched", figures->words) |
           put(object, name, "words.shared", figures->shared_words) |
           put_kinds(object, name, figures->by_kind) |
           put(object, name, "compared", figures->compared) |
           put(object, name, "irregular", figures->irregular);
}

static int put_patterns(json_t *object, const char *kernel, const unsigned *counts)
{
    int failed = 0;

    for (unsigned pattern = 0; pattern < SL_SHARING_PATTERNS; pattern++) {
        char figure[NAME_BYTES / 2];
        (void)snprintf(figure, sizeof figure, "patterns.%s", sl_sharing_pattern_name[pattern]);
        failed |= put(object, kernel, figure, counts[pattern]);
    }
    return failed;
}

/* A kernel's arrays, of which there are `count`. */
static int put_kernel(json_t *object, const struct sl_sharing_array *arrays, size_t count)
{
    struct sl_sharing_figures all = {.launches = 0};
    unsigned counts[SL_SHARING_PATTERNS] = {0};
    char kernel[NAME_BYTES];
    int failed = 0;

    (void)snprintf(kernel, sizeof kernel, "sharing.%s", arrays[0].kernel);
    for (size_t i = 0; i < count; i++) {
        sl_sharing_add(&all, &arrays[i].figures);
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned patterns = sl_sharing_patterns(&arrays[i].figures, &all);
        for (unsigned pattern = 0; pattern < SL_SHARING_PATTERNS; pattern++) {
            counts[pattern] += patterns >> pattern & 1;
        }
        failed |= put_array(object, kernel, &arrays[i]);
    }
    return failed | put_patterns(object, kernel, counts);
}

static size_t of_one_kernel(const struct sl_sharing_list *list, size_t first)
{
    size_t end = first + 1;

    while (end < list->count && strcmp(list->arrays[end].kernel, list->arrays[first].kernel) == 0) {
        end++;
    }
    return end - first;
}

int sl_sharing_put(json_t *object, const struct sl_sharing_list *list)
{
    int failed = 0;

    if (list->count == 0) {
        return 0;
    }
    for (size_t i = 0; i < list->count;) {
        const size_t count = of_one_kernel(list, i);
        failed |= put_kernel(object, &list->arrays[i], count);
        i += count;
    }
    for (size_t i = 0; i < list->allocation_count; i++) {
        char name[NAME_BYTES];
        (void)snprintf(name, sizeof name, "sharing_allocation.a%" PRIu32,
                       list->allocations[i].number);
        failed |= put(object, name, "address", list->allocations[i].address) |
                  put(object, name, "bytes", list->allocations[i].bytes);
    }
    failed |= json_object_set_new(object, "sharing_lost", json_integer((json_int_t)list->lost));
    return failed == 0 ? 0 : -1;
}
