/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Runs the kernels of docs/do/speed-up-kernels.md: one that something makes slow, or the same
 * without that. Either has to come to the sum that plain C comes to. */
#include <sluice/program.h>

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

/* In the order of the words in the table. */
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

/* ---- the command line ---- */

struct choice {
    uint32_t number; /* in examples[] */
    bool is_after;
    const uint32_t *words; /* in shared memory */
    uint64_t sum;          /* the machine's */
};

static const struct sl_argument table[] = {
    {"EXAMPLE", 0, SL_CHOICE, 0, 0, SL_INTO(struct choice, number),
     .words = "enqueue|divergence|grain|residency|coalescing|stack|banks"},
    {"VERSION", 0, SL_CHOICE, 0, 0, SL_INTO(struct choice, is_after), .words = "before|after"},
    {0},
};

/* ---- runs ---- */

static enum sl_status run_graph(struct sl_soc *soc, const struct example *example,
                                const struct choice *choice, uint64_t *result)
{
    const struct sl_value values[] = {SL_VALUE(result), SL_VALUE(choice->words)};
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const int channel = sl_graph_channel(graph, sizeof(struct item), WIDTH, NULL);
    const int kernel = sl_graph_consumer(graph, channel, example->kernel[choice->is_after], values,
                                         example->has_words ? 2 : 1);

    if (example->fan_out > 0) {
        sl_graph_output(graph, kernel, channel, example->fan_out);
    }
    for (uint32_t i = 0; i < example->items; i++) {
        struct item *const item = sl_app_put(graph, channel, 1);
        *item = (struct item){i, example->count};
    }
    return sl_app_execute(graph);
}

static enum sl_status run_launch(struct sl_soc *soc, const struct example *example,
                                 const struct choice *choice, uint64_t *result)
{
    const struct sl_value values[] = {SL_VALUE(result), SL_VALUE(choice->words)};

    return sl_app_launch(soc, example->kernel[choice->is_after], ITEMS, GROUP, GROUP * example->lds,
                         values, example->has_words ? 2 : 1);
}

static enum sl_status run(struct sl_soc *soc, void *arguments)
{
    struct choice *const choice = arguments;
    const struct example *const example = &examples[choice->number];
    uint32_t *const words = sl_app_alloc(soc, WORDS * sizeof *words, 0);
    uint64_t *const result = sl_app_alloc(soc, sizeof *result, 0);

    for (uint32_t i = 0; i < WORDS; i++) {
        words[i] = mix(i);
    }
    choice->words = words;
    const enum sl_status status =
        (example->items > 0 ? run_graph : run_launch)(soc, example, choice, result);
    if (status == SL_OK) {
        choice->sum = *result;
        sl_app_result("performance(%s, %s) = %" PRIu64, example->name,
                      choice->is_after ? "after" : "before", choice->sum);
    }
    return status;
}

static bool is_right(const void *arguments)
{
    const struct choice *const choice = arguments;
    const struct example *const example = &examples[choice->number];
    const uint64_t right = example->right(example, choice->words);

    return sl_app_check(choice->sum == right, "the sum is %" PRIu64, right);
}

static const struct sl_app app = {
    .doc = "Run one of the kernels of docs/do/speed-up-kernels.md, and check its sum.",
    .table = table,
    .arguments = &(struct choice){0},
    .kernels = "performance.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
