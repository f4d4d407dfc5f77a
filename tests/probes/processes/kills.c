/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU is killed between two runs, and the next one begins at any moment after that: before the
 * system has ended the process, while it does, or when nothing is left. Each run has to be right,
 * on another QEMU. The moments are from 0 to 5 ms behind the kill, in steps of 0.1 ms. */
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "sluice/program.h"
#include "workloads/common/relay.h"

#define MOMENTS 51
#define STEP_NS 100000

struct arguments {
    uint32_t kills;
    uint32_t rights; /* the result */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 1000000, SL_INTO(struct arguments, kills)},
    {0},
};

/* The moment is what is looked at: there is nothing to wait for. */
static void pass(uint32_t moment)
{
    const struct timespec delay = {.tv_nsec = (long)moment * STEP_NS};
    if (moment > 0) {
        (void)nanosleep(&delay, NULL);
    }
}

/* Returns whether the run behind the kill was right. It has a graph of its own: one whose run has
 * failed is broken. */
static bool survives(struct sl_soc *soc, uint32_t moment)
{
    const pid_t killed = sl_soc_qemu_pid(soc);
    struct relay relay;
    int is_right = 0;

    enum sl_status status = relay_build(&relay, sl_app_kernels(soc), soc, &relay_default);
    if (status == SL_OK) {
        (void)kill(killed, SIGKILL);
        pass(moment);
        status = relay_run(&relay, &is_right);
        sl_graph_destroy(relay.graph);
        sl_free(soc, relay.result);
    }
    if (status != SL_OK) {
        (void)fprintf(stderr, "kills: %.1f ms behind it: %s\n", moment * (STEP_NS / 1e6),
                      sl_soc_error(soc));
    }
    return status == SL_OK && is_right && sl_soc_qemu_pid(soc) != killed;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;

    for (uint32_t i = 0; i < arguments->kills; i++) {
        arguments->rights += survives(soc, i % MOMENTS) ? 1 : 0;
    }
    sl_app_result("kills(%" PRIu32 ") = %" PRIu32, arguments->kills, arguments->rights);
    return SL_OK;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    return arguments->rights == arguments->kills; /* survives() has said which not */
}

static const struct sl_app app = {
    .doc = "Kill QEMU N times, each time between two runs. The value is the number of runs behind "
           "a kill whose result was right.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "wrap.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
