/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The engine's life, its threads and its fences (observers/races/races.h). */
#include "observers/races/race_detector.h"

#include <stdlib.h>

#define EVERYBODY_CALLS 64u /* by shape.collect - 1 */

struct race_engine *race_create(const struct race_shape *shape)
{
    struct race_engine *engine = calloc(1, sizeof(*engine));

    if (engine == NULL) {
        return NULL;
    }
    engine->shape = *shape;
    engine->shape.collect = shape->collect > 0 ? shape->collect : RACE_COLLECT_AT;
    engine->threads.model = shape->model;
    engine->threads.window = shape->window;
    return engine;
}

void race_destroy(struct race_engine *engine)
{
    if (engine == NULL) {
        return;
    }
    threads_clear(&engine->threads);
    cells_clear(&engine->cells);
    snap_drop(engine->everybody);
    free(engine->findings.of);
    free(engine);
}

void race_begin(struct race_engine *engine)
{
    threads_clear(&engine->threads);
    cells_clear(&engine->cells);
    snap_drop(engine->everybody);
    engine->everybody = NULL;
    for (struct race_clock *clock = engine->clocks; clock != NULL; clock = clock->next) {
        race_clock_clear(engine, clock);
    }
    engine->counters = (struct race_counters){0};
    engine->failed = false;
}

bool race_failed(const struct race_engine *engine)
{
    return engine->failed;
}

const struct race_counters *race_counters(const struct race_engine *engine)
{
    return &engine->counters;
}

/* ---- threads ---- */

uint32_t race_thread_begin(struct race_engine *engine, const struct race_thread *thread,
                           const struct race_clock *launch)
{
    uint32_t number;

    if (engine->failed) {
        return UINT32_MAX;
    }
    number = threads_begin(&engine->threads, thread, engine_launch(engine, launch));
    engine->failed = number == UINT32_MAX;
    return number;
}

void race_thread_end(struct race_engine *engine, uint32_t thread, uint64_t place)
{
    if (!engine->failed && threads_actor(&engine->threads, thread) != NULL) {
        threads_end(&engine->threads, thread, place);
    }
}

/* ---- fences ---- */

static bool fence_release(struct race_engine *engine, struct actor *actor, uint64_t place,
                          enum sl_scope scope)
{
    released_clear(&actor->fence[scope]);
    actor->fence_epoch[scope] = actor_before(actor, place);
    return actor_release(&engine->threads, actor, &actor->fence[scope], scope,
                         actor_before(actor, place), moment_at(place));
}

static bool fence_acquire(struct race_engine *engine, struct actor *actor, uint64_t place,
                          enum sl_scope scope)
{
    bool joined =
        actor_acquire(&engine->threads, actor, &actor->pending[scope], scope, moment_at(place));

    released_clear(&actor->pending[scope]);
    return joined;
}

void race_fence(struct race_engine *engine, uint32_t thread, uint64_t place, enum sl_scope scope,
                bool acquire, bool release, uint64_t time_ps)
{
    struct actor *actor = threads_actor(&engine->threads, thread);
    enum sl_scope in = order_scope(engine->shape.model, scope);

    if (engine->failed || actor == NULL) {
        return;
    }
    engine->counters.sync_operations++;
    actor_reach(actor, place, release);
    actor_fence_lanes(actor, place, release);
    if (acquire) {
        threads_note_acquire(&engine->threads, thread, scope, time_ps);
        engine->failed = in != SL_SCOPE_WAVEFRONT && !fence_acquire(engine, actor, place, in);
    }
    if (release && !engine->failed && in != SL_SCOPE_WAVEFRONT) {
        engine->failed = !fence_release(engine, actor, place, in);
    }
}

/* ---- what nobody races with any more ---- */

/* Takes what is greater down to what the clocks know. */
static void know_clocks(const struct race_engine *engine, struct snap *known)
{
    uint32_t last = engine->shape.model == RACE_HRF_DIRECT ? 1 : 0;

    for (const struct race_clock *clock = engine->clocks; clock != NULL; clock = clock->next) {
        const struct released *launch = engine_launch(engine, clock);

        for (uint32_t i = 0; launch != NULL && i < known->width; i++) {
            uint64_t at = snap_at(launch->clock[last], i);

            known->at[i] = at < known->at[i] ? at : known->at[i];
        }
    }
}

/* Clocks only grow, and launches come from what lives: so what was known by all some time ago still
 * is, and is not made anew for each word. */
static bool know_everybody(struct race_engine *engine)
{
    uint64_t since = engine->calls - engine->everybody_calls;

    if (engine->everybody != NULL && since < EVERYBODY_CALLS * (engine->shape.collect - 1)) {
        return true;
    }
    snap_drop(engine->everybody);
    engine->everybody = threads_knowledge(&engine->threads);
    if (engine->everybody == NULL) {
        return false;
    }
    know_clocks(engine, engine->everybody);
    engine->everybody_calls = engine->calls;
    return true;
}

void engine_collect(struct race_engine *engine, struct history *history)
{
    if (!know_everybody(engine)) {
        return; /* it goes on without */
    }
    for (uint32_t i = history->count; i-- > 0;) {
        const struct access *access = &history->at[i];

        if (snap_at(engine->everybody, access->index) >= access->epoch) {
            history_remove(history, i);
        }
    }
}
