/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that never end and change nothing, and one that ends late. The machine's message goes to
 * standard error, and the exit status is that of a machine that failed, 3. */
#include "probes/faults/stuck.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/launches.h"

#define WAVEFRONTS 2

struct stuck_case {
    const char *name;
    const char *kernel;
    uint32_t group; /* work-items of a work-group; 0: those of a channel */
};

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

#define CASES (sizeof cases / sizeof cases[0])

struct arguments {
    const struct stuck_case *wanted;
    uint32_t wavefronts; /* of a launch; 0: not named */
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const arguments = state->input;

    if (key == ARGP_KEY_END && arguments->wanted == NULL) {
        argp_error(state, "a case is missing");
    }
    if (key != ARGP_KEY_ARG) {
        return ARGP_ERR_UNKNOWN;
    }
    if (arguments->wanted != NULL && arguments->wavefronts == 0) {
        arguments->wavefronts = (uint32_t)sl_app_number(state, "WAVEFRONTS", argument, 1, 4096);
        return 0;
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

static const struct argp stuck_argp = {
    .parser = parse,
    .args_doc = "CASE [WAVEFRONTS]",
    .doc =
        "Run kernels that never end, in two wavefronts or more.\vCases: loop (nothing at all), "
        "word (looks at one that nobody stores), pause (the same, standing back), nested (in two "
        "loops), misaligned, many (words), exchange (of words that others change and change back), "
        "trylock, barrier, "
        "counts (in registers), channel (lanes of a channel), and stores, which ends.",
};

static enum sl_status run_channel(struct sl_soc *soc, struct sl_module *module,
                                  const struct stuck_shared *shared, const char *kernel_name)
{
    const uint32_t elements = WAVEFRONTS * STUCK_LANES;
    const struct sl_channel_options options = {.name = "stuck"};
    struct sl_graph_builder *graph;

    enum sl_status status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    const int channel = sl_graph_channel(graph, sizeof(uint64_t), elements, &options);
    const int kernel = sl_graph_kernel(graph, kernel_name);
    sl_graph_argument(graph, kernel, 2, (uintptr_t)shared);
    sl_graph_connect(graph, channel, kernel);
    status = sl_graph_prepare(graph);
    for (uint32_t i = 0; status == SL_OK && i < elements; i++) {
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
    const struct stuck_case *const wanted = arguments->wanted;
    const uint32_t wavefronts = arguments->wavefronts != 0 ? arguments->wavefronts : WAVEFRONTS;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "stuck.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    struct stuck_shared *const shared = sl_alloc(soc, sizeof *shared, 64);
    if (shared == NULL) {
        return SL_ERROR_USAGE;
    }
    memset(shared, 0, sizeof *shared);
    shared->lock = STUCK_TAKEN;
    const uint64_t constants[] = {(uintptr_t)shared};
    status = wanted->group == 0
                 ? run_channel(soc, module, shared, wanted->kernel)
                 : launch_and_wait(soc, module, wanted->kernel, wavefronts * STUCK_LANES,
                                   wanted->group, 0, constants, 1);
    arguments->is_right = strcmp(wanted->name, "stores") == 0 && has_stored(shared);
    return status;
}

/* None of the others ends. */
static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    if (!arguments->is_right) {
        (void)fprintf(stderr, "stuck: wrong: %s has ended\n", arguments->wanted->name);
    }
    return arguments->is_right;
}

int main(int argc, char **argv)
{
    struct arguments arguments = {0};
    const struct sl_app app = {
        .argp = &stuck_argp, .arguments = &arguments, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
