/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Accesses to a word that later ones may race with (obs/races/history.h). */
#include "obs/races/history.h"

#include <stdlib.h>
#include <string.h>

#define FEW 8u /* looked through */

bool judge_ordered(const struct judge *judge, const struct access *access)
{
    if (access->thread == judge->actor->thread ||
        actor_knows(judge->threads, judge->actor, access->index, access->epoch, judge->moment)) {
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

bool judge_replaces(const struct judge *judge, const struct access *access)
{
    return judge->threads->model != RACE_HRF_DIRECT &&
           actor_knows(judge->threads, judge->actor, access->index, access->epoch,
                       actor_oldest(judge->threads, judge->actor));
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

static uint32_t *indexed(const struct history *history, uint32_t index)
{
    return history->index != NULL && index < history->index->width ? &history->index->at[index]
                                                                   : NULL;
}

void history_remove(struct history *history, uint32_t position)
{
    const struct access *last = &history->at[history->count - 1];
    uint32_t *gone = indexed(history, history->at[position].index);
    uint32_t *moved = indexed(history, last->index);

    if (gone != NULL && *gone == position + 1) {
        *gone = 0;
    }
    if (moved != NULL && *moved == history->count) {
        *moved = position + 1;
    }
    history->at[position] = *last;
    history->count--;
}

/* The latest of a thread, or NULL. */
static struct access *find(const struct history *history, const struct access *of)
{
    const uint32_t *slot;

    if (history->index == NULL) {
        for (uint32_t i = history->count; i-- > 0;) {
            if (history->at[i].thread == of->thread) {
                return &history->at[i];
            }
        }
        return NULL;
    }
    slot = indexed(history, of->index);
    return slot != NULL && *slot > 0 && history->at[*slot - 1].thread == of->thread
               ? &history->at[*slot - 1]
               : NULL;
}

static bool reindex(struct history *history, uint32_t width)
{
    struct history_index *index =
        realloc(history->index, sizeof(*index) + width * sizeof(index->at[0]));

    if (index == NULL) {
        return false;
    }
    history->index = index;
    index->width = width;
    memset(index->at, 0, width * sizeof(index->at[0]));
    for (uint32_t i = 0; i < history->count; i++) {
        index->at[history->at[i].index] = i + 1;
    }
    return true;
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
    return true;
}

/* A thread's earlier access goes for its later one, and a later one stands for an earlier that
 * performs late. Whether there is nothing to add. */
static bool merged(struct access *own, const struct access *access)
{
    if (own->epoch == access->epoch) {
        own->lanes |= access->lanes;
        own->bytes |= access->bytes;
        return true;
    }
    if (own->epoch > access->epoch) {
        return (access->bytes & ~own->bytes) == 0;
    }
    if ((own->bytes & ~access->bytes) == 0) {
        *own = *access;
        return true;
    }
    return false;
}

static void drop_ordered(struct history *history, const struct judge *judge, uint8_t bytes)
{
    for (uint32_t i = history->count; i-- > 0;) {
        const struct access *old = &history->at[i];

        if ((old->bytes & ~bytes) == 0 && old->thread != judge->actor->thread &&
            judge_replaces(judge, old)) {
            history_remove(history, i);
        }
    }
}

bool history_add(struct history *history, const struct judge *judge, const struct access *access)
{
    struct access *own = find(history, access);

    if (own != NULL && merged(own, access)) {
        return true;
    }
    if (judge->threads->model != RACE_HRF_DIRECT && history->count <= FEW) {
        drop_ordered(history, judge, access->bytes);
    }
    if (history->count == history->room && !grow(history)) {
        return false;
    }
    history->at[history->count++] = *access;
    if (history->index != NULL && access->index < history->index->width) {
        history->index->at[access->index] = history->count;
        return true;
    }
    return history->count <= FEW || reindex(history, judge->threads->width);
}
