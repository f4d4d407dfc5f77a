/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A stream of requests: the host puts them into a channel while the graph runs (papers/001 section
 * 3.1; docs/learn/programming.md, "A graph that stays open"), at a rate, each at its own simulated
 * time. How long they take, from then to the end of their wavefront, is what the program is about:
 * a predicate that waits for full wavefronts uses the machine well, and has the first request of
 * each wait for the last. Its kernel is stream_requests_kernel.c. */
#include "workloads/requests/stream_requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sluice/program.h"
#include "sluice/sluice.h"
#include "workloads/common/arrivals.h"
#include "workloads/common/policy.h"

#define COUNT_MAX     10000000
#define RATE_MIN      0.001
#define RATE_MAX      1000.0
#define STEPS_MAX     1000000
#define WIDTH_DEFAULT 4096
#define SLEEP_MAX_US  1000000

struct arguments {
    uint32_t count;
    uint32_t steps;
    uint32_t width;
    uint32_t sleep_us; /* of wall time, at most */
    double rate;       /* requests per microsecond */
    struct arrivals arrivals;
    enum sl_when_full when_full;
    struct sl_channel_options channel;
    struct policy_option policy;
    bool is_quiet;
    struct sl_graph_state state; /* in the end */
    uint64_t time_ps;            /* that it took */
    uint64_t answered;           /* the result */
    uint64_t wrong;
};

enum { KEY_PROCESS = 256, KEY_SEED, KEY_STEPS, KEY_DROP, KEY_SLEEP, KEY_POLICY, KEY_PREDICATE };

static const struct argp_option option_table[] = {
    {"rate", 'r', "RATE", 0, "Requests per microsecond, on the average (default 1)", 0},
    {"process", KEY_PROCESS, "NAME", 0,
     "When they come: uniform, a request each 1 / RATE, or poisson, by chance (default poisson)",
     0},
    {"seed", KEY_SEED, "NUMBER", 0, "Of the chance (default 1)", 0},
    {"steps", KEY_STEPS, "NUMBER", 0, "Work of each request (default 100)", 0},
    {"width", 'w', "ELEMENTS", 0, "Elements of the channel, a power of two (default 4096)", 0},
    {"drop", KEY_DROP, NULL, 0,
     "Drop requests that find no space in the channel; without it, they wait", 0},
    {"sleep", KEY_SLEEP, "US", 0,
     "The host sleeps up to so many microseconds of wall time before each request, at random: this "
     "changes nothing that is simulated",
     0},
    POLICY_OPTION(KEY_POLICY),
    PREDICATE_OPTION(KEY_PREDICATE),
    {0},
};

static bool parse_process(const struct argp_state *state, const char *name)
{
    if (strcmp(name, "uniform") != 0 && strcmp(name, "poisson") != 0) {
        argp_failure(state, SL_APP_USAGE, 0, "--process: '%s' is none of uniform, poisson", name);
    }
    return strcmp(name, "poisson") == 0;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *const a = state->input;
    switch (key) {
    case 'r':
        a->rate = sl_app_real(state, "--rate", argument, RATE_MIN, RATE_MAX);
        return 0;
    case KEY_PROCESS:
        a->arrivals.is_poisson = parse_process(state, argument);
        return 0;
    case KEY_SEED:
        a->arrivals.random = sl_app_number(state, "--seed", argument, 0, UINT64_MAX);
        return 0;
    case KEY_STEPS:
        a->steps = (uint32_t)sl_app_number(state, "--steps", argument, 0, STEPS_MAX);
        return 0;
    case 'w':
        a->width = (uint32_t)sl_app_number(state, "--width", argument, 1, UINT32_MAX);
        return 0;
    case KEY_DROP:
        a->when_full = SL_FULL_DROP;
        return 0;
    case KEY_SLEEP:
        a->sleep_us = (uint32_t)sl_app_number(state, "--sleep", argument, 0, SLEEP_MAX_US);
        return 0;
    case KEY_POLICY:
        policy_parse(state, argument, &a->policy);
        return 0;
    case KEY_PREDICATE:
        predicate_parse(state, argument, &a->channel);
        return 0;
    default:
        return sl_app_n(key, argument, state, 1, COUNT_MAX, &a->count);
    }
}

