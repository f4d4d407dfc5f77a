/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A stream of requests: the host puts them into a channel while the graph runs (papers/001 section
 * 3.1; docs/learn/programming.md, "A graph that stays open"), at a rate, each at its own simulated
 * time. How long they take, from then to the end of their wavefront, is what the program is about:
 * a predicate that waits for full wavefronts uses the machine well, and has the first request of
 * each wait for the last. Its kernel is stream_requests_kernel.c. */
#include "workloads/requests/stream_requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sluice/program.h"
#include "workloads/common/arrivals.h"

static const struct {
    const char *label;
    enum sl_statistic id;
} latencies[] = {
    {"latency, mean", SL_STAT_REQUEST_MEAN_NS},    {"latency, 50 %", SL_STAT_REQUEST_P50_NS},
    {"latency, 90 %", SL_STAT_REQUEST_P90_NS},     {"latency, 99 %", SL_STAT_REQUEST_P99_NS},
    {"latency, 99.9 %", SL_STAT_REQUEST_P99_9_NS}, {"latency, all", SL_STAT_REQUEST_MAX_NS},
};
#define LATENCIES (sizeof latencies / sizeof latencies[0])

struct arguments {
    uint32_t count;
    uint32_t steps;
    uint32_t width;
    uint32_t sleep_us; /* of wall time, at most */
    double rate;       /* requests per microsecond */
    struct arrivals arrivals;
    enum sl_when_full when_full;
    struct sl_channel_options channel;
    struct sl_app_policy policy;
    bool is_quiet;
    struct sl_graph_state state; /* in the end */
    uint64_t time_ps;            /* that it took */
    uint64_t answered;           /* the result */
    uint64_t wrong;
    double latency_us[LATENCIES];
};

static const struct sl_argument table[] = {
    {"COUNT", 0, SL_NUMBER, 1, 10000000, SL_INTO(struct arguments, count)},
    {"rate", 'r', SL_REAL, 0.001, 1000, SL_INTO(struct arguments, rate),
     "Requests per microsecond, on the average", "RATE"},
    {"process", 0, SL_CHOICE, 0, 0, SL_INTO(struct arguments, arrivals.is_poisson),
     "When they come: uniform, a request each 1 / RATE, or poisson, by chance", "uniform|poisson"},
    {"seed", 0, SL_SEED, 0, 0, SL_INTO(struct arguments, arrivals.random), "Of the chance"},
    {"steps", 0, SL_NUMBER, 0, 1000000, SL_INTO(struct arguments, steps), "Work of each request"},
    SL_WIDTH_ROW(struct arguments, width),
    {"drop", 0, SL_FLAG, 0, SL_FULL_DROP, SL_INTO(struct arguments, when_full),
     "Drop requests that find no space in the channel; without it, they wait"},
    {"sleep", 0, SL_NUMBER, 0, 1000000, SL_INTO(struct arguments, sleep_us),
     "The host sleeps before each request, at random, which changes nothing that is simulated: "
     "microseconds of wall time at most",
     "US"},
    SL_POLICY_ROW(struct arguments, policy),
    SL_PREDICATE_ROW(struct arguments, channel),
    {0},
};

/* Wall time goes by. */
static void dawdle(uint32_t most_us)
{
    if (most_us > 0) {
        const long ns = random() % (most_us * 1000L);
        (void)nanosleep(&(struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000},
                        NULL);
    }
}

/* The graph is open: all requests, each at its time, then the end. The first comes when the
 * aggregator is done with the graph's check. */
static enum sl_status feed(struct sl_graph_builder *graph, int channel, struct arguments *a)
{
    enum sl_status status = sl_graph_wait_until(graph, SL_WHEN_IDLE, &a->state);
    const uint64_t begin_ps = a->state.time_ps;

