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
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "obs/races/races.h"

#define EXECUTIONS      20000u
#define EXECUTIONS_LONG 1000000u

#define OPERATIONS 12u
#define SLOTS      5u /* the aggregator and 4 wavefronts */
#define THREADS    12u
#define OBJECTS    6u
#define STEPS      128u
#define EVENTS     128u
#define NODES      256u
#define NODE_WORDS (NODES / 64)
#define MEMORY     16u /* bytes */
#define MODELS     3u

/* ---- an execution ---- */

enum step_kind { STEP_BEGIN, STEP_END, STEP_ACCESS, STEP_FENCE, STEP_LEAVE, STEP_TAKE };

struct step {
    enum step_kind kind;
    uint32_t thread;
    uint32_t slot;
    uint64_t place;
    uint64_t group;  /* of a begin */
    uint32_t object; /* likewise, OBJECTS: none; of what leaves or takes */
    uint64_t lanes;
    uint64_t address[4];
    uint8_t bytes;
    enum sl_scope scope;
    bool synchronization;
    bool reads;
    bool writes;
    bool acquire;
    bool release;
};

struct context {
    bool lives;
    uint32_t thread;
    uint64_t place; /* next */
    uint64_t group;
};

struct execution {
    uint64_t random;
    struct context context[SLOTS];
    struct step step[STEPS]; /* in the order in which they perform */
    uint32_t steps;
    struct step delayed[STEPS];
    uint32_t delays;
    uint32_t threads;
    uint64_t groups; /* given out */
    uint64_t open;   /* bits by group: none of it has ended */
    uint32_t window;
    uint32_t collect;
    uint32_t scopes;   /* bits by enum sl_scope */
    uint32_t ordinary; /* of 8 accesses */
    bool sections;     /* synchronized accesses */
    bool eager;        /* synchronization reads, writes, acquires and releases */
    bool apart; /* ordinary accesses to the upper half of memory, synchronization to the lower */
    enum sl_scope scope_of[MEMORY / 4]; /* of each word, */
    bool one_scope;                     /* unless an access has one of its own */
    uint32_t launches; /* bits by object: something is left in it at device scope */
};

static uint32_t draw(struct execution *run, uint32_t choices)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return (uint32_t)(run->random >> 33) % choices;
}

static void perform(struct execution *run, const struct step *step)
{
    assert_true(run->steps < STEPS);
    run->step[run->steps++] = *step;
}

typedef bool delayed_fn(const struct step *step, const struct step *behind);

static bool any(const struct step *step, const struct step *behind)
{
    (void)step;
    (void)behind;
    return true;
}

static bool is_read(const struct step *step, const struct step *behind)
{
    (void)behind;
    return step->reads;
}

static bool is_acquire(const struct step *step, const struct step *behind)
{
    (void)behind;
    return step->acquire;
}

/* Performs those of a thread's delayed operations, in any order. */
static void flush(struct execution *run, const struct step *behind, delayed_fn *which)
{
    uint32_t first = run->delays > 0 ? draw(run, run->delays) : 0;
    uint32_t count = run->delays;
    struct step kept[STEPS];
    uint32_t keep = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &run->delayed[(first + i) % count];

        if (step->thread == behind->thread && which(step, behind)) {
            perform(run, step);
        } else {
            kept[keep++] = *step;
        }
    }
    memcpy(run->delayed, kept, keep * sizeof(kept[0]));
    run->delays = keep;
}

static bool is_at(const struct step *step, const struct step *at)
{
    return step->place == at->place;
}

static void flush_old(struct execution *run, const struct step *behind)
{
    for (uint32_t i = 0; i < run->delays; i++) {
        struct step old = run->delayed[i];

        if (old.thread == behind->thread && old.place + run->window < behind->place) {
            flush(run, &old, is_at);
            i = UINT32_MAX; /* from the begin */
        }
    }
}

static enum sl_scope draw_scope(struct execution *run)
{
    enum sl_scope scope;

    do {
        scope = (enum sl_scope)draw(run, RACE_SCOPES);
    } while ((run->scopes >> scope & 1) == 0);
    return scope;
}

static void begin(struct execution *run, uint32_t slot, uint32_t object)
{
    struct context *context = &run->context[slot];
    uint64_t group = RACE_NO_GROUP;

    if (run->threads == THREADS) {
        return;
    }
    if (slot > 0 && draw(run, 4) != 0) {
        group = run->groups;
        for (uint64_t i = 0; i < run->groups; i++) {
            if ((run->open >> i & 1) != 0 && draw(run, 3) != 0) {
                group = i;
            }
        }
        if (group == run->groups) {
            run->open |= UINT64_C(1) << run->groups++;
        }
    }
    *context = (struct context){.lives = true, .thread = run->threads, .group = group};
    perform(run, &(struct step){.kind = STEP_BEGIN,
                                .thread = run->threads++,
                                .slot = slot,
                                .group = group,
                                .object = object});
}

