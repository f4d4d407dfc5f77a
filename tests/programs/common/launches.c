/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches over one or two dimensions, from their start to their end. */
#include "programs/common/launches.h"

#include <assert.h>
#include <string.h>

#include "sluice/program.h"

enum sl_status launch_and_wait(struct sl_soc *soc, struct sl_module *module, const char *kernel,
                               uint32_t items, uint32_t group, uint32_t lds_bytes,
                               const uint64_t *arguments, unsigned count)
{
    const uint32_t grid_size[3] = {items, 1, 1};
    const uint32_t group_size[3] = {items < group ? items : group, 1, 1};

    const enum sl_status status =
        sl_launch(module, kernel, grid_size, group_size, lds_bytes, arguments, count);
    return status == SL_OK ? sl_app_wait(soc, NULL) : status;
}

static void add(struct launches *launches, const struct sl_launch_step *step,
                const uint64_t *arguments)
{
    assert(launches->count < SL_SEQUENCE_LAUNCHES);
    struct sl_launch_step *const noted = &launches->steps[launches->count++];
    *noted = *step;
    memcpy(noted->argument, arguments, step->argument_count * sizeof *arguments);
}

void launches_add(struct launches *launches, const char *kernel, uint32_t items, uint32_t group,
                  uint32_t lds_bytes, const uint64_t *arguments, unsigned count)
{
    const struct sl_launch_step step = {.kernel = kernel,
                                        .grid = {items, 1, 1},
                                        .group = {items < group ? items : group, 1, 1},
                                        .lds_bytes = lds_bytes,
                                        .argument_count = count};
    add(launches, &step, arguments);
}

void launches_add_plane(struct launches *launches, const char *kernel, const uint32_t items[2],
                        const uint32_t group[2], uint32_t lds_bytes, const uint64_t *arguments,
                        unsigned count)
{
    const struct sl_launch_step step = {.kernel = kernel,
                                        .grid = {items[0], items[1], 1},
                                        .group = {group[0], group[1], 1},
                                        .lds_bytes = lds_bytes,
                                        .argument_count = count};
    add(launches, &step, arguments);
}

enum sl_status launches_run(const struct launches *launches)
{
    const enum sl_status status =
        sl_launch_sequence(launches->module, launches->steps, launches->count, launches->first,
                           launches->last, launches->word);
    return status == SL_OK ? sl_app_wait(launches->soc, NULL) : status;
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
            status = sl_app_wait(launches->soc, NULL);
        }
    }
    return status;
}
