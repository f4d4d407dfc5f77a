/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The integer kernel that the simulator's speed is measured with: elements enough for every
 * wavefront context of the default machine, all put in by the host, each of which computes in
 * registers for N rounds. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "host/sluice.h"
#include "programs/common/options.h"
#include "programs/common/progress.h"
#include "programs/common/report.h"
#include "programs/integer.h"

#define ELEMENTS   20480 /* 8 compute units x 40 contexts x 64 lanes */
#define WIDTH      32768
#define ROUNDS_MAX 1000000

static error_t parse_integer(int key, char *argument, struct argp_state *state)
{
    return options_n(key, argument, state, 1, ROUNDS_MAX, state->input);
}

static const struct argp integer_argp = {
    .parser = parse_integer,
    .args_doc = "N",
    .doc = "Run N rounds of a random number generator in each of 20480 lanes, and check the sums.",
};

static enum sl_status put_in(struct sl_graph_builder *graph, int channel)
{
    enum sl_status status = SL_OK;
    for (uint64_t i = 0; status == SL_OK && i < ELEMENTS; i++) {
        struct integer_element *const element = sl_graph_talloc(graph, channel, 1);
        if (element == NULL) {
            return SL_ERROR_USAGE;
        }
        element->number = i;
        status = sl_graph_enq(graph, channel, element, 1);
    }
    return status;
}

static enum sl_status run(struct sl_soc *soc, uint32_t rounds, uint64_t **results)
{
    struct sl_module *module;
    struct sl_graph_builder *graph;
    char kernels[PATH_MAX];
    enum sl_status status =
        sl_module_load(soc, options_kernels("integer.elf", kernels, sizeof kernels), &module);
    if (status != SL_OK) {
        return status;
    }
    status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    *results = sl_alloc(soc, ELEMENTS * sizeof **results, 0);
    if (*results == NULL) {
        return SL_ERROR_MACHINE;
    }
    const struct sl_channel_options options = {.name = "integer"};
    const int channel = sl_graph_channel(graph, sizeof(struct integer_element), WIDTH, &options);
    const int kernel = sl_graph_kernel(graph, "integer_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)*results);
    sl_graph_argument(graph, kernel, 3, rounds);
    sl_graph_connect(graph, channel, kernel);
    status = sl_graph_prepare(graph);
    if (status == SL_OK) {
        status = put_in(graph, channel);
    }
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    return status == SL_OK ? progress_wait(soc, graph) : status;
}

static uint64_t count_wrong(const uint64_t *results, uint32_t rounds, uint64_t *sum)
{
    uint64_t wrong = 0;
    *sum = 0;
    for (uint64_t i = 0; i < ELEMENTS; i++) {
        wrong += results[i] != integer_rounds(i, rounds);
        *sum += results[i];
    }
    return wrong;
}

int main(int argc, char **argv)
{
    struct options options;
    uint32_t rounds = 0;
    uint64_t *results = NULL;
    uint64_t wrong = 0;
    struct sl_soc *soc;
    int exit_status = PROGRAM_WRONG;

    options_parse(&integer_argp, argc, argv, &rounds, &options);
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = run(soc, rounds, &results);
    }
    if (status == SL_OK) {
        uint64_t sum;
        wrong = count_wrong(results, rounds, &sum);
        report_result("integer(%" PRIu32 ") = %" PRIu64, rounds, sum);
        status = report_run(soc, &options);
    }
    if (status != SL_OK) {
        exit_status = report_error(soc, status);
    } else if (wrong == 0) {
        exit_status = PROGRAM_RIGHT;
    } else {
        (void)fprintf(stderr, "integer: wrong: the sums of %" PRIu64 " lanes\n", wrong);
    }
    sl_soc_close(soc);
    return exit_status;
}
