/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What a packet's wavefronts need is checked and noted when it is accepted. A packet that finds no
 * room on any compute unit holds back those behind it; the time until then is accounted to the
 * resource that it lacks. */
#include "dispatcher/packet_launch.h"

#include <string.h>

#include "dispatcher/ndrange.h"
#include "dispatcher/wave_restart.h"

/* Whether constant arguments find registers. */
static bool has_registers(const struct sl_kernel *kernel, uint32_t most)
{
    return kernel->argument_count <= most && kernel->float_arguments >> kernel->argument_count == 0;
}

static int channel_prepare(const struct gpu *gpu, struct dispatcher_packet *slot,
                           enum sl_refusal *reason)
{
    if (slot->kernel.lds_bytes > gpu->cus[0].shape.lds_bytes) {
        *reason = SL_REFUSE_KERNEL_LDS;
        return -1;
    }
    slot->units = slot->packet.count;
    slot->demand = (struct cu_demand){
        .waves = 1,
        .registers = slot->kernel.registers,
        .lds_bytes = slot->kernel.lds_bytes,
    };
    return slot->units > 0 && has_registers(&slot->kernel, SL_KERNEL_ARGUMENTS) ? 0 : -1;
}

/* Checks a packet and notes what its wavefronts need. Returns 0 or -1; *reason may say why. */
static int prepare(struct dispatcher *dispatcher, struct dispatcher_packet *slot,
                   const struct sl_dispatch *packet, const struct sl_kernel *kernel,
                   enum sl_refusal *reason)
{
    uint32_t entry = simt_program_offset(&dispatcher->gpu->env.program, kernel->entry);

    if (entry == PC_NONE || entry == PC_EXIT || !has_registers(kernel, SL_LAUNCH_ARGUMENTS) ||
        kernel->registers > dispatcher->gpu->cus[0].shape.registers) {
        return -1;
    }
    *slot = (struct dispatcher_packet){
        .packet = *packet,
        .kernel = *kernel,
        .entry = entry,
        .ready_cycle = dispatcher->gpu->event_queue->now + dispatcher->packet_cycles,
        .dispatcher = dispatcher,
    };
    int result = -1;
    if (packet->kind == SL_DISPATCH_CHANNEL) {
        result = channel_prepare(dispatcher->gpu, slot, reason);
    } else if (packet->kind == SL_DISPATCH_NDRANGE) {
        *reason = ndrange_prepare(dispatcher->gpu, slot);
        result = *reason == 0 ? 0 : -1;
    }
    slot->used = result == 0;
    return result;
}

/* The first slot that is free; DISPATCHER_PACKETS where none is. */
static uint32_t free_slot(const struct dispatcher *dispatcher)
{
    uint32_t slot = 0;

    while (slot < DISPATCHER_PACKETS && dispatcher->packets[slot].used) {
        slot++;
    }
    return slot;
}

bool launch_has_slot(const struct dispatcher *dispatcher)
{
    return free_slot(dispatcher) < DISPATCHER_PACKETS;
}

/* How many launches so many units of a packet take: wavefronts, or work-groups. */
static uint64_t launches_of(const struct dispatcher *dispatcher,
                            const struct dispatcher_packet *slot, uint32_t units)
{
    const uint32_t lanes = dispatcher->gpu->cus[0].shape.lanes;

    return slot->packet.kind == SL_DISPATCH_NDRANGE ? units : ((uint64_t)units + lanes - 1) / lanes;
}

int launch_accept(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                  const struct sl_kernel *kernel, enum sl_refusal *reason)
{
    const uint32_t index = free_slot(dispatcher);
    struct dispatcher_packet *slot = &dispatcher->packets[index];

    if (prepare(dispatcher, slot, packet, kernel, reason) != 0) {
        return -1;
    }
    dispatcher->queue[dispatcher->queue_tail++ & DISPATCHER_PACKET_MASK] = index;
    dispatcher->counters.dispatches++;
    dispatcher->to_launch += launches_of(dispatcher, slot, slot->units);
    if (packet->kind == SL_DISPATCH_CHANNEL) {
        dispatcher->counters.elements += packet->count;
    }
    return 0;
}

/* Attributes the time since the queue's head found no room. */
static void account_blocked(struct dispatcher *dispatcher)
{
    uint64_t now = dispatcher->gpu->event_queue->now;

    if (dispatcher->is_blocked) {
        dispatcher->counters.limited_cycles[dispatcher->lacking] += now - dispatcher->blocked_cycle;
    }
    dispatcher->is_blocked = false;
}

