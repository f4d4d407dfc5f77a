/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The registers of the device window that follow from the dispatcher's state; its one event. */
#include "dispatcher/dispatcher_state.h"

/* What firmware has still to hear of though no wavefront is in flight for it: packets of which
 * memory is being told, records on their way, and packets where taking them takes time. */
static uint32_t hidden(const struct dispatcher *dispatcher)
{
    const uint32_t packets =
        dispatcher->port.is_free ? 0 : (uint32_t)(dispatcher->ring_tail - dispatcher->ring_head);

    return packets + dispatcher->stepping + records_hidden(&dispatcher->completions) +
           records_hidden(&dispatcher->faults) + records_hidden(&dispatcher->yields);
}

void dispatcher_show(const struct dispatcher *dispatcher)
{
    const struct window *window = &dispatcher->window;
    const struct gpu *gpu = dispatcher->gpu;
    const uint32_t resident = gpu->env.activity->resident;
    const uint32_t queued = dispatcher->queue_tail - dispatcher->queue_head;

    window_write(window, SL_REG_DISPATCH_HEAD, dispatcher->ring_head);
    window_write(window, SL_REG_COMPLETION_TAIL, dispatcher->completions.visible);
    window_write(window, SL_REG_FAULT_TAIL, dispatcher->faults.visible);
    window_write(window, SL_REG_FAULT_LOST, dispatcher->faults_lost);
    window_write(window, SL_REG_RESIDENT, resident);
    window_write(window, SL_REG_QUEUED, queued);
    window_write(window, SL_REG_YIELD_TAIL, dispatcher->yields.visible);
    window_write(window, SL_REG_ACTIVE,
                 resident + dispatcher->to_launch + dispatcher->restarts + hidden(dispatcher));
    window_write(window, SL_REG_DUMP_FIRST, gpu->dump.first);
    window_write(window, SL_REG_DUMP_WAVEFRONTS, gpu->dump.wavefronts);
}

void dispatcher_wake(struct dispatcher *dispatcher, uint64_t cycle)
{
    if (!dispatcher->launch.queued && (dispatcher->queue_head != dispatcher->queue_tail ||
                                       dispatcher->restart_first != POOL_NONE)) {
        event_queue_insert(dispatcher->gpu->event_queue, &dispatcher->launch, cycle);
    }
}
