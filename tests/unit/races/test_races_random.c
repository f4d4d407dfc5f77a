/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Random executions of 12 operations by the aggregator and 4 wavefronts at a time, against the
 * relations of papers/002 by brute force: the closure of a matrix of bits. The engine's verdict is
 * theirs in all three models, and each pair that it tells is a race. What is free of races in
 * hrf-direct is in hrf-indirect, and that in drf.
 *
 * Of each lane's access there are three nodes: what it acquires, the access, what it releases. So a
 * lane's acquire orders that lane and what is behind the instruction, while a release is ordered
 * behind all lanes of its instruction that have performed. A fence, and what leaves in or takes
 * from an object, is one node. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "observers/races/races.h"
#include "unit/races/race_execution.h"

#define EXECUTIONS      20000u
#define EXECUTIONS_LONG 1000000u

#define EVENTS     128u
#define NODES      256u
#define NODE_WORDS (NODES / 64)
#define MODELS     3u

/* ---- the relations ---- */

/* What one lane, or what is no access, does. */
struct event {
    const struct race_step *step;
    uint32_t call; /* its number: the order in which they perform */
    uint32_t lane;
    uint64_t key;      /* in program order */
    uint64_t group;    /* of its thread */
    uint32_t acquires; /* nodes; all the same for what is no access */
    uint32_t accesses;
    uint32_t releases;
};

struct relation {
    uint64_t bit[NODES][NODE_WORDS];
};

struct trial {
    struct race_execution run;
    struct event event[EVENTS];
    uint32_t events;
    uint32_t nodes;
    uint64_t group_of[THREADS];
    struct relation program;                     /* po */
    struct relation before[MODELS][THREADS + 3]; /* closures, of which any decides */
    uint32_t closures[MODELS];
    bool racy[MODELS];
    /* the engine's */
    enum race_model model;
    struct race_engine *engine;
    uint32_t found;
};

static void relate(struct relation *relation, uint32_t from, uint32_t to)
{
    relation->bit[from][to / 64] |= UINT64_C(1) << to % 64;
}

static bool related(const struct relation *relation, uint32_t from, uint32_t to)
{
    return (relation->bit[from][to / 64] >> to % 64 & 1) != 0;
}

static void close_relation(struct relation *relation, uint32_t nodes)
{
    for (uint32_t via = 0; via < nodes; via++) {
        for (uint32_t from = 0; from < nodes; from++) {
            if (related(relation, from, via)) {
                for (uint32_t i = 0; i < NODE_WORDS; i++) {
                    relation->bit[from][i] |= relation->bit[via][i];
                }
            }
        }
    }
}

static bool is_access(const struct event *event)
{
    return event->step->kind == STEP_ACCESS;
}

static void add_event(struct trial *trial, uint32_t call, uint32_t lane)
{
    const struct race_step *step = &trial->run.step[call];
    bool access = step->kind == STEP_ACCESS;
    struct event *event = &trial->event[trial->events++];

    assert_true(trial->events <= EVENTS && trial->nodes + 3 <= NODES);
    *event = (struct event){.step = step,
                            .call = call,
                            .lane = lane,
                            .key = step->kind == STEP_BEGIN ? 0 : 2 * step->place + 1 + access,
                            .group = trial->group_of[step->thread],
                            .acquires = trial->nodes,
                            .accesses = trial->nodes + access,
                            .releases = trial->nodes + 2 * access};
    trial->nodes += access ? 3 : 1;
}

static void add_events(struct trial *trial)
{
    for (uint32_t call = 0; call < trial->run.steps; call++) {
        const struct race_step *step = &trial->run.step[call];

        if (step->kind == STEP_BEGIN) {
            trial->group_of[step->thread] =
                step->group != RACE_NO_GROUP ? step->group : 100 + step->thread;
        }
        for (uint32_t lane = 0; lane < 3 && step->kind == STEP_ACCESS; lane++) {
            if ((step->lanes >> lane & 1) != 0) {
                add_event(trial, call, lane);
            }
        }
        if (step->kind != STEP_ACCESS && step->kind != STEP_END) {
            add_event(trial, call, 0);
        }
    }
}

