/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channels of a graph by level, which a test fills and of which it plays the device, for single
 * passes and choices of the levelized scheduler. */
#ifndef SLUICE_TESTS_FIRMWARE_LEVELS_H
#define SLUICE_TESTS_FIRMWARE_LEVELS_H

#include "policies/levels.h"
#include "queues/throttle.h"

#define LEVELS 4 /* of each stack */
#define STACKS 4 /* at most */

struct played {
    struct channel channels[STACKS * LEVELS];
    struct throttle throttle; /* of all kernels: without a bound */
    struct sl_channel shared[STACKS * LEVELS];
    uint32_t done_counts[STACKS * LEVELS]; /* a group of 64 each */
    struct levels levels;
    struct run run;
    struct choice choices[SL_COMPLETION_ENTRIES];
};
extern struct played played;

struct play_edge {
    uint32_t kernel;
    uint32_t stack;
    uint32_t level_offset;
};

/* Stacks, each with a kernel of its own, of tasks or of continuations. */
void play_stacks(uint32_t stacks, const enum sl_channel_role *roles,
                 const struct play_edge *stack_edges, uint32_t count, uint32_t blocks);

/* The graph of cilk_fib: kernel 0 runs tasks and puts elements into both stacks. */
void play_fib(uint32_t blocks);

/* Elements of a channel are published; dispatched, as the scheduler has chosen; done. */
void play_put(uint32_t channel, uint32_t count);
void play_dispatch(uint32_t channel, uint32_t count);
void play_complete(uint32_t channel, uint32_t count);

/* Polls all channels, and lets the scheduler choose where anything is ready; how many choices. */
uint32_t play_choose(void);

/* The scheduler's choice `i` is of these. */
void play_expect(uint32_t i, uint32_t channel, uint32_t count);

#endif
