/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A channel, seen from the aggregator (papers/001 section 3.2): it polls the control array's tail,
 * dispatches what is ready and deallocates, in order, what is done. It never reads an element.
 *
 * Of a stamped channel (sluice/stamp.h) it polls the stamp of the publication that is next. When
 * that is there, it takes this one and those behind it up to the first that is not: the tail is
 * where that begins. What is published behind it, is hidden.
 *
 * The firmware keeps its own copy of what it needs, and touches shared memory only for the word
 * that it polls, the done counts, and the heads and tails that it moves or compares. A kernel may
 * have written anything there: what is polled is believed as far as the control array goes, and of
 * the others any value is harmless. */
#ifndef SLUICE_FIRMWARE_QUEUES_CHANNEL_H
#define SLUICE_FIRMWARE_QUEUES_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "aggregator/shared.h"
#include "queues/predicate.h"
#include "sluice/codes.h"
#include "sluice/layouts.h"

/* The most done-count groups that one pass deallocates per channel. */
#define CHANNEL_RETIRE_GROUPS 32u

struct guard;
struct output;
struct throttle;

struct channel {
    struct channel_view view; /* what its predicate sees */
    struct sl_channel *shared;
    const uint64_t *polled; /* shared: the tail, or the next publication's stamp */
    uint64_t seen;          /* what was there; something else is news */
    uint64_t *stamps;       /* shared: of a stamped channel; else NULL */
    uint64_t number;        /* of its next publication */
    uint32_t *control;      /* shared: the control array */
    uint32_t *done;         /* shared: the done counts */
    uint32_t *done_next;    /* the one of the group at the head */
    uint32_t group;         /* elements that share a done count */
    uint32_t done_shift;
    uint32_t data_mask;        /* width - 1 */
    uint32_t control_mask;     /* length of the control array - 1 */
    uint64_t kernel;           /* address of the struct sl_kernel */
    struct throttle *throttle; /* of the kernel */
    predicate_function *predicate;
    struct guard *guards; /* graph/guard.h; NULL where it has none */
    bool is_timed;        /* its predicate or a guard is to be asked again as time passes */
    bool is_asked; /* what may go is more to know than which wavefronts are full: it has guards, or
                      another predicate than full */
    uint64_t predicate_state[PREDICATE_STATE_BYTES / sizeof(uint64_t)];

    uint32_t stride;  /* bytes of an element, and */
    uint32_t flags;   /* of enum sl_channel_flag: for the host's elements */
    uint32_t role;    /* enum sl_channel_role */
    uint32_t level;   /* of its stack; 0 of a plain channel */
    uint32_t reserve; /* blocks that a launch has to leave free (check/graph/waiting_order.h) */

    /* Of graphs that yield. */
    uint32_t
        waiting; /* wavefronts that wait for space in it (queues/yield.h); where there are any, */
    uint16_t first_waiting; /* the first of their entries there */
    uint16_t last_waiting;  /* and the last */
    bool gives_back;  /* wavefronts may count elements as done that were never with the device */
    bool has_freed;   /* space, since one of these was last looked at */
    uint64_t granted; /* elements that wavefronts restarted for it have not reserved yet */
    uint64_t granted_tail; /* data_tail when that was brought up to date */

    /* For policies that go by level (policies/levels.h). */
    struct output *outputs;
    uint32_t least;  /* ready elements that are worth a look */
    uint16_t rank;   /* among the channels by level */
    uint16_t node;   /* number of the kernel */
    bool is_busy;    /* in the list of those with elements that are with the device */
    bool is_settled; /* nothing of it has run since it was polled */
};

/* What was found first in the run's channels that cannot be; see enum sl_failure, BOOKS. */
struct channel_books {
    const struct channel *channel; /* NULL: nothing */
    enum sl_audit audit;
    uint64_t value;
    uint64_t limit;
};

extern struct channel_books channel_books;

/* Takes over a channel that passed the graph check. */
void channel_init(struct channel *channel, struct sl_channel *shared, uint64_t kernel,
                  const struct predicate *predicate);

/* The stamp of a stamped channel's next publication has become this: takes what is published.
 * Returns whether there is anything: not if a kernel that went astray has written there. */
bool channel_take_stamped(struct channel *channel, uint64_t stamp);

/* The tail says what cannot be: notes it. Returns true: that is news. */
bool channel_distrust(struct channel *channel, uint64_t tail);

/* Entries that may be published before something is dispatched. */
static inline uint64_t channel_room(const struct channel *channel)
{
    return (uint64_t)channel->control_mask + 1 -
           (channel->view.control_tail - channel->view.control_head);
}

/* Polls the channel; returns whether there are new elements, which then may be dispatched, or
 * something that ends the run (channel_books). */
static inline bool channel_poll(struct channel *channel)
{
    const uint64_t word = shared_load64_relaxed(channel->polled);
    if (word == channel->seen) {
        return false;
    }
    if (channel->stamps != NULL) {
        return channel_take_stamped(channel, word);
    }
    shared_acquire();
    channel->seen = word;
    if (word - channel->view.control_tail > channel_room(channel)) {
        return channel_distrust(channel, word);
    }
    channel->view.control_tail = word;
    return true;
}

/* Whether entries are reserved behind the tail: elements may be hidden there. Of a channel that is
 * not stamped there never are: its tail is where the elements of all who published end. */
static inline bool channel_may_hide(const struct channel *channel)
{
    return channel->stamps != NULL &&
           shared_load64_relaxed(&channel->shared->control_reserve) != channel->number;
}

/* Elements that are ready and not dispatched: no more than the control array holds. */
static inline uint32_t channel_ready(const struct channel *channel)
{
    return (uint32_t)(channel->view.control_tail - channel->view.control_head);
}

/* Elements that are ready, dispatched, or with yielded wavefronts. */
static inline uint64_t channel_outstanding(const struct channel *channel)
{
    return channel->view.control_tail - channel->view.completed;
}

/* Whether all elements of the group at the head are done. */
static inline bool channel_has_done_group(const struct channel *channel)
{
    return shared_load32_relaxed(channel->done_next) == channel->group;
}

/* Groups that share a done count. */
static inline uint32_t channel_groups(const struct channel *channel)
{
    return (channel->data_mask >> channel->done_shift) + 1;
}

/* Deallocates groups that are done, in order, at most `limit`; returns how many. */
uint32_t channel_retire(struct channel *channel, uint32_t limit);

/* Leaves the head of the control array where the next run of the graph finds it. */
void channel_finish(struct channel *channel);

#endif
