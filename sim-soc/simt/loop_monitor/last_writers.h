/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Who changed a word last, so that a message can name the holder of a lock that wavefronts spin on;
 * and whether wavefronts have changed any memory, for the limit without progress
 * (soc/progress_watchdog.h).
 *
 * Kept of words that compare-and-swaps, exchanges and locks have changed, up to CHANGERS_WORDS of
 * them; one that has the place of another takes it. Sums are not: no lock is taken by one. */
#ifndef SLUICE_SIMT_LOOP_MONITOR_LAST_WRITERS_H
#define SLUICE_SIMT_LOOP_MONITOR_LAST_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

#define CHANGERS_WORDS 4096u

struct changer {
    uint64_t place; /* of watch_place() */
    uint64_t wave;  /* number of the wavefront */
    uint32_t value; /* that it left */
    uint32_t pc;    /* of the instruction */
    uint32_t lane;
};

struct changers {
    bool has_any; /* a wavefront has changed a byte outside private segments since this was reset */
    struct changer words[CHANGERS_WORDS];
};

static inline uint32_t changers_index(uint64_t place)
{
    return (uint32_t)(place * 0x9e3779b97f4a7c15ull >> 52);
}

static inline void changers_note(struct changers *changers, const struct changer *changer)
{
    changers->words[changers_index(changer->place)] = *changer;
}

/* Who left this value in the word; NULL where that is not known. */
static inline const struct changer *changers_find(const struct changers *changers, uint64_t place,
                                                  uint32_t value)
{
    const struct changer *changer = &changers->words[changers_index(place)];

    return changer->place == place && changer->value == value ? changer : NULL;
}

#endif
