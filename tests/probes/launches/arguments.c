/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Constant arguments of kernels (docs/learn/programming.md, "Arguments"): a x + y with floats and
 * with doubles, numbers of all widths in one launch, floats in a sequence and in a graph whose
 * wavefronts yield, all as plain C computes them; and then what a kernel cannot be given, each with
 * its message. The result is the number of cases that are right. */
#include "probes/launches/arguments.h"

#include <stdio.h>
#include <string.h>

#include "sluice/program.h"

#define N        1000
#define GROUP    64
#define WIDTH    128 /* of the channel, and as many elements to begin with */
#define DOWN     20  /* what each of them counts down from */
#define FACTOR   1.5f
#define OFFSET   0.25
#define FLOATS_A 2.5f
#define DOUBLE_A 0.1

struct data {
    float x[N], y[N];
    double dx[N], dy[N];
    struct mixed mixed[GROUP];
    uint64_t sum;
};

struct machine {
    struct sl_soc *soc;
    struct sl_module *module;
    struct data *data;
};

static const uint32_t grid[3] = {(N + GROUP - 1) / GROUP * GROUP, 1, 1};
static const uint32_t group[3] = {GROUP, 1, 1};

static void fill(struct data *data)
{
    for (int i = 0; i < N; i++) {
        data->x[i] = (float)(i + 1) / 7;
        data->y[i] = (float)(i - N) / 3;
        data->dx[i] = (double)(i + 1) / 7;
        data->dy[i] = (double)(i - N) / 3;
    }
}

static enum sl_status finish(const struct machine *m, enum sl_status status)
{
    return status == SL_OK ? sl_app_wait(m->soc, NULL) : status;
}

/* ---- what is right ---- */

static bool saxpy(const struct machine *m)
{
    struct data *const d = m->data;
    fill(d);
    const enum sl_status status = finish(m, sl_launch_values(m->module, "saxpy", grid, group, 0,
                                                             SL_VALUES(FLOATS_A, d->x, d->y, N)));
    bool is_right = status == SL_OK;
    for (int i = 0; is_right && i < N; i++) {
        is_right = d->y[i] == __builtin_fmaf(FLOATS_A, (float)(i + 1) / 7, (float)(i - N) / 3);
    }
    return is_right;
}

/* Two steps: a double, and a float that becomes one. */
static bool daxpy(const struct machine *m)
{
    struct data *const d = m->data;
    struct sl_launch_step steps[2];
    fill(d);
    for (int i = 0; i < 2; i++) {
        steps[i] = (struct sl_launch_step){
            .kernel = "daxpy", .grid = {grid[0], 1, 1}, .group = {GROUP, 1, 1}};
        sl_step_value(&steps[i], i == 0 ? SL_VALUE(DOUBLE_A) : SL_VALUE(FLOATS_A));
        sl_step_value(&steps[i], SL_VALUE(d->dx));
        sl_step_value(&steps[i], SL_VALUE(d->dy));
        sl_step_value(&steps[i], SL_VALUE(N));
    }
    const enum sl_status status = finish(m, sl_launch_sequence(m->module, steps, 2, 0, 0, NULL));
    bool is_right = status == SL_OK;
    for (int i = 0; is_right && i < N; i++) {
        const double x = (double)(i + 1) / 7;
        const double y = __builtin_fma(DOUBLE_A, x, (double)(i - N) / 3);
        is_right = d->dy[i] == __builtin_fma((double)FLOATS_A, x, y);
    }
    return is_right;
}

static bool mix(const struct machine *m)
{
    struct data *const d = m->data;
    const struct mixed right = mixed_of(0.5f, -100, 1e300, 65000, true, 1e-30f, 4000000000u);
    const enum sl_status status =
        finish(m, sl_launch_values(m->module, "mix", group, group, 0,
                                   SL_VALUES(0.5f, (int8_t)-100, 1e300, (uint16_t)65000, (bool)true,
                                             1e-30f, 4000000000u, d->mixed)));
    bool is_right = status == SL_OK;
    for (int i = 0; is_right && i < GROUP; i++) {
        const struct mixed *const is = &d->mixed[i];
        is_right = is->sum == right.sum && is->large == right.large && is->small == right.small &&
                   is->half == right.half && is->truth == right.truth;
    }
    return is_right;
}

static struct sl_graph_builder *graph_of(const struct machine *m, const char *kernel)
{
    struct sl_graph_builder *const graph = sl_app_graph(m->soc);
    const int channel = sl_graph_channel(graph, sizeof(uint32_t), WIDTH, NULL);
    const int node = sl_graph_kernel(graph, kernel);
    sl_graph_connect(graph, channel, node);
    sl_graph_output(graph, node, channel, 1);
    return graph;
}

static bool yields(const struct machine *m)
{
    struct sl_graph_builder *const graph = graph_of(m, "count_down");
    m->data->sum = 0;
    sl_graph_value(graph, 0, 2, SL_VALUE(FACTOR));
    sl_graph_argument(graph, 0, 3, (uintptr_t)&m->data->sum);
    sl_graph_value(graph, 0, 4, SL_VALUE(OFFSET));
    sl_graph_argument(graph, 0, 5, 0);
    uint32_t *const elements = sl_app_put(graph, 0, WIDTH);
    for (int i = 0; i < WIDTH; i++) {
        elements[i] = DOWN;
    }
    const enum sl_status status = sl_app_execute(graph);
    uint64_t right = 0;
    for (uint32_t left = 0; left <= DOWN; left++) {
        right += WIDTH * weighted(left, FACTOR, OFFSET);
    }
    const bool has_yielded = sl_statistic_count(m->soc, SL_STAT_GPU_YIELDS) > 0;
    sl_graph_destroy(graph);
    return status == SL_OK && m->data->sum == right && has_yielded;
}

