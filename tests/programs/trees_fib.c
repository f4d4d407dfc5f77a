/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Fibonacci numbers on a task vector (docs/trees.md; papers/000 section 5.6.3). Its kernel is
 * trees_fib_kernel.c. */
#include <inttypes.h>
#include <stdio.h>

#include "host/sluice.h"
#include "programs/common/options.h"
#include "programs/common/program.h"
#include "programs/common/progress.h"
#include "programs/common/report.h"

#define N_MAX 32

struct arguments {
    uint32_t n;
    uint32_t capacity; /* 0: as many slots as it takes */
    uint32_t group;
    uint32_t stack;
    uint64_t value;
};

enum { OPTION_CAPACITY = 256, OPTION_STACK };

static const struct argp_option option_table[] = {
    {"capacity", OPTION_CAPACITY, "SLOTS", 0, "Slots of the task vector (default: enough)", 0},
    {"group", 'g', "ITEMS", 0, "Work-items of a work-group, 1 to 1024 (default 256)", 0},
    {"stack", OPTION_STACK, "EPOCHS", 0, "Epochs that their stack has room for (default 4096)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;
    switch (key) {
    case OPTION_CAPACITY:
        arguments->capacity =
            (uint32_t)options_number(state, "--capacity", argument, 1, SL_TREES_SLOTS);
        return 0;
    case 'g':
        arguments->group = (uint32_t)options_number(state, "--group", argument, 1, SL_GROUP_ITEMS);
        return 0;
    case OPTION_STACK:
        arguments->stack = (uint32_t)options_number(state, "--stack", argument, 1, SL_TREES_EPOCHS);
        return 0;
    default:
        return options_n(key, argument, state, 0, N_MAX, &arguments->n);
    }
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
    struct sl_module *module;
    struct sl_task_vector *trees;

    enum sl_status status = program_load(soc, "trees_fib.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    const struct sl_trees_options options = {
        .capacity = arguments->capacity > 0 ? arguments->capacity : slots(arguments->n),
        .arguments = 2,
        .functions = 2,
        .group = arguments->group,
        .stack = arguments->stack,
    };
    status = sl_trees_create(module, "trees_fib", NULL, &options, &trees);
    if (status == SL_OK) {
        status = sl_trees_execute(trees, 1, &arguments->n, 1);
    }
    if (status == SL_OK) {
        status = progress_wait(soc, NULL);
    }
    if (status == SL_OK) {
        arguments->value = sl_trees_result(trees);
        report_result("trees_fib(%" PRIu32 ") = %" PRIu64, arguments->n, arguments->value);
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
    const struct program program = {
        .argp = &argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return program_main(&program, argc, argv);
}
