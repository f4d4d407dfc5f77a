/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Channel stacks that tests of the levelized scheduler play (firmware_levels.h). */
#include "unit/firmware/firmware_levels.h"

#include <string.h>

#include "common/check.h"

struct played played;

/* Stacks, each with a kernel of its own, of tasks or of continuations. */
void play_stacks(uint32_t stacks, const enum sl_channel_role *roles,
                 const struct play_edge *stack_edges, uint32_t count, uint32_t blocks)
{
    struct sl_edge edges[STACKS * STACKS * LEVELS];
    const struct sl_graph graph = {.edges = (uintptr_t)edges,
                                   .edge_count = count * LEVELS,
                                   .channel_count = stacks * LEVELS,
                                   .kernel_count = stacks};

    memset(played.channels, 0, sizeof played.channels);
    throttle_init(&played.throttle, THROTTLE_NONE);
    memset(played.shared, 0, sizeof played.shared);
    memset(played.done_counts, 0, sizeof played.done_counts);
    for (uint32_t i = 0; i < stacks * LEVELS; i++) {
        played.shared[i].kernel = i / LEVELS;
        played.shared[i].levels = LEVELS;
        played.channels[i].shared = &played.shared[i];
        played.channels[i].throttle = &played.throttle;
        played.channels[i].polled = &played.shared[i].control_tail;
        played.channels[i].done = played.channels[i].done_next = &played.done_counts[i];
        played.channels[i].group = 64;
        played.channels[i].done_shift = 6;
        played.channels[i].data_mask = 63;
        played.channels[i].role = roles[i / LEVELS];
        played.channels[i].level = i % LEVELS;
        played.channels[i].reserve = i < LEVELS ? LEVELS - 1 - played.channels[i].level : 0;
        played.channels[i].control_mask = 4095;
    }
    for (uint32_t i = 0; i < count * LEVELS; i++) {
        const struct play_edge *edge = &stack_edges[i / LEVELS];
        edges[i] = (struct sl_edge){edge->kernel, edge->stack * LEVELS + i % LEVELS, 1,
                                    edge->level_offset};
    }
    played.run = (struct run){
        .channels = played.channels,
        .channel_count = stacks * LEVELS,
        .lanes = 64,
        .lane_shift = 6,
        .is_drained = true,
        .pool_blocks = blocks,
        .used_blocks = UINT32_MAX,
        .state = &played.levels,
    };
    scheduler_levelized.begin(&played.run, &graph);
}

/* The graph of cilk_fib: kernel 0 runs tasks and puts elements into both stacks. */
void play_fib(uint32_t blocks)
{
    static const enum sl_channel_role roles[] = {SL_ROLE_PRE_SPAWN, SL_ROLE_POST_SYNC};
    static const struct play_edge edges[] = {{0, 0, 1}, {0, 1, 0}};
    play_stacks(2, roles, edges, 2, blocks);
}

void play_put(uint32_t channel, uint32_t count)
{
    played.shared[channel].control_tail += count;
}

void play_dispatch(uint32_t channel, uint32_t count)
{
    played.channels[channel].view.control_head += count;
    played.channels[channel].view.wavefronts += (count + 63) / 64;
    levels_dispatched(&played.levels, &played.channels[channel], count);
}

void play_complete(uint32_t channel, uint32_t count)
{
    played.channels[channel].view.completed += count;
    played.channels[channel].view.wavefronts -= (count + 63) / 64;
}

uint32_t play_choose(void)
{
    levels_widen(&played.levels);
    (void)levels_poll(&played.levels, played.channels);
    return played.levels.ready == 0
               ? 0
               : scheduler_levelized.choose(&played.run, played.choices, SL_COMPLETION_ENTRIES);
}

void play_expect(uint32_t i, uint32_t channel, uint32_t count)
{
    assert_int_equal(played.choices[i].channel, channel);
    assert_int_equal(played.choices[i].count, count);
}
