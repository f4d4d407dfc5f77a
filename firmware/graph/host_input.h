/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The host's messages to an open graph (docs/know/design.md, "Open graphs"): elements that it puts
 * in while the graph runs, reports that it asks for, and the graph's closing.
 *
 * Each message says at which simulated time it is to be taken, and they come in ascending order.
 * Time runs only while the next one is here: where it is not, firmware marks a pause, and waits. */
#ifndef SLUICE_FIRMWARE_GRAPH_HOST_INPUT_H
#define SLUICE_FIRMWARE_GRAPH_HOST_INPUT_H

#include "graph/run.h"
#include "queues/mailbox.h"
#include "sluice/limits.h"

/* What a look at the next message has led to. */
enum host_input_result {
    HOST_INPUT_NOTHING,   /* it is not time, or there is no space */
    HOST_INPUT_PUBLISHED, /* there are new elements in a channel, input->channel */
    HOST_INPUT_TAKEN,     /* a message was, without such an effect */
    HOST_INPUT_CLOSED,    /* nothing more comes */
    HOST_INPUT_FAILED     /* the answer says why */
};

/* The most messages that a pass takes. */
#define HOST_INPUT_MESSAGES 8u

struct host_input {
    struct mailbox *mailbox;
    const struct sl_graph_limits *limits;
    uint32_t sequence;       /* of the run */
    struct channel *channel; /* that the last elements went into */
    uint64_t elements;       /* put in so far, */
    uint64_t dropped;        /* and dropped */

    /* The next message, which is in the ring. */
    const struct sl_message_host *message;
    uint64_t time_ps;  /* when it is to be taken; SL_WHEN_IDLE */
    uint64_t now_ps;   /* it is later than this */
    bool is_full;      /* its elements have found no space */
    bool is_reserved;  /* they have, and wait for their turn to be published */
    uint64_t position; /* then: of the first one's control entry */
};

/* The run of a graph that passed its check is about to begin. */
void host_input_init(struct host_input *input, struct mailbox *mailbox,
                     const struct sl_graph_limits *limits);

/* It has: waits for the first message. The cycle limit counts from here on. */
void host_input_begin(struct host_input *input, uint32_t sequence);

/* Looks at the next message and does what it says, if it is time to. `is_idle`: nothing is left to
 * do but that. */
enum host_input_result host_input_take(struct host_input *input, struct run *run, bool is_idle,
                                       struct sl_message_agg *answer);

/* Whether the host may put something in before what is in the graph has to go: its next message
 * has a time, and does not wait for space. */
static inline bool host_input_is_expected(const struct host_input *input)
{
    return input->time_ps != SL_WHEN_IDLE && !input->is_full;
}

#endif
