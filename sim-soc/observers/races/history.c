/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses to a word that later ones may race with (observers/races/history.h). */
#include "observers/races/history.h"

#include <stdlib.h>

#define FEW 8u /* looked through */

bool judge_ordered(const struct judge *judge, const struct access *access)
{
    return access->thread == judge->actor->thread || judge_synchronized(judge, access);
}

bool judge_synchronized(const struct judge *judge, const struct access *access)
{
    if (actor_knows(judge->threads, judge->actor, access->index, access->epoch, judge->moment)) {
        return true;
    }
    for (uint32_t i = 0; i < judge->owns; i++) {
        if (released_knows(judge->threads, judge->own[i], judge->scope, access->index,
                           access->epoch)) {
            return true;
        }
    }
    return false;
}

/* The same by the order that histories are chained in. An own access is before only where it is of
 * an earlier instruction. */
static bool chained_before(const struct judge *judge, const struct access *access)
{
    enum race_model model = judge->threads->model;
    const struct actor *actor = judge->actor;

    if (access->thread == actor->thread) {
        return access->epoch <= actor_before(actor, judge->moment / 2);
    }
    if (knowledge_at(&actor->known[order_of_launches(model)], access->index, judge->moment) >=
        access->epoch) {
        return true;
    }
    for (uint32_t i = 0; i < judge->owns; i++) {
        if ((model != RACE_HRF_DIRECT || judge->scope == SL_SCOPE_DEVICE) &&
            released_knows(judge->threads, judge->own[i], judge->scope, access->index,
                           access->epoch)) {
            return true;
        }
    }
    return false;
}

void history_clear(struct history *history)
{
    free(history->at);
    free(history->index);
    *history = (struct history){0};
}

bool history_full(const struct history *history, uint32_t many)
{
    return history->count == history->room && history->count >= many;
}

/* ---- the index ---- */

static uint32_t home(const struct history_index *index, uint32_t thread_index)
{
    return thread_index * UINT32_C(0x9e3779b1) >> 12 & (index->size - 1);
}

/* Where the latest of a thread's index is said, or would be. */
static uint32_t *slot_of(const struct history *history, uint32_t thread_index)
{
    struct history_index *index = history->index;
    uint32_t slot = home(index, thread_index);

    while (index->at[slot] > 0 && history->at[index->at[slot] - 1].index != thread_index) {
        slot = (slot + 1) & (index->size - 1);
    }
    return &index->at[slot];
}

/* Where a position is said, or NULL: few, or not the latest of its thread. */
static uint32_t *indexed(const struct history *history, uint32_t position)
{
    uint32_t *slot;

    if (history->index == NULL) {
        return NULL;
    }
    slot = slot_of(history, history->at[position].index);
    return *slot == position + 1 ? slot : NULL;
}

/* Closes the gap, for those behind that are not at home. */
static void unindex(const struct history *history, const uint32_t *slot)
{
    struct history_index *index = history->index;
    uint32_t mask = index->size - 1;
    uint32_t gap = (uint32_t)(slot - index->at);

    for (uint32_t i = (gap + 1) & mask; index->at[i] > 0; i = (i + 1) & mask) {
        uint32_t from = home(index, history->at[index->at[i] - 1].index);

        if (((i - from) & mask) >= ((i - gap) & mask)) {
            index->at[gap] = index->at[i];
            gap = i;
        }
    }
    index->at[gap] = 0;
}

/* For as many as there is room for. */
static bool reindex(struct history *history)
{
    uint32_t size = 2 * history->room;

    free(history->index);
    history->index = calloc(1, sizeof(*history->index) + size * sizeof(history->index->at[0]));
    if (history->index == NULL) {
        return false;
    }
    history->index->size = size;
    for (uint32_t i = 0; i < history->count; i++) {
        *slot_of(history, history->at[i].index) = i + 1;
    }
    return true;
}

/* ---- the accesses ---- */

/* Moves an access to a position whose own has gone. */
static void move(struct history *history, uint32_t from, uint32_t to)
{
    uint32_t *slot = indexed(history, from);

    if (slot != NULL) {
        *slot = to + 1;
    }
    history->at[to] = history->at[from];
}

void history_remove(struct history *history, uint32_t position)
{
    uint32_t last = history->count - 1;
    uint32_t *slot = indexed(history, position);

    if (slot != NULL) {
        unindex(history, slot);
    }
    if (position == last) {
        history->chained = false;
    } else if (position + 1 < last) {
        move(history, last - 1, position);
        move(history, last, last - 1);
    } else {
        move(history, last, position);
    }
    history->count--;
    history->chained |= history->count <= 1;
}

bool history_behind(struct history *history, const struct judge *judge)
{
    uint32_t last = history->count - 1;

    if (history->count == 0 || !history->chained || !chained_before(judge, &history->at[last])) {
        return false;
    }
    if (judge->threads->model != RACE_HRF_DIRECT &&
        history->at[last].thread != judge->actor->thread) {
        for (uint32_t i = last; i-- > 0;) {
            if ((history->at[i].bytes & ~history->at[history->count - 1].bytes) == 0) {
                history_remove(history, i);
            }
        }
    }
    return true;
}

/* The latest of a thread, or NULL. */
static struct access *find(const struct history *history, const struct access *of)
{
    uint32_t latest;

    if (history->index == NULL) {
        for (uint32_t i = history->count; i-- > 0;) {
            if (history->at[i].thread == of->thread) {
                return &history->at[i];
            }
        }
        return NULL;
    }
    latest = *slot_of(history, of->index);
    return latest > 0 && history->at[latest - 1].thread == of->thread ? &history->at[latest - 1]
                                                                      : NULL;
}

static bool grow(struct history *history)
{
    uint32_t room = history->room > 0 ? 2 * history->room : 1;
    struct access *at = realloc(history->at, room * sizeof(*at));

    if (at == NULL) {
        return false;
    }
    history->at = at;
    history->room = room;
    return history->index == NULL || reindex(history);
}

static bool append(struct history *history, const struct judge *judge, const struct access *access)
{
    bool chained = history->count == 0 ||
                   (history->chained && chained_before(judge, &history->at[history->count - 1]));

    if (history->count == history->room && !grow(history)) {
        return false;
    }
    history->chained = chained;
    history->at[history->count++] = *access;
    if (history->index != NULL) {
        *slot_of(history, access->index) = history->count;
        return true;
    }
    return history->count <= FEW || reindex(history);
}

/* A thread's earlier access goes for its later one, and a later one stands for an earlier that
 * performs late. */
bool history_add(struct history *history, const struct judge *judge, const struct access *access)
{
    struct access *own = find(history, access);

    if (own == NULL) {
        return append(history, judge, access);
    }
    if (own->epoch == access->epoch) {
        own->lanes |= access->lanes;
        own->bytes |= access->bytes;
        return true;
    }
    if (own->epoch > access->epoch) {
        return (access->bytes & ~own->bytes) == 0 || append(history, judge, access);
    }
    if ((own->bytes & ~access->bytes) == 0) {
        if (own == &history->at[history->count - 1]) {
            *own = *access;
            return true;
        }
        history_remove(history, (uint32_t)(own - history->at));
    }
    return append(history, judge, access);
}
