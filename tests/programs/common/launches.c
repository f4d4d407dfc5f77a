/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches over a single dimension, from their start to their end. */
#include "programs/common/launches.h"

#include <assert.h>
#include <string.h>

#include "programs/common/progress.h"

enum sl_status launch_and_wait(struct sl_soc *soc, struct sl_module *module, const char *kernel,
                               uint32_t items, uint32_t group, uint32_t lds_bytes,
                               const uint64_t *arguments, unsigned count)
{
    const uint32_t grid_size[3] = {items, 1, 1};
    const uint32_t group_size[3] = {items < group ? items : group, 1, 1};

    const enum sl_status status =
        sl_launch(module, kernel, grid_size, group_size, lds_bytes, arguments, count);
    return status == SL_OK ? progress_wait(soc, NULL) : status;
}

void launches_add(struct launches *launches, const char *kernel, uint32_t items, uint32_t group,
                  uint32_t lds_bytes, const uint64_t *arguments, unsigned count)
{
    assert(launches->count < SL_SEQUENCE_LAUNCHES);
    struct sl_launch_step *const step = &launches->steps[launches->count++];
    *step = (struct sl_launch_step){.kernel = kernel,
                                    .grid = {items, 1, 1},
                                    .group = {items < group ? items : group, 1, 1},
                                    .lds_bytes = lds_bytes,
                                    .argument_count = count};
    memcpy(step->argument, arguments, count * sizeof *arguments);
}

enum sl_status launches_run(const struct launches *launches)
{
    const enum sl_status status =
        sl_launch_sequence(launches->module, launches->steps, launches->count, 0, 0, NULL);
    return status == SL_OK ? progress_wait(launches->soc, NULL) : status;
}

enum sl_status launches_run_each(const struct launches *launches)
{
    enum sl_status status = SL_OK;

    sl_statistics_accumulate(launches->soc);
    for (unsigned i = 0; status == SL_OK && i < launches->count; i++) {
        const struct sl_launch_step *const step = &launches->steps[i];
        status = sl_launch(launches->module, step->kernel, step->grid, step->group, step->lds_bytes,
                           step->argument, step->argument_count);
        if (status == SL_OK) {
            status = progress_wait(launches->soc, NULL);
        }
    }
    return status;
}
