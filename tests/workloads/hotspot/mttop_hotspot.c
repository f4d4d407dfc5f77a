/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Temperatures of a chip's N x N cells over time (docs/know/consistency-programs.md,
 * "mttop_hotspot"): the chip of qr_hotspot.c, with all steps in one launch and none in LDS. Its
 * kernel is mttop_hotspot_kernel.c. */
#include "workloads/hotspot/mttop_hotspot.h"

#include "sluice/program.h"
#include "workloads/common/floats.h"
#include "workloads/common/hotspot.h"
#include "workloads/common/resident.h"

struct arguments {
    uint32_t n;
    uint32_t steps;
    uint32_t groups;
    struct chip *chip; /* in the shared heap, as is what it points to */
};

static const struct sl_argument table[] = {
    {"[N]", 0, SL_NUMBER, 1, 2048, SL_INTO(struct arguments, n)},
    {"steps", 's', SL_NUMBER, 1, 256, SL_INTO(struct arguments, steps), "Steps in time"},
    RESIDENT_ROW(struct arguments, groups),
    {0},
};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t cells = arguments->n * arguments->n;
    struct chip *const chip = sl_app_alloc(soc, sizeof *chip, 0);

    *chip = (struct chip){.flow = hotspot_flow(arguments->n),
                          .n = arguments->n,
                          .steps = arguments->steps,
                          .power = sl_app_alloc(soc, cells * sizeof(float), 0),
                          .temperatures = {sl_app_alloc(soc, cells * sizeof(float), 0),
                                           sl_app_alloc(soc, cells * sizeof(float), 0)}};
    hotspot_fill_power(chip->power, cells);
    hotspot_fill_temperatures(chip->temperatures[0], cells);
    arguments->chip = chip;
    const enum sl_status status = resident_run(soc, "hotspot_steps", arguments->groups,
                                               chip->n * RESIDENT_GROUP, SL_VALUES(chip));
    if (status == SL_OK) {
        const float *const last = chip->temperatures[arguments->steps % 2];
        sl_app_result("mttop_hotspot(%" PRIu32 ") = %.6f", arguments->n,
                      floats_sum(last, cells) / cells);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct chip *const chip = arguments->chip;

    return hotspot_is_right(arguments->n, arguments->steps, chip->power,
                            chip->temperatures[arguments->steps % 2]);
}

static const struct sl_app app = {
    .doc = "Compute the temperatures of a chip of N x N cells over time on the simulated "
           "accelerator, all steps in one launch, and check all of them.\vThe result is the mean "
           "temperature in kelvins.",
    .table = table,
    .arguments = &(struct arguments){.n = 256, .steps = 10},
    .kernels = "mttop_hotspot.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
