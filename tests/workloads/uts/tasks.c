/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runtime tasks: persistent wavefronts that share fronts of nodes (docs/know/tasks.md). */
#include "sluice/program.h"
#include "workloads/common/tasks/queues.h"
#include "workloads/uts/run.h"

/* As the kernel's SL_WORK() numbers them. */
enum { VISIT, FUNCTIONS };

static enum sl_status add_first(struct sl_task_queues *tasks, const struct uts_memory *memory)
{
    enum sl_status status = SL_OK;

    for (uint32_t i = 0; status == SL_OK && i < memory->children; i++) {
        const struct uts_node node = uts_first(memory, i);
        status = sl_tasks_add(tasks, VISIT, &node, 1);
    }
    return status;
}

enum sl_status uts_by_tasks(struct sl_soc *soc, const struct uts_input *input,
                            const struct sl_tasks_options *options, struct uts_memory *memory,
                            struct sl_task_queues **tasks)
{
    struct sl_tasks_options wanted = *options;
    struct sl_module *module;

    wanted.functions = FUNCTIONS;
    wanted.task_bytes = sizeof(struct uts_node);
    enum sl_status status = sl_app_load(soc, "uts_tasks.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    uts_memory_make(soc, input, memory);
    struct uts_program *const program = sl_app_alloc(soc, sizeof *program, 0);
    *program = (struct uts_program){.rows = memory->rows, .totals = memory->totals};
    status = sl_tasks_create(module, "uts_tasks_kernel", &wanted, program, tasks);
    if (status == SL_OK) {
        status = add_first(*tasks, memory);
    }
    return status == SL_OK ? queues_run(soc, *tasks) : status;
}
