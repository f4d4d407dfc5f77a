/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Taking packets: at once where the port is free, else one after the other as memory brings them.
 */
#include "dispatcher/packet_fetch.h"

#include <string.h>

#include "dispatcher/fault_ring.h"
#include "dispatcher/packet_launch.h"
#include "dispatcher/wave_restart.h"

void intake_reset(struct intake *intake)
{
    intake->state = INTAKE_IDLE;
}

/* The address of the next packet, or 0 where the ring is not in DRAM. */
static uint64_t next_address(const struct dispatcher *dispatcher)
{
    const uint64_t base = window_read(&dispatcher->window, SL_REG_DISPATCH_BASE);
    const uint64_t bytes = sizeof(struct sl_dispatch);

    if (base % 8 != 0 ||
        !dram_holds(&dispatcher->gpu->env.dram, base, SL_DISPATCH_ENTRIES * bytes)) {
        return 0;
    }
    return base + dispatcher->ring_head % SL_DISPATCH_ENTRIES * bytes;
}

/* The kernel record of a packet, or NULL where there is none. */
static const struct sl_kernel *kernel_of(const struct dispatcher *dispatcher,
                                         const struct sl_dispatch *packet)
{
    const struct dram *dram = &dispatcher->gpu->env.dram;

    if (packet->kernel % 8 != 0 || !dram_holds(dram, packet->kernel, sizeof(struct sl_kernel))) {
        return NULL;
    }
    return dram_at(dram, packet->kernel);
}

/* Whether the accounting of the packet's channel balances; where it does not, that is a fault. */
static bool is_balanced(struct dispatcher *dispatcher, const struct sl_dispatch *packet)
{
    if (packet->kind != SL_DISPATCH_CHANNEL) {
        return true;
    }
    const struct sl_audit_finding finding = front_audit_packet(&dispatcher->audit, packet);
    if (finding.what == SL_AUDIT_BALANCED) {
        return true;
    }
    faults_put_audit(dispatcher, packet, &finding);
    return false;
}

/* The packet leaves the ring. */
static void use(struct dispatcher *dispatcher, const struct sl_dispatch *packet)
{
    const struct sl_kernel *kernel = kernel_of(dispatcher, packet);
    enum sl_refusal reason = 0;

    dispatcher->ring_head++;
    if (packet->kind == SL_DISPATCH_RESTART) {
        if (!restart_take(dispatcher, packet->kernel)) {
            faults_put_packet(dispatcher, packet, packet->kernel, 0);
        }
        return;
    }
    if (!is_balanced(dispatcher, packet)) {
        return;
    }
    if (kernel != NULL) {
        port_observe(&dispatcher->port, OBS_MOVE_KERNEL, packet->kernel, sizeof(*kernel));
    }
    if (kernel == NULL || launch_accept(dispatcher, packet, kernel, &reason) != 0) {
        faults_put_packet(dispatcher, packet, packet->kernel, reason);
    }
}

static bool has_slot_for(const struct dispatcher *dispatcher, const struct sl_dispatch *packet)
{
    return packet->kind == SL_DISPATCH_RESTART || launch_has_slot(dispatcher);
}

static void take_at_once(struct dispatcher *dispatcher)
{
    while (dispatcher->ring_head != dispatcher->ring_tail) {
        const uint64_t address = next_address(dispatcher);
        const struct sl_dispatch *packet =
            address == 0 ? NULL : dram_at(&dispatcher->gpu->env.dram, address);
        if (packet == NULL || !has_slot_for(dispatcher, packet)) {
            break;
        }
        port_observe(&dispatcher->port, OBS_MOVE_PACKET, address, sizeof(*packet));
        use(dispatcher, packet);
    }
}

/* ---- in memory's time ---- */

/* Packet and kernel record are here: on to the next one, if there is a slot for this. */
static void use_when_possible(struct intake *intake)
{
    struct dispatcher *dispatcher = intake->dispatcher;

    if (!has_slot_for(dispatcher, &intake->packet)) {
        intake->state = INTAKE_PACKET;
        return;
    }
    intake->state = INTAKE_IDLE;
    use(dispatcher, &intake->packet);
    dispatcher_wake(dispatcher, dispatcher->gpu->event_queue->now + dispatcher->packet_cycles);
    intake_take(dispatcher);
}

static void kernel_here(struct port_move *move)
{
    use_when_possible((struct intake *)move);
}

static void packet_here(struct port_move *move)
{
    struct intake *intake = (struct intake *)move;
    struct dispatcher *dispatcher = intake->dispatcher;
    const uint64_t address = next_address(dispatcher);

    if (address == 0) {
        intake->state = INTAKE_IDLE;
        return;
    }
    memcpy(&intake->packet, dram_at(&dispatcher->gpu->env.dram, address), sizeof(intake->packet));
    port_observe(move->port, OBS_MOVE_PACKET, address, sizeof(intake->packet));
    if (intake->packet.kind == SL_DISPATCH_RESTART ||
        kernel_of(dispatcher, &intake->packet) == NULL) {
        use_when_possible(intake);
        return;
    }
    port_begin(move->port, move, MEM_LOAD, intake->packet.kernel, sizeof(struct sl_kernel),
               kernel_here);
}

static void take_in_time(struct dispatcher *dispatcher)
{
    struct intake *intake = &dispatcher->intake;

    if (intake->state == INTAKE_PACKET) {
        use_when_possible(intake);
    } else if (intake->state == INTAKE_IDLE && dispatcher->ring_head != dispatcher->ring_tail &&
               next_address(dispatcher) != 0) {
        intake->state = INTAKE_BUSY;
        port_begin(&dispatcher->port, &intake->move, MEM_LOAD, next_address(dispatcher),
                   sizeof(struct sl_dispatch), packet_here);
    }
}

void intake_take(struct dispatcher *dispatcher)
{
    if (dispatcher->port.is_free) {
        take_at_once(dispatcher);
    } else {
        take_in_time(dispatcher);
    }
    dispatcher_show(dispatcher);
}

void intake_doorbell(struct dispatcher *dispatcher, uint64_t tail)
{
    if (tail - dispatcher->ring_head > SL_DISPATCH_ENTRIES || next_address(dispatcher) == 0) {
        const struct sl_dispatch none = {.kernel = 0};
        faults_put_packet(dispatcher, &none, window_read(&dispatcher->window, SL_REG_DISPATCH_BASE),
                          0);
        return;
    }
    dispatcher->ring_tail = tail;
    intake_take(dispatcher);
    dispatcher_wake(dispatcher, dispatcher->gpu->event_queue->now + dispatcher->packet_cycles);
}