/* The next compute unit in turn that has room. Where none has, returns false: then the resource
 * that the unit with most of what is needed lacks is what limits. */
static bool choose_cu(struct dispatcher *dispatcher, const struct cu_demand *demand,
                      uint32_t *chosen)
{
    uint32_t cus = dispatcher->gpu->cu_count;
    uint32_t cu = dispatcher->last_cu;
    enum cu_resource lacking = CU_CONTEXTS;

    for (uint32_t i = 0; i < cus && gpu_has_context(dispatcher->gpu); i++) {
        cu = cu + 1 == cus ? 0 : cu + 1;
        enum cu_resource lacks = cu_missing_resource(&dispatcher->gpu->cus[cu], demand);
        if (lacks == CU_RESOURCE_COUNT && demand->lds_bytes != 0 &&
            restart_awaits_lds(dispatcher, cu)) {
            lacks = CU_LDS;
        }
        if (lacks == CU_RESOURCE_COUNT) {
            dispatcher->last_cu = cu;
            *chosen = cu;
            return true;
        }
        lacking = lacks > lacking ? lacks : lacking;
    }
    dispatcher->is_blocked = true;
    dispatcher->lacking = lacking;
    dispatcher->blocked_cycle = dispatcher->gpu->event_queue->now;
    return false;
}

/* Launches what the packet places at once. Returns how many wavefronts. */
static uint32_t launch_on(struct dispatcher *dispatcher, struct dispatcher_packet *slot,
                          uint32_t cu)
{
    uint32_t left = slot->units - slot->units_launched;
    uint32_t lanes = dispatcher->gpu->cus[0].shape.lanes;
    struct wave_launch launch = {
        .pc = slot->entry,
        .channel = slot->packet.channel,
        .argument_count = (uint16_t)slot->kernel.argument_count,
        .float_arguments = (uint16_t)slot->kernel.float_arguments,
        .kernel = slot->packet.kernel,
        .dispatch = slot->packet.id,
        .slot = (uint32_t)(slot - dispatcher->packets),
        .registers = slot->kernel.registers,
        .register_mask = slot->kernel.register_mask,
    };

    memcpy(launch.arguments, slot->kernel.argument, sizeof(launch.arguments));
    if (slot->packet.kind == SL_DISPATCH_NDRANGE) {
        return ndrange_place(dispatcher, slot, cu, &launch);
    }
    launch.lds_bytes = slot->kernel.lds_bytes;
    launch.limits = slot->kernel.limits;
    launch.limit_count = slot->kernel.limit_count;
    launch.first = slot->packet.first + slot->units_launched;
    launch.index_mask = slot->packet.index_mask;
    launch.count = left < lanes ? left : lanes;
    slot->units_launched += launch.count;
    (void)cu_launch(&dispatcher->gpu->cus[cu], &launch);
    return 1;
}

/* Launches what is next, if it is ready and there is room for it. */
static void launch_next(struct dispatcher *dispatcher, uint64_t cycle)
{
    uint32_t index = dispatcher->queue[dispatcher->queue_head & DISPATCHER_PACKET_MASK];
    struct dispatcher_packet *slot = &dispatcher->packets[index];
    uint32_t cu;

    if (slot->ready_cycle > cycle) {
        dispatcher_wake(dispatcher, slot->ready_cycle);
        return;
    }
    account_blocked(dispatcher);
    if (!choose_cu(dispatcher, &slot->demand, &cu)) {
        return; /* the end of a wavefront wakes us */
    }
    dispatcher->to_launch--;
    uint32_t waves = launch_on(dispatcher, slot, cu);
    slot->wavefronts_launched += waves;
    slot->busy_cycles -= waves * cycle;
    if (slot->units_launched == slot->units) {
        dispatcher->queue_head++;
    }
    dispatcher_show(dispatcher);
    dispatcher_wake(dispatcher, cycle + (uint64_t)waves * dispatcher->launch_cycles);
}

void launch_event(struct event *event)
{
    struct dispatcher *dispatcher = CONTAINER_OF(event, struct dispatcher, launch);

    if (dispatcher->restart_first != POOL_NONE && restart_next(dispatcher, event->cycle)) {
        dispatcher_show(dispatcher);
        dispatcher_wake(dispatcher, event->cycle + dispatcher->launch_cycles);
        return;
    }
    if (dispatcher->queue_head != dispatcher->queue_tail) {
        launch_next(dispatcher, event->cycle);
    }
    uint64_t ready = restart_ready_cycle(dispatcher, event->cycle);
    if (ready != EVENT_QUEUE_NEVER) {
        dispatcher_wake(dispatcher, ready);
    }
}
