/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The programs that are attacked, one for each kind of run. */
#include "attack/session.h"
#include "sluice/program.h"
#include "workloads/common/fibonacci.h"
#include "workloads/fib/cilk_fib.h"

#define HOPS     4u
#define RUNNERS  64u
#define CILK_N   9u
#define TREES_N  8u
#define PRODUCED 256u
#define STEPS    3u

static enum sl_status new_graph(struct session *session)
{
    return sl_graph_create(session->module, &session->graph);
}

/* Puts `count` elements into a channel of a prepared graph. */
static enum sl_status fill(struct session *session, uint32_t count, uint32_t left)
{
    enum sl_status status = sl_graph_prepare(session->graph);
    if (status != SL_OK) {
        return status;
    }
    struct attack_element *const elements =
        sl_graph_talloc(session->graph, session->channel, count);
    if (elements == NULL) {
        return SL_ERROR_USAGE;
    }
    for (uint32_t i = 0; i < count; i++) {
        elements[i] = (struct attack_element){.left = left, .value = i};
    }
    return sl_graph_enq(session->graph, session->channel, elements, count);
}

static uint64_t sum_of(uint32_t count, uint32_t hops)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value = i;
        for (uint32_t hop = 0; hop < hops; hop++) {
            value = attack_next(value);
        }
        sum += value;
    }
    return sum;
}

/* ---- a flat graph ---- */

static void build_flat(struct session *session)
{
    struct sl_graph_builder *const graph = session->graph;
    session->channel = sl_graph_channel(graph, sizeof(struct attack_element), 256, NULL);
    const int kernel = sl_graph_kernel(graph, "attack_flat");
    sl_graph_argument(graph, kernel, 2, (uint64_t)session->channel);
    sl_graph_argument(graph, kernel, 3, (uintptr_t)session->result);
    sl_graph_connect(graph, session->channel, kernel);
    sl_graph_output(graph, kernel, session->channel, 1);
}

static enum sl_status make_flat(struct session *session)
{
    const enum sl_status status = new_graph(session);
    if (status != SL_OK) {
        return status;
    }
    build_flat(session);
    return fill(session, RUNNERS, HOPS);
}

static enum sl_status execute(struct session *session)
{
    return sl_graph_execute(session->graph);
}

static bool is_flat_right(const struct session *session)
{
    return session->result->sum == sum_of(RUNNERS, HOPS) &&
           session->result->elements == RUNNERS * (HOPS + 1) &&
           sl_soc_counts(session->soc).elements == RUNNERS * (HOPS + 1);
}

/* ---- the same, which stays open ---- */

static enum sl_status make_open(struct session *session)
{
    const enum sl_status status = new_graph(session);
    if (status != SL_OK) {
        return status;
    }
    build_flat(session);
    return fill(session, RUNNERS / 2, HOPS);
}

static enum sl_status feed(struct session *session)
{
    enum sl_status status = sl_graph_open(session->graph);
    for (uint32_t i = RUNNERS / 2; i < RUNNERS && status == SL_OK; i += 8) {
        struct attack_element elements[8];
        for (uint32_t j = 0; j < 8; j++) {
            elements[j] = (struct attack_element){.left = HOPS, .value = i + j};
        }
        status = sl_graph_enq_at(session->graph, session->channel, elements, 8,
                                 (uint64_t)i * 100000, SL_FULL_WAIT);
    }
    return status == SL_OK ? sl_graph_close(session->graph) : status;
}

/* ---- a graph whose producers yield ---- */

static enum sl_status make_yields(struct session *session)
{
    const enum sl_status status = new_graph(session);
    if (status != SL_OK) {
        return status;
    }
    struct sl_graph_builder *const graph = session->graph;
    const struct sl_channel_options narrow = {.done_group = 1, .flags = SL_CHANNEL_NARROW};
    session->channel = sl_graph_channel(graph, sizeof(struct attack_element), PRODUCED, NULL);
    const int second = sl_graph_channel(graph, sizeof(struct attack_element), 64, &narrow);
    const int producer = sl_graph_kernel(graph, "attack_produce");
    sl_graph_argument(graph, producer, 2, (uint64_t)second);
    sl_graph_argument(graph, producer, 3, (uintptr_t)session->result);
    const int consumer = sl_graph_kernel(graph, "attack_flat");
    sl_graph_argument(graph, consumer, 2, (uint64_t)second);
    sl_graph_argument(graph, consumer, 3, (uintptr_t)session->result);
    sl_graph_connect(graph, session->channel, producer);
    sl_graph_connect(graph, second, consumer);
    sl_graph_output(graph, producer, second, 1);
    sl_graph_output(graph, consumer, second, 1);
    return fill(session, PRODUCED, 0);
}

