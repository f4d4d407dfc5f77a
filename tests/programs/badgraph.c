/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs with a bad descriptor (DESIGN section 6), one for each value of enum sl_refusal and more.
 *
 * A good graph is prepared, its description in shared memory damaged, and the firmware told to run
 * it without the library's check: it has to refuse, with the reason that the same check gives here.
 * Where such a graph can be asked for with the library's calls, the library has to refuse it
 * too. After each, a good graph has to run on the same machine. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/messages.h"
#include "programs/badgraph_cases.h"
#include "programs/common/options.h"
#include "programs/common/relay.h"
#include "programs/common/report.h"

#define CASES_MAX     128
#define WAIT_LIMIT_MS 20000

struct badgraph_options {
    const struct badgraph_case *chosen[CASES_MAX];
    size_t count;
};

static error_t parse_badgraph(int key, char *argument, struct argp_state *state)
{
    struct badgraph_options *const options = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        for (size_t i = 0; i < CASE_COUNT; i++) {
            if (strcmp(argument, cases[i].name) == 0) {
                if (options->count == CASES_MAX) {
                    argp_error(state, "more than %d cases", CASES_MAX);
                }
                options->chosen[options->count++] = &cases[i];
                return 0;
            }
        }
        argp_failure(state, PROGRAM_USAGE, 0, "'%s' is no case; --list shows them", argument);
        return 0;
    case 'l':
        for (size_t i = 0; i < CASE_COUNT; i++) {
            (void)printf("%s\n", cases[i].name);
        }
        exit(PROGRAM_RIGHT);
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "the argument CASE is missing; --list shows the cases");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option badgraph_option_table[] = {
    {"list", 'l', NULL, 0, "List the cases", 0},
    {0},
};

static const struct argp badgraph_argp = {
    .options = badgraph_option_table,
    .parser = parse_badgraph,
    .args_doc = "CASE...",
    .doc = "Execute graphs with a bad descriptor. The value is the number of those that library "
           "and firmware refused for the right reason and that left the machine fit for use.",
};

/* Enough to be damaged in every way. */
static enum sl_status build_victim(struct sl_soc *soc, struct sl_module *module,
                                   struct victim *victim)
{
    struct relay_result *const result = sl_alloc(soc, sizeof *result, 0);
    if (result == NULL) {
        return SL_ERROR_MACHINE;
    }
    const enum sl_status status = sl_graph_create(module, &victim->builder);
    if (status != SL_OK) {
        return status;
    }
    struct sl_graph_builder *const builder = victim->builder;
    const int first =
        sl_graph_channel(builder, 8, VICTIM_WIDTH, &(struct sl_channel_options){.name = "first"});
    const int second =
        sl_graph_channel(builder, 8, VICTIM_WIDTH, &(struct sl_channel_options){.name = "second"});
    for (int i = 0; i < 2; i++) {
        const int kernel = sl_graph_kernel(builder, "relay_kernel");
        const int channel = i == 0 ? first : second;
        sl_graph_argument(builder, kernel, 2, (uint64_t)channel);
        sl_graph_argument(builder, kernel, 3, (uintptr_t)result);
        sl_graph_argument(builder, kernel, 4, 2);
        sl_graph_connect(builder, channel, kernel);
        sl_graph_output(builder, kernel, channel, 2);
    }
    return sl_graph_prepare(builder);
}

static void find_tables(struct sl_soc *soc, struct sl_module *module, struct victim *victim)
{
    victim->layout = sl_soc_layout(soc);
    victim->module = module;
    victim->graph = sl_graph_shared(victim->builder);
    victim->channels = sl_graph_shared_channel(victim->builder, 0);
    victim->kernels = (struct sl_kernel *)(uintptr_t)victim->graph->kernels;
    victim->edges = (struct sl_edge *)(uintptr_t)victim->graph->edges;
    victim->program = (struct sl_program *)(uintptr_t)victim->graph->program;
    victim->address = (uintptr_t)victim->graph;
}

/* What the check says of the damaged graph here. */
static int check(const struct sl_soc *soc, const struct victim *victim,
                 struct sl_graph_refusal *refusal)
{
    static struct sl_graph_scratch scratch;
    const struct sl_graph_limits limits = {
        .heap_base = SL_HEAP_BASE,
        .heap_limit = victim->layout->heap_limit,
        .lanes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES],
    };
    return sl_graph_check((const struct sl_graph *)(uintptr_t)victim->address, &limits, refusal,
                          &scratch);
}

