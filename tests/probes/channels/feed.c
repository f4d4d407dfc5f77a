/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Graphs that stay open (docs/learn/programming.md, "A graph that stays open"): what the host puts
 * in arrives, at its time, in every kind of graph; what it does wrong is refused, and after each
 * case the machine runs a good graph. Its kernels are feed_kernel.c. */
#include "probes/channels/feed.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "workloads/common/cases.h"

#define WIDTH         256u
#define WAIT_LIMIT_MS 20000
#define US            UINT64_C(1000000) /* in ps */

/* A case at work. */
struct work {
    struct sl_soc *soc;
    struct sl_graph_builder *graph;
    struct feed_result *result;
    int channel;
    uint64_t sum; /* that has to come out */
    uint64_t elements;
    enum sl_status refused; /* what a call has returned that had to be refused */
};

struct feed_case {
    const char *name;
    const char *kernel;
    enum sl_status (*run)(struct work *work);
    enum sl_status status; /* that it has to end with */
    const char *message;   /* part of what is said of the end, or of a call that is refused */
    uint32_t flags;        /* of the channel */
};

/* ---- parts of cases ---- */

static enum sl_status put(struct work *work, int channel, uint32_t count, uint64_t time_ps)
{
    struct feed_element elements[WIDTH];

    for (uint32_t i = 0; i < count; i++) {
        elements[i] = (struct feed_element){.value = (uint32_t)(work->elements + i)};
        work->sum += elements[i].value * work->result->factor;
    }
    work->elements += count;
    return sl_graph_enq_at(work->graph, channel, elements, count, time_ps, SL_FULL_WAIT);
}

static enum sl_status close_and_wait(struct work *work)
{
    const enum sl_status status = sl_graph_close(work->graph);
    return status == SL_OK ? sl_soc_wait(work->soc, WAIT_LIMIT_MS) : status;
}

/* ---- cases ---- */

static enum sl_status run_nothing(struct work *work)
{
    const enum sl_status status = sl_graph_open(work->graph);
    return status == SL_OK ? close_and_wait(work) : status;
}

