/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cilk programs on channel stacks (papers/001 section 5): their common options and steps. */
#ifndef SLUICE_WORKLOADS_COMMON_CILK_H
#define SLUICE_WORKLOADS_COMMON_CILK_H

#include <stdbool.h>
#include <stdint.h>

#include "sluice/argument.h"
#include "sluice/sluice.h"

struct cilk_options {
    uint32_t width;                    /* of the tasks' channels; the program sets its default */
    uint32_t joins;                    /* of the continuations' channels; 0: the same */
    bool is_narrow;                    /* --narrow */
    struct sl_channel_options channel; /* of all channels, but for their names */
    struct sl_app_policy policy;       /* of the graph */
};

/* --width, --continuations, --done-group, --narrow, --policy and --predicate, rows of a program's
 * table: SL_ROWS(). The variant of the channels is a row of its own, into the field channel
 * (variant.h). */
extern const struct sl_argument cilk_rows[];

/* Loads the program's kernel file for the variant (variant_load()), and begins a graph; or ends the
 * program. */
struct sl_graph_builder *cilk_begin(struct sl_soc *soc, const struct cilk_options *options,
                                    const char *program);

/* A stack of tasks, or of continuations, of the width and variant that the options say, processed
 * by a kernel: `function`, or its version for the variant's form of elements (variant_kernel()).
 * Returns the stack; *kernel is the kernel's index. Errors are reported by cilk_root(). */
int cilk_tasks(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel);
int cilk_joins(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel);

/* Puts in the root of the recursion, an element of the stack of tasks at level 0, whose fields are
 * the caller's to fill before sl_app_execute(): SL_FIELD(). Ends the program if the graph is wrong.
 */
struct sl_view cilk_root(struct sl_graph_builder *graph, int tasks);

#endif
