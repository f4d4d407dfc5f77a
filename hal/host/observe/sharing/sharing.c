/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Figures of who shares what, gathered over runs. */
#include "host/observe/sharing/sharing.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 256

void sl_sharing_begin(struct sl_sharing *shared, const struct sl_heap *heap)
{
    shared->allocation_count = sl_heap_list(heap, shared->allocations, SL_SHARING_ALLOCATIONS);
}

/* Room for one more, of `bytes` each. */
static int grow(void **items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity) {
        return 0;
    }
    const size_t larger = *capacity == 0 ? 32 : 2 * *capacity;
    void *const moved = realloc(*items, larger * bytes);
    if (moved == NULL) {
        return -1;
    }
    *items = moved;
    *capacity = larger;
    return 0;
}

/* Keeps where an allocation is. */
static int note_allocation(struct sl_sharing_list *list, const struct sl_sharing *shared,
                           uint32_t number)
{
    size_t at = 0;
    while (at < list->allocation_count && list->allocations[at].number < number) {
        at++;
    }
    if (number == 0 || (at < list->allocation_count && list->allocations[at].number == number)) {
        return 0;
    }
    if (grow((void **)&list->allocations, list->allocation_count, &list->allocation_capacity,
             sizeof list->allocations[0]) != 0) {
        return -1;
    }
    memmove(&list->allocations[at + 1], &list->allocations[at],
            (list->allocation_count - at) * sizeof list->allocations[0]);
    list->allocation_count++;
    list->allocations[at] = (struct sl_sharing_allocation){.number = number};
    for (uint64_t i = 0; i < shared->allocation_count; i++) {
        if (shared->allocations[i].number == number) {
            list->allocations[at] = shared->allocations[i];
        }
    }
    return 0;
}

/* Whether an array of a kernel comes before another one of it. */
static bool is_before(const struct sl_sharing_array *a, const struct sl_sharing_row *b)
{
    return a->allocation != b->allocation ? a->allocation < b->allocation : a->use < b->use;
}

/* The array of a row; NULL when out of memory. Arrays of a kernel are together, in the order of
 * their allocations; kernels are in that in which they first came. */
static struct sl_sharing_array *array_of(struct sl_sharing_list *list, const char *kernel,
                                         const struct sl_sharing_row *row)
{
    size_t at = 0;
    while (at < list->count && strcmp(list->arrays[at].kernel, kernel) != 0) {
        at++;
    }
    while (at < list->count && strcmp(list->arrays[at].kernel, kernel) == 0 &&
           is_before(&list->arrays[at], row)) {
        at++;
    }
    if (at < list->count && strcmp(list->arrays[at].kernel, kernel) == 0 &&
        list->arrays[at].allocation == row->allocation && list->arrays[at].use == row->use) {
        return &list->arrays[at];
    }
    char *const name = strdup(kernel);
    if (name == NULL ||
        grow((void **)&list->arrays, list->count, &list->capacity, sizeof list->arrays[0]) != 0) {
        free(name);
        return NULL;
    }
    memmove(&list->arrays[at + 1], &list->arrays[at], (list->count - at) * sizeof list->arrays[0]);
    list->count++;
    list->arrays[at] =
        (struct sl_sharing_array){.kernel = name, .allocation = row->allocation, .use = row->use};
    return &list->arrays[at];
}

int sl_sharing_take(struct sl_sharing_list *list, const struct sl_sharing *shared,
                    const struct sl_trace_names *names)
{
    list->lost += shared->lost;
    for (uint64_t i = 0; i < shared->count; i++) {
        const struct sl_sharing_row *const row = &shared->rows[i];
        char kernel[NAME_BYTES];
        names->kernel(names->owner, row->kernel, kernel, sizeof kernel);
        struct sl_sharing_array *const array = array_of(list, kernel, row);
        if (array == NULL || note_allocation(list, shared, row->allocation) != 0) {
            return -1;
        }
        sl_sharing_add(&array->figures, &row->figures);
    }
    return 0;
}

void sl_sharing_clear(struct sl_sharing_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->arrays[i].kernel);
    }
    free(list->arrays);
    free(list->allocations);
    *list = (struct sl_sharing_list){.arrays = NULL};
}
