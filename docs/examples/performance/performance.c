/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs the kernels of docs/do/speed-up-kernels.md: one that something makes slow, or the same
 * without that. Either has to come to the sum that plain C comes to. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <sluice/program.h>
#include <sluice/sluice.h>

#include "performance.h"

#define ITEMS 8192 /* of a graph with words, work-items of a launch */
#define WORDS (ITEMS * WORDS_OF_ITEM)
#define GROUP 256        /* work-items of a work-group */
#define WIDTH (1u << 17) /* of the channel */

struct example {
    const char *name;
    const char *kernel[2]; /* before and after */
    uint64_t (*right)(const struct example *example, const uint32_t *words);
    uint32_t items;   /* that a graph begins with; 0: a launch */
    uint32_t count;   /* of each */
    uint32_t fan_out; /* of a graph's kernel; 0: it makes no items */
    uint32_t lds;     /* bytes for each work-item of a launch */
    bool has_words;   /* its kernel reads them */
};

/* ---- what plain C comes to ---- */

static uint64_t family(struct item item)
{
    uint64_t sum = item.number;

    for (uint32_t i = 0; i < item.count; i++) {
        if (has_child(item, i)) {
            sum += family(child_of(item, i));
        }
    }
    return sum;
}

static uint64_t sum_families(const struct example *example, const uint32_t *words)
{
    uint64_t sum = 0;

    (void)words;
    for (uint32_t i = 0; i < example->items; i++) {
        sum += family((struct item){i, example->count});
    }
    return sum;
}

static uint64_t sum_chains(const struct example *example, const uint32_t *words)
{
    uint64_t steps = 0;

    (void)example;
    (void)words;
    for (uint32_t i = 0; i < ITEMS * CHAINS_OF_ITEM; i++) {
        for (uint32_t number = chain_start(0, i); !is_end(number); number = mix(number)) {
            steps++;
        }
    }
    return steps;
}

static uint64_t sum_range(const struct example *example, const uint32_t *words)
{
    uint64_t sum = 0;

    (void)words;
    for (uint32_t i = 0; i < example->count; i++) {
        sum += mix(i);
    }
    return sum;
}

static uint64_t sum_passes(const struct example *example, const uint32_t *words)
{
    uint64_t sum = 0;

    (void)example;
    for (uint32_t i = 0; i < WORDS; i++) {
        for (uint32_t pass = 0; pass < PASSES; pass++) {
            sum += words[i] >> pass;
        }
    }
    return sum;
}

static uint64_t sum_words(const struct example *example, const uint32_t *words)
{
    uint64_t sum = 0;

    (void)example;
    for (uint32_t i = 0; i < WORDS; i++) {
        sum += words[i];
    }
    return sum;
}

static uint64_t sum_counts(const struct example *example, const uint32_t *words)
{
    uint64_t sum = 0;

    (void)example;
    (void)words;
    for (uint32_t item = 0; item < ITEMS; item++) {
        uint32_t count[DIGITS] = {0};
        uint32_t most = 0;
        for (uint32_t i = 0; i < WORDS_OF_ITEM; i++) {
            const uint32_t digit = mix(item * WORDS_OF_ITEM + i) % DIGITS;
            most = ++count[digit] > most ? count[digit] : most;
        }
        sum += most;
    }
    return sum;
}

static const struct example examples[] = {
    {.name = "enqueue",
     .kernel = {"enqueue_before", "enqueue_after"},
     .right = sum_families,
     .items = 1024,
     .count = 6,
     .fan_out = 6},
    {.name = "divergence",
     .kernel = {"divergence_before", "divergence_after"},
     .right = sum_chains},
    {.name = "grain",
     .kernel = {"grain_before", "grain_after"},
     .right = sum_range,
     .items = 1,
     .count = 32768,
     .fan_out = 2},
    {.name = "residency",
     .kernel = {"residency_before", "residency_after"},
     .right = sum_passes,
     .items = ITEMS,
     .has_words = true},
    {.name = "coalescing",
     .kernel = {"coalescing_before", "coalescing_after"},
     .right = sum_words,
     .has_words = true},
    {.name = "stack",
     .kernel = {"stack_before", "arrays_after"},
     .right = sum_counts,
     .lds = DIGITS * sizeof(uint32_t)},
    {.name = "banks",
     .kernel = {"banks_before", "arrays_after"},
     .right = sum_counts,
     .lds = DIGITS * sizeof(uint32_t)},
};

