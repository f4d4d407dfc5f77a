/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Cilk programs on channel stacks (papers/001 section 5): their common options and steps. */
#ifndef SLUICE_WORKLOADS_COMMON_CILK_H
#define SLUICE_WORKLOADS_COMMON_CILK_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "sluice/sluice.h"
#include "workloads/common/policy.h"

struct cilk_options {
    uint32_t width;                    /* of the tasks' channels; the program sets its default */
    uint32_t joins;                    /* of the continuations' channels; 0: the same */
    struct sl_channel_options channel; /* of all channels, but for their names */
    struct policy_option policy;       /* of the graph */
    bool has_forms; /* the program has kernels for padded elements and structures of arrays */
};

/* --width, --continuations, --done-group, --narrow, --policy, --predicate and the variant of the
 * channels (variant.h), for the children of a program's argp; the input is a struct cilk_options.
 * The variant is --variant or --channels; --channels alone for a program that calls something else
 * a variant. */
extern const struct argp cilk_argp;
extern const struct argp cilk_channels_argp;

/* Loads a kernel file that was built with the program ("fib.elf"), and begins a graph. */
SL_MUST_USE enum sl_status cilk_begin(struct sl_soc *soc, const struct cilk_options *options,
                                      const char *kernels, struct sl_graph_builder **graph);

/* A stack of tasks, or of continuations, of the width and variant that the options say, processed
 * by a kernel: `function`, or its version for the variant's form of elements (variant_kernel()).
 * Returns the stack; *kernel is the kernel's index. Errors are reported by cilk_execute(). */
int cilk_tasks(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel);
int cilk_joins(struct sl_graph_builder *graph, const struct cilk_options *options, const char *name,
               size_t element_bytes, uint32_t levels, const char *function, int *kernel);

/* The root of the recursion: an element of the stack of tasks, at level 0. */
struct cilk_root {
    int tasks;
    void *element;
    struct sl_view view; /* for SL_FIELD() */
};

/* Reserves the root's element, whose fields are then the caller's to fill; puts it in, runs the
 * graph and waits for its end. */
SL_MUST_USE enum sl_status cilk_root_make(struct sl_graph_builder *graph, int tasks,
                                          struct cilk_root *root);
SL_MUST_USE enum sl_status cilk_root_run(struct sl_soc *soc, struct sl_graph_builder *graph,
                                         const struct cilk_root *root);

/* Both, for a program that has no kernels for structures of arrays: copies the root. */
SL_MUST_USE enum sl_status cilk_execute(struct sl_soc *soc, struct sl_graph_builder *graph,
                                        int tasks, const void *root, size_t element_bytes);

#endif
