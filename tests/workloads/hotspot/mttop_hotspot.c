/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Temperatures of a chip's N x N cells over time (docs/know/consistency-programs.md,
 * "mttop_hotspot"): the chip of qr_hotspot.c, with all steps in one launch and none in LDS. Its
 * kernel is mttop_hotspot_kernel.c. */
#include "workloads/hotspot/mttop_hotspot.h"

#include <inttypes.h>
#include <stdbool.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/floats.h"
#include "workloads/common/hotspot.h"
#include "workloads/common/resident.h"

#define N_DEFAULT     256
#define N_MAX         2048
#define STEPS_DEFAULT 10
#define STEPS_MAX     256

struct arguments {
    uint32_t n;
    uint32_t steps;
    uint32_t groups;
    struct chip *chip; /* in the shared heap, as is what it points to */
};

static const struct argp_option option_table[] = {
    {"steps", 's', "NUMBER", 0, "Steps in time, 1 to 256 (default 10)", 0},
    RESIDENT_OPTION('g'),
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 's':
        arguments->steps = (uint32_t)sl_app_number(state, "--steps", argument, 1, STEPS_MAX);
        return 0;
    case 'g':
        arguments->groups = resident_groups(state, argument);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "[N]",
    .doc = "Compute the temperatures of a chip of N x N cells over time on the simulated "
           "accelerator, all steps in one launch, and check all of them.\vN is from 1 to 2048, 256 "
           "where it is not given. The result is the mean temperature in kelvins.",
};

static bool make(struct sl_soc *soc, struct arguments *arguments)
{
    const size_t cells = (size_t)arguments->n * arguments->n;
    struct chip *const chip = sl_alloc(soc, sizeof *chip, 0);

    if (chip == NULL) {
        return false;
    }
    *chip = (struct chip){.flow = hotspot_flow(arguments->n),
                          .n = arguments->n,
                          .steps = arguments->steps,
                          .power = sl_alloc(soc, cells * sizeof(float), 0),
                          .temperatures = {sl_alloc(soc, cells * sizeof(float), 0),
                                           sl_alloc(soc, cells * sizeof(float), 0)}};
    if (chip->power == NULL || chip->temperatures[0] == NULL || chip->temperatures[1] == NULL) {
        return false;
    }
    hotspot_fill_power(chip->power, cells);
    hotspot_fill_temperatures(chip->temperatures[0], cells);
    arguments->chip = chip;
    return true;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t cells = arguments->n * arguments->n;

    if (!make(soc, arguments)) {
        return SL_ERROR_USAGE;
    }
    const uint64_t constants[] = {(uintptr_t)arguments->chip};
    const enum sl_status status =
        resident_run(soc, "mttop_hotspot.elf", "hotspot_steps", arguments->groups,
                     arguments->n * RESIDENT_GROUP, constants, 1);
    if (status == SL_OK) {
        const float *const last = arguments->chip->temperatures[arguments->steps % 2];
        sl_app_result("mttop_hotspot(%" PRIu32 ") = %.6f", arguments->n,
                      floats_sum(last, cells) / cells);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const struct chip *const chip = arguments->chip;

    return hotspot_is_right("mttop_hotspot", arguments->n, arguments->steps, chip->power,
                            chip->temperatures[arguments->steps % 2]);
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.n = N_DEFAULT, .steps = STEPS_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
