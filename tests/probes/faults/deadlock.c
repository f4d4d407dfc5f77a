/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that deadlock on the reconvergence stack (papers/004 chapter 3), and one that does not.
 * The machine's message goes to standard error, and the exit status is that of a machine that
 * failed, 3. */
#include "probes/faults/deadlock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/launches.h"

struct deadlock_case {
    const char *name;
    const char *kernel;
    uint32_t items; /* 0: those of a channel */
};

static const struct deadlock_case cases[] = {
    {"one", "deadlock_one", DEADLOCK_LANES},
    {"two", "deadlock_two", 2 * DEADLOCK_LANES},
    {"semaphore", "deadlock_semaphore", DEADLOCK_LANES},
    {"channel", "deadlock_channel", 0},
    {"nested", "deadlock_nested", DEADLOCK_LANES},
    {"right", "deadlock_right", 4 * DEADLOCK_LANES},
};

#define CASES (sizeof cases / sizeof cases[0])

struct arguments {
    const struct deadlock_case *wanted;
    uint32_t count;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == ARGP_KEY_END && arguments->wanted == NULL) {
        argp_error(state, "a case is missing");
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    for (size_t i = 0; arguments->wanted == NULL && i < CASES; i++) {
        if (strcmp(argument, cases[i].name) == 0) {
            arguments->wanted = &cases[i];
            return 0;
        }
    }
    argp_error(state, "'%s' is no case, or one too many", argument);
    return 0;
}

static const struct argp deadlock_argp = {
    .parser = parse,
    .args_doc = "CASE",
    .doc = "Run locks as a programmer of CPUs would write them.\vCases: one (all lanes want one "
           "lock), two (each of two wavefronts has what the other one wants), semaphore, channel "
           "(one, of a channel's lanes), nested (locks of two lanes each, in no order), and right, "
           "which "
           "ends.",
};

static enum sl_status run_channel(struct sl_soc *soc, struct sl_module *module,
                                  const struct deadlock_shared *shared, const char *kernel_name)
{
    const struct sl_channel_options options = {.name = "deadlock"};
    struct sl_graph_builder *graph;

    enum sl_status status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    const int channel = sl_graph_channel(graph, sizeof(uint64_t), DEADLOCK_LANES, &options);
    const int kernel = sl_graph_kernel(graph, kernel_name);
    sl_graph_argument(graph, kernel, 2, (uintptr_t)shared);
    sl_graph_connect(graph, channel, kernel);
    status = sl_graph_prepare(graph);
    for (int i = 0; status == SL_OK && i < DEADLOCK_LANES / 2; i++) {
        void *const element = sl_graph_talloc(graph, channel, 1);
        status = element != NULL ? sl_graph_enq(graph, channel, element, 1) : SL_ERROR_USAGE;
    }
    if (status == SL_OK) {
        status = sl_graph_execute(graph);
    }
    return status == SL_OK ? sl_app_wait(soc, graph) : status;
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct deadlock_case *const wanted = arguments->wanted;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "deadlock.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct deadlock_shared *const shared = sl_alloc(soc, sizeof *shared, 0);
    if (shared == NULL) {
        return SL_ERROR_USAGE;
    }
    memset(shared->lock, 0xff, sizeof shared->lock);
    shared->resources = DEADLOCK_RESOURCES;
    shared->count = 0;
    const uint64_t constants[] = {(uintptr_t)shared};
    status = wanted->items == 0 ? run_channel(soc, module, shared, wanted->kernel)
                                : launch_and_wait(soc, module, wanted->kernel, wanted->items,
                                                  DEADLOCK_LANES, 0, constants, 1);
    if (status == SL_OK) {
        arguments->count = shared->count;
        sl_app_result("deadlock(%s) = %" PRIu32, wanted->name, arguments->count);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    if (arguments->count != arguments->wanted->items) {
        (void)fprintf(stderr, "deadlock: wrong: %" PRIu32 " is right\n", arguments->wanted->items);
    }
    return arguments->count == arguments->wanted->items;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &deadlock_argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
