/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels have cost in all, and its names in the file of statistics:
 *     kernel.KERNEL.FIGURE           instructions, accesses, misses, resident cycles
 *     kernel.KERNEL.cycles.REASON    hal/contract/stalls.def; these add up to resident cycles */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/utf8.h"
#include "host/observe/profile/kernel_profile.h"

#define NAME_BYTES 256

const struct sl_stall_text sl_stall_text[SL_STALL_COUNT] = {
#define SL_STALL(ID, name, words, text) {name, words},
#include "contract/stalls.def"
};

/* The sum of a kernel, put in where it is not there; NULL when out of memory. */
static struct sl_kernel_sum *find(struct sl_kernel_sums *sums, const char *name)
{
    size_t at = 0;
    while (at < sums->count && strcmp(sums->kernels[at].name, name) < 0) {
        at++;
    }
    if (at < sums->count && strcmp(sums->kernels[at].name, name) == 0) {
        return &sums->kernels[at];
    }
    struct sl_kernel_sum *const more =
        realloc(sums->kernels, (sums->count + 1) * sizeof *sums->kernels);
    char *const copy = more != NULL ? strdup(name) : NULL;
    sums->kernels = more != NULL ? more : sums->kernels;
    if (copy == NULL) {
        return NULL;
    }
    memmove(&more[at + 1], &more[at], (sums->count - at) * sizeof *more);
    sums->count++;
    more[at] = (struct sl_kernel_sum){.name = copy};
    return &more[at];
}

int sl_kernel_sums_take(struct sl_kernel_sums *sums, const struct sl_kernel_profile *profile,
                        const struct sl_kernel_names *names)
{
    for (uint64_t i = 0; i < profile->row_count; i++) {
        char name[NAME_BYTES];
        if (sl_kernel_cost_is_zero(&profile->rows[i].cost)) {
            continue;
        }
        names->kernel(names->owner, profile->rows[i].kernel, name, sizeof name);
        struct sl_kernel_sum *const sum = find(sums, name);
        if (sum == NULL) {
            return -1;
        }
        sl_kernel_cost_add(&sum->cost, &profile->rows[i].cost);
    }
    return 0;
}

void sl_kernel_sums_clear(struct sl_kernel_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++) {
        free(sums->kernels[i].name);
    }
    free(sums->kernels);
    *sums = (struct sl_kernel_sums){.kernels = NULL};
}

static int compare_reasons(const void *left, const void *right)
{
    const struct sl_kernel_reason *const x = left;
    const struct sl_kernel_reason *const y = right;
    if (x->cycles != y->cycles) {
        return x->cycles > y->cycles ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

unsigned sl_kernel_sums_reasons(const struct sl_kernel_sums *sums, struct sl_kernel_reason *reasons,
                                unsigned most)
{
    struct sl_kernel_reason all[SL_STALL_COUNT];
    unsigned count = 0;
    for (unsigned stall = 0; stall < SL_STALL_COUNT; stall++) {
        uint64_t cycles = 0;
        for (size_t i = 0; i < sums->count; i++) {
            cycles += sums->kernels[i].cost.cycles[stall];
        }
        if (cycles > 0) {
            all[count++] = (struct sl_kernel_reason){sl_stall_text[stall].name,
                                                     sl_stall_text[stall].words, cycles};
        }
    }
    qsort(all, count, sizeof *all, compare_reasons);
    memcpy(reasons, all, (count < most ? count : most) * sizeof *all);
    return count;
}

static int put(json_t *object, const char *kernel, const char *figure, uint64_t value)
{
    char name[2 * NAME_BYTES];
    (void)snprintf(name, sizeof name, "kernel.%s.%s", kernel, figure);
    return sl_json_set_new(object, name, json_integer((json_int_t)value));
}

static int put_kernel(json_t *object, const struct sl_kernel_sum *sum)
{
    const struct sl_kernel_cost *const cost = &sum->cost;
    int failed = put(object, sum->name, "wave_instructions", cost->wave_instructions) |
                 put(object, sum->name, "lane_instructions", cost->lane_instructions) |
                 put(object, sum->name, "line_accesses", cost->line_accesses) |
                 put(object, sum->name, "l1_misses", cost->l1_misses) |
                 put(object, sum->name, "l2_misses", cost->l2_misses) |
                 put(object, sum->name, "resident_cycles", sl_kernel_cost_resident(cost));
    for (unsigned stall = 0; stall < SL_STALL_COUNT; stall++) {
        char figure[64];
        (void)snprintf(figure, sizeof figure, "cycles.%s", sl_stall_text[stall].name);
        failed |= put(object, sum->name, figure, cost->cycles[stall]);
    }
    return failed;
}

int sl_kernel_sums_put(json_t *object, const struct sl_kernel_sums *sums)
{
    int failed = 0;
    for (size_t i = 0; i < sums->count; i++) {
        failed |= put_kernel(object, &sums->kernels[i]);
    }
    return failed == 0 ? 0 : -1;
}
