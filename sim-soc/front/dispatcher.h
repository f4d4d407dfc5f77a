/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher: takes packets out of the dispatch ring, launches their wavefronts on compute
 * units with free contexts, and writes a completion record when all wavefronts of a packet have
 * ended.
 *
 * Packets are launched in order, one wavefront every gpu.launch_cycles, compute units in turn.
 * Work-groups of NDRange packets are placed as a whole (front/ndrange.c). */
#ifndef SLUICE_FRONT_DISPATCHER_H
#define SLUICE_FRONT_DISPATCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "front/window.h"
#include "obs/counters.h"
#include "simt/gpu.h"

/* A packet that was taken out of the ring. */
struct dispatcher_packet {
    struct sl_dispatch packet;
    struct sl_kernel kernel;
    uint32_t entry;
    uint64_t ready_cycle;
    struct gpu_demand demand; /* of what is placed at once: a wavefront, or a work-group */
    struct group_range range; /* of an NDRange */
    uint32_t next_group[3];   /* of an NDRange: placed next */
    uint32_t units;           /* channel elements, or work-groups */
    uint32_t units_launched;
    uint32_t wavefronts_launched;
    uint32_t wavefronts_ended;
    bool used;
    uint64_t complete_ps;
};

struct dispatcher {
    struct event launch;
    struct gpu *gpu;
    struct window window;
    struct counters *counters;
    uint32_t packet_cycles;
    uint32_t launch_cycles;

    uint32_t ring_tail;       /* packets that firmware has written */
    uint32_t ring_head;       /* packets taken */
    uint32_t completion_tail; /* records written */
    uint32_t fault_tail;
    uint32_t faults_lost;
    uint32_t last_cu;
    bool is_blocked;           /* the packet at the queue's head finds no room */
    enum gpu_resource lacking; /* of this */
    uint64_t blocked_cycle;    /* since then */

    struct dispatcher_packet packets[SL_COMPLETION_ENTRIES];
    uint32_t queue[SL_COMPLETION_ENTRIES]; /* packets not fully launched, in order */
    uint32_t queue_head;
    uint32_t queue_tail;
    uint32_t finished[SL_COMPLETION_ENTRIES]; /* complete, but without a record yet, in order */
    uint32_t finished_head;
    uint32_t finished_tail;
};

void dispatcher_init(struct dispatcher *dispatcher, const struct sl_config *config, struct gpu *gpu,
                     const struct window *window, struct counters *counters);

/* Forgets all packets and sets the ring indices to zero; the compute units are reset by the caller.
 */
void dispatcher_reset(struct dispatcher *dispatcher);

/* Doorbell: firmware has written packets up to `tail`. */
void dispatcher_doorbell(struct dispatcher *dispatcher, uint32_t tail);

/* Firmware has read completion records: there may be space for more. */
void dispatcher_flush(struct dispatcher *dispatcher);

/* For the compute units (struct gpu_listener). */
void dispatcher_wave_ended(void *dispatcher, const struct wave *wave);
void dispatcher_faulted(void *dispatcher, const struct sl_fault *fault);

#endif
