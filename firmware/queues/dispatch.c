/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Writing dispatch packets: docs/know/architecture.md, "The device window, the rings and one
 * dispatch".
 */
#include "queues/dispatch.h"

#include <assert.h>

#include "aggregator/device.h"

static_assert(SL_DISPATCH_ENTRIES >= SL_COMPLETION_ENTRIES,
              "every packet that may be outstanding has a place in the dispatch ring");

static _Alignas(64) struct sl_dispatch ring[SL_DISPATCH_ENTRIES];

void dispatch_init(struct dispatch *dispatch)
{
    *dispatch = (struct dispatch){0};
    agg_register_write(SL_REG_DISPATCH_BASE, agg_address(ring));
}

void dispatch_put(struct dispatch *dispatch, struct channel *channel, uint32_t index,
                  uint32_t count)
{
    struct sl_dispatch *packet = &ring[dispatch->tail % SL_DISPATCH_ENTRIES];

    packet->kind = SL_DISPATCH_CHANNEL;
    packet->kernel = channel->kernel;
    packet->channel = index;
    packet->id = (uint32_t)dispatch->tail;
    packet->first = (uint32_t)channel->view.control_head & channel->control_mask;
    packet->count = count;
    packet->index_mask = channel->control_mask;
    channel->view.control_head += count;
    dispatch->tail++;
}

void dispatch_put_ndrange(struct dispatch *dispatch, const struct sl_kernel *kernel,
                          const uint32_t grid[3], const uint32_t group[3], uint32_t lds_bytes)
{
    struct sl_dispatch *packet = &ring[dispatch->tail % SL_DISPATCH_ENTRIES];

    *packet = (struct sl_dispatch){
        .kernel = agg_address(kernel),
        .id = (uint32_t)dispatch->tail,
        .kind = SL_DISPATCH_NDRANGE,
        .grid = {grid[0], grid[1], grid[2]},
        .group = {group[0], group[1], group[2]},
        .lds_bytes = lds_bytes,
    };
    dispatch->tail++;
}

void dispatch_put_restart(struct dispatch *dispatch, uint64_t block)
{
    if (dispatch->tail - dispatch->rung == SL_DISPATCH_ENTRIES) {
        dispatch_ring(dispatch); /* the device takes packets at the doorbell */
    }
    struct sl_dispatch *packet = &ring[dispatch->tail % SL_DISPATCH_ENTRIES];
    packet->kind = SL_DISPATCH_RESTART;
    packet->kernel = block;
    packet->id = (uint32_t)dispatch->tail;
    dispatch->tail++;
    dispatch->restarts++;
}

void dispatch_ring(struct dispatch *dispatch)
{
    if (dispatch->rung != dispatch->tail) {
        dispatch->rung = dispatch->tail;
        agg_register_write(SL_REG_DISPATCH_TAIL, dispatch->tail);
    }
}