/* ---- what is refused ---- */

/* Whether the last call was refused so. What was not, is waited for. */
static bool is_refused(const struct machine *m, enum sl_status status, const char *message)
{
    if (status == SL_OK && sl_soc_wait(m->soc, -1) != SL_OK) {
        (void)fprintf(stderr, "arguments: %s\n", sl_soc_error(m->soc));
    }
    const char *const text = status == SL_OK ? "it is launched" : sl_soc_error(m->soc);
    const bool is_right = sl_app_check(status == SL_ERROR_USAGE && strstr(text, message) != NULL,
                                       "'%s' should have '%s'", text, message);
    if (is_right) {
        (void)printf("# %s\n", text);
    }
    return is_right;
}

#define REFUSES_LAUNCH(name, kernel, message, ...)                                                 \
    static bool name(const struct machine *m)                                                      \
    {                                                                                              \
        struct data *const d = m->data;                                                            \
        (void)d;                                                                                   \
        return is_refused(                                                                         \
            m, sl_launch_values(m->module, kernel, grid, group, 0, SL_VALUES(__VA_ARGS__)),        \
            message);                                                                              \
    }

REFUSES_LAUNCH(too_few, "saxpy",
               "launch of kernel 'saxpy': it takes 4 arguments (float a, const float *x, float *y, "
               "uint32_t n; arguments_kernel.c:10), 3 were given: 'n' is missing (argument 3)",
               FLOATS_A, d->x, d->y)
REFUSES_LAUNCH(too_many, "saxpy", "5 were given: there is no argument 4", FLOATS_A, d->x, d->y, N,
               N)
REFUSES_LAUNCH(swapped, "saxpy", "argument 2 'y' is float *, an integer was given", FLOATS_A, d->x,
               N, d->y)
REFUSES_LAUNCH(too_large, "saxpy", "argument 3 'n' is uint32_t, which cannot hold 4294967296",
               FLOATS_A, d->x, d->y, UINT64_C(1) << 32)
REFUSES_LAUNCH(by_value, "structure", "argument 1 'pair' is struct pair, which is not an integer",
               N, N)
REFUSES_LAUNCH(no_prototype, "variadic", "leave out '...'", N)

/* What the calls give that know no types. */
static bool as_bits(const struct machine *m)
{
    const uint64_t words[] = {0x40200000, (uintptr_t)m->data->x, (uintptr_t)m->data->y, N};
    return is_refused(m, sl_launch(m->module, "saxpy", grid, group, 0, words, 4),
                      "argument 0 'a' is float, an integer was given: use sl_value_f32()");
}

static bool in_step(const struct machine *m)
{
    struct sl_launch_step step = {.kernel = "saxpy", .grid = {N, 1, 1}, .group = {GROUP, 1, 1}};
    return is_refused(m, sl_launch_sequence(m->module, &step, 1, 0, 0, NULL),
                      "sequence of launches: step 0, kernel 'saxpy': it takes 4 arguments");
}

static bool refuses_graph(const struct machine *m, const char *kernel, int position,
                          const char *message)
{
    struct sl_graph_builder *const graph = graph_of(m, kernel);
    for (int i = 2; i < 6; i++) {
        if (i != position) {
            sl_graph_value(graph, 0, i, i % 2 == 0 ? SL_VALUE(FACTOR) : SL_VALUE(UINT64_C(0)));
        }
    }
    const bool is_right = is_refused(m, sl_graph_prepare(graph), message);
    sl_graph_destroy(graph);
    return is_right;
}

static bool not_set(const struct machine *m)
{
    return refuses_graph(
        m, "count_down", 4,
        "kernel 0 'count_down': it takes 6 arguments (int source, int index, float "
        "factor, uint64_t *sum, double offset, int channel; "
        "arguments_kernel.c:35): argument 4 'offset' is not set");
}

static bool no_channel(const struct machine *m)
{
    return refuses_graph(m, "float_first", 0,
                         "gets its channel and its index first, as int, and argument 0 'factor' is "
                         "float");
}

static const struct {
    const char *name;
    bool (*run)(const struct machine *machine);
} cases[] = {
    {"saxpy", saxpy},           {"daxpy", daxpy},           {"mix", mix},
    {"yields", yields},         {"too few", too_few},       {"too many", too_many},
    {"swapped", swapped},       {"too large", too_large},   {"structure", by_value},
    {"variadic", no_prototype}, {"as bits", as_bits},       {"in a step", in_step},
    {"not set", not_set},       {"no channel", no_channel},
};
#define CASES (sizeof cases / sizeof cases[0])

static enum sl_status run(struct sl_soc *soc, void *input)
{
    size_t *const rights = input;
    const struct machine machine = {.soc = soc,
                                    .module = sl_app_kernels(soc),
                                    .data = sl_app_alloc(soc, sizeof(struct data), 0)};

    for (size_t i = 0; i < CASES; i++) {
        const bool is_right = cases[i].run(&machine);
        *rights += sl_app_check(is_right, "%s: %s", cases[i].name, sl_soc_error(soc));
    }
    sl_app_result("arguments(%zu) = %zu", CASES, *rights);
    return SL_OK;
}

static bool is_right(const void *input)
{
    return *(const size_t *)input == CASES;
}

static const struct sl_app app = {
    .doc = "Give kernels constant arguments of all kinds, and such as they do not take; the result "
           "is the number of cases that are right.",
    .arguments = &(size_t){0},
    .kernels = "arguments.elf",
    .run = run,
    .is_right = is_right,
};
SL_PROGRAM(app)
