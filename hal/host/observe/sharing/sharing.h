/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Who shares what (mem.sharing; docs/look-up/memory-moesi.md, "Who shares what"): what the
 * simulator has counted (recordings/sharing.h), of one run or of several together, by the names of
 * kernels and the numbers of allocations; as figures, and as the patterns of papers/003 Table 4.2.
 */
#ifndef SLUICE_HOST_OBSERVE_SHARING_H
#define SLUICE_HOST_OBSERVE_SHARING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "host/driver/machine/guest_memory.h"
#include "host/observe/trace/timeline.h"
#include "recordings/sharing.h"

/* What a kernel does with an allocation that it uses in one way. */
struct sl_sharing_array {
    char *kernel;
    uint32_t allocation; /* its number; 0: what is in none */
    uint32_t use;        /* bits by enum sl_sharing_kind */
    struct sl_sharing_figures figures;
};

/* Zeroed: empty. */
struct sl_sharing_list {
    struct sl_sharing_array *arrays;
    size_t count;
    size_t capacity;
    struct sl_sharing_allocation *allocations; /* all that arrays are of, by number */
    size_t allocation_count;
    size_t allocation_capacity;
    uint64_t lost; /* launches, by allocation, that are not in the figures */
};

/* A run begins: tells the simulator of the allocations in the heap. Those beyond
 * SL_SHARING_ALLOCATIONS are as if they were none. */
void sl_sharing_begin(struct sl_sharing *shared, const struct sl_heap *heap);

/* A run has ended: adds its figures. Returns 0, or -1 when out of memory. */
int sl_sharing_take(struct sl_sharing_list *list, const struct sl_sharing *shared,
                    const struct sl_trace_names *names);

/* Puts figures and patterns into an object of statistics. Returns 0, or -1 when out of memory. */
int sl_sharing_put(json_t *object, const struct sl_sharing_list *list);

/* Empties it. */
void sl_sharing_clear(struct sl_sharing_list *list);

/* ---- sharing_patterns.c ---- */

/* The columns of papers/003 Table 4.2. */
enum sl_sharing_pattern {
    SL_SHARING_BROADCAST,
    SL_SHARING_BOUNDARY,
    SL_SHARING_DYNAMIC,
    SL_SHARING_COALESCED,
    SL_SHARING_NON_COALESCED,
    SL_SHARING_ATOMIC,
    SL_SHARING_PATTERNS
};

extern const char *const sl_sharing_pattern_name[SL_SHARING_PATTERNS];

/* The patterns of an allocation as a kernel has it, bits by enum sl_sharing_pattern; `kernel` is
 * the sum of all the kernel's. */
unsigned sl_sharing_patterns(const struct sl_sharing_figures *array,
                             const struct sl_sharing_figures *kernel);

#endif
