/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Miss status holding registers: how many misses may be under way.
 *
 * Which line each holds is known from the line itself (it is there with the time of its data); here
 * is only until when each is taken: a ring in ascending order, because misses mostly end in the
 * order in which they began. A miss takes its register when it is handed in, also where its time is
 * ahead of others that are handed in later. */
#ifndef SLUICE_MEM_PARTS_MSHR_SLOTS_H
#define SLUICE_MEM_PARTS_MSHR_SLOTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct mshrs {
    uint32_t count;
    uint32_t first; /* the one that is free first; the last one is before it */
    uint64_t *until_ps;
};

static inline bool mshrs_create(struct mshrs *mshrs, uint32_t count)
{
    mshrs->count = count;
    mshrs->first = 0;
    mshrs->until_ps = calloc(count, sizeof(*mshrs->until_ps));
    return mshrs->until_ps != NULL;
}

static inline void mshrs_reset(struct mshrs *mshrs)
{
    mshrs->first = 0;
    memset(mshrs->until_ps, 0, mshrs->count * sizeof(*mshrs->until_ps));
}

/* When one is free. */
static inline uint64_t mshrs_free_ps(const struct mshrs *mshrs)
{
    return mshrs->until_ps[mshrs->first];
}

/* Takes the one that is free first. */
static inline void mshrs_take(struct mshrs *mshrs, uint64_t until_ps)
{
    uint32_t at = mshrs->first;

    mshrs->first = at + 1 == mshrs->count ? 0 : at + 1;
    for (uint32_t others = mshrs->count - 1; others > 0; others--) {
        uint32_t before = at == 0 ? mshrs->count - 1 : at - 1;
        if (mshrs->until_ps[before] <= until_ps) {
            break;
        }
        mshrs->until_ps[at] = mshrs->until_ps[before];
        at = before;
    }
    mshrs->until_ps[at] = until_ps;
}

/* How many are held at a time where that is more than `most`, and `most` elsewhere: the most of all
 * times is found without a look at each. */
static inline uint64_t mshrs_most_held(const struct mshrs *mshrs, uint64_t time_ps, uint64_t most)
{
    while (most < mshrs->count) {
        const uint64_t at = mshrs->first + mshrs->count - 1 - most; /* `most` are held for longer */
        if (mshrs->until_ps[at < mshrs->count ? at : at - mshrs->count] <= time_ps) {
            break;
        }
        most++;
    }
    return most;
}

#endif
