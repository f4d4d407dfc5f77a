/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What kernels have cost (recordings/kernel_profile.h), of several runs together, by their names:
 * by instruction, for a file in Callgrind's format (kernel_profile.file), and in all, for the file
 * of statistics. */
#ifndef SLUICE_HOST_OBSERVE_PROFILE_KERNEL_PROFILE_H
#define SLUICE_HOST_OBSERVE_PROFILE_KERNEL_PROFILE_H

#include <jansson.h>

#include "host/observe/profile/callgrind.h"
#include "recordings/kernel_profile.h"
#include "sluice/sluice.h"

/* What the kernels of a run are called. */
struct sl_kernel_names {
    const void *owner;
    void (*kernel)(const void *owner, uint64_t kernel, char *out, size_t bytes);
};

/* What has been taken is taken once: the simulator goes on from zero. Between runs only. */
void sl_kernel_profile_empty(struct sl_kernel_profile *profile);

/* ---- by instruction ---- */

struct sl_kernel_row {
    uint64_t pc;
    struct sl_kernel_cost cost;
};

struct sl_kernel_call {
    uint64_t site;
    uint64_t callee;
    uint64_t count;
    struct sl_kernel_cost cost;
};

struct sl_kernel_lines {
    char *name;
    struct sl_kernel_row *rows; /* in the order of their addresses */
    size_t row_count;
    size_t row_capacity;
    struct sl_kernel_call *calls; /* by site, then callee */
    size_t call_count;
    size_t call_capacity;
};

/* Zeroed: empty. */
struct sl_kernel_costs {
    struct sl_kernel_lines *kernels; /* by name */
    size_t count;
    size_t capacity;
    uint64_t lost_rows; /* instructions of runs, and calls, whose costs no row has */
    uint64_t lost_calls;
    uint64_t runs;
};

/* A run has ended: adds its costs. Returns 0, or -1 when out of memory. */
int sl_kernel_costs_take(struct sl_kernel_costs *costs, const struct sl_kernel_profile *profile,
                         const struct sl_kernel_names *names);

/* Empties it. */
void sl_kernel_costs_clear(struct sl_kernel_costs *costs);

/* The file's events: resident cycles, counts, and the cycles of each reason, which add up to the
 * first. */
enum sl_kernel_event {
    SL_KERNEL_EVENT_RESIDENT,
    SL_KERNEL_EVENT_WAVES, /* wave instructions */
    SL_KERNEL_EVENT_LANES, /* lane instructions */
    SL_KERNEL_EVENT_LINES, /* line accesses */
    SL_KERNEL_EVENT_L1_MISSES,
    SL_KERNEL_EVENT_L2_MISSES,
    SL_KERNEL_EVENT_STALL, /* and up, by enum sl_stall */
    SL_KERNEL_EVENTS = SL_KERNEL_EVENT_STALL + SL_STALL_COUNT
};
extern const struct sl_callgrind_event sl_kernel_event[SL_KERNEL_EVENTS];

/* Writes the file. Returns 0; -1 with errno where the stream did not take all of it. */
struct sl_kernel_file {
    const struct sl_kernel_costs *costs;
    const char *command;
    void *code; /* for the two: struct sl_callgrind */
    struct sl_source (*source)(void *code, uint64_t pc);
    int (*outer_line)(void *code, uint64_t pc);
};
int sl_kernel_file_write(const struct sl_kernel_file *file, FILE *stream);

/* ---- in all ---- */

struct sl_kernel_sum {
    char *name;
    struct sl_kernel_cost cost;
};

/* Zeroed: empty. */
struct sl_kernel_sums {
    struct sl_kernel_sum *kernels; /* by name */
    size_t count;
};

/* As those of struct sl_kernel_costs. */
int sl_kernel_sums_take(struct sl_kernel_sums *sums, const struct sl_kernel_profile *profile,
                        const struct sl_kernel_names *names);
void sl_kernel_sums_clear(struct sl_kernel_sums *sums);

/* As sl_kernel_reasons(), of all kernels together. */
unsigned sl_kernel_sums_reasons(const struct sl_kernel_sums *sums, struct sl_kernel_reason *reasons,
                                unsigned most);

/* Puts kernel.NAME.* into an object of statistics. Returns 0, or -1 when out of memory. */
int sl_kernel_sums_put(json_t *object, const struct sl_kernel_sums *sums);

/* ---- costs ---- */

/* Adds to each of the counts. */
void sl_kernel_cost_add(struct sl_kernel_cost *sum, const struct sl_kernel_cost *cost);

bool sl_kernel_cost_is_zero(const struct sl_kernel_cost *cost);

/* Cycles of all reasons together. */
uint64_t sl_kernel_cost_resident(const struct sl_kernel_cost *cost);

/* A reason's name in statistics and files, and its words in tables. */
struct sl_stall_text {
    const char *name;
    const char *words;
};
extern const struct sl_stall_text sl_stall_text[SL_STALL_COUNT];

#endif
