/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that deadlock on the reconvergence stack (papers/004 chapter 3), and one that does not.
 * The machine's message goes to standard error, and the exit status is that of a machine that
 * failed, 3. */
#include "probes/faults/deadlock.h"

#include <string.h>

#include "sluice/program.h"

struct deadlock_case {
    const char *name;
    const char *kernel;
    uint32_t items; /* 0: those of a channel */
};

/* In the order of the words of the table below. */
static const struct deadlock_case cases[] = {
    {"one", "deadlock_one", DEADLOCK_LANES},
    {"two", "deadlock_two", 2 * DEADLOCK_LANES},
    {"semaphore", "deadlock_semaphore", DEADLOCK_LANES},
    {"channel", "deadlock_channel", 0},
    {"nested", "deadlock_nested", DEADLOCK_LANES},
    {"right", "deadlock_right", 4 * DEADLOCK_LANES},
};

struct arguments {
    uint32_t wanted; /* case */
    uint32_t count;
};

static const struct sl_argument table[] = {
    {"CASE", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, wanted),
     .words = "one|two|semaphore|channel|nested|right"},
    {0},
};

static enum sl_status run_channel(struct sl_soc *soc, const struct deadlock_shared *shared,
                                  const char *kernel_name)
{
    const struct sl_channel_options options = {.name = "deadlock"};
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const int channel = sl_graph_channel(graph, sizeof(uint64_t), DEADLOCK_LANES, &options);
    const int kernel = sl_graph_kernel(graph, kernel_name);

    sl_graph_argument(graph, kernel, 2, (uintptr_t)shared);
    sl_graph_connect(graph, channel, kernel);
    for (int i = 0; i < DEADLOCK_LANES / 2; i++) {
        (void)sl_app_put(graph, channel, 1);
    }
    return sl_app_execute(graph);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct deadlock_case *const wanted = &cases[arguments->wanted];
    struct deadlock_shared *const shared = sl_app_alloc(soc, sizeof *shared, 0);

    memset(shared->lock, 0xff, sizeof shared->lock);
    shared->resources = DEADLOCK_RESOURCES;
    shared->count = 0;
    const enum sl_status status = wanted->items == 0
                                      ? run_channel(soc, shared, wanted->kernel)
                                      : sl_app_launch(soc, wanted->kernel, wanted->items,
                                                      DEADLOCK_LANES, 0, SL_VALUES(shared));
    if (status == SL_OK) {
        arguments->count = shared->count;
        sl_app_result("deadlock(%s) = %" PRIu32, wanted->name, arguments->count);
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;
    const uint32_t right = cases[arguments->wanted].items;

    return sl_app_check(arguments->count == right, "%" PRIu32 " is right", right);
}

static const struct sl_app app = {
    .doc = "Run locks as a programmer of CPUs would write them.\vCases: one (all lanes want one "
           "lock), two (each of two wavefronts has what the other one wants), semaphore, channel "
           "(one, of a channel's lanes), nested (locks of two lanes each, in no order), and right, "
           "which ends.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "deadlock.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
