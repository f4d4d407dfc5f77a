/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* QEMU is killed between two runs, and the next one begins at any moment after that: before the
 * system has ended the process, while it does, or when nothing is left. Each run has to be right,
 * on another QEMU. The moments are from 0 to 5 ms behind the kill, in steps of 0.1 ms. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "sluice/program.h"
#include "workloads/common/relay.h"

#define KILLS_MAX 1000000
#define MOMENTS   51
#define STEP_NS   100000

static error_t parse(int key, char *argument, struct argp_state *state)
{
    uint32_t *const kills = state->input;
    return sl_app_n(key, argument, state, 1, KILLS_MAX, kills);
}

static const struct argp kills_argp = {
    .parser = parse,
    .args_doc = "N",
    .doc = "Kill QEMU N times, each time between two runs. The value is the number of runs behind "
           "a kill whose result was right.\vN is from 1 to 1000000.",
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
static bool survives(struct sl_soc *soc, struct sl_module *module, uint32_t moment)
{
    const pid_t killed = sl_soc_qemu_pid(soc);
    struct relay relay;
    int is_right = 0;

    enum sl_status status = relay_build(&relay, module, soc, &relay_default);
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

int main(int argc, char **argv)
{
    struct sl_app_options options;
    struct sl_soc *soc;
    struct sl_module *module;
    uint32_t kills = 0;
    uint32_t rights = 0;
    int exit_status = SL_APP_WRONG;

    sl_app_parse(&kills_argp, argc, argv, &kills, &options);
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = sl_app_load(soc, "wrap.elf", &module);
    }
    for (uint32_t i = 0; status == SL_OK && i < kills; i++) {
        rights += survives(soc, module, i % MOMENTS) ? 1 : 0;
    }
    if (status == SL_OK) {
        sl_app_result("kills(%" PRIu32 ") = %" PRIu32, kills, rights);
        status = sl_app_report(soc, &options);
    }
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    } else if (rights == kills) {
        exit_status = SL_APP_RIGHT;
    }
    sl_soc_close(soc);
    return exit_status;
}
