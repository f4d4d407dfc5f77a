/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The state of the dispatcher, which its parts share, and what all of them do with it. */
#ifndef SLUICE_DISPATCHER_DISPATCHER_STATE_H
#define SLUICE_DISPATCHER_DISPATCHER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "dispatcher/device_window.h"
#include "dispatcher/dispatcher_counters.h"
#include "dispatcher/exact_audit.h"
#include "dispatcher/memory_port.h"
#include "dispatcher/output_rings.h"
#include "simt/gpu.h"
#include "sluice/layouts.h"

#define DISPATCHER_PACKETS     SL_COMPLETION_ENTRIES
#define DISPATCHER_PACKET_MASK (DISPATCHER_PACKETS - 1u)

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
    uint64_t accesses;    /* memory instructions of those that have ended or yielded */
    uint64_t busy_cycles; /* that its wavefronts have held contexts, added up; modulo 2^64 */
    bool used;
    uint64_t complete_ps;
    struct mem_request step; /* memory is told that all wavefronts have ended, */
    struct event stepped;    /* and has done its part */
    struct dispatcher *dispatcher;
};

/* What the next packet of the ring still needs. */
enum intake_state {
    INTAKE_IDLE,
    INTAKE_BUSY,  /* a move is under way */
    INTAKE_PACKET /* the packet and its kernel record are here, but a free slot is not */
};

struct intake {
    struct port_move move;
    struct dispatcher *dispatcher;
    enum intake_state state;
    struct sl_dispatch packet;
};

struct dispatcher {
    struct event launch;
    struct gpu *gpu;
    struct window window;
    struct front_counters counters;
    struct front_audit audit;
    uint32_t packet_cycles;
    uint32_t launch_cycles;

    struct front_port port;
    struct intake intake;
    struct record_ring completions;
    struct record_ring faults;
    struct record_ring yields;
    uint64_t ring_tail; /* packets that firmware has written, since the reset */
    uint64_t ring_head; /* packets taken */
    uint64_t faults_lost;
    uint64_t to_launch; /* wavefronts (work-groups) of packets that are not launched yet */
    uint32_t last_cu;
    bool is_blocked;          /* the packet at the queue's head finds no room */
    enum cu_resource lacking; /* of this */
    uint64_t blocked_cycle;   /* since then */

    struct dispatcher_packet packets[DISPATCHER_PACKETS];
    uint32_t queue[DISPATCHER_PACKETS]; /* packets not fully launched, in order */
    uint32_t queue_head;
    uint32_t queue_tail;
    uint32_t finished[DISPATCHER_PACKETS]; /* complete, but without a record yet, in order */
    uint32_t finished_head;
    uint32_t finished_tail;
    uint32_t stepping; /* packets whose wavefronts have ended: memory is being told */

    struct wave *yielding_first; /* saved, but without a record yet, in order */
    struct wave *yielding_last;
    uint32_t restart_first; /* blocks of wavefronts to be restarted, in order; or POOL_NONE */
    uint32_t restart_last;
    uint32_t restarts;    /* of them */
    uint64_t lds_awaited; /* a bit for each compute unit: one of them waits for its LDS */
};

/* Shows the state of the rings in the registers. */
void dispatcher_show(const struct dispatcher *dispatcher);

/* Looks, in a cycle from now on, for something to launch or to restart, if there is any. */
void dispatcher_wake(struct dispatcher *dispatcher, uint64_t cycle);

static inline uint64_t dispatcher_now_ps(const struct dispatcher *dispatcher)
{
    return event_queue_now_ps(dispatcher->gpu->event_queue);
}

#endif