static struct step step_of(const struct execution *run, uint32_t slot, enum step_kind kind)
{
    const struct context *context = &run->context[slot];

    return (struct step){
        .kind = kind, .thread = context->thread, .slot = slot, .place = context->place};
}

static void leave_or_take(struct execution *run, uint32_t slot, enum step_kind kind,
                          uint32_t object, enum sl_scope scope)
{
    struct step step = step_of(run, slot, kind);

    step.object = object;
    step.scope = scope;
    flush(run, &step, kind == STEP_LEAVE ? any : is_acquire);
    perform(run, &step);
    if (kind == STEP_LEAVE && scope == SL_SCOPE_DEVICE) {
        run->launches |= 1u << object;
    }
    run->context[slot].place += draw(run, 2);
}

/* A wavefront ends, the aggregator may learn of it, and another begins. */
static void end(struct execution *run, uint32_t slot)
{
    struct context *context = &run->context[slot];
    uint32_t object = draw(run, OBJECTS);
    struct step step;

    leave_or_take(run, slot, STEP_LEAVE, object, SL_SCOPE_DEVICE);
    step = step_of(run, slot, STEP_END);
    perform(run, &step);
    context->lives = false;
    if (context->group != RACE_NO_GROUP) {
        run->open &= ~(UINT64_C(1) << context->group);
    }
    if (draw(run, 4) != 0) {
        leave_or_take(run, 0, STEP_TAKE, object, SL_SCOPE_DEVICE);
    }
    if (draw(run, 4) != 0) {
        leave_or_take(run, 0, STEP_LEAVE, object, SL_SCOPE_DEVICE);
    }
    if (draw(run, 4) == 0) {
        do {
            object = draw(run, OBJECTS);
        } while ((run->launches >> object & 1) == 0);
    }
    begin(run, slot, object);
}

static void fence(struct execution *run, uint32_t slot)
{
    struct step step = step_of(run, slot, STEP_FENCE);
    uint32_t what = 1 + draw(run, 3);

    step.scope = draw_scope(run);
    step.acquire = (what & 1) != 0;
    step.release = (what & 2) != 0;
    flush(run, &step, step.release ? any : is_read);
    perform(run, &step);
    run->context[slot].place += draw(run, 2);
}

static void draw_lanes(struct execution *run, struct step *step)
{
    bool aligned = step->synchronization || step->bytes == 4;
    uint32_t bytes = run->apart ? MEMORY / 2 : MEMORY;
    uint32_t base = run->apart && !step->synchronization ? MEMORY / 2 : 0;

    step->lanes = draw(run, 4) != 0 ? 1 : draw(run, 2) != 0 ? 3 : 7;
    for (uint32_t lane = 0; lane < 3; lane++) {
        step->address[lane] = aligned ? base + step->bytes * draw(run, bytes / step->bytes)
                                      : base + draw(run, bytes - step->bytes + 1);
        if (run->one_scope && step->synchronization) {
            step->scope = run->scope_of[step->address[0] / 4];
            step->lanes = 1;
        }
    }
}

/* Hands in the instruction in one piece or two, each now or later. */
static void perform_lanes(struct execution *run, struct step step)
{
    struct step rest = step;

    if (step.lanes != 1 && draw(run, 3) == 0) {
        step.lanes = 1;
        rest.lanes &= ~UINT64_C(1);
        run->delayed[run->delays++] = rest;
    }
    if (!step.acquire && !step.release && draw(run, 3) == 0) {
        run->delayed[run->delays++] = step;
        return;
    }
    perform(run, &step);
}

static void access_memory(struct execution *run, uint32_t slot)
{
    struct step step = step_of(run, slot, STEP_ACCESS);
    uint32_t what = draw(run, 4);

    step.synchronization = draw(run, 8) >= run->ordinary;
    step.reads = what < 2;
    step.writes = what > 1;
    step.bytes = 4;
    if (step.synchronization) {
        step.scope = draw_scope(run);
        step.writes = what > 0;
        step.reads = what < 3;
        step.reads |= run->eager;
        step.writes |= run->eager;
        step.acquire = step.reads && (run->eager || draw(run, 4) != 0);
        step.release = step.writes && (run->eager || draw(run, 4) != 0);
        step.bytes = draw(run, 6) == 0 ? 8 : 4;
    } else if (draw(run, 3) == 0) {
        step.bytes = (uint8_t)(1 + draw(run, 8));
    }
    draw_lanes(run, &step);
    flush_old(run, &step);
    flush(run, &step, step.release ? any : is_acquire);
    perform_lanes(run, step);
    run->context[slot].place++;
}

