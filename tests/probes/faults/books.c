/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Kernels that falsify the books of a channel (docs/know/trust.md, "The audit"): one graph for
 * each, which has to end with the machine's error, and after each a good graph on the same machine.
 * The value is the number of good graphs that were right. Where all came as it should, the exit
 * status is that of a machine that failed, 3. */
#include "probes/faults/books.h"

#include "sluice/layout_offsets.h"
#include "sluice/program.h"
#include "workloads/common/cases.h"

/* What a kernel stores to. */
enum target { NOTHING, DESCRIPTION, DONE_COUNTS };

struct books_case {
    const char *name;
    const char *kernel;
    const char *sentence;
    enum target target;
    uint32_t offset;
    uint64_t value;
};

static const struct books_case kinds[] = {
    {"free-twice", "books_free_twice", "an element is freed twice", NOTHING, 0, 0},
    {"free-other", "books_free_other", "an index of another channel is freed", NOTHING, 0, 0},
    {"enqueue-twice", "books_enqueue_twice", "an element is enqueued twice", NOTHING, 0, 0},
    {"enqueue-taken", "books_enqueue_taken", "an element that was taken is enqueued", NOTHING, 0,
     0},
    {"never-enqueue", "books_never_enqueue", "elements are allocated and not enqueued", NOTHING, 0,
     0},
    {"done", "books_store", "a done count is 1,000,000", DONE_COUNTS, 0, 1000000},
    {"done-group", "books_store", "a group that holds nothing is done", DONE_COUNTS, 4, 4},
    {"data-tail", "books_add", "more elements are reserved than there are", DESCRIPTION,
     SL_CHANNEL_DATA_TAIL, 100000},
    {"control-tail", "books_add", "100,000 elements are published", DESCRIPTION,
     SL_CHANNEL_CONTROL_TAIL, 100000},
    {"reserve", "books_add", "control entries are reserved and not published", DESCRIPTION,
     SL_CHANNEL_CONTROL_RESERVE, 3},
};

static uint64_t target_of(const struct sl_channel *channel, const struct books_case *kind)
{
    switch (kind->target) {
    case DESCRIPTION:
        return (uintptr_t)channel + kind->offset;
    case DONE_COUNTS:
        return channel->done + kind->offset;
    default:
        return 0;
    }
}

static struct sl_graph_builder *build(struct sl_soc *soc, const struct books_case *kind)
{
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    const struct sl_channel_options options = {.name = kind->name, .done_group = 4};
    const struct sl_channel_options spare = {.name = "spare", .done_group = 4};
    const int channel =
        sl_graph_channel(graph, sizeof(struct relay_element), BOOKS_WIDTH, &options);
    const int other = sl_graph_channel(graph, sizeof(struct relay_element), BOOKS_WIDTH, &spare);
    const int kernel = sl_graph_kernel(graph, kind->kernel);
    if (kind->target != NOTHING) {
        sl_graph_argument(graph, kernel, 2, 0);
        sl_graph_argument(graph, kernel, 3, kind->value);
    }
    sl_graph_connect(graph, channel, kernel);
    sl_graph_connect(graph, other, kernel);
    sl_graph_output(graph, kernel, channel, 1);
    struct relay_element *const elements = sl_app_put(graph, channel, BOOKS_ELEMENTS);
    for (int i = 0; i < BOOKS_ELEMENTS; i++) {
        elements[i].rounds = 1;
    }
    if (kind->target != NOTHING) {
        sl_graph_argument(graph, kernel, 2,
                          target_of(sl_graph_shared_channel(graph, channel), kind));
    }
    return graph;
}

static enum sl_status run_case(struct sl_soc *soc, size_t number, struct relay *good,
                               bool *is_right)
{
    struct sl_graph_builder *const graph = build(soc, &kinds[number]);
    enum sl_status status = sl_graph_execute(graph);

    (void)good;
    if (status != SL_OK) {
        return status;
    }
    status = sl_soc_wait(soc, -1);
    if (!sl_app_check(status != SL_OK, "%s is complete", kinds[number].name)) {
        return SL_OK;
    }
    (void)sl_app_error(soc, status);
    if (status != SL_ERROR_MACHINE) {
        return status;
    }
    *is_right = sl_app_check(sl_graph_execute(graph) == SL_ERROR_USAGE, "%s is executed again",
                             kinds[number].name);
    sl_graph_destroy(graph);
    return SL_OK;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "books",
        .doc = "Run kernels that falsify the books of a channel, and after each a good graph.\v"
               "Each run ends with the machine's error: where all are right the exit status is 3.",
        .kernels = "books.elf",
        CASES(kinds),
        .sentence = offsetof(struct books_case, sentence),
        .run = run_case,
        .exit_status = SL_APP_MACHINE,
    };
    return cases_main(&program, argc, argv);
}