#define EXAMPLES (sizeof examples / sizeof examples[0])

/* ---- the command line ---- */

struct choice {
    const struct example *example;
    bool is_after;
    const uint32_t *words; /* in shared memory */
    uint64_t sum;          /* the machine's */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct choice *const choice = state->input;

    if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        for (size_t i = 0; i < EXAMPLES; i++) {
            if (strcmp(argument, examples[i].name) == 0) {
                choice->example = &examples[i];
                return 0;
            }
        }
        argp_error(state, "EXAMPLE: '%s' is none; --help lists them", argument);
    } else if (key == ARGP_KEY_ARG && state->arg_num == 1) {
        choice->is_after = sl_app_choice(state, "VERSION", argument, "before", "after");
        return 0;
    } else if (key == ARGP_KEY_END && state->arg_num < 2) {
        argp_error(state, "an example and a version are wanted: enqueue before");
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "EXAMPLE VERSION",
    .doc = "Run one of the kernels of docs/do/speed-up-kernels.md, and check its sum.\vEXAMPLE is "
           "one of "
           "enqueue, divergence, grain, residency, coalescing, stack, banks; VERSION is "
           "before or after.",
};

/* ---- runs ---- */

static enum sl_status run_graph(struct sl_module *module, const struct choice *choice,
                                uint64_t *result)
{
    const struct example *const example = choice->example;
    struct sl_graph_builder *graph;

    enum sl_status status = sl_graph_create(module, &graph);
    if (status != SL_OK) {
        return status;
    }
    const int channel = sl_graph_channel(graph, sizeof(struct item), WIDTH, NULL);
    const int kernel = sl_graph_kernel(graph, example->kernel[choice->is_after]);
    sl_graph_argument(graph, kernel, 2, (uintptr_t)result);
    sl_graph_connect(graph, channel, kernel);
    if (example->fan_out > 0) {
        sl_graph_output(graph, kernel, channel, example->fan_out);
    }
    if (example->has_words) {
        sl_graph_argument(graph, kernel, 3, (uintptr_t)choice->words);
    }
    for (uint32_t i = 0; i < example->items && status == SL_OK; i++) {
        struct item *const item = sl_graph_talloc(graph, channel, 1);
        if (item == NULL) {
            return SL_ERROR_USAGE;
        }
        *item = (struct item){i, example->count};
        status = sl_graph_enq(graph, channel, item, 1);
    }
    return status == SL_OK ? sl_graph_execute(graph) : status;
}

static enum sl_status run_launch(struct sl_module *module, const struct choice *choice,
                                 uint64_t *result)
{
    const uint32_t grid[3] = {ITEMS, 1, 1};
    const uint32_t group[3] = {GROUP, 1, 1};
    const uint64_t arguments[] = {(uintptr_t)result, (uintptr_t)choice->words};

    return sl_launch(module, choice->example->kernel[choice->is_after], grid, group,
                     GROUP * choice->example->lds, arguments, choice->example->has_words ? 2 : 1);
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct choice *const choice = arguments;
    struct sl_module *module;

    enum sl_status status = sl_app_load(soc, "performance.elf", &module);
    if (status != SL_OK) {
        return status;
    }
    uint32_t *const words = sl_alloc(soc, WORDS * sizeof *words, 0);
    uint64_t *const result = sl_alloc(soc, sizeof *result, 0);
    if (words == NULL || result == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < WORDS; i++) {
        words[i] = mix(i);
    }
    choice->words = words;
    status = (choice->example->items > 0 ? run_graph : run_launch)(module, choice, result);
    if (status == SL_OK) {
        status = sl_app_wait(soc, NULL);
    }
    if (status == SL_OK) {
        choice->sum = *result;
        sl_app_result("performance(%s, %s) = %" PRIu64, choice->example->name,
                      choice->is_after ? "after" : "before", choice->sum);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct choice *const choice = arguments;
    const uint64_t right = choice->example->right(choice->example, choice->words);

    if (choice->sum != right) {
        (void)fprintf(stderr, "performance: wrong: the sum is %" PRIu64 "\n", right);
    }
    return choice->sum == right;
}

int main(int argc, char **argv)
{
    struct choice choice = {0};
    const struct sl_app app = {
        .argp = &argp, .arguments = &choice, .run = run, .is_right = is_right};

    return sl_app_main(&app, argc, argv);
}
