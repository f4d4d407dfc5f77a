/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A tree on the machine, by one of two runtimes: what both have in shared memory, and each of them.
 */
#ifndef SLUICE_WORKLOADS_UTS_RUN_H
#define SLUICE_WORKLOADS_UTS_RUN_H

#include "sluice/sluice.h"
#include "workloads/uts/tree.h"

/* A tree, and how it came out in plain C. */
struct uts_input {
    struct uts_tree tree;
    struct uts_count right;
};

/* In shared memory, for kernels. */
struct uts_memory {
    struct uts_row *rows;     /* of each depth */
    struct uts_total *totals; /* of each compute unit */
    uint32_t cus;
    uint32_t children;        /* of the root */
    uint32_t root[UTS_WORDS]; /* its state */
};

void uts_memory_make(struct sl_soc *soc, const struct uts_input *input, struct uts_memory *memory);

/* The root's child of this number. */
struct uts_node uts_first(const struct uts_memory *memory, uint32_t number);

/* What the machine has counted, and the root. */
struct uts_count uts_counted(const struct uts_memory *memory);

/* All nodes on one channel, which has to hold what waits at once: `width` elements, or, where it is
 * 0, all nodes. */
SL_MUST_USE enum sl_status uts_by_channels(struct sl_soc *soc, const struct uts_input *input,
                                           uint32_t width, struct uts_memory *memory);

/* All nodes as tasks, in queues that live until the machine is closed. Of the options, what the
 * program's kernel says is not looked at. */
SL_MUST_USE enum sl_status uts_by_tasks(struct sl_soc *soc, const struct uts_input *input,
                                        const struct sl_tasks_options *options,
                                        struct uts_memory *memory, struct sl_task_queues **tasks);

#endif