static void order_program(struct trial *trial, const struct event *a, const struct event *b)
{
    if (a->key < b->key || (a->key == b->key && !is_access(a) && a->call < b->call)) {
        for (uint32_t from = a->acquires; from <= a->releases; from++) {
            for (uint32_t to = b->acquires; to <= b->releases; to++) {
                relate(&trial->program, from, to);
            }
        }
    } else if (a->key == b->key && is_access(a) && a->call <= b->call) {
        relate(&trial->program, a->accesses, b->releases);
    }
}

static void make_program_order(struct trial *trial)
{
    for (uint32_t i = 0; i < trial->events; i++) {
        const struct event *a = &trial->event[i];

        if (is_access(a)) {
            relate(&trial->program, a->acquires, a->accesses);
            relate(&trial->program, a->accesses, a->releases);
        }
        for (uint32_t j = 0; j < trial->events; j++) {
            if (i != j && trial->event[j].step->thread == a->step->thread) {
                order_program(trial, a, &trial->event[j]);
            }
        }
    }
}

/* Numbers of scope instances: the device's, the system's, the work-groups'; a wavefront's own is
 * none of them, since it orders nothing. */
static uint64_t instance(enum race_model model, const struct event *event)
{
    enum sl_scope scope = event->step->kind == STEP_BEGIN ? SL_SCOPE_DEVICE : event->step->scope;

    if (model == RACE_DRF || scope == SL_SCOPE_SYSTEM) {
        return 1;
    }
    return scope == SL_SCOPE_DEVICE      ? 0
           : scope == SL_SCOPE_WORKGROUP ? 2 + event->group
                                         : 1000 + event->step->thread;
}

static bool share_words(const struct event *a, const struct event *b)
{
    uint64_t first = a->step->address[a->lane] / 4;
    uint64_t second = b->step->address[b->lane] / 4;

    return first <= (b->step->address[b->lane] + b->step->bytes - 1) / 4 &&
           second <= (a->step->address[a->lane] + a->step->bytes - 1) / 4;
}

/* Relates each way in which a releases to each in which b acquires. */
static void relate_accesses(const struct trial *trial, enum race_model model,
                            struct relation *order, const struct event *a, const struct event *b)
{
    uint32_t from[EVENTS];
    uint32_t to[EVENTS];
    uint32_t froms = 0;
    uint32_t tos = 0;

    if (a->step->release) {
        from[froms++] = a->releases;
    }
    if (b->step->acquire) {
        to[tos++] = b->acquires;
    }
    for (uint32_t i = 0; i < trial->events; i++) {
        const struct event *fence = &trial->event[i];

        if (fence->step->kind != STEP_FENCE) {
            continue;
        }
        if (fence->step->release && a->step->writes && fence->step->thread == a->step->thread &&
            fence->key < a->key && instance(model, fence) == instance(model, a)) {
            from[froms++] = fence->releases;
        }
        if (fence->step->acquire && b->step->reads && fence->step->thread == b->step->thread &&
            fence->key > b->key && instance(model, fence) == instance(model, b)) {
            to[tos++] = fence->acquires;
        }
    }
    for (uint32_t i = 0; i < froms; i++) {
        for (uint32_t j = 0; j < tos; j++) {
            relate(order, from[i], to[j]);
        }
    }
}

static void relate_pair(const struct trial *trial, enum race_model model, struct relation *order,
                        const struct event *a, const struct event *b)
{
    if (is_access(a) && is_access(b)) {
        if (a->step->synchronization && b->step->synchronization && share_words(a, b)) {
            relate_accesses(trial, model, order, a, b);
        }
    } else if (a->step->kind == STEP_LEAVE && a->step->object == b->step->object &&
               (b->step->kind == STEP_TAKE || b->step->kind == STEP_BEGIN)) {
        relate(order, a->releases, b->acquires);
    }
}

/* Adds so_S of one instance, or of all. */
static void add_synchronization(const struct trial *trial, enum race_model model,
                                struct relation *order, uint64_t of)
{
    for (uint32_t i = 0; i < trial->events; i++) {
        const struct event *a = &trial->event[i];
        uint64_t in = instance(model, a);

        if (in >= 1000 || (of != UINT64_MAX && in != of)) {
            continue;
        }
        for (uint32_t j = 0; j < trial->events; j++) {
            const struct event *b = &trial->event[j];

            if (a->call < b->call && instance(model, b) == in) {
                relate_pair(trial, model, order, a, b);
            }
        }
    }
}

