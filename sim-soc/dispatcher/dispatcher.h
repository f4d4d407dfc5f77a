/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher: takes packets out of the dispatch ring, launches their wavefronts on compute
 * units with free contexts, and writes a completion record when all wavefronts of a packet have
 * ended.
 *
 *     packet_fetch.h         packets come in, in order
 *     packet_launch.h        their wavefronts are launched
 *     ndrange.h              work-groups are placed as a whole
 *     wave_restart.h         wavefronts that yield go to firmware, and come back by restart packets
 *     packet_completion.h    wavefronts have ended
 *     fault_ring.h           what went wrong
 *     exact_audit.h          whether the channels' accounting balances
 *     launch_forecast.h      whether anything more is to come
 *     dispatcher_state.h     the state that these share */
#ifndef SLUICE_DISPATCHER_H
#define SLUICE_DISPATCHER_H

#include "dispatcher/dispatcher_state.h"

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

#endif
