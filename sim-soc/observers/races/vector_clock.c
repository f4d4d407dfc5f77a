/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Vector clocks (observers/races/vector_clock.h). */
#include "observers/races/vector_clock.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK     16u /* components that are compared together */
#define LOG_FIRST 64u

/* Whether any of the first `width` components of `more` is greater. */
static bool exceeds(const uint64_t *more, const uint64_t *than, uint32_t width)
{
    uint32_t i = 0;

    for (; i + BLOCK <= width; i += BLOCK) {
        uint64_t greater = 0;

        for (uint32_t j = i; j < i + BLOCK; j++) {
            greater |= more[j] > than[j];
        }
        if (greater != 0) {
            return true;
        }
    }
    for (; i < width; i++) {
        if (more[i] > than[i]) {
            return true;
        }
    }
    return false;
}

static void maximum(uint64_t *into, const uint64_t *more, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        into[i] = more[i] > into[i] ? more[i] : into[i];
    }
}

static uint32_t rounded(uint32_t width)
{
    return (width + BLOCK - 1) / BLOCK * BLOCK;
}

static struct snap *snap_create(const uint64_t *at, uint32_t width, uint32_t room)
{
    struct snap *snap;

    room = rounded(room);
    snap = malloc(sizeof(*snap) + room * sizeof(snap->at[0]));
    if (snap == NULL) {
        return NULL;
    }
    snap->refs = 1;
    snap->width = room;
    if (width > 0) {
        memcpy(snap->at, at, width * sizeof(snap->at[0]));
    }
    memset(snap->at + width, 0, (room - width) * sizeof(snap->at[0]));
    return snap;
}

struct snap *snap_share(struct snap *snap)
{
    if (snap != NULL) {
        snap->refs++;
    }
    return snap;
}

void snap_drop(struct snap *snap)
{
    if (snap != NULL && --snap->refs == 0) {
        free(snap);
    }
}

bool snap_join(struct snap **into, struct snap *more)
{
    struct snap *old = *into;

    if (more == NULL || more == old) {
        return true;
    }
    if (old == NULL || (old->width <= more->width && !exceeds(old->at, more->at, old->width))) {
        *into = snap_share(more);
        snap_drop(old);
        return true;
    }
    if (more->width <= old->width && !exceeds(more->at, old->at, more->width)) {
        return true;
    }
    if (old->refs > 1 || old->width < more->width) {
        struct snap *joint =
            snap_create(old->at, old->width, old->width > more->width ? old->width : more->width);

        if (joint == NULL) {
            return false;
        }
        *into = joint;
        snap_drop(old);
    }
    maximum((*into)->at, more->at, more->width);
    return true;
}

void knowledge_clear(struct knowledge *known)
{
    snap_drop(known->joined);
    snap_drop(known->published);
    free(known->at);
    free(known->log);
    *known = (struct knowledge){0};
}

static const struct undo *entry(const struct knowledge *known, uint32_t i)
{
    return &known->log[(known->first + i) & (known->capacity - 1)];
}

uint64_t knowledge_at(const struct knowledge *known, uint32_t index, uint64_t moment)
{
    uint64_t epoch = index < known->width ? known->at[index] : 0;

    if (epoch == 0) {
        return 0;
    }
    for (uint32_t i = known->count; i-- > 0 && entry(known, i)->from > moment;) {
        if (entry(known, i)->index == index) {
            epoch = entry(known, i)->old;
        }
    }
    return epoch;
}

static bool widen(struct knowledge *known, uint32_t width)
{
    uint64_t *at;

    if (width <= known->width) {
        return true;
    }
    width = rounded(width);
    at = realloc(known->at, width * sizeof(*at));
    if (at == NULL) {
        return false;
    }
    memset(at + known->width, 0, (width - known->width) * sizeof(*at));
    known->at = at;
    known->width = width;
    return true;
}

static bool grow_log(struct knowledge *known)
{
    uint32_t capacity = known->capacity > 0 ? 2 * known->capacity : LOG_FIRST;
    struct undo *log = malloc(capacity * sizeof(*log));

    if (log == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < known->count; i++) {
        log[i] = *entry(known, i);
    }
    free(known->log);
    known->log = log;
    known->capacity = capacity;
    known->first = 0;
    return true;
}

static bool change(struct knowledge *known, uint32_t index, uint64_t epoch, uint64_t from)
{
    if (known->count == known->capacity && !grow_log(known)) {
        return false;
    }
    known->log[(known->first + known->count++) & (known->capacity - 1)] =
        (struct undo){.from = from, .old = known->at[index], .index = index};
    known->at[index] = epoch;
    return true;
}

static void forget(struct knowledge *known, uint64_t horizon)
{
    while (known->count > 0 && entry(known, 0)->from <= horizon) {
        known->first = (known->first + 1) & (known->capacity - 1);
        known->count--;
    }
}

bool knowledge_join(struct knowledge *known, struct snap *snap, uint64_t from, uint64_t horizon)
{
    if (snap == NULL || snap == known->joined) {
        return true;
    }
    if (!widen(known, snap->width)) {
        return false;
    }
    snap_drop(known->joined);
    known->joined = snap_share(snap);
    if (!exceeds(snap->at, known->at, snap->width)) {
        return true;
    }
    snap_drop(known->published);
    known->published = NULL;
    forget(known, horizon);
    for (uint32_t i = 0; i < snap->width; i++) {
        if (snap->at[i] > known->at[i] && !change(known, i, snap->at[i], from)) {
            return false;
        }
    }
    return true;
}

struct snap *knowledge_copy(const struct knowledge *known, uint32_t width, uint32_t index,
                            uint64_t own, uint64_t moment)
{
    uint32_t room = known->width > width ? known->width : width;
    struct snap *snap = snap_create(known->at, known->width, index < room ? room : index + 1);

    if (snap == NULL) {
        return NULL;
    }
    for (uint32_t i = known->count; i-- > 0 && entry(known, i)->from > moment;) {
        snap->at[entry(known, i)->index] = entry(known, i)->old;
    }
    snap->at[index] = own;
    return snap;
}

struct snap *knowledge_publish(struct knowledge *known, uint32_t index, uint64_t own,
                               uint64_t moment)
{
    bool late = known->count > 0 && entry(known, known->count - 1)->from > moment;
    struct snap *snap;

    if (!late && known->published != NULL && known->published_own == own) {
        return snap_share(known->published);
    }
    snap = knowledge_copy(known, known->width, index, own, moment);
    if (snap != NULL && !late) {
        snap_drop(known->published);
        known->published = snap_share(snap);
        known->published_own = own;
    }
    return snap;
}
