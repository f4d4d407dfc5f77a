/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels have cost by instruction, gathered over runs: what a run brings is put behind what
 * is there, sorted in, and what is of one place is added up. */
#include <stdlib.h>
#include <string.h>

#include "host/observe/profile/kernel_profile.h"

#define NAME_BYTES 256

static_assert(sizeof(struct sl_kernel_cost) % sizeof(uint64_t) == 0, "costs are words");

void sl_kernel_cost_add(struct sl_kernel_cost *sum, const struct sl_kernel_cost *cost)
{
    uint64_t *const to = (uint64_t *)sum;
    const uint64_t *const from = (const uint64_t *)cost;
    for (size_t i = 0; i < sizeof *cost / sizeof *from; i++) {
        to[i] += from[i];
    }
}

uint64_t sl_kernel_cost_resident(const struct sl_kernel_cost *cost)
{
    uint64_t cycles = 0;
    for (unsigned stall = 0; stall < SL_STALL_COUNT; stall++) {
        cycles += cost->cycles[stall];
    }
    return cycles;
}

bool sl_kernel_cost_is_zero(const struct sl_kernel_cost *cost)
{
    static const struct sl_kernel_cost zero;
    return memcmp(cost, &zero, sizeof zero) == 0;
}

void sl_kernel_profile_empty(struct sl_kernel_profile *profile)
{
    for (uint64_t i = 0; i < profile->row_count; i++) {
        profile->rows[i].cost = (struct sl_kernel_cost){.wave_instructions = 0};
    }
    for (uint64_t i = 0; i < profile->call_count; i++) {
        profile->calls[i].count = 0;
        profile->calls[i].cost = (struct sl_kernel_cost){.wave_instructions = 0};
    }
    profile->lost_rows = 0;
    profile->lost_calls = 0;
}

/* Room for one more item of `bytes`. */
static int grow(void **items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity) {
        return 0;
    }
    const size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
    void *const moved = realloc(*items, larger * bytes);
    if (moved == NULL) {
        return -1;
    }
    *items = moved;
    *capacity = larger;
    return 0;
}

/* The kernel of a name, put in where it is not there; NULL when out of memory. */
static struct sl_kernel_lines *find(struct sl_kernel_costs *costs, const char *name)
{
    size_t at = 0;
    while (at < costs->count && strcmp(costs->kernels[at].name, name) < 0) {
        at++;
    }
    if (at < costs->count && strcmp(costs->kernels[at].name, name) == 0) {
        return &costs->kernels[at];
    }
    char *const copy = strdup(name);
    if (copy == NULL || grow((void **)&costs->kernels, costs->count, &costs->capacity,
                             sizeof *costs->kernels) != 0) {
        free(copy);
        return NULL;
    }
    memmove(&costs->kernels[at + 1], &costs->kernels[at],
            (costs->count - at) * sizeof *costs->kernels);
    costs->count++;
    costs->kernels[at] = (struct sl_kernel_lines){.name = copy};
    return &costs->kernels[at];
}

static struct sl_kernel_lines *find_at(struct sl_kernel_costs *costs,
                                       const struct sl_kernel_names *names, uint64_t kernel)
{
    char name[NAME_BYTES];
    names->kernel(names->owner, kernel, name, sizeof name);
    return find(costs, name);
}

static int append_row(struct sl_kernel_costs *costs, const struct sl_kernel_names *names,
                      const struct sl_kernel_profile_row *row)
{
    struct sl_kernel_lines *const kernel = find_at(costs, names, row->kernel);
    if (kernel == NULL || grow((void **)&kernel->rows, kernel->row_count, &kernel->row_capacity,
                               sizeof *kernel->rows) != 0) {
        return -1;
    }
    kernel->rows[kernel->row_count++] = (struct sl_kernel_row){row->pc, row->cost};
    return 0;
}

static int append_call(struct sl_kernel_costs *costs, const struct sl_kernel_names *names,
                       const struct sl_kernel_profile_call *call)
{
    struct sl_kernel_lines *const kernel = find_at(costs, names, call->kernel);
    if (kernel == NULL || grow((void **)&kernel->calls, kernel->call_count, &kernel->call_capacity,
                               sizeof *kernel->calls) != 0) {
        return -1;
    }
    kernel->calls[kernel->call_count++] =
        (struct sl_kernel_call){call->site, call->callee, call->count, call->cost};
    return 0;
}

static int compare(uint64_t x, uint64_t y)
{
    return x < y ? -1 : x > y;
}

static int compare_rows(const void *left, const void *right)
{
    const struct sl_kernel_row *const x = left;
    const struct sl_kernel_row *const y = right;
    return compare(x->pc, y->pc);
}

static int compare_calls(const void *left, const void *right)
{
    const struct sl_kernel_call *const x = left;
    const struct sl_kernel_call *const y = right;
    return x->site != y->site ? compare(x->site, y->site) : compare(x->callee, y->callee);
}

static void merge_rows(struct sl_kernel_lines *kernel)
{
    size_t kept = 0;
    if (kernel->row_count == 0) {
        return;
    }
    qsort(kernel->rows, kernel->row_count, sizeof *kernel->rows, compare_rows);
    for (size_t i = 1; i < kernel->row_count; i++) {
        if (compare_rows(&kernel->rows[kept], &kernel->rows[i]) == 0) {
            sl_kernel_cost_add(&kernel->rows[kept].cost, &kernel->rows[i].cost);
        } else {
            kernel->rows[++kept] = kernel->rows[i];
        }
    }
    kernel->row_count = kept + 1;
}

static void merge_calls(struct sl_kernel_lines *kernel)
{
    size_t kept = 0;
    if (kernel->call_count == 0) {
        return;
    }
    qsort(kernel->calls, kernel->call_count, sizeof *kernel->calls, compare_calls);
    for (size_t i = 1; i < kernel->call_count; i++) {
        if (compare_calls(&kernel->calls[kept], &kernel->calls[i]) == 0) {
            sl_kernel_cost_add(&kernel->calls[kept].cost, &kernel->calls[i].cost);
            kernel->calls[kept].count += kernel->calls[i].count;
        } else {
            kernel->calls[++kept] = kernel->calls[i];
        }
    }
    kernel->call_count = kept + 1;
}

int sl_kernel_costs_take(struct sl_kernel_costs *costs, const struct sl_kernel_profile *profile,
                         const struct sl_kernel_names *names)
{
    for (uint64_t i = 0; i < profile->row_count; i++) {
        if (!sl_kernel_cost_is_zero(&profile->rows[i].cost) &&
            append_row(costs, names, &profile->rows[i]) != 0) {
            return -1;
        }
    }
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].count > 0 && append_call(costs, names, &profile->calls[i]) != 0) {
            return -1;
        }
    }
    for (size_t i = 0; i < costs->count; i++) {
        merge_rows(&costs->kernels[i]);
        merge_calls(&costs->kernels[i]);
    }
    costs->lost_rows += profile->lost_rows;
    costs->lost_calls += profile->lost_calls;
    costs->runs++;
    return 0;
}

void sl_kernel_costs_clear(struct sl_kernel_costs *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        free(costs->kernels[i].name);
        free(costs->kernels[i].rows);
        free(costs->kernels[i].calls);
    }
    free(costs->kernels);
    *costs = (struct sl_kernel_costs){.kernels = NULL};
}
