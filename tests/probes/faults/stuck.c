/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that never end and change nothing, and one that ends late. The machine's message goes to
 * standard error, and the exit status is that of a machine that failed, 3. */
#include "probes/faults/stuck.h"

#include <string.h>

#include "sluice/program.h"

#define WAVEFRONTS 2

struct stuck_case {
    const char *name;
    const char *kernel;
    uint32_t group; /* work-items of a work-group; 0: those of a channel */
};

/* In the order of the words of the table below. */
static const struct stuck_case cases[] = {
    {"loop", "stuck_loop", STUCK_LANES},
    {"word", "stuck_word", STUCK_LANES},
    {"pause", "stuck_pause", STUCK_LANES},
    {"nested", "stuck_nested", STUCK_LANES},
    {"misaligned", "stuck_misaligned", STUCK_LANES},
    {"many", "stuck_many", STUCK_LANES},
    {"exchange", "stuck_exchange", STUCK_LANES},
    {"trylock", "stuck_trylock", STUCK_LANES},
    {"barrier", "stuck_barrier", WAVEFRONTS *STUCK_LANES},
    {"counts", "stuck_counts", STUCK_LANES},
    {"channel", "stuck_channel", 0},
    {"stores", "stuck_stores", STUCK_LANES},
};

struct arguments {
    uint32_t wanted;     /* case */
    uint32_t wavefronts; /* of a launch */
    bool is_right;       /* it has ended, as it should */
};

/* Whether the lanes of stuck_stores have stored what they should. */
static bool has_stored(const struct stuck_shared *shared)
{
    for (uint32_t i = 0; i < STUCK_LANES * STUCK_STORES; i++) {
        if (shared->line[i][0] != i) {
            return false;
        }
    }
    return true;
}

static const struct sl_argument table[] = {
    {"CASE", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, wanted),
     .words = "loop|word|pause|nested|misaligned|many|exchange|trylock|barrier|counts|channel|"
              "stores"},
    {"[WAVEFRONTS]", 0, SL_NUMBER, 1, 4096, SL_INTO(struct arguments, wavefronts)},
    {0},
};

static enum sl_status run_channel(struct sl_soc *soc, const struct stuck_shared *shared,
                                  const char *kernel_name)
{
    const uint32_t elements = WAVEFRONTS * STUCK_LANES;
    const struct sl_channel_options options = {.name = "stuck"};
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const int channel = sl_graph_channel(graph, sizeof(uint64_t), elements, &options);
    const int kernel = sl_graph_kernel(graph, kernel_name);

    sl_graph_argument(graph, kernel, 2, (uintptr_t)shared);
    sl_graph_connect(graph, channel, kernel);
    for (uint32_t i = 0; i < elements; i++) {
        (void)sl_app_put(graph, channel, 1);
    }
    return sl_app_execute(graph);
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const struct stuck_case *const wanted = &cases[arguments->wanted];
    struct stuck_shared *const shared = sl_app_alloc(soc, sizeof *shared, 64);

    memset(shared, 0, sizeof *shared);
    shared->lock = STUCK_TAKEN;
    const enum sl_status status =
        wanted->group == 0 ? run_channel(soc, shared, wanted->kernel)
                           : sl_app_launch(soc, wanted->kernel, arguments->wavefronts * STUCK_LANES,
                                           wanted->group, 0, SL_VALUES(shared));
    arguments->is_right = strcmp(wanted->name, "stores") == 0 && has_stored(shared);
    return status;
}

/* None of the others ends. */
static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    return sl_app_check(arguments->is_right, "%s has ended", cases[arguments->wanted].name);
}

static const struct sl_app app = {
    .doc = "Run kernels that never end, in WAVEFRONTS wavefronts.\vCases: loop (nothing at all), "
           "word (looks at one that "
           "nobody stores), pause (the same, standing back), nested (in two loops), misaligned, "
           "many (words), exchange (of words that others change and change back), trylock, "
           "barrier, counts (in registers), channel (lanes of a channel), and stores, which ends.",
    .table = table,
    .arguments = &(struct arguments){.wavefronts = WAVEFRONTS},
    .kernels = "stuck.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