static void make_order(struct trial *trial, enum race_model model, uint64_t of)
{
    struct relation *order = &trial->before[model][trial->closures[model]++];

    *order = trial->program;
    add_synchronization(trial, model, order, of);
    close_relation(order, trial->nodes);
}

static bool ordered(const struct trial *trial, enum race_model model, const struct event *a,
                    const struct event *b)
{
    for (uint32_t i = 0; i < trial->closures[model]; i++) {
        const struct relation *order = &trial->before[model][i];

        if (related(order, a->accesses, b->accesses) || related(order, b->accesses, a->accesses)) {
            return true;
        }
    }
    return false;
}

static bool share_bytes(const struct event *a, const struct event *b)
{
    uint64_t first = a->step->address[a->lane];
    uint64_t second = b->step->address[b->lane];

    return first < second + b->step->bytes && second < first + a->step->bytes;
}

static bool conflict(enum race_model model, const struct event *a, const struct event *b,
                     enum race_conflict *kind)
{
    if (!is_access(a) || !is_access(b) || a->step->thread == b->step->thread ||
        (!a->step->writes && !b->step->writes)) {
        return false;
    }
    *kind =
        a->step->synchronization && b->step->synchronization ? RACE_SYNCHRONIZATION : RACE_ORDINARY;
    return *kind == RACE_ORDINARY ? share_bytes(a, b)
                                  : share_words(a, b) && instance(model, a) != instance(model, b);
}

static bool is_race(const struct trial *trial, enum race_model model, const struct event *a,
                    const struct event *b, enum race_conflict *kind)
{
    return conflict(model, a, b, kind) && !ordered(trial, model, a, b);
}

static void judge(struct trial *trial, enum race_model model)
{
    enum race_conflict kind;

    for (uint32_t i = 0; i < trial->events; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (is_race(trial, model, &trial->event[j], &trial->event[i], &kind)) {
                trial->racy[model] = true;
                return;
            }
        }
    }
}

static void make_relations(struct trial *trial)
{
    add_events(trial);
    make_program_order(trial);
    make_order(trial, RACE_DRF, 1);
    make_order(trial, RACE_HRF_INDIRECT, UINT64_MAX);
    make_order(trial, RACE_HRF_DIRECT, 0);
    make_order(trial, RACE_HRF_DIRECT, 1);
    for (uint64_t group = 0; group < trial->run.groups; group++) {
        make_order(trial, RACE_HRF_DIRECT, 2 + group);
    }
    for (uint32_t model = 0; model < MODELS; model++) {
        judge(trial, (enum race_model)model);
    }
}

/* ---- the engine ---- */

static bool is_side(const struct event *event, const struct race_side *side)
{
    return is_access(event) && event->step->thread == side->thread.wave &&
           event->step->place == side->place && (side->lanes >> event->lane & 1) != 0;
}

/* What it tells is a race, of lanes that it names. */
static void check_finding(void *context, const struct race_finding *finding)
{
    struct trial *trial = context;
    bool race = false;
    bool chain = false;
    enum race_conflict kind;

    trial->found++;
    for (uint32_t i = 0; i < trial->events; i++) {
        for (uint32_t j = 0; j < trial->events; j++) {
            const struct event *a = &trial->event[i];
            const struct event *b = &trial->event[j];

            if (is_side(a, &finding->earlier) && is_side(b, &finding->later) &&
                is_race(trial, trial->model, a, b, &kind) && kind == finding->conflict) {
                race = true;
                chain |= ordered(trial, RACE_HRF_INDIRECT, a, b);
            }
        }
    }
    if (!race) {
        fail_msg("pair");
    }
    if (finding->lacks == RACE_LACKS_CHAIN) {
        assert_int_equal(trial->model, RACE_HRF_DIRECT);
        if (!chain)
            fail_msg("chain");
    }
}

