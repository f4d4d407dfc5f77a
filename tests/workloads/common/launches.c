/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Launches over one or two dimensions, from their start to their end. */
#include "workloads/common/launches.h"

#include <assert.h>

#include "sluice/program.h"

/* The next step, without arguments. */
static struct sl_launch_step *add(struct launches *launches, const char *kernel,
                                  const uint32_t items[2], const uint32_t group[2],
                                  uint32_t lds_bytes)
{
    assert(launches->count < SL_SEQUENCE_LAUNCHES);
    struct sl_launch_step *const step = &launches->steps[launches->count++];
    *step = (struct sl_launch_step){.kernel = kernel,
                                    .grid = {items[0], items[1], 1},
                                    .group = {group[0], group[1], 1},
                                    .lds_bytes = lds_bytes};
    return step;
}

void launches_add_plane(struct launches *launches, const char *kernel, const uint32_t items[2],
                        const uint32_t group[2], uint32_t lds_bytes, const uint64_t *arguments,
                        unsigned count)
{
    struct sl_launch_step *const step = add(launches, kernel, items, group, lds_bytes);
    for (unsigned i = 0; i < count; i++) {
        sl_step_value(step, sl_value_u64(arguments[i]));
    }
}

void launches_add_plane_values(struct launches *launches, const char *kernel,
                               const uint32_t items[2], const uint32_t group[2], uint32_t lds_bytes,
                               const struct sl_value *values, unsigned count)
{
    struct sl_launch_step *const step = add(launches, kernel, items, group, lds_bytes);
    for (unsigned i = 0; i < count; i++) {
        sl_step_value(step, values[i]);
    }
}

void launches_add(struct launches *launches, const char *kernel, uint32_t items, uint32_t group,
                  uint32_t lds_bytes, const uint64_t *arguments, unsigned count)
{
    launches_add_plane(launches, kernel, (const uint32_t[]){items, 1},
                       (const uint32_t[]){items < group ? items : group, 1}, lds_bytes, arguments,
                       count);
}

void launches_add_values(struct launches *launches, const char *kernel, uint32_t items,
                         uint32_t group, uint32_t lds_bytes, const struct sl_value *values,
                         unsigned count)
{
    launches_add_plane_values(launches, kernel, (const uint32_t[]){items, 1},
                              (const uint32_t[]){items < group ? items : group, 1}, lds_bytes,
                              values, count);
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
        struct sl_value values[SL_LAUNCH_ARGUMENTS];
        assert(step->argument_count <= SL_LAUNCH_ARGUMENTS);
        for (unsigned a = 0; a < step->argument_count; a++) {
            values[a] = sl_value_make(step->kind[a], step->argument[a]);
        }
        status = sl_launch_values(launches->module, step->kernel, step->grid, step->group,
                                  step->lds_bytes, values, step->argument_count);
        if (status == SL_OK) {
            status = sl_app_wait(launches->soc, NULL);
        }
    }
    return status;
}