/* More messages than the mailbox ring has entries, and more elements than the channel has. */
static enum sl_status run_many(struct work *work)
{
    enum sl_status status = sl_graph_open(work->graph);
    for (uint32_t i = 0; i < 200 && status == SL_OK; i++) {
        status = put(work, work->channel, 1 + i % 150, i * US / 4);
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* What was put in before the graph was opened is there, too. */
static enum sl_status run_before(struct work *work)
{
    struct feed_element *const element = sl_graph_talloc(work->graph, work->channel, 1);
    if (element == NULL) {
        return SL_ERROR_USAGE;
    }
    *element = (struct feed_element){.value = 1000};
    work->sum = 1000;
    enum sl_status status = sl_graph_enq(work->graph, work->channel, element, 1);
    if (status == SL_OK) {
        status = sl_graph_open(work->graph);
    }
    if (status == SL_OK) {
        status = put(work, work->channel, 3, US);
        work->elements++;
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* While time stands still, the host reads what has come of its elements, and writes what the next
 * ones are to find. */
static enum sl_status run_dialogue(struct work *work)
{
    struct sl_graph_state state = {.time_ps = 0};
    enum sl_status status = sl_graph_open(work->graph);
    for (uint32_t i = 1; i <= 20 && status == SL_OK; i++) {
        status = put(work, work->channel, i, i % 2 == 0 ? SL_WHEN_IDLE : state.time_ps + US);
        const uint64_t before_ps = state.time_ps;
        if (status == SL_OK) {
            status = sl_graph_wait_until(work->graph, SL_WHEN_IDLE, &state);
        }
        if (work->result->sum != work->sum || state.elements != work->elements ||
            state.time_ps <= before_ps) {
            break;
        }
        work->result->factor++;
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* Waits for times, with and without anything to do. */
static enum sl_status run_times(struct work *work)
{
    struct sl_graph_state begin;
    enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        status = sl_graph_wait_until(work->graph, SL_WHEN_IDLE, &begin);
    }
    for (uint32_t i = 1; i <= 10 && status == SL_OK; i++) {
        struct sl_graph_state state;
        const uint64_t time_ps = begin.time_ps + i * 8 * US;
        status = i % 3 == 0 ? SL_OK : put(work, work->channel, 1, time_ps - 7 * US);
        if (status == SL_OK) {
            status = sl_graph_wait_until(work->graph, time_ps, &state);
        }
        if (status == SL_OK && (state.time_ps < time_ps || state.time_ps > time_ps + 2 * US)) {
            (void)fprintf(stderr,
                          "feed: wrong: times: %" PRIu64 " ps, where %" PRIu64 " were meant\n",
                          state.time_ps, time_ps);
            work->sum++; /* which it is not */
        }
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* A second channel, into which both the first one's kernel and the host put elements. */
static enum sl_status run_beside_lanes(struct work *work)
{
    const int second = sl_graph_channel(work->graph, sizeof(struct feed_element), WIDTH,
                                        &(struct sl_channel_options){.name = "second"});
    const int kernel = sl_graph_kernel(work->graph, "feed_add");
    sl_graph_argument(work->graph, kernel, 2, (uintptr_t)work->result);
    sl_graph_connect(work->graph, second, kernel);
    sl_graph_argument(work->graph, 0, 2, (uint64_t)second);
    sl_graph_output(work->graph, 0, second, 1);
    enum sl_status status = sl_graph_open(work->graph);
    for (uint32_t i = 0; i < 300 && status == SL_OK; i++) {
        status = put(work, i % 3 == 0 ? second : work->channel, 20 + i % 100, i * US / 8);
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* Roots of trees, of which new ones come while others grow: their leaves have values from the
 * root's up, with binomial coefficients. */
static enum sl_status run_stack(struct work *work)
{
    enum { DEPTH = 6 };
    const int kernel = sl_graph_kernel(work->graph, "feed_split");
    const int stack = sl_graph_stack(work->graph, SL_ROLE_PRE_SPAWN, sizeof(struct feed_element),
                                     WIDTH, DEPTH + 1, NULL);
    sl_graph_argument(work->graph, kernel, 2, (uintptr_t)work->result);
    sl_graph_connect_stack(work->graph, stack, kernel);
    sl_graph_output_stack(work->graph, kernel, stack, 2, 1);
    enum sl_status status = sl_graph_open(work->graph);
    for (uint32_t i = 0; i < 60 && status == SL_OK; i++) {
        const struct feed_element roots[2] = {{i, DEPTH}, {i + 1, i % 3}};
        for (uint32_t root = 0; root < 2; root++) {
            const uint64_t leaves = UINT64_C(1) << roots[root].depth;
            work->elements += leaves;
            work->sum += leaves * roots[root].value + leaves / 2 * roots[root].depth;
        }
        status = sl_graph_enq_at(work->graph, stack, roots, 2,
                                 i % 10 == 9 ? SL_WHEN_IDLE : i * US / 2, SL_FULL_WAIT);
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

static enum sl_status run_not_open(struct work *work)
{
    return put(work, work->channel, 1, 0);
}

static enum sl_status run_past(struct work *work)
{
    enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        status = put(work, work->channel, 5, 2 * US);
    }
    if (status == SL_OK) {
        work->refused = sl_graph_wait_until(work->graph, US, NULL);
    }
    return status;
}

static enum sl_status run_too_many(struct work *work)
{
    static const struct feed_element elements[WIDTH];
    const enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        work->refused =
            sl_graph_enq_at(work->graph, work->channel, elements, WIDTH, 0, SL_FULL_WAIT);
    }
    return status;
}

static enum sl_status run_no_channel(struct work *work)
{
    static const struct feed_element element;
    const enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        work->refused = sl_graph_enq_at(work->graph, 1, &element, 1, 0, SL_FULL_WAIT);
    }
    return status;
}

/* Of such channels only views know the elements. */
static enum sl_status run_soa(struct work *work)
{
    static const struct feed_element element;
    const enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        work->refused = sl_graph_enq_at(work->graph, work->channel, &element, 1, 0, SL_FULL_WAIT);
    }
    return status;
}

/* Nobody closes the graph, and the wait for its end says so. */
static enum sl_status run_forgotten(struct work *work)
{
    enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        status = put(work, work->channel, 5, US);
    }
    if (status == SL_OK) {
        work->refused = sl_soc_wait(work->soc, -1);
    }
    return status;
}

static enum sl_status run_closed(struct work *work)
{
    static const struct feed_element element;
    enum sl_status status = run_nothing(work);
    if (status == SL_OK) {
        status = sl_graph_enq_at(work->graph, work->channel, &element, 1, 0, SL_FULL_WAIT);
    }
    return status;
}

/* The kernel frees nothing: what the host puts in finds no space in the end. */
static enum sl_status run_full(struct work *work)
{
    enum sl_status status = sl_graph_open(work->graph);
    for (uint32_t i = 0; i < 3 && status == SL_OK; i++) {
        status = put(work, work->channel, 100, i * US);
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* The seventh element ends the run, of which the host learns sooner or later. */
static enum sl_status run_fault(struct work *work)
{
    enum sl_status status = sl_graph_open(work->graph);
    for (uint32_t i = 0; i < 1000 && status == SL_OK; i++) {
        status = put(work, work->channel, 1, i * US);
    }
    return status == SL_OK ? close_and_wait(work) : status;
}

/* The machine stops, and is there for the good graph that follows. */
static enum sl_status run_destroyed(struct work *work)
{
    enum sl_status status = sl_graph_open(work->graph);
    if (status == SL_OK) {
        status = put(work, work->channel, 3, US);
    }
    if (status == SL_OK) {
        sl_graph_destroy(work->graph);
        work->graph = NULL;
        status = sl_soc_wait(work->soc, WAIT_LIMIT_MS);
    }
    return status;
}

static const struct feed_case cases[] = {
    {.name = "nothing", .kernel = "feed_add", .run = run_nothing},
    {.name = "many", .kernel = "feed_add", .run = run_many},
    {.name = "workitem", .kernel = "feed_add", .run = run_many, .flags = SL_CHANNEL_WORKITEM},
    {.name = "padded", .kernel = "feed_add_padded", .run = run_many, .flags = SL_CHANNEL_PADDED},
    {.name = "before", .kernel = "feed_add", .run = run_before},
    {.name = "dialogue", .kernel = "feed_add", .run = run_dialogue},
    {.name = "times", .kernel = "feed_add", .run = run_times},
    {.name = "beside_lanes", .kernel = "feed_pass", .run = run_beside_lanes},
    {.name = "stack", .kernel = "feed_add", .run = run_stack},
    {.name = "past",
     .kernel = "feed_add",
     .run = run_past,
     .message =
         "1.000000 us are in the past: the host has named, or was told, 2.000000 us already"},
    {.name = "too_many",
     .kernel = "feed_add",
     .run = run_too_many,
     .message = "channel 0 'first': 256 elements at once; from 1 to 193 are possible"},
    {.name = "no_channel",
     .kernel = "feed_add",
     .run = run_no_channel,
     .message = "there is no channel 1: the graph has 1, numbered from 0"},
    {.name = "soa",
     .kernel = "feed_add",
     .run = run_soa,
     .flags = SL_CHANNEL_SOA,
     .message = "channel 0 'first': flags 0x8: while a graph runs"},
    {.name = "forgotten",
     .kernel = "feed_add",
     .run = run_forgotten,
     .message = "the graph is open and would never end: close it before"},
    {.name = "not_open",
     .kernel = "feed_add",
     .run = run_not_open,
     .status = SL_ERROR_USAGE,
     .message = "the graph is not open"},
    {.name = "closed",
     .kernel = "feed_add",
     .run = run_closed,
     .status = SL_ERROR_USAGE,
     .message = "the graph is not open"},
    {.name = "destroyed",
     .kernel = "feed_add",
     .run = run_destroyed,
     .status = SL_ERROR_USAGE,
     .message = "no graph is running"},
    {.name = "full",
     .kernel = "feed_keep",
     .run = run_full,
     .status = SL_ERROR_MACHINE,
     .message = "channel 0 'first' cannot take what the host puts in: 100 elements, 56 free, and "
                "nothing is left to do that could free more; 200 elements were never freed"},
    {.name = "fault",
     .kernel = "feed_fault",
     .run = run_fault,
     .status = SL_ERROR_MACHINE,
     .message = "kernel feed_fault faulted: access outside memory"},
};

static void build(struct sl_soc *soc, const struct feed_case *wanted, struct work *work)
{
    *work = (struct work){.soc = soc, .graph = sl_app_graph(soc)};
    work->result = sl_app_alloc(soc, sizeof *work->result, 0);
    work->result->factor = 1;
    work->channel =
        sl_graph_channel(work->graph, sizeof(struct feed_element), WIDTH,
                         &(struct sl_channel_options){.name = "first", .flags = wanted->flags});
    const int kernel = sl_graph_kernel(work->graph, wanted->kernel);
    sl_graph_argument(work->graph, kernel, 2, (uintptr_t)work->result);
    sl_graph_connect(work->graph, work->channel, kernel);
}

/* Runs a case, and closes its graph after a call that was refused: it goes on as if that had not
 * been. *message is what was said. */
static enum sl_status run_to_the_end(const struct feed_case *wanted, struct work *work,
                                     char *message, size_t bytes)
{
    enum sl_status status = wanted->run(work);
    (void)snprintf(message, bytes, "%s", sl_soc_error(work->soc));
    if (status == SL_OK && work->refused != SL_OK) {
        status = close_and_wait(work);
    }
    return status;
}

static bool is_as_wanted(const struct feed_case *wanted, const struct work *work,
                         enum sl_status status, const char *message)
{
    const bool is_refused = wanted->status == SL_OK && wanted->message != NULL;

    const bool is_as_told = status == wanted->status &&
                            (work->refused == SL_ERROR_USAGE) == is_refused &&
                            (wanted->message == NULL || strstr(message, wanted->message) != NULL);

    if (!sl_app_check(is_as_told, "%s: status %d, %s", wanted->name, (int)status,
                      status == SL_OK ? "complete" : message)) {
        return false;
    }
    if (wanted->message != NULL) {
        (void)printf("# %s: %s\n", wanted->name, message);
    }
    return status != SL_OK ||
           sl_app_check(
               work->result->sum == work->sum && work->result->elements == work->elements,
               "%s: sum %" PRIu64 " of %" PRIu64 " elements; right: %" PRIu64 " of %" PRIu64,
               wanted->name, work->result->sum, work->result->elements, work->sum, work->elements);
}

static enum sl_status run_case(struct sl_soc *soc, size_t number, struct relay *good,
                               bool *is_right)
{
    struct work work;
    char message[2048] = "";

    (void)good;
    build(soc, &cases[number], &work);
    const enum sl_status status = run_to_the_end(&cases[number], &work, message, sizeof message);
    *is_right = is_as_wanted(&cases[number], &work, status, message);
    sl_graph_destroy(work.graph);
    sl_free(soc, work.result);
    return SL_OK;
}

int main(int argc, char **argv)
{
    static const struct cases program = {
        .program = "feed",
        .doc = "Feed graphs while they run, rightly and wrongly, and after each run a good graph "
               "on the same machine. The value is the number of those that were as they should be.",
        .kernels = "feed.elf",
        CASES(cases),
        .run = run_case,
    };
    return cases_main(&program, argc, argv);
}