/* Whether the firmware refuses the damaged graph for the reason that the check gives here. */
static int is_refused_by_firmware(struct sl_soc *soc, const struct badgraph_case *bad,
                                  const struct victim *victim)
{
    struct sl_graph_refusal refusal = {.reason = 0};
    char wanted[1024];
    if (check(soc, victim, &refusal) == 0 || refusal.reason != bad->reason) {
        (void)fprintf(stderr, "badgraph: wrong: %s: the check gives reason %d, wanted %d\n",
                      bad->name, (int)refusal.reason, (int)bad->reason);
        return 0;
    }
    const int is_whole = victim->address == (uintptr_t)victim->graph;
    const struct sl_message_context context = {sl_soc_config(soc), victim->module,
                                               is_whole ? victim->builder : NULL, NULL};
    sl_refusal_text(&context, &refusal, wanted, sizeof wanted);

    enum sl_status status = sl_soc_execute_unchecked(soc, victim->address);
    if (status == SL_OK) {
        status = sl_soc_wait(soc, WAIT_LIMIT_MS);
    }
    const char *const text = status == SL_OK ? "complete" : sl_soc_error(soc);
    if (status != SL_ERROR_USAGE || strstr(text, wanted) == NULL) {
        (void)fprintf(stderr, "badgraph: wrong: %s: status %d, %s; wanted: %s\n", bad->name,
                      (int)status, text, wanted);
        return 0;
    }
    (void)printf("# %s: %s\n", bad->name, text);
    return 1;
}

/* Whether the library refuses the graph that the case asks for, with the right message. */
static int is_refused_by_library(struct sl_soc *soc, struct sl_module *module,
                                 const struct badgraph_case *bad)
{
    struct sl_graph_builder *graph;
    if (sl_graph_create(module, &graph) != SL_OK) {
        return 0;
    }
    bad->ask(graph);
    const enum sl_status status = sl_graph_prepare(graph);
    const char *const text = status == SL_OK ? "prepared" : sl_soc_error(soc);
    const int is_right = status == SL_ERROR_USAGE && strstr(text, bad->answer) != NULL;
    if (is_right) {
        (void)printf("# %s: %s\n", bad->name, text);
    } else {
        (void)fprintf(stderr, "badgraph: wrong: %s: library: status %d, %s; wanted: %s\n",
                      bad->name, (int)status, text, bad->answer);
    }
    sl_graph_destroy(graph);
    return is_right;
}

/* One case, on a machine that goes on to be used. */
static enum sl_status run_case(struct sl_soc *soc, struct sl_module *module,
                               const struct badgraph_case *bad, struct relay *good, size_t *rights)
{
    struct victim victim;
    int is_right = 0;
    const int is_told = bad->ask == NULL || is_refused_by_library(soc, module, bad);
    enum sl_status status = build_victim(soc, module, &victim);
    if (status != SL_OK) {
        return status;
    }
    find_tables(soc, module, &victim);
    /* The program belongs to the module, not to the graph: it is put right again. */
    const struct sl_program program = *victim.program;
    bad->damage(&victim);
    const int is_refused = is_refused_by_firmware(soc, bad, &victim);
    *(struct sl_program *)(uintptr_t)sl_graph_shared(good->graph)->program = program;
    sl_graph_destroy(victim.builder);
    status = relay_run(good, &is_right);
    *rights += status == SL_OK && is_told && is_refused && is_right;
    return status;
}

static enum sl_status run_cases(struct sl_soc *soc, const struct badgraph_options *options,
                                size_t *rights)
{
    struct sl_module *module;
    struct relay good;
    struct relay_options small = relay_default;
    char kernels[PATH_MAX];
    small.rounds = 20;
    enum sl_status status =
        sl_module_load(soc, options_kernels("wrap.elf", kernels, sizeof kernels), &module);
    if (status == SL_OK) {
        status = relay_build(&good, module, soc, &small);
    }
    for (size_t i = 0; status == SL_OK && i < options->count; i++) {
        status = run_case(soc, module, options->chosen[i], &good, rights);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct badgraph_options badgraph = {.count = 0};
    struct sl_soc *soc;
    size_t rights = 0;
    int exit_status = PROGRAM_WRONG;

    options_parse(&badgraph_argp, argc, argv, &badgraph, &options);
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = run_cases(soc, &badgraph, &rights);
    }
    if (status != SL_OK) {
        exit_status = report_error(soc, status);
    } else {
        report_result("badgraph(%zu) = %zu", badgraph.count, rights);
        exit_status = rights == badgraph.count ? PROGRAM_RIGHT : PROGRAM_WRONG;
    }
    sl_soc_close(soc);
    return exit_status;
}
