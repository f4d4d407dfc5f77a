/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Vector clocks: an epoch by index of thread, 0 where nothing is known. What a release has
 * published never changes, and is shared by all words and objects that it was published in. What a
 * thread knows grows with its acquires; a log of what they have changed says what it knew at an
 * earlier moment of its program, for operations that perform late. */
#ifndef SLUICE_OBSERVERS_RACES_VECTOR_CLOCK_H
#define SLUICE_OBSERVERS_RACES_VECTOR_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where in a thread's program: at the begin of the memory instruction at a place, where fences and
 * objects are, too, and at its end. */
static inline uint64_t moment_at(uint64_t place)
{
    return 2 * place;
}

static inline uint64_t moment_behind(uint64_t place)
{
    return 2 * place + 1;
}

/* ---- published ---- */

struct snap {
    uint32_t refs;
    uint32_t width;
    uint64_t at[];
};

static inline uint64_t snap_at(const struct snap *snap, uint32_t index)
{
    return snap != NULL && index < snap->width ? snap->at[index] : 0;
}

/* Another reference; of NULL none. */
struct snap *snap_share(struct snap *snap);
void snap_drop(struct snap *snap);

/* Makes *into cover `more` as well, of which it keeps a reference where that does it. False without
 * memory. */
bool snap_join(struct snap **into, struct snap *more);

/* ---- what a thread knows, in one order ---- */

struct undo {
    uint64_t from; /* the moment from which the change holds */
    uint64_t old;
    uint32_t index;
};

struct knowledge {
    uint64_t *at;
    uint32_t width;
    struct snap *joined;    /* the last one: acquired again by those that poll */
    struct snap *published; /* the last one, */
    uint64_t published_own; /* with this epoch of its own; NULL once more is known */
    struct undo *log;       /* a ring, of a power of two, in order of `from` */
    uint32_t first;
    uint32_t count;
    uint32_t capacity;
};

void knowledge_clear(struct knowledge *known);

/* What is known at a moment of the thread at `index`. */
uint64_t knowledge_at(const struct knowledge *known, uint32_t index, uint64_t moment);

/* Joined from a moment on, that of no earlier join being later; what was known before the moment
 * `horizon` nobody asks for any more. False without memory. */
bool knowledge_join(struct knowledge *known, struct snap *snap, uint64_t from, uint64_t horizon);

/* What is known at a moment, with an epoch of the thread's own: a reference, or NULL without
 * memory. */
struct snap *knowledge_publish(struct knowledge *known, uint32_t index, uint64_t own,
                               uint64_t moment);

/* The same, of a width and not to be shared. */
struct snap *knowledge_copy(const struct knowledge *known, uint32_t width, uint32_t index,
                            uint64_t own, uint64_t moment);

#endif
