/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dot product of two vectors of N numbers: a kernel over an NDRange, a work-item for each
 * place, in work-groups that add up in LDS. The kernel is in the_program_kernel.c. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include <sluice/program.h>
#include <sluice/sluice.h>

#include "the_program.h"

#define N_MAX 1000000

/* What the command line says, and what the machine finds. */
struct arguments {
    uint32_t n;
    int64_t dot;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    return sl_app_n(key, argument, state, 1, N_MAX, &arguments->n);
}

/* Options of your own: docs/learn/programming.md, "The host program". */
static const struct argp argp = {
    .parser = parse,
    .args_doc = "N",
    .doc = "Multiply two vectors of N numbers on the simulated accelerator, and check the dot "
           "product.\vN is from 1 to 1000000.",
};

/* From -500 to 500, the same in each run. */
static int32_t value_at(uint32_t i)
{
    const uint32_t mixed = (i + 1) * 2654435761u;

    return (int32_t)((mixed ^ mixed >> 15) % 1001) - 500;
}

static int32_t a_at(uint32_t i)
{
    return value_at(2 * i);
}

static int32_t b_at(uint32_t i)
{
    return value_at(2 * i + 1);
}

/* A work-item for each place. The grid need not be a multiple of the group. */
static enum sl_status launch(struct sl_module *module, uint32_t n, const int32_t *a,
                             const int32_t *b, int64_t *result)
{
    const uint32_t grid[3] = {n, 1, 1};
    const uint32_t group[3] = {GROUP, 1, 1};
    const uint64_t arguments[] = {(uintptr_t)a, (uintptr_t)b, (uintptr_t)result};

    return sl_launch(module, "dot_kernel", grid, group, 0, arguments, 3);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "the_program.elf", &module);
    if (status != SL_OK) {
        return status; /* sl_app_main() prints the message that goes with it */
    }
    /* Kernels reach what sl_alloc() gives, and nothing of the host's own heap or stack. */
    int32_t *const a = sl_alloc(soc, n * sizeof *a, 0);
    int32_t *const b = a != NULL ? sl_alloc(soc, n * sizeof *b, 0) : NULL;
    int64_t *const result = b != NULL ? sl_alloc(soc, sizeof *result, 0) : NULL;
    if (result == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < n; i++) {
        a[i] = a_at(i);
        b[i] = b_at(i);
    }
    status = launch(module, n, a, b, result);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->dot = *result;
        sl_app_result("the_program(%" PRIu32 ") = %" PRId64, n, *result);
    }
    return status;
}

/* The same in plain C. */
static int64_t dot_in_plain_c(uint32_t n)
{
    int64_t dot = 0;

    for (uint32_t i = 0; i < n; i++) {
        dot += (int64_t)a_at(i) * b_at(i);
    }
    return dot;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const int64_t right = dot_in_plain_c(arguments->n);

    if (arguments->dot != right) {
        (void)fprintf(stderr, "the_program: wrong: the dot product is %" PRId64 "\n", right);
    }
    return arguments->dot == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
