/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher as a whole. Addresses that firmware gives are checked by its parts: a bad packet
 * is a fault, never a crash of the simulator. */
#include "dispatcher/dispatcher.h"

#include <string.h>

#include "dispatcher/fault_ring.h"
#include "dispatcher/launch_forecast.h"
#include "dispatcher/packet_completion.h"
#include "dispatcher/packet_fetch.h"
#include "dispatcher/packet_launch.h"
#include "dispatcher/wave_restart.h"
#include "sluice/config.h"

static int create_rings(struct dispatcher *dispatcher)
{
    const struct record_ring common = {
        .port = &dispatcher->port,
        .window = &dispatcher->window,
        .dram = &dispatcher->gpu->env.dram,
        .owner = dispatcher,
    };
    struct record_ring completions = common;
    struct record_ring faults = common;
    struct record_ring yields = common;

    completions.base_register = SL_REG_COMPLETION_BASE;
    completions.head_register = SL_REG_COMPLETION_HEAD;
    completions.move = OBS_MOVE_COMPLETION;
    completions.entries = SL_COMPLETION_ENTRIES;
    completions.bytes = sizeof(struct sl_completion);
    completions.seen = completion_seen;
    faults.base_register = SL_REG_FAULT_BASE;
    faults.head_register = SL_REG_FAULT_HEAD;
    faults.move = OBS_MOVE_FAULT;
    faults.entries = SL_FAULT_ENTRIES;
    faults.bytes = sizeof(struct sl_fault);
    faults.seen = faults_seen;
    yields.base_register = SL_REG_YIELD_BASE;
    yields.head_register = SL_REG_YIELD_HEAD;
    yields.move = OBS_MOVE_YIELD;
    yields.entries = SL_YIELD_ENTRIES;
    yields.bytes = sizeof(struct sl_yield);
    yields.seen = restart_seen;
    return records_create(&dispatcher->completions, &completions) |
           records_create(&dispatcher->faults, &faults) |
           records_create(&dispatcher->yields, &yields);
}

int dispatcher_init(struct dispatcher *dispatcher, const struct sl_config *config, struct gpu *gpu,
                    const struct window *window)
{
    *dispatcher = (struct dispatcher){
        .launch = {.run = launch_event, .rank = EVENT_OTHER},
        .gpu = gpu,
        .window = *window,
        .packet_cycles = (uint32_t)config->number[SL_CFG_GPU_PACKET_CYCLES],
        .launch_cycles = (uint32_t)config->number[SL_CFG_GPU_LAUNCH_CYCLES],
        .port = {.mem = gpu->mem,
                 .event_queue = gpu->event_queue,
                 .stream = gpu->env.stream,
                 .is_free = config->number[SL_CFG_FRONT_MEMORY] == SL_FRONT_MEMORY_FREE},
        .intake = {.dispatcher = dispatcher},
    };
    gpu->env.listener = (struct cu_listener){
        .owner = dispatcher,
        .wave_ended = completion_wave_ended,
        .faulted = faults_of_wave,
        .wave_yielded = restart_yielded,
        .takes_yields = restart_takes_yields,
        .may_launch = dispatcher_may_launch,
    };
    return create_rings(dispatcher) | front_audit_init(&dispatcher->audit, config, &gpu->env.dram);
}

void dispatcher_destroy(struct dispatcher *dispatcher)
{
    records_destroy(&dispatcher->completions);
    records_destroy(&dispatcher->faults);
    records_destroy(&dispatcher->yields);
    front_audit_destroy(&dispatcher->audit);
}

void dispatcher_reset(struct dispatcher *dispatcher)
{
    dispatcher->launch.queued = false;
    dispatcher->ring_tail = 0;
    dispatcher->ring_head = 0;
    dispatcher->faults_lost = 0;
    dispatcher->last_cu = dispatcher->gpu->cu_count - 1;
    dispatcher->is_blocked = false;
    dispatcher->queue_head = 0;
    dispatcher->queue_tail = 0;
    dispatcher->finished_head = 0;
    dispatcher->finished_tail = 0;
    dispatcher->stepping = 0;
    dispatcher->to_launch = 0;
    dispatcher->yielding_first = NULL;
    dispatcher->restart_first = POOL_NONE;
    dispatcher->restarts = 0;
    dispatcher->lds_awaited = 0;
    memset(dispatcher->packets, 0, sizeof(dispatcher->packets));
    intake_reset(&dispatcher->intake);
    front_audit_reset(&dispatcher->audit);
    records_reset(&dispatcher->completions);
    records_reset(&dispatcher->faults);
    records_reset(&dispatcher->yields);
    dispatcher_show(dispatcher);
}

void dispatcher_begin(struct dispatcher *dispatcher)
{
    dispatcher->counters = (struct front_counters){0};
    dispatcher_reset(dispatcher);
}
