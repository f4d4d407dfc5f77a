/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Who changed a word last, so that a message can name the holder of a lock that wavefronts spin on;
 * and whether wavefronts have changed any memory, for the limit without progress
 * (soc/progress_watchdog.h).
 *
 * Kept of words that compare-and-swaps, exchanges and locks have changed, up to LAST_WRITERS_WORDS
 * of them; one that has the place of another takes it. Sums are not: no lock is taken by one. */
#ifndef SLUICE_SIMT_LOOP_MONITOR_LAST_WRITERS_H
#define SLUICE_SIMT_LOOP_MONITOR_LAST_WRITERS_H

#include <stdbool.h>
#include <stdint.h>

#define LAST_WRITERS_WORDS 4096u

struct last_writer {
    uint64_t place; /* of loop_monitor_word_key() */
    uint64_t wave;  /* number of the wavefront */
    uint32_t value; /* that it left */
    uint32_t pc;    /* of the instruction */
    uint32_t lane;
};

struct last_writers {
    bool has_any; /* a wavefront has changed a byte outside private segments since this was reset */
    struct last_writer words[LAST_WRITERS_WORDS];
};

static inline uint32_t last_writers_index(uint64_t place)
{
    return (uint32_t)(place * 0x9e3779b97f4a7c15ull >> 52);
}

static inline void last_writers_note(struct last_writers *last_writers,
                                     const struct last_writer *writer)
{
    last_writers->words[last_writers_index(writer->place)] = *writer;
}

/* Who left this value in the word; NULL where that is not known. */
static inline const struct last_writer *last_writer_of(const struct last_writers *last_writers,
                                                       uint64_t place, uint32_t value)
{
    const struct last_writer *writer = &last_writers->words[last_writers_index(place)];

    return writer->place == place && writer->value == value ? writer : NULL;
}

#endif