/* An access behind an acquire of one word, and before a release of the same or another one. */
static void synchronized_access(struct execution *run, uint32_t slot)
{
    uint32_t word = draw(run, 2);

    for (uint32_t i = 0; i < 3; i++) {
        struct step step = step_of(run, slot, STEP_ACCESS);

        step.lanes = 1;
        step.bytes = 4;
        step.synchronization = i != 1;
        step.address[0] = step.synchronization ? 4 * word : MEMORY - 4 - 4 * (uint64_t)draw(run, 2);
        step.scope = run->scope_of[word];
        step.acquire = i == 0;
        step.release = i == 2;
        step.reads = step.acquire || (i == 1 && draw(run, 2) == 0);
        step.writes = !step.reads;
        flush(run, &step, step.release ? any : is_acquire);
        perform_lanes(run, step);
        run->context[slot].place++;
        word = draw(run, 3) == 0 ? 1 - word : word;
    }
}

/* Delayed ones perform at some time. */
static void drain_some(struct execution *run)
{
    while (run->delays > 0 && draw(run, 3) == 0) {
        struct step step = run->delayed[draw(run, run->delays)];

        flush(run, &step, is_at);
    }
}

static void operate(struct execution *run, uint32_t slot)
{
    switch (draw(run, 12)) {
    case 0:
        leave_or_take(run, slot, STEP_LEAVE, draw(run, OBJECTS), draw_scope(run));
        break;
    case 1:
        leave_or_take(run, slot, STEP_TAKE, draw(run, OBJECTS), draw_scope(run));
        break;
    case 2:
        fence(run, slot);
        break;
    default:
        access_memory(run, slot);
    }
}

static void make_execution(struct execution *run, uint64_t seed)
{
    memset(run, 0, sizeof(*run));
    run->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    draw(run, 2);
    draw(run, 2);
    run->window = 1 + draw(run, 6);
    run->collect = draw(run, 4);
    run->scopes = draw(run, 4) == 0   ? 1u << SL_SCOPE_DEVICE
                  : draw(run, 2) == 0 ? 1u << SL_SCOPE_DEVICE | 1u << SL_SCOPE_WORKGROUP
                                      : 1 + draw(run, 15);
    run->ordinary = draw(run, 6);
    run->sections = draw(run, 3) != 0;
    run->eager = draw(run, 2) != 0;
    run->apart = draw(run, 4) != 0;
    run->one_scope = draw(run, 4) != 0;
    for (uint32_t word = 0; word < MEMORY / 4; word++) {
        run->scope_of[word] = draw_scope(run);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        begin(run, slot, OBJECTS);
    }
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        uint32_t slot = draw(run, SLOTS);

        if (!run->context[slot].lives) {
            continue;
        }
        if (run->sections && i + 3 <= OPERATIONS) {
            synchronized_access(run, slot);
            i += 2;
        } else {
            operate(run, slot);
        }
        drain_some(run);
        slot = 1 + draw(run, SLOTS - 1);
        if (draw(run, 6) == 0 && run->context[slot].lives) {
            end(run, slot);
        }
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        if (run->context[slot].lives) {
            struct step step = step_of(run, slot, STEP_END);

            flush(run, &step, any);
        }
    }
}

/* ---- the relations ---- */

/* What one lane, or what is no access, does. */
struct event {
    const struct step *step;
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
    struct execution run;
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
    const struct step *step = &trial->run.step[call];
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
        const struct step *step = &trial->run.step[call];

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

static void run_access(struct trial *trial, const struct step *step, uint32_t call)
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

static void run_step(struct trial *trial, const struct step *step, uint32_t call,
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

static void test_executions(void **state)
{
    const char *asked = getenv("SLUICE_TEST_LONG");
    uint32_t executions = asked != NULL ? EXECUTIONS_LONG : EXECUTIONS;
    struct trial *trial = malloc(sizeof(*trial));
    uint32_t racy[MODELS] = {0};

    (void)state;
    assert_non_null(trial);
    for (uint32_t seed = 1; seed <= executions; seed++) {
        memset(trial, 0, sizeof(*trial));
        make_execution(&trial->run, seed);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_executions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
