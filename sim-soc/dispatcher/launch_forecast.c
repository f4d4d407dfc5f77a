/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Nothing is launched any more in two cases. Either the first packet of the queue finds no room,
 * which only the end of a wavefront makes, and those behind it wait for it. Or all packets are
 * launched, and firmware has no reason for another one: it has read all records, and a step of a
 * launch waits for its wavefronts; a graph that takes nothing from the host is looked through for
 * elements that firmware has not dispatched yet, whatever makes it wait. In doubt something is. */
#include "dispatcher/launch_forecast.h"

static bool is_blocked(const struct dispatcher *dispatcher)
{
    return dispatcher->queue_head != dispatcher->queue_tail && dispatcher->is_blocked &&
           !dispatcher->launch.queued;
}

/* Whether packets, records or the end of a packet are on their way. */
static bool is_busy(const struct dispatcher *dispatcher)
{
    const struct record_ring *completions = &dispatcher->completions;

    return dispatcher->queue_head != dispatcher->queue_tail ||
           dispatcher->ring_head != dispatcher->ring_tail ||
           dispatcher->intake.state != INTAKE_IDLE || dispatcher->stepping != 0 ||
           dispatcher->finished_head != dispatcher->finished_tail ||
           completions->tail != window_read(&dispatcher->window, SL_REG_COMPLETION_HEAD);
}

/* ---- graphs ---- */

/* Whether the run is of a graph that was given to firmware whole: the host's message that began it,
 * the latest of those that begin one, is still in the ring. */
static bool is_closed(const struct dispatcher *dispatcher)
{
    const struct sl_mailbox *mailbox = dram_at(&dispatcher->gpu->env.dram, SL_MAILBOX_BASE);
    const uint32_t tail = (uint32_t)window_read(&dispatcher->window, SL_REG_HOST_TAIL);

    for (uint32_t i = 1; i <= SL_MAILBOX_ENTRIES && i <= tail; i++) {
        const uint32_t type = mailbox->host[(tail - i) % SL_MAILBOX_ENTRIES].type;
        if (type == SL_HOST_EXECUTE || type == SL_HOST_OPEN) {
            return type == SL_HOST_EXECUTE;
        }
    }
    return false;
}

/* Elements that were put into a channel since the run's begin, modulo 2^32, which is all that the
 * counter of a stamped one says: firmware keeps for itself how many it has taken out, and writes
 * control_head at its end. */
static uint32_t elements_put(const struct sl_channel *channel)
{
    return (uint32_t)channel->control_reserve - (uint32_t)channel->control_head;
}

/* Whether firmware may dispatch something: the graph is open, or in some channel there are elements
 * that are not dispatched. */
static bool may_dispatch(const struct dispatcher *dispatcher)
{
    const struct cu_environment *env = &dispatcher->gpu->env;
    const uint64_t bytes = env->cas_limit - env->cas_base;

    if (env->graph == 0) {
        return false;
    }
    if (bytes == 0 || !dram_holds(&env->dram, env->cas_base, bytes) || !is_closed(dispatcher)) {
        return true;
    }
    const struct sl_channel *channels = dram_at(&env->dram, env->cas_base);
    uint32_t put = 0;
    for (uint64_t i = 0; i < bytes / sizeof(*channels); i++) {
        put += elements_put(&channels[i]);
    }
    return put != (uint32_t)dispatcher->counters.elements; /* as many as 2^32 have no place */
}

bool dispatcher_may_launch(void *owner)
{
    const struct dispatcher *dispatcher = owner;

    if (dispatcher->restart_first != POOL_NONE || dispatcher->yielding_first != NULL) {
        return true;
    }
    return !is_blocked(dispatcher) && (is_busy(dispatcher) || may_dispatch(dispatcher));
}
