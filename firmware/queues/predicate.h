/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Predicates: when the ready elements of a channel are dispatched (papers/001 section 3.1). One is
 * a file with a const struct predicate and a line in hal/contract/predicates.def. That a partial
 * wavefront goes when nothing is in flight is not theirs but the scheduler's: it keeps any
 * predicate from stopping the graph. */
#ifndef SLUICE_FIRMWARE_QUEUES_PREDICATE_H
#define SLUICE_FIRMWARE_QUEUES_PREDICATE_H

#include <stdbool.h>
#include <stdint.h>

/* What a predicate sees of its channel: numbers alone, so that it can change nothing. Counters
 * never wrap back; control_tail - control_head elements are ready. */
struct channel_view {
    uint64_t control_tail; /* elements published so far, as last polled */
    uint64_t control_head; /* of these, dispatched */
    uint64_t completed;    /* of these, with packets that are complete */
    uint64_t data_head;    /* deallocated */
    uint32_t width;
    uint32_t wavefronts; /* of packets that are not complete */
    uint32_t yielded;    /* of these, those that have yielded and wait */
    uint32_t argument;   /* the predicate's */
};

/* Bytes that the firmware keeps for the predicate of each channel, aligned to 8; zero when a
 * graph's run begins. */
#define PREDICATE_STATE_BYTES 16u

/* How many of `ready` elements, at least 1, to dispatch now. Lanes are a power of two; what is
 * above `ready` counts as `ready`. */
typedef uint32_t predicate_function(const struct channel_view *channel, uint32_t ready,
                                    uint32_t lanes, void *state);

struct predicate {
    predicate_function *function;
    bool is_timed; /* to be asked again as time passes, without new elements */
};

#define SL_PREDICATE(NAME, name, value, text) extern const struct predicate predicate_##name;
#include "contract/predicates.def"
#undef SL_PREDICATE

#endif
