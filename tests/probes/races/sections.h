/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Bases with critical sections: under a word that is exchanged, and under a lock of the machine
 * (sluice/wave/locks.h). The first role is through its section when the second comes to its own. */
#ifndef SLUICE_PROBES_RACES_SECTIONS_H
#define SLUICE_PROBES_RACES_SECTIONS_H

#include "probes/races/ops.h"

/* What is wrong with a section. */
enum races_hole {
    NO_HOLE,
    LEFT_EARLY, /* the first role stores behind its section */
    NOT_YET_IN, /* the second one loads in front of its section */
    NOT_IN,     /* the second one has none */
    IN_ANOTHER, /* the second one has another lock */
    NOT_GOT     /* the second one does not get the lock, and goes on */
};

struct races_form_mutex {
    struct races_op give; /* of the first role */
    struct races_op take; /* of the second */
    enum races_hole hole;
};

RACES_BASE races_base_mutex(struct races_data *data, const struct races_form_mutex form)
{
    const struct races_op take = {ACQUIRE, form.give.scope};
    const struct races_op give = {RELEASE, form.take.scope};
    const uint32_t role = races_played();

    if (role == 0) {
        while (PUT(take, data->a.words[0], 1) != 0) {
            sl_pause_for(RACES_POLL);
        }
        if (form.hole != LEFT_EARLY) {
            ORDINARY(data->x) += 1; /* race: mutex.first */
        }
        const uint32_t done = PUT(form.give, data->a.words[0], 0); /* race: mutex.give */
        if (form.hole == LEFT_EARLY) {
            ORDINARY(data->x) += 1; /* race: mutex.left */
        }
        races_turn(data, 1, done);
    } else if (role == 1) {
        uint32_t *const word = form.hole == IN_ANOTHER ? &data->b : &data->a.words[0];
        uint32_t seen = 0;
        races_await(data, 1);
        if (form.hole == NOT_YET_IN) {
            seen = ORDINARY(data->x) += 1; /* race: mutex.early */
        }
        if (form.hole != NOT_IN) {
            (void)PUT(form.take, *word, 1); /* race: mutex.take */
        }
        if (form.hole != NOT_YET_IN) {
            seen = ORDINARY(data->x) += 1; /* race: mutex.second */
        }
        data->seen[1] = seen;
        if (form.hole != NOT_IN) {
            (void)PUT(give, *word, 0); /* race: mutex.last */
        }
    }
}

struct races_form_lock {
    enum races_hole hole;
};

RACES_BASE races_lock_first(struct races_data *data, enum races_hole hole)
{
    sl_lock(&data->lock);
    if (hole != LEFT_EARLY) {
        ORDINARY(data->x) += 1; /* race: lock.first */
    }
    sl_unlock(&data->lock);
    if (hole == LEFT_EARLY) {
        ORDINARY(data->x) += 1; /* race: lock.left */
    }
    races_turn(data, 1, 0);
}

RACES_BASE races_lock_second(struct races_data *data, enum races_hole hole)
{
    sl_lock_t *const lock = hole == IN_ANOTHER ? &data->other_lock : &data->lock;
    uint32_t seen = 0;

    races_await(data, hole == NOT_GOT ? 2 : 1);
    if (hole == NOT_GOT) {
        if (!sl_trylock(lock, 1)) {
            seen = ORDINARY(data->x) += 1; /* race: lock.not_got */
        }
        races_turn(data, 3, 0);
    } else if (hole == NOT_IN) {
        seen = ORDINARY(data->x) += 1; /* race: lock.none */
    } else {
        if (hole == NOT_YET_IN) {
            seen = ORDINARY(data->x) += 1; /* race: lock.early */
        }
        sl_lock(lock);
        if (hole != NOT_YET_IN) {
            seen = ORDINARY(data->x) += 1; /* race: lock.second */
        }
        sl_unlock(lock);
    }
    data->seen[1] = seen;
}

/* Has the lock while the second one tries it. */
RACES_BASE races_lock_third(struct races_data *data)
{
    races_await(data, 1);
    sl_lock(&data->lock);
    races_turn(data, 2, 0);
    races_await(data, 3);
    sl_unlock(&data->lock);
}

RACES_BASE races_base_lock(struct races_data *data, const struct races_form_lock form)
{
    const uint32_t role = races_played();

    if (role == 0) {
        races_lock_first(data, form.hole);
    } else if (role == 1) {
        races_lock_second(data, form.hole);
    } else if (role == 2 && form.hole == NOT_GOT) {
        races_lock_third(data);
    }
}

/* The same by trylock and tryunlock. */
struct races_form_trylock {
    enum races_hole hole;
};

RACES_BASE races_base_trylock(struct races_data *data, const struct races_form_trylock form)
{
    const uint32_t role = races_played();

    if (role < 2) {
        races_await(data, role);
        if (form.hole == NOT_IN || sl_trylock(&data->lock, 1000)) {
            data->seen[role] = ORDINARY(data->x) += 1; /* race: trylock.add */
            if (form.hole != NOT_IN) {
                sl_tryunlock(&data->lock);
            }
        }
        races_turn(data, role + 1, 0);
    }
}

#endif
