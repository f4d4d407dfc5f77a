/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Sequences of launches: which steps run, in what order and over how many work-items, what library
 * and firmware say of bad ones, and after each that the machine runs a good graph. Its kernels are
 * sequence_kernel.c. */
#include "probes/launches/step_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/launch/sequence_check.h"
#include "probes/launches/sequence_cases.h"
#include "workloads/common/cases.h"

#define STEPS_BYTES   8192
#define WAIT_LIMIT_MS 20000

/* The steps that ran, as a case has them. */
static void steps_text(const struct step_log *log, char *out, size_t bytes)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < log->count && i < STEP_LOG_ENTRIES && used < bytes; i++) {
        used += (size_t)snprintf(out + used, bytes - used, i == 0 ? "%" PRIu32 : " %" PRIu32,
                                 log->entry[i]);
    }
}

/* All steps once, in order. */
static void all_steps(unsigned count, char *out, size_t bytes)
{
    struct step_log log = {.count = count};
    for (uint32_t i = 0; i < count; i++) {
        log.entry[i] = i;
    }
    steps_text(&log, out, bytes);
}

static bool has_run(const struct sequence_case *wanted, const struct plan *plan)
{
    const struct step_log *const log = &plan->shared->log;
    char right[STEPS_BYTES];
    char found[STEPS_BYTES];
    if (wanted->steps == NULL) {
        return true;
    }
    steps_text(log, found, sizeof found);
    if (strcmp(wanted->steps, "all") == 0) {
        all_steps(plan->count, right, sizeof right);
    } else {
        (void)snprintf(right, sizeof right, "%s", wanted->steps);
    }
    return sl_app_check(strcmp(right, found) == 0 && log->items == wanted->items,
                        "%s: steps '%s' with %" PRIu32 " work-items; right: '%s' with %" PRIu32,
                        wanted->name, found, log->items, right, wanted->items);
}

/* Starts a copy of the library's description, damaged. */
static enum sl_status start_damaged(struct sl_soc *soc, const struct sequence_case *wanted)
{
    const struct sl_sequence *const good = sl_sequence_shared(soc);
    const size_t bytes = sizeof *good + good->count * sizeof(struct sl_launch);
    struct sl_sequence *const bad = sl_app_alloc(soc, bytes, 0);
    memcpy(bad, good, bytes);
    wanted->damage(bad);
    enum sl_status status = sl_soc_sequence_unchecked(soc, (uintptr_t)bad);
    if (status == SL_OK) {
        status = sl_soc_wait(soc, WAIT_LIMIT_MS);
    }
    sl_free(soc, bad);
    return status;
}

static enum sl_status start(struct sl_soc *soc, struct plan *plan)
{
    enum sl_status status = sl_launch_sequence(sl_app_kernels(soc), plan->steps, plan->count,
                                               plan->first, plan->last, plan->word);
    if (status == SL_OK) {
        status = sl_soc_wait(soc, WAIT_LIMIT_MS);
    }
    return status;
}

static enum sl_status run_case(struct sl_soc *soc, size_t number, struct relay *good,
                               bool *is_right)
{
    const struct sequence_case *const wanted = &cases[number];
    static struct plan plan;

    (void)good;
    plan = (struct plan){.shared = sl_app_alloc(soc, sizeof *plan.shared, 0)};
    wanted->build(&plan);
    enum sl_status status = start(soc, &plan);
    if (status == SL_OK && wanted->damage != NULL) {
        status = start_damaged(soc, wanted);
    }
    const char *const message = wanted->message != NULL ? wanted->message : "";
    const bool is_told = sl_app_check(
        status == wanted->status && strstr(sl_soc_error(soc), message) != NULL,
        "%s: status %d, %s; should be %d, '...%s...'", wanted->name, (int)status,
        status == SL_OK ? "complete" : sl_soc_error(soc), (int)wanted->status, message);
    if (is_told && status != SL_OK) {
        (void)printf("# %s: %s\n", wanted->name, sl_soc_error(soc));
    }
    *is_right = is_told && has_run(wanted, &plan);
    sl_free(soc, plan.shared);
    return SL_OK;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "sequence",
        .doc = "Run sequences of launches, good ones and bad ones, and after each a good graph on "
               "the same machine. The value is the number of those that were as they should be.",
        .kernels = "sequence.elf",
        CASES(cases),
        .run = run_case,
    };
    return cases_main(&program, argc, argv);
}
