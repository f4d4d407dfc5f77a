/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a memory system may answer: a reference machine by happens-before.
 *
 * Every access of a thread is an event that knows which others happen before it: program order,
 * and synchronization through atomic words, fences and barriers, by scope (papers/002 section 3.1).
 * Each byte has the versions that stores have made of it. A load may return one that no other
 * version, which happens before the load, has overwritten, and none that is older than what its own
 * thread has read there before. With transitive synchronization (HRF-indirect) chains may change
 * their scope; without (HRF-direct) each scope has an order of its own.
 *
 * Time is cut into phases: all of one happens before all of the next, as packets of a graph do. */
#ifndef SLUICE_TESTS_MEMORY_REFERENCE_H
#define SLUICE_TESTS_MEMORY_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#define REFERENCE_THREADS 48u /* that there may be in a phase */
#define REFERENCE_CHAINS  3u  /* scopes from the work-group up; transitive: the first is for all */

/* How far an event knows each thread: the number of its latest event that happened before. */
struct reference_order {
    uint32_t seen[REFERENCE_CHAINS][REFERENCE_THREADS];
};

struct reference_event {
    struct reference_event *next; /* of those of the phase */
    uint16_t thread;
    uint32_t number; /* in program order, from 1; 0: of an earlier phase */
    struct reference_order order;
    struct reference_order acquired; /* what an atomic has read with its word */
};

struct reference;

/* Of so many bytes, all zero. */
struct reference *reference_create(uint32_t bytes, bool is_transitive);
void reference_destroy(struct reference *reference);

/* A new thread, which knows what happened before the phase; threads_left: how many there may be. */
uint16_t reference_thread(struct reference *reference);
uint32_t reference_threads_left(const struct reference *reference);

/* A thread makes an access; valid for the phase. */
struct reference_event *reference_access(struct reference *reference, uint16_t thread);

/* A store takes effect on a byte. */
void reference_store(struct reference *reference, const struct reference_event *event,
                     uint32_t byte, uint8_t value);

/* A value for it that no version has. */
uint8_t reference_new_value(const struct reference *reference, uint32_t byte);

/* A load takes effect. Returns whether it may return the value; *visible: how many stores it might
 * see. */
bool reference_load(struct reference *reference, const struct reference_event *event, uint32_t byte,
                    uint8_t value, uint32_t *visible);

/* Whether memory may have the value when all stores so far have reached it. */
bool reference_may_remain(const struct reference *reference, uint32_t byte, uint8_t value);

/* The next phase begins, with these bytes in memory. */
void reference_next_phase(struct reference *reference, const uint8_t *bytes);

/* An atomic takes effect on a word, or a barrier: reads what was published there, or publishes what
 * it knows. Its scope is one from the work-group up. */
void reference_read_word(struct reference_event *event, const struct reference_order *word);
void reference_write_word(struct reference *reference, const struct reference_event *event,
                          struct reference_order *word, unsigned scope, bool releases);

/* An atomic that has read a word is over. */
void reference_over(struct reference *reference, const struct reference_event *event,
                    unsigned scope, bool acquires);

void reference_fence(struct reference *reference, uint16_t thread, unsigned scope, bool acquires,
                     bool releases);

/* A thread arrives at a barrier, and goes on behind it. */
void reference_arrive(struct reference *reference, uint16_t thread,
                      struct reference_order *barrier);
void reference_leave(struct reference *reference, uint16_t thread,
                     const struct reference_order *barrier);

#endif
