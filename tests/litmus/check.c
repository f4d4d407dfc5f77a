/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Outcomes that the model forbids, the condition, and what the file expects of memory systems. */
#include "litmus/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_quantifier_right(const struct litmus_outcomes *outcomes, uint64_t observed)
{
    switch (outcomes->test->condition.quantifier) {
    case LITMUS_NOT_EXISTS:
        return observed == 0;
    case LITMUS_FORALL:
        return observed == outcomes->observed;
    default:
        return true;
    }
}

static bool is_expectation_right(const struct litmus_outcomes *outcomes, const char *system,
                                 const struct litmus_expectation *expectation, uint64_t observed)
{
    if (strcmp(expectation->system, "*") != 0 && strcmp(expectation->system, system) != 0) {
        return true;
    }
    return expectation->runs == 0 ? observed == 0
                                  : observed > 0 || outcomes->observed < expectation->runs;
}

static bool check_forbidden(const struct litmus_outcomes *outcomes, const char *path,
                            const char *system)
{
    const uint64_t forbidden = litmus_outcomes_forbidden(outcomes);
    const struct litmus_order *const order = outcomes->order;

    if (forbidden > 0) {
        (void)fprintf(
            stderr, "litmus: wrong: %s: forbidden outcomes in %" PRIu64 " runs on %s%s%s\n", path,
            forbidden, system, order != NULL ? " with " : "", order != NULL ? order->name : "");
    }
    return forbidden == 0;
}

bool litmus_check(const struct litmus_outcomes *outcomes, const char *path, const char *system)
{
    const struct litmus_test *const test = outcomes->test;
    uint64_t observed;
    bool is_all_right = check_forbidden(outcomes, path, system);

    (void)litmus_outcomes_condition(outcomes, &observed);
    if (!is_quantifier_right(outcomes, observed)) {
        is_all_right = false;
        (void)fprintf(stderr,
                      "litmus: wrong: %s: the condition does not hold: %" PRIu64 " of %" PRIu64
                      " runs on %s end as it says\n",
                      path, observed, outcomes->observed, system);
    }
    for (unsigned i = 0; i < test->expectation_count; i++) {
        const struct litmus_expectation *const expectation = &test->expectation[i];
        if (!is_expectation_right(outcomes, system, expectation, observed)) {
            is_all_right = false;
            (void)fprintf(stderr,
                          "litmus: wrong: %s:%u: %" PRIu64 " of %" PRIu64
                          " runs on %s end as the condition says, and %s should\n",
                          path, expectation->line, observed, outcomes->observed, system,
                          expectation->runs == 0 ? "none" : "some");
        }
    }
    return is_all_right;
}
