/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fibonacci numbers on a task vector (docs/know/trees.md; papers/000 section 5.6.3). Its kernel is
 * trees_fib_kernel.c. */

#include "sluice/program.h"
#include "workloads/common/fibonacci.h"
#include "workloads/common/trees.h"

/* As the kernel's SL_TASKS() numbers them: the first task. */
enum { FIB = 1, FUNCTIONS = 2 };

struct arguments {
    uint32_t n;
    struct trees_options trees;
    uint64_t value;
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 0, 32, SL_INTO(struct arguments, n)},
    SL_ROWS(struct arguments, trees, trees_rows),
    {0},
};

/* A task for each call down to 2: F(n) calls of 1 and 2 and, between them, one less. None is freed
 * before its parent reads it, so that all have slots at once. */
static uint32_t slots(uint32_t n)
{
    return n <= 2 ? 1 : (uint32_t)(2 * fibonacci(n) - 1);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct trees_program program = {
        .name = "trees_fib",
        .capacity = slots(arguments->n),
        .arguments = 2,
        .functions = FUNCTIONS,
    };
    struct trees_arguments first = {0};

    trees_put_u32(&first, arguments->n);
    const enum sl_status status =
        trees_run(soc, &program, &arguments->trees, FIB, &first, &arguments->value);
    if (status == SL_OK) {
        sl_app_result("trees_fib(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->value);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint64_t right = arguments->n > 0 ? fibonacci(arguments->n) : 0;

    return sl_app_check(arguments->value == right, "%" PRIu64 ", should be %" PRIu64,
                        arguments->value, right);
}

static const struct sl_app app = {
    .doc = "Compute the Nth Fibonacci number by fork and join on a task vector.",
    .table = table,
    .arguments = &(struct arguments){0},
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
