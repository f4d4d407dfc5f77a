/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Threads and their indices (observers/races/thread.h). */
#include "observers/races/thread.h"

#include <stdlib.h>

#include "observers/races/growable.h"

#define ENDED_SEARCH 64u /* indices looked at for each thread that begins */

void released_clear(struct released *released)
{
    for (uint32_t i = 0; i < RELEASED_CLOCKS; i++) {
        snap_drop(released->clock[i]);
        released->clock[i] = NULL;
    }
}

static void actor_destroy(struct actor *actor)
{
    for (uint32_t i = 0; i < ORDERS; i++) {
        knowledge_clear(&actor->known[i]);
    }
    for (uint32_t i = 0; i < RACE_SCOPES; i++) {
        released_clear(&actor->fence[i]);
        released_clear(&actor->pending[i]);
    }
    free(actor);
}

void threads_clear(struct threads *threads)
{
    for (uint32_t i = 0; i < threads->living_count; i++) {
        actor_destroy(threads->living[i]);
    }
    free(threads->persons);
    free(threads->bases);
    free(threads->living);
    free(threads->ended);
    free(threads->groups);
    *threads = (struct threads){.model = threads->model, .window = threads->window};
}

/* ---- indices ---- */

static struct race_group *find_group(const struct threads *threads, uint64_t group)
{
    for (uint32_t i = 0; i < threads->groups_count; i++) {
        if (threads->groups[i].group == group) {
            return &threads->groups[i];
        }
    }
    return NULL;
}

static bool join_group(struct threads *threads, uint64_t group)
{
    struct race_group *found = find_group(threads, group);

    if (found == NULL) {
        if (!room_for(&threads->groups, &threads->groups_room, threads->groups_count,
                      sizeof(*threads->groups))) {
            return false;
        }
        found = &threads->groups[threads->groups_count++];
        *found = (struct race_group){.group = group};
    }
    found->living++;
    return true;
}

static void leave_group(struct threads *threads, uint64_t group)
{
    struct race_group *found = find_group(threads, group);

    if (--found->living == 0) {
        *found = threads->groups[--threads->groups_count];
    }
}

static bool reusable(const struct threads *threads, const struct ended *ended,
                     const struct snap *launch)
{
    return snap_at(launch, ended->index) >= ended->epoch &&
           (threads->model != RACE_HRF_DIRECT || find_group(threads, ended->group) == NULL);
}

static struct ended *find_reusable(struct threads *threads, const struct snap *launch)
{
    uint32_t looks = threads->ended_count < ENDED_SEARCH ? threads->ended_count : ENDED_SEARCH;

    for (uint32_t i = 0; launch != NULL && i < looks; i++) {
        if (threads->ended_next >= threads->ended_count) {
            threads->ended_next = 0;
        }
        if (reusable(threads, &threads->ended[threads->ended_next], launch)) {
            return &threads->ended[threads->ended_next];
        }
        threads->ended_next++;
    }
    return NULL;
}

/* Index and base of a thread that begins. */
static bool take_index(struct threads *threads, struct actor *actor, const struct snap *launch)
{
    struct ended *ended = find_reusable(threads, launch);

    if (ended != NULL) {
        actor->index = ended->index;
        actor->base = ended->epoch + 1;
        *ended = threads->ended[--threads->ended_count];
    } else {
        if (!room_for(&threads->bases, &threads->bases_room, threads->width,
                      sizeof(*threads->bases))) {
            return false;
        }
        actor->index = threads->width++;
        actor->base = EPOCHS_PER_PLACE;
    }
    threads->bases[actor->index] = actor->base;
    return true;
}

/* ---- begin and end ---- */

uint32_t threads_begin(struct threads *threads, const struct race_thread *is,
                       const struct released *launch)
{
    uint32_t last = threads->model == RACE_HRF_DIRECT ? 1 : 0; /* clock of order_of_launches() */
    uint64_t group = is->group != RACE_NO_GROUP ? is->group : ~(uint64_t)threads->count - 1;
    struct actor *actor;

    if (!room_for(&threads->persons, &threads->persons_room, threads->count,
                  sizeof(*threads->persons)) ||
        !room_for(&threads->living, &threads->living_room, threads->living_count,
                  sizeof(*threads->living)) ||
        (actor = calloc(1, sizeof(*actor))) == NULL) {
        return UINT32_MAX;
    }
    if (!take_index(threads, actor, launch != NULL ? launch->clock[last] : NULL) ||
        !join_group(threads, group)) {
        free(actor);
        return UINT32_MAX;
    }
    actor->thread = threads->count;
    threads->living[threads->living_count++] = actor;
    threads->persons[threads->count++] =
        (struct person){.is = *is, .group = group, .base = actor->base, .actor = actor};
    if (launch != NULL && !actor_acquire(threads, actor, launch, SL_SCOPE_DEVICE, 0)) {
        return UINT32_MAX;
    }
    return actor->thread;
}