static bool is_yields_right(const struct session *session)
{
    return session->result->sum == sum_of(PRODUCED, 1) && session->result->elements == 2 * PRODUCED;
}

/* ---- a Cilk graph on channel stacks, by level ---- */

static enum sl_status make_cilk(struct session *session)
{
    enum sl_status status = new_graph(session);
    if (status != SL_OK) {
        return status;
    }
    struct sl_graph_builder *const graph = session->graph;
    const struct sl_channel_options narrow = {.done_group = 1, .flags = SL_CHANNEL_NARROW};
    const int tasks =
        sl_graph_stack(graph, SL_ROLE_PRE_SPAWN, sizeof(struct fib_task), 128, CILK_N - 1, &narrow);
    const int joins =
        sl_graph_stack(graph, SL_ROLE_POST_SYNC, sizeof(struct fib_join), 64, CILK_N - 2, &narrow);
    const int spawn = sl_graph_kernel(graph, "attack_spawn");
    const int sync = sl_graph_kernel(graph, "attack_sync");
    sl_graph_argument(graph, spawn, 2, (uint64_t)joins);
    sl_graph_connect_stack(graph, tasks, spawn);
    sl_graph_connect_stack(graph, joins, sync);
    sl_graph_output_stack(graph, spawn, tasks, 2, 1);
    sl_graph_output_stack(graph, spawn, joins, 1, 0);
    status = sl_graph_prepare(graph);
    if (status != SL_OK) {
        return status;
    }
    struct fib_task *const root = sl_graph_talloc(graph, tasks, 1);
    if (root == NULL) {
        return SL_ERROR_USAGE;
    }
    *root = (struct fib_task){.n = CILK_N, .result = session->word};
    return sl_graph_enq(graph, tasks, root, 1);
}

static bool is_cilk_right(const struct session *session)
{
    return *session->word == fibonacci(CILK_N);
}

/* ---- task vectors ---- */

static enum sl_status make_trees(struct session *session)
{
    const struct sl_trees_options options = {.capacity = 256, .arguments = 2, .functions = 2};
    return sl_trees_create(session->module, "attack_trees", NULL, &options, &session->trees);
}

static enum sl_status start_trees(struct session *session)
{
    const uint32_t n = TREES_N;
    return sl_trees_execute(session->trees, 1, &n, 1);
}

static bool is_trees_right(const struct session *session)
{
    return sl_trees_result(session->trees) == fibonacci(TREES_N);
}

/* ---- launches ---- */

static bool has_exchanged(const struct session *session, uint32_t times)
{
    for (uint32_t i = 0; i < ATTACK_ITEMS; i++) {
        if (session->out[i] != (i ^ 1) * times) {
            return false;
        }
    }
    return true;
}

static enum sl_status make_nothing(struct session *session)
{
    (void)session;
    return SL_OK;
}

static enum sl_status start_launch(struct session *session)
{
    static const uint32_t grid[3] = {ATTACK_ITEMS, 1, 1};
    static const uint32_t group[3] = {ATTACK_GROUP, 1, 1};
    const uint64_t arguments[] = {(uintptr_t)session->out};
    return sl_launch(session->module, "attack_group", grid, group, 0, arguments, 1);
}

static bool is_launch_right(const struct session *session)
{
    return has_exchanged(session, 1);
}

static enum sl_status start_sequence(struct session *session)
{
    struct sl_launch_step steps[STEPS];
    for (unsigned i = 0; i < STEPS; i++) {
        steps[i] = (struct sl_launch_step){.kernel = "attack_group",
                                           .grid = {ATTACK_ITEMS, 1, 1},
                                           .group = {ATTACK_GROUP, 1, 1},
                                           .argument_count = 1,
                                           .argument = {(uintptr_t)session->out}};
    }
    return sl_launch_sequence(session->module, steps, STEPS, 0, 0, NULL);
}

static bool is_sequence_right(const struct session *session)
{
    return has_exchanged(session, STEPS);
}

const struct victim victims[] = {
    {"flat graph", HOPS + 1, make_flat, execute, is_flat_right},
    {"yielding graph", 8, make_yields, execute, is_yields_right},
    {"Cilk graph", 40, make_cilk, execute, is_cilk_right},
    {"open graph", HOPS + 2, make_open, feed, is_flat_right},
    {"task vector", 8, make_trees, start_trees, is_trees_right},
    {"launch", 4, make_nothing, start_launch, is_launch_right},
    {"sequence", 12, make_nothing, start_sequence, is_sequence_right},
};
const unsigned victim_count = sizeof victims / sizeof victims[0];