    if (status == SL_OK && !a->is_quiet) {
        sl_app_row("open", "requests come from %.3f us on", (double)begin_ps / 1e6);
        (void)fflush(stdout);
    }
    a->arrivals.time_ps = begin_ps;
    for (uint32_t i = 0; i < a->count && status == SL_OK; i++) {
        const struct request request = {.number = i, .steps = a->steps};
        dawdle(a->sleep_us);
        status =
            sl_graph_enq_at(graph, channel, &request, 1, arrivals_next(&a->arrivals), a->when_full);
    }
    if (status == SL_OK) {
        status = sl_graph_wait_until(graph, SL_WHEN_IDLE, &a->state);
        a->time_ps = a->state.time_ps - begin_ps;
    }
    return status == SL_OK ? sl_graph_close(graph) : status;
}

static void check(struct arguments *a, const uint64_t *answers)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const uint64_t right = request_answer((struct request){i, a->steps});
        a->answered += answers[i] == right;
        a->wrong += answers[i] != right && answers[i] != 0;
    }
}

static enum sl_status run(struct sl_soc *soc, void *input)
{
    struct arguments *const a = input;
    struct sl_graph_builder *const graph = sl_app_graph(soc);
    uint64_t *const answers = sl_app_alloc(soc, a->count * sizeof *answers, 0);

    const int channel = sl_graph_channel(graph, sizeof(struct request), a->width, &a->channel);
    const int kernel = sl_graph_kernel(graph, "request_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)answers);
    sl_graph_connect(graph, channel, kernel);
    sl_app_use_policy(graph, &a->policy);
    a->arrivals.mean_ps = (uint64_t)(1e6 / a->rate + 0.5);

    enum sl_status status = sl_graph_open(graph);
    if (status == SL_OK) {
        status = feed(graph, channel, a);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        check(a, answers);
        for (size_t i = 0; i < LATENCIES; i++) {
            a->latency_us[i] = sl_statistic_real(soc, latencies[i].id) / 1000;
        }
        sl_app_result("stream_requests(%" PRIu32 ") = %" PRIu64, a->count, a->answered);
    }
    return status;
}

static void print(const void *input)
{
    const struct arguments *const a = input;

    sl_app_row("requests", "%" PRIu64 " answered, %" PRIu64 " dropped, %.3f per us", a->answered,
               a->state.dropped, (double)a->state.elements / ((double)a->time_ps / 1e6));
    for (size_t i = 0; i < LATENCIES; i++) {
        sl_app_row(latencies[i].label, "%.3f us", a->latency_us[i]);
    }
}

static bool is_right(const void *input)
{
    const struct arguments *const a = input;

    return sl_app_check(a->answered == a->state.elements &&
                            a->answered + a->state.dropped == a->count && a->wrong == 0,
                        "%" PRIu64 " of %" PRIu32 " answers are right, %" PRIu64 " wrong; %" PRIu64
                        " requests were taken, %" PRIu64 " dropped",
                        a->answered, a->count, a->wrong, a->state.elements, a->state.dropped);
}

/* Latencies are measured whatever latency.measure says. */
static void configure(struct sl_config *config, const void *input)
{
    (void)input;
    config->number[SL_CFG_LATENCY_MEASURE] = SL_LATENCY_MEASURE_ON;
}

/* Nothing is run alone: feed() prints, too. */
static int note_quiet(const struct sl_app_options *options, void *input)
{
    ((struct arguments *)input)->is_quiet = options->is_quiet;
    return -1;
}

static const struct sl_app app = {
    .doc = "Feed COUNT requests into a graph while it runs on the simulated accelerator, check the "
           "answers, and say how long they took. The value is the number of requests answered.",
    .table = table,
    .arguments = &(struct arguments){.steps = 100,
                                     .width = 4096,
                                     .rate = 1,
                                     .arrivals = {.is_poisson = true, .random = 1},
                                     .channel = {.name = "requests"}},
    .kernels = "stream_requests.elf",
    .configure = configure,
    .run_alone = note_quiet,
    .run = run,
    .print = print,
    .is_right = is_right,
};
SL_PROGRAM(app)
