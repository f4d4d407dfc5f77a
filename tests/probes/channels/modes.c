/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Finds the most frequent letter of each line of N pages of random text: kernels of a graph that
 * count in LDS of their own, and yield where the channel of their results is full. */
#include "probes/channels/modes.h"

#include "sluice/program.h"

#define FOUND_WIDTH 128 /* two wavefronts' results */

struct arguments {
    uint32_t n;
    bool on_stacks;
    uint32_t lds_bytes; /* beyond what the counts need */
    uint8_t *letters;   /* the result, by line, in the shared heap */
};

static const struct sl_argument table[] = {
    {"N", 0, SL_NUMBER, 1, 100000, SL_INTO(struct arguments, n)},
    {"stacks", 0, SL_FLAG, 0, 0, SL_INTO(struct arguments, on_stacks),
     "Count on the lanes' stacks, for comparison"},
    {"lds", 0, SL_SIZE, 0, SL_LDS_BYTES_MAX, SL_INTO(struct arguments, lds_bytes),
     "LDS of each wavefront beyond what counts need"},
    {0},
};

static uint32_t line_count(const struct arguments *arguments)
{
    return arguments->n * MODES_LINES;
}

/* The text, the same each time: letters of which some are likelier than others. */
static void write_line(uint32_t line, char text[MODES_LETTERS])
{
    uint32_t key = line;

    for (uint32_t i = 0; i < MODES_LETTERS; i++) {
        key = key * 1664525 + 1013904223;
        const uint32_t both = (key >> 16) & (key >> 24);
        text[i] = (char)('a' + both % MODES_KINDS);
    }
}

static int build(struct sl_graph_builder *graph, const struct arguments *arguments, uint32_t lanes)
{
    const struct sl_channel_options of_pages = {.name = "pages"};
    const struct sl_channel_options of_found = {.name = "found"};
    uint32_t width = SL_CHANNEL_WIDTH_MIN;

    while (width < arguments->n) {
        width *= 2;
    }
    const int pages = sl_graph_channel(graph, sizeof(struct modes_page), width, &of_pages);
    const int found = sl_graph_channel(graph, sizeof(struct modes_found), FOUND_WIDTH, &of_found);
    const int count =
        sl_graph_kernel(graph, arguments->on_stacks ? "modes_count_on_stack" : "modes_count");
    if (!arguments->on_stacks) {
        const uint32_t counts = MODES_KINDS * lanes * (uint32_t)sizeof(uint32_t);
        sl_graph_lds(graph, count, counts + arguments->lds_bytes);
    }
    sl_graph_argument(graph, count, 2, (uint64_t)found);
    sl_graph_connect(graph, pages, count);
    sl_graph_output(graph, count, found, 1);
    const int collect = sl_graph_kernel(graph, "modes_collect");
    sl_graph_argument(graph, collect, 2, (uintptr_t)arguments->letters);
    sl_graph_connect(graph, found, collect);
    sl_graph_policy(graph, SL_SCHEDULER_LEVELIZED); /* wavefronts that wait leave blocks free */
    return pages;
}

static void put_in(struct sl_graph_builder *graph, int pages, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct modes_page *const page = sl_app_put(graph, pages, 1);
        page->first = i * MODES_LINES;
        for (uint32_t line = 0; line < MODES_LINES; line++) {
            write_line(page->first + line, page->text[line]);
        }
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const arguments = input;
    const uint32_t lanes = (uint32_t)sl_soc_config(soc)->number[SL_CFG_GPU_LANES];
    struct sl_graph_builder *const graph = sl_app_graph(soc);

    arguments->letters = sl_app_alloc(soc, line_count(arguments), 0);
    put_in(graph, build(graph, arguments, lanes), arguments->n);
    const enum sl_status status = sl_app_execute(graph);
    if (status == SL_OK) {
        sl_app_result("modes(%" PRIu32 ") = %016" PRIx64, arguments->n,
                      sl_app_checksum(arguments->letters, line_count(arguments)));
    }
    return status;
}

static bool is_right(const void *input)
{
    const struct arguments *const arguments = input;

    for (uint32_t line = 0; line < line_count(arguments); line++) {
        uint32_t count[MODES_KINDS] = {0};
        uint32_t most = 0;
        char text[MODES_LETTERS];
        write_line(line, text);
        for (uint32_t i = 0; i < MODES_LETTERS; i++) {
            count[text[i] - 'a']++;
        }
        for (uint32_t letter = 1; letter < MODES_KINDS; letter++) {
            most = count[letter] > count[most] ? letter : most;
        }
        if (!sl_app_check(arguments->letters[line] == most,
                          "line %" PRIu32 " has most of '%c', not of '%c'", line,
                          (char)('a' + most), (char)('a' + arguments->letters[line]))) {
            return false;
        }
    }
    return true;
}

static const struct sl_app app = {
    .doc = "Find the most frequent letter of each line of N pages, and check all of them.",
    .table = table,
    .arguments = &(struct arguments){0},
    .kernels = "modes.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
