/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A program of a user's, outside the source tree: the sum of the first N squares, which an atomic
 * operation of each work-item adds up. */
#include <inttypes.h>
#include <stdio.h>

#include <sluice/program.h>

struct arguments {
    uint32_t n;
    uint64_t sum;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    return sl_app_n(key, argument, state, 1, 100000, &((struct arguments *)state->input)->n);
}

static const struct argp argp = {.parser = parse, .args_doc = "N", .doc = "Add up N squares."};

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t grid[3] = {arguments->n, 1, 1};
    const uint32_t group[3] = {64, 1, 1};
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "squares.elf", &module);
    uint64_t *const sum = status == SL_OK ? sl_alloc(soc, sizeof *sum, 0) : NULL;
    if (sum == NULL) {
        return status == SL_OK ? SL_ERROR_USAGE : status;
    }
    const uint64_t constants[] = {(uintptr_t)sum};
    status = sl_launch(module, "add_squares", grid, group, 0, constants, 1);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->sum = *sum;
        sl_app_result("squares(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t n = arguments->n;
    const uint64_t right = (n - 1) * n * (2 * n - 1) / 6;

    if (arguments->sum != right) {
        (void)fprintf(stderr, "squares: wrong: the sum is %" PRIu64 "\n", right);
    }
    return arguments->sum == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
