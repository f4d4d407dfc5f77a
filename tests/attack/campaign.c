/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Supervision of a campaign, and its table. */
#include "attack/campaign.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sluice/program.h"

#define HANG_S  60
#define POLL_MS 5
#define REPORTS 25u /* of what must not be, per campaign */

static const char *const outcome_names[OUTCOMES] = {
    [OUTCOME_RIGHT] = "right",     [OUTCOME_OWN] = "own",         [OUTCOME_FAULT] = "fault",
    [OUTCOME_REFUSED] = "refused", [OUTCOME_BOOKS] = "told",      [OUTCOME_STARTED] = "restarted",
    [OUTCOME_WRONG] = "WRONG",     [OUTCOME_THROUGH] = "THROUGH", [OUTCOME_FIRMWARE] = "FIRMWARE",
    [OUTCOME_UNFIT] = "UNFIT",     [OUTCOME_TEXT] = "TEXT",       [OUTCOME_CRASH] = "CRASH",
    [OUTCOME_HANG] = "HANG",
};

void tally_note(struct tally *tally, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(tally->what, sizeof tally->what, format, arguments);
    va_end(arguments);
}

/* Counts one, and tells of what must not be, with how to have it again. */
static void count(const struct campaign *campaign, const struct campaign_options *options,
                  struct tally *tally, enum outcome outcome, uint64_t tried, const char *told)
{
    struct row *const row = &tally->row[tally->current];
    row->tried += tried;
    row->outcome[outcome]++;
    if (options->is_verbose || (outcome >= OUTCOME_WRONG && tally->told_of < REPORTS)) {
        tally->told_of++;
        (void)fprintf(
            stderr, "attack: %s: %s --seed %" PRIu64 " --first %" PRIu64 " --count 1: %s: %s%s%s\n",
            outcome_names[outcome], campaign->name, options->seed, tally->number,
            campaign->row(tally->current), tally->what, told[0] != '\0' ? ": " : "", told);
    }
}

/* A host program: opens a machine and attacks it until the machine's share of runs is done. Another
 * machine takes over where one is not to be used any more. */
static void run_machine(const struct campaign *campaign, uint64_t campaign_number,
                        const struct campaign_options *options, struct tally *tally, uint64_t limit)
{
    struct session session;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!campaign->opens_itself &&
        session_open(&session, tally->number / campaign->runs_per_machine, "attack.elf",
                     !options->is_open) != SL_OK) {
        _exit(sl_app_error(session.soc, SL_ERROR_MACHINE));
    }
    while (tally->number < limit) {
        uint64_t tried = 0;
        struct rng rng = rng_of_run(options->seed, campaign_number, tally->number);
        tally->what[0] = '\0';
        const enum outcome outcome = campaign->attack(&session, &rng, tally, &tried);
        if (!campaign->opens_itself) {
            session_end(&session);
        }
        count(campaign, options, tally, outcome, tried, session.told);
        tally->number++;
        tally->rounds++;
        if (outcome >= OUTCOME_WRONG) {
            break;
        }
    }
    if (!campaign->opens_itself) {
        session_close(&session);
    }
    _exit(0);
}

/* Waits for the host program's end; one that shows no life is killed. Returns its wait status, and
 * whether it hung. */
static int supervise(pid_t pid, const struct tally *tally, bool *has_hung)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000};
    uint32_t rounds = tally->rounds;
    unsigned idle = 0;
    int status = 0;
    *has_hung = false;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        (void)nanosleep(&pause, NULL);
        idle = tally->rounds == rounds ? idle + 1 : 0;
        rounds = tally->rounds;
        if (idle > HANG_S * 1000 / POLL_MS) {
            *has_hung = true;
            (void)kill(pid, SIGKILL);
            idle = 0;
        }
    }
    return status;
}

static uint64_t show(const struct campaign *campaign, const struct campaign_options *options,
                     const struct tally *tally, double seconds)
{
    struct row sum = {0};
    uint64_t believed = 0;
    for (unsigned r = 0; campaign->row(r) != NULL; r++) {
        sum.tried += tally->row[r].tried;
        for (unsigned o = 0; o < OUTCOMES; o++) {
            sum.outcome[o] += tally->row[r].outcome[o];
            believed += o >= OUTCOME_WRONG ? tally->row[r].outcome[o] : 0;
        }
    }
    (void)printf("\n# %s, seed %" PRIu64 ": %" PRIu64 " %s, %.0f s\n", campaign->name,
                 options->seed, sum.tried, campaign->unit, seconds);
    (void)printf("%-28s %8s", "", campaign->unit);
    for (unsigned o = 0; o < OUTCOMES; o++) {
        if (sum.outcome[o] > 0 || o >= OUTCOME_WRONG) {
            (void)printf(" %8s", outcome_names[o]);
        }
    }
    for (unsigned r = 0;; r++) {
        const bool is_sum = campaign->row(r) == NULL;
        const struct row *const row = is_sum ? &sum : &tally->row[r];
        (void)printf("\n%-28s %8" PRIu64, is_sum ? "all" : campaign->row(r), row->tried);
        for (unsigned o = 0; o < OUTCOMES; o++) {
            if (sum.outcome[o] > 0 || o >= OUTCOME_WRONG) {
                (void)printf(" %8" PRIu64, row->outcome[o]);
            }
        }
        if (is_sum) {
            break;
        }
    }
    (void)printf("\n");
    (void)fflush(stdout);
    return believed;
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

uint64_t campaign_run(const struct campaign *campaign, uint64_t number,
                      const struct campaign_options *options)
{
    struct tally *const tally =
        mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const double begin = now();
    if (tally == MAP_FAILED) {
        (void)fprintf(stderr, "attack: out of memory\n");
        return 1;
    }
    tally->number = options->first;
    const uint64_t end = options->first + (options->count > 0 ? options->count : campaign->runs);
    while (tally->number < end) {
        bool has_hung;
        const uint64_t share =
            (tally->number / campaign->runs_per_machine + 1) * campaign->runs_per_machine;
        (void)fflush(NULL);
        const pid_t pid = fork();
        if (pid == 0) {
            run_machine(campaign, number, options, tally, share < end ? share : end);
        }
        const uint64_t before = tally->number;
        const int status = supervise(pid, tally, &has_hung);
        if (has_hung || WIFSIGNALED(status)) {
            char told[64];
            (void)snprintf(told, sizeof told, "signal %d", WTERMSIG(status));
            count(campaign, options, tally, has_hung ? OUTCOME_HANG : OUTCOME_CRASH, 1, told);
            tally->number++;
        } else if (WEXITSTATUS(status) != 0 && tally->number == before) {
            (void)fprintf(stderr, "attack: no machine\n");
            return 1;
        }
    }
    const uint64_t believed = show(campaign, options, tally, now() - begin);
    (void)munmap(tally, sizeof *tally);
    return believed;
}
