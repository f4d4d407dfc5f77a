/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dot product of two vectors of N numbers: a kernel over an NDRange, a work-item for each
 * place, in work-groups that add up in LDS. The kernel is in the_program_kernel.c. */
#include <sluice/program.h>

#include "the_program.h"

/* What the command line says, and what the machine finds. */
struct arguments {
    uint32_t n;
    int64_t dot;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, n)},
    {0},
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

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t n = arguments->n;
    /* Kernels reach what sl_app_alloc() gives, and nothing of the host's own heap or stack. */
    int32_t *const a = sl_app_alloc(soc, n * sizeof *a, 0);
    int32_t *const b = sl_app_alloc(soc, n * sizeof *b, 0);
    int64_t *const result = sl_app_alloc(soc, sizeof *result, 0);

    for (uint32_t i = 0; i < n; i++) {
        a[i] = a_at(i);
        b[i] = b_at(i);
    }
    /* A work-item for each place. */
    const enum sl_status status =
        sl_app_launch(soc, "dot_kernel", n, GROUP, 0, SL_VALUES(a, b, result));
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

    return sl_app_check(arguments->dot == right, "the dot product is %" PRId64, right);
}

static const struct sl_app app = {
    .doc = "Multiply two vectors of N numbers on the simulated accelerator, and check the dot "
           "product.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "the_program.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
