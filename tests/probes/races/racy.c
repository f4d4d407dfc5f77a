/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Work-groups that all store the same value to the same word and load it, in N launches one after
 * the other: the result is right whoever is first, and yet there are races (docs/do/find-races.md),
 * unless they use atomics, and of a scope that holds both. */

#include "probes/races/racy.h"
#include "sluice/program.h"

struct arguments {
    uint32_t n;
    uint32_t kernel; /* the number of its name */
    uint32_t sum;    /* of what was loaded: the result */
};

static const char *const kernels[] = {"racy_plain", "racy_atomic", "racy_groups"};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000, SL_INTO(struct arguments, n)},
    {"atomic", 0, SL_FLAG, 0, 1, SL_INTO(struct arguments, kernel),
     "Use atomics, so that there are no races"},
    {"groups", 0, SL_FLAG, 0, 2, SL_INTO(struct arguments, kernel),
     "Use atomics of work-group scope"},
    {0},
};

static enum sl_status run(struct sl_soc *soc, void *to)
{
    struct arguments *const arguments = to;
    uint32_t *const words = sl_app_alloc(soc, (1 + RACY_GROUPS) * sizeof *words, 0);
    enum sl_status status = SL_OK;

    for (uint32_t i = 0; status == SL_OK && i < arguments->n; i++) {
        status = sl_app_launch(soc, kernels[arguments->kernel], RACY_GROUPS * RACY_ITEMS,
                               RACY_ITEMS, 0, SL_VALUES(words));
        for (uint32_t number = 1; status == SL_OK && number <= RACY_GROUPS; number++) {
            arguments->sum += words[number];
        }
    }
    if (status == SL_OK) {
        sl_app_result("racy(%" PRIu32 ") = %" PRIu32, arguments->n, arguments->sum);
    }
    return status;
}

static bool is_right(const void *from)
{
    const struct arguments *const arguments = from;
    const uint32_t expected = arguments->n * RACY_GROUPS * RACY_VALUE;

    return sl_app_check(arguments->sum == expected, "should be %" PRIu32, expected);
}

static const struct sl_app app = {
    .doc = "Launch work-groups that race for a word, but not for its value, N times.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "racy.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
