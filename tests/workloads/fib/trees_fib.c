/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fibonacci numbers on a task vector (docs/know/trees.md; papers/000 section 5.6.3). Its kernel is
 * trees_fib_kernel.c. */
#include <inttypes.h>
#include <stdio.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/trees.h"

#define N_MAX 32

/* As the kernel's SL_TASKS() numbers them: the first task. */
enum { FIB = 1, FUNCTIONS = 2 };

struct arguments {
    uint32_t n;
    struct trees_options trees;
    uint64_t value;
};

static const struct argp_option option_table[] = {TREES_OPTIONS, {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    return trees_parse_n(key, argument, state, &arguments->trees, 0, N_MAX, &arguments->n);
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "N",
    .doc =
        "Compute the Nth Fibonacci number by fork and join on a task vector.\vN is from 0 to 32.",
};

static uint64_t fibonacci(uint32_t n)
{
    uint64_t value = 0;
    uint64_t next = 1;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    return value;
}

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
    const uint64_t right = fibonacci(arguments->n);

    if (arguments->value != right) {
        (void)fprintf(stderr, "trees_fib: wrong: %" PRIu64 ", should be %" PRIu64 "\n",
                      arguments->value, right);
    }
    return arguments->value == right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