static bool may_end(struct threads *threads, const struct person *person)
{
    return threads->model != RACE_HRF_DIRECT || person->released[SL_SCOPE_SYSTEM] == 0;
}

void threads_end(struct threads *threads, uint32_t thread, uint64_t place)
{
    struct person *person = &threads->persons[thread];
    struct actor *actor = person->actor;

    leave_group(threads, person->group);
    if (may_end(threads, person) && room_for(&threads->ended, &threads->ended_room,
                                             threads->ended_count, sizeof(*threads->ended))) {
        threads->ended[threads->ended_count++] = (struct ended){
            .epoch = actor_before(actor, place), .group = person->group, .index = actor->index};
    }
    for (uint32_t i = 0; i < threads->living_count; i++) {
        if (threads->living[i] == actor) {
            threads->living[i] = threads->living[--threads->living_count];
            break;
        }
    }
    person->actor = NULL;
    actor_destroy(actor);
}

uint64_t threads_instance_of(const struct threads *threads, const struct actor *actor,
                             enum sl_scope scope)
{
    switch (scope) {
    case SL_SCOPE_WAVEFRONT:
        return actor->thread;
    case SL_SCOPE_WORKGROUP:
        return threads->persons[actor->thread].group;
    default:
        return 0;
    }
}

void threads_note_release(struct threads *threads, uint32_t thread, enum sl_scope scope,
                          uint64_t epoch)
{
    uint64_t *released = &threads->persons[thread].released[scope];

    *released = epoch > *released ? epoch : *released;
}

void threads_note_acquire(struct threads *threads, uint32_t thread, enum sl_scope scope,
                          uint64_t time_ps)
{
    threads->persons[thread].acquired_ps[scope] = time_ps + 1;
}

/* ---- release and acquire ---- */

bool actor_release(const struct threads *threads, struct actor *actor, struct released *into,
                   enum sl_scope scope, uint64_t own, uint64_t moment)
{
    enum race_order orders[RELEASED_CLOCKS] = {ORDER_CHAIN, order_of(scope)};
    uint32_t count = threads->model == RACE_HRF_DIRECT ? 2 : 1;

    for (uint32_t i = 0; i < count; i++) {
        struct snap *snap = knowledge_publish(&actor->known[orders[i]], actor->index, own, moment);
        bool joined = snap != NULL && snap_join(&into->clock[i], snap);

        snap_drop(snap);
        if (!joined) {
            return false;
        }
    }
    return true;
}

bool actor_acquire(const struct threads *threads, struct actor *actor,
                   const struct released *released, enum sl_scope scope, uint64_t from)
{
    uint64_t horizon = actor_oldest(threads, actor);

    return knowledge_join(&actor->known[ORDER_CHAIN], released->clock[0], from, horizon) &&
           (threads->model != RACE_HRF_DIRECT ||
            knowledge_join(&actor->known[order_of(scope)], released->clock[1], from, horizon));
}

bool released_join(struct released *into, const struct released *more)
{
    return snap_join(&into->clock[0], more->clock[0]) && snap_join(&into->clock[1], more->clock[1]);
}

/* ---- who is ordered ---- */

bool actor_knows(const struct threads *threads, const struct actor *actor, uint32_t index,
                 uint64_t epoch, uint64_t moment)
{
    if (threads->model != RACE_HRF_DIRECT) {
        return knowledge_at(&actor->known[ORDER_CHAIN], index, moment) >= epoch;
    }
    if (knowledge_at(&actor->known[ORDER_DEVICE], index, moment) >= epoch) {
        return true;
    }
    return epoch >= threads->bases[index] &&
           (knowledge_at(&actor->known[ORDER_SYSTEM], index, moment) >= epoch ||
            knowledge_at(&actor->known[ORDER_GROUP], index, moment) >= epoch);
}

bool released_knows(const struct threads *threads, const struct released *released,
                    enum sl_scope scope, uint32_t index, uint64_t epoch)
{
    if (threads->model != RACE_HRF_DIRECT) {
        return snap_at(released->clock[0], index) >= epoch;
    }
    return snap_at(released->clock[1], index) >= epoch &&
           (scope == SL_SCOPE_DEVICE || epoch >= threads->bases[index]);
}

struct snap *threads_knowledge(const struct threads *threads)
{
    enum race_order order = order_of_launches(threads->model);
    struct snap *all = NULL;

    for (uint32_t i = 0; i < threads->living_count; i++) {
        struct actor *actor = threads->living[i];
        uint64_t oldest = actor_oldest(threads, actor);
        struct snap *known = knowledge_copy(&actor->known[order], threads->width, actor->index,
                                            actor_before(actor, oldest / 2), oldest);

        if (known == NULL) {
            snap_drop(all);
            return NULL;
        }
        for (uint32_t j = 0; all != NULL && j < threads->width; j++) {
            all->at[j] = known->at[j] < all->at[j] ? known->at[j] : all->at[j];
        }
        if (all == NULL) {
            all = known;
        } else {
            snap_drop(known);
        }
    }
    return all;
}