static const struct argp argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "COUNT",
    .doc = "Feed COUNT requests into a graph while it runs on the simulated accelerator, check the "
           "answers, and say how long they took. The value is the number of requests answered.\v"
           "COUNT is from 1 to 10000000.",
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
        (void)printf("# open                   requests come from %.3f us on\n",
                     (double)begin_ps / 1e6);
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

static enum sl_status run(struct sl_soc *soc, struct arguments *a)
{
    struct sl_module *module;
    struct sl_graph_builder *graph;

    enum sl_status status = sl_app_load(soc, "stream_requests.elf", &module);
    if (status == SL_OK) {
        status = sl_graph_create(module, &graph);
    }
    if (status != SL_OK) {
        return status;
    }
    uint64_t *const answers = sl_alloc(soc, a->count * sizeof *answers, 0);
    if (answers == NULL) {
        return SL_ERROR_USAGE;
    }
    const int channel = sl_graph_channel(graph, sizeof(struct request), a->width, &a->channel);
    const int kernel = sl_graph_kernel(graph, "request_kernel");
    sl_graph_argument(graph, kernel, 2, (uintptr_t)answers);
    sl_graph_connect(graph, channel, kernel);
    policy_apply(graph, &a->policy);
    a->arrivals.mean_ps = (uint64_t)(1e6 / a->rate + 0.5);

    status = sl_graph_open(graph);
    if (status == SL_OK) {
        status = feed(graph, channel, a);
    }
    if (status == SL_OK) {
        status = sl_app_wait(soc, graph);
    }
    if (status == SL_OK) {
        check(a, answers);
        sl_app_result("stream_requests(%" PRIu32 ") = %" PRIu64, a->count, a->answered);
    }
    return status;
}

static void print_latencies(const struct sl_soc *soc, const struct arguments *a)
{
    static const struct {
        const char *name;
        enum sl_statistic id;
    } rows[] = {
        {"mean", SL_STAT_REQUEST_MEAN_NS},    {"50 %", SL_STAT_REQUEST_P50_NS},
        {"90 %", SL_STAT_REQUEST_P90_NS},     {"99 %", SL_STAT_REQUEST_P99_NS},
        {"99.9 %", SL_STAT_REQUEST_P99_9_NS}, {"all", SL_STAT_REQUEST_MAX_NS},
    };
    (void)printf(
        "# requests               %" PRIu64 " answered, %" PRIu64 " dropped, %.3f per us\n",
        a->answered, a->state.dropped, (double)a->state.elements / ((double)a->time_ps / 1e6));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)printf("# latency, %-13s %.3f us\n", rows[i].name,
                     sl_statistic_real(soc, rows[i].id) / 1000);
    }
}

static bool is_right(const struct arguments *a)
{
    const bool is_all = a->answered == a->state.elements &&
                        a->answered + a->state.dropped == a->count && a->wrong == 0;
    if (!is_all) {
        (void)fprintf(stderr,
                      "stream_requests: wrong: %" PRIu64 " of %" PRIu32
                      " answers are right, %" PRIu64 " wrong; %" PRIu64
                      " requests were taken, %" PRIu64 " dropped\n",
                      a->answered, a->count, a->wrong, a->state.elements, a->state.dropped);
    }
    return is_all;
}

/* Latencies are measured whatever latency.measure says. */
int main(int argc, char **argv)
{
    struct arguments arguments = {.steps = 100,
                                  .width = WIDTH_DEFAULT,
                                  .rate = 1,
                                  .arrivals = {.is_poisson = true, .random = 1},
                                  .channel = {.name = "requests"}};
    struct sl_app_options options;
    struct sl_soc *soc;
    int exit_status;

    sl_app_parse(&argp, argc, argv, &arguments, &options);
    arguments.is_quiet = options.is_quiet;
    options.config.number[SL_CFG_LATENCY_MEASURE] = SL_LATENCY_MEASURE_ON;
    enum sl_status status = sl_soc_open(&options.config, &soc);
    if (status == SL_OK) {
        status = run(soc, &arguments);
    }
    if (status == SL_OK) {
        if (!options.is_quiet) {
            print_latencies(soc, &arguments);
        }
        status = sl_app_report(soc, &options);
    }
    if (status != SL_OK) {
        exit_status = sl_app_error(soc, status);
    } else {
        exit_status = is_right(&arguments) ? SL_APP_RIGHT : SL_APP_WRONG;
    }
    exit_status = sl_app_races(soc, exit_status);
    sl_soc_close(soc);
    return exit_status;
}
