/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sum of N numbers: an NDRange of one work-item for each, in work-groups that add up in LDS between
 * barriers. Its kernel is reduce_kernel.c. */
#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"

#define N_MAX         67108864
#define GROUP_DEFAULT 256

struct arguments {
    uint32_t n;
    uint32_t group;
    uint64_t sum; /* the result */
};

static const struct argp_option option_table[] = {
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, a power of two (default 256)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case 'g':
        arguments->group = sl_app_power_of_two(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc = "Add up N numbers on the simulated accelerator, and check the sum.\vN is from 1 to "
           "67108864.",
};

static uint32_t value_at(uint32_t i)
{
    return (i + 1) * 2654435761u ^ i >> 7;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t grid[3] = {arguments->n, 1, 1};
    const uint32_t group[3] = {arguments->group, 1, 1};
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "reduce.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    uint32_t *const values = sl_alloc(soc, arguments->n * sizeof *values, 0);
    uint64_t *const result = values != NULL ? sl_alloc(soc, sizeof *result, 0) : NULL;
    if (result == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < arguments->n; i++) {
        values[i] = value_at(i);
    }
    const uint64_t constants[] = {(uintptr_t)values, (uintptr_t)result};
    status = sl_launch(module, "reduce_kernel", grid, group,
                       arguments->group * (uint32_t)sizeof(uint64_t), constants, 2);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->sum = *result;
        sl_app_result("reduce(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->sum);
    }
    return status;
}

static uint64_t sum_in_plain_c(uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += value_at(i);
    }
    return sum;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t right = sum_in_plain_c(arguments->n);

    if (arguments->sum != right) {
        (void)fprintf(stderr, "reduce: wrong: the sum is %" PRIu64 "\n", right);
    }
    return arguments->sum == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {.group = GROUP_DEFAULT};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
