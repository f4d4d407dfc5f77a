/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What orders and is no word: packets, barriers, records (observers/races/races.h). */
#include <stdlib.h>

#include "observers/races/growable.h"
#include "observers/races/race_detector.h"

struct race_clock *race_clock_create(struct race_engine *engine)
{
    struct race_clock *clock = calloc(1, sizeof(*clock));

    if (clock == NULL) {
        return NULL;
    }
    clock->next = engine->clocks;
    clock->link = &engine->clocks;
    if (clock->next != NULL) {
        clock->next->link = &clock->next;
    }
    engine->clocks = clock;
    return clock;
}

void race_clock_clear(struct race_engine *engine, struct race_clock *clock)
{
    (void)engine;
    for (uint32_t i = 0; i < clock->count; i++) {
        released_clear(&clock->left[i].released);
    }
    clock->count = 0;
}

void race_clock_destroy(struct race_engine *engine, struct race_clock *clock)
{
    if (clock == NULL) {
        return;
    }
    race_clock_clear(engine, clock);
    *clock->link = clock->next;
    if (clock->next != NULL) {
        clock->next->link = clock->link;
    }
    free(clock->left);
    free(clock);
}

static struct left *find(const struct race_clock *clock, enum sl_scope scope, uint64_t of)
{
    for (uint32_t i = 0; i < clock->count; i++) {
        if (clock->left[i].scope == scope && clock->left[i].of == of) {
            return &clock->left[i];
        }
    }
    return NULL;
}

const struct released *engine_launch(const struct race_engine *engine,
                                     const struct race_clock *clock)
{
    const struct left *left =
        clock != NULL ? find(clock, order_scope(engine->shape.model, SL_SCOPE_DEVICE), 0) : NULL;

    return left != NULL ? &left->released : NULL;
}

static struct left *find_or_add(struct race_clock *clock, enum sl_scope scope, uint64_t of)
{
    struct left *left = find(clock, scope, of);

    if (left != NULL) {
        return left;
    }
    if (!room_for(&clock->left, &clock->room, clock->count, sizeof(*clock->left))) {
        return NULL;
    }
    left = &clock->left[clock->count++];
    *left = (struct left){.scope = scope, .of = of};
    return left;
}

/* What is left at device scope, at an end or for a launch, does not count as a release that a
 * program has made for others to acquire. */
void race_leave(struct race_engine *engine, struct race_clock *clock, uint32_t thread,
                uint64_t place, enum sl_scope scope)
{
    struct actor *actor = threads_actor(&engine->threads, thread);
    enum sl_scope in = order_scope(engine->shape.model, scope);
    struct left *left;

    if (engine->failed || actor == NULL) {
        return;
    }
    engine->counters.sync_operations++;
    actor_reach(actor, place, true);
    actor_fence_lanes(actor, place, true);
    if (scope != SL_SCOPE_DEVICE) {
        threads_note_release(&engine->threads, thread, scope, actor_before(actor, place));
    }
    if (in == SL_SCOPE_WAVEFRONT) {
        return;
    }
    left = find_or_add(clock, in, threads_instance_of(&engine->threads, actor, in));
    engine->failed = left == NULL || !actor_release(&engine->threads, actor, &left->released, in,
                                                    actor_before(actor, place), moment_at(place));
}

void race_take(struct race_engine *engine, const struct race_clock *clock, uint32_t thread,
               uint64_t place, enum sl_scope scope, uint64_t time_ps)
{
    struct actor *actor = threads_actor(&engine->threads, thread);
    enum sl_scope in = order_scope(engine->shape.model, scope);
    const struct left *left;

    if (engine->failed || actor == NULL) {
        return;
    }
    engine->counters.sync_operations++;
    actor_reach(actor, place, false);
    threads_note_acquire(&engine->threads, thread, scope, time_ps);
    if (in == SL_SCOPE_WAVEFRONT) {
        return;
    }
    left = find(clock, in, threads_instance_of(&engine->threads, actor, in));
    engine->failed = left != NULL &&
                     !actor_acquire(&engine->threads, actor, &left->released, in, moment_at(place));
}