static void run_access(struct trial *trial, const struct race_step *step, uint32_t call)
{
    uint64_t address[4];
    struct race_operation operation = {.thread = step->thread,
                                       .time_ps = call,
                                       .place = step->place,
                                       .pc = call,
                                       .lanes = step->lanes,
                                       .address = address,
                                       .bytes = step->bytes,
                                       .scope = (uint8_t)step->scope,
                                       .synchronization = step->synchronization,
                                       .reads = step->reads,
                                       .writes = step->writes,
                                       .acquire = step->acquire,
                                       .release = step->release};

    /* on the edge of two pages */
    for (uint32_t lane = 0; lane < 4; lane++) {
        address[lane] = 0x100000 - MEMORY / 2 + step->address[lane];
    }
    race_access(trial->engine, &operation);
}

static void run_step(struct trial *trial, const struct race_step *step, uint32_t call,
                     struct race_clock **objects)
{
    struct race_engine *engine = trial->engine;

    switch (step->kind) {
    case STEP_BEGIN: {
        struct race_thread thread = {.wave = step->thread, .group = step->group};

        assert_int_equal(step->thread,
                         race_thread_begin(engine, &thread,
                                           step->object < OBJECTS ? objects[step->object] : NULL));
        break;
    }
    case STEP_END:
        race_thread_end(engine, step->thread, step->place);
        break;
    case STEP_ACCESS:
        run_access(trial, step, call);
        break;
    case STEP_FENCE:
        race_fence(engine, step->thread, step->place, step->scope, step->acquire, step->release,
                   call);
        break;
    case STEP_LEAVE:
        race_leave(engine, objects[step->object], step->thread, step->place, step->scope);
        break;
    case STEP_TAKE:
        race_take(engine, objects[step->object], step->thread, step->place, step->scope, call);
        break;
    }
}

static bool engine_finds(struct trial *trial, enum race_model model)
{
    struct race_shape shape = {.model = model,
                               .window = trial->run.window,
                               .collect = trial->run.collect,
                               .found = check_finding,
                               .context = trial};
    struct race_clock *objects[OBJECTS];

    trial->model = model;
    trial->found = 0;
    trial->engine = race_create(&shape);
    assert_non_null(trial->engine);
    race_begin(trial->engine);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        objects[i] = race_clock_create(trial->engine);
    }
    for (uint32_t call = 0; call < trial->run.steps; call++) {
        run_step(trial, &trial->run.step[call], call, objects);
    }
    assert_false(race_failed(trial->engine));
    for (uint32_t i = 0; i < OBJECTS; i++) {
        race_clock_destroy(trial->engine, objects[i]);
    }
    race_destroy(trial->engine);
    return trial->found > 0;
}

/* ---- tests ---- */

TEST(test_executions)
{
    const char *asked = getenv("SLUICE_TEST_LONG");
    uint32_t executions = asked != NULL ? EXECUTIONS_LONG : EXECUTIONS;
    struct trial *trial = malloc(sizeof(*trial));
    uint32_t racy[MODELS] = {0};

    assert_non_null(trial);
    for (uint32_t seed = 1; seed <= executions; seed++) {
        memset(trial, 0, sizeof(*trial));
        race_execution_make(&trial->run, seed);
        make_relations(trial);
        for (uint32_t model = 0; model < MODELS; model++) {
            if (engine_finds(trial, (enum race_model)model) != trial->racy[model]) {
                fail_msg("execution %u, model %u: by definition %s", seed, model,
                         trial->racy[model] ? "racy" : "free");
            }
            racy[model] += trial->racy[model];
        }
        assert_true(trial->racy[RACE_HRF_DIRECT] || !trial->racy[RACE_HRF_INDIRECT]);
        assert_true(trial->racy[RACE_HRF_INDIRECT] || !trial->racy[RACE_DRF]);
    }
    free(trial);
    print_message("of %u executions racy: drf %u, hrf-indirect %u, hrf-direct %u\n", executions,
                  racy[RACE_DRF], racy[RACE_HRF_INDIRECT], racy[RACE_HRF_DIRECT]);
    for (uint32_t model = 0; model < MODELS; model++) {
        assert_in_range(racy[model], executions / 10, executions - executions / 10);
    }
    assert_in_range(racy[RACE_HRF_INDIRECT], racy[RACE_DRF] + executions / 100, executions);
    assert_in_range(racy[RACE_HRF_DIRECT], racy[RACE_HRF_INDIRECT] + executions / 1000, executions);
}
