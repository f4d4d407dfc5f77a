/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher: takes packets out of the dispatch ring, launches their wavefronts on compute
 * units with free contexts, and writes a completion record when all wavefronts of a packet have
 * ended.
 *
 * Packets are launched in order, one wavefront every gpu.launch_cycles, compute units in turn.
 * Work-groups of NDRange packets are placed as a whole (front/ndrange.c). Wavefronts that yield go
 * through the yield ring to firmware and come back by restart packets, which go before launches
 * (front/restart.c). */
#ifndef SLUICE_FRONT_DISPATCHER_H
#define SLUICE_FRONT_DISPATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "front/counters.h"
#include "front/intake.h"
#include "front/records.h"
#include "front/window.h"
#include "simt/gpu.h"

/* A packet that was taken out of the ring. */
struct dispatcher_packet {
    struct sl_dispatch packet;
    struct sl_kernel kernel;
    uint32_t entry;
    uint64_t ready_cycle;
    struct cu_demand demand;  /* of what is placed at once: a wavefront, or a work-group */
    struct group_range range; /* of an NDRange */
    uint32_t next_group[3];   /* of an NDRange: placed next */
    uint32_t units;           /* channel elements, or work-groups */
    uint32_t units_launched;
    uint32_t wavefronts_launched;
    uint32_t wavefronts_ended;
    bool used;
    uint64_t complete_ps;
    struct mem_request step; /* memory is told that all wavefronts have ended, */
    struct event stepped;    /* and has done its part */
    struct dispatcher *dispatcher;
};

struct dispatcher {
    struct event launch;
    struct gpu *gpu;
    struct window window;
    struct front_counters counters;
    uint32_t packet_cycles;
    uint32_t launch_cycles;

    struct front_port port;
    struct intake intake;
    struct record_ring completions;
    struct record_ring faults;
    struct record_ring yields;
    uint32_t ring_tail; /* packets that firmware has written */
    uint32_t ring_head; /* packets taken */
    uint32_t faults_lost;
    uint64_t to_launch; /* wavefronts (work-groups) of packets that are not launched yet */
    uint32_t last_cu;
    bool is_blocked;          /* the packet at the queue's head finds no room */
    enum cu_resource lacking; /* of this */
    uint64_t blocked_cycle;   /* since then */

    struct dispatcher_packet packets[SL_COMPLETION_ENTRIES];
    uint32_t queue[SL_COMPLETION_ENTRIES]; /* packets not fully launched, in order */
    uint32_t queue_head;
    uint32_t queue_tail;
    uint32_t stepping; /* packets whose wavefronts have ended, while memory is told so */
    uint32_t finished[SL_COMPLETION_ENTRIES]; /* complete, but without a record yet, in order */
    uint32_t finished_head;
    uint32_t finished_tail;

    struct wave *yielding_first; /* saved, but without a record yet, in order */
    struct wave *yielding_last;
    uint32_t restart_first; /* blocks of wavefronts to be restarted, in order; or POOL_NONE */
    uint32_t restart_last;
    uint32_t restarts; /* of them */
};

/* Becomes the listener of the compute units. Returns 0, or -1 when out of memory; then and at the
 * end dispatcher_destroy(). */
int dispatcher_init(struct dispatcher *dispatcher, const struct sl_config *config, struct gpu *gpu,
                    const struct window *window);
void dispatcher_destroy(struct dispatcher *dispatcher);

/* Forgets all packets and sets the ring indices to zero; the compute units are reset by the caller.
 */
void dispatcher_reset(struct dispatcher *dispatcher);

/* A run begins: the same, and nothing is counted yet. */
void dispatcher_begin(struct dispatcher *dispatcher);

/* Firmware has read completion records: there may be space for more. */
void dispatcher_flush(struct dispatcher *dispatcher);

/* Shows the state of the rings in the registers. */
void dispatcher_show(const struct dispatcher *dispatcher);

/* A packet with its kernel record, of which `kernel` is a copy, is to be launched. Returns 0, or -1
 * with a reason that may be zero where it is bad. There is a free slot (dispatcher_has_slot()). */
int dispatcher_accept(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                      const struct sl_kernel *kernel, enum sl_refusal *reason);
bool dispatcher_has_slot(const struct dispatcher *dispatcher);

/* A bad packet: a fault. */
void dispatcher_packet_fault(struct dispatcher *dispatcher, const struct sl_dispatch *packet,
                             uint64_t address, enum sl_refusal reason);

/* Looks, in a cycle from now on, for something to launch or to restart, if there is any. */
void dispatcher_wake(struct dispatcher *dispatcher, uint64_t cycle);

/* Writes a fault record, which counts as a fault. */
void dispatcher_fault(struct dispatcher *dispatcher, const struct sl_fault *fault);

/* The cycle limit is reached: ends the oldest resident wavefront with a fault; without one, reports
 * the fault alone. */
void dispatcher_fault_cycle_limit(struct dispatcher *dispatcher, uint64_t limit_cycles);

#endif
