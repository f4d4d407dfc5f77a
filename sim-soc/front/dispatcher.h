/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The dispatcher: takes packets out of the dispatch ring, launches their wavefronts on compute
 * units with free contexts, and writes a completion record when all wavefronts of a packet have
 * ended.
 *
 *     intake.h        packets come in, in order
 *     launch.h        their wavefronts are launched
 *     ndrange.h       work-groups are placed as a whole
 *     restart.h       wavefronts that yield go to firmware, and come back by restart packets
 *     completion.h    wavefronts have ended
 *     faults.h        what went wrong
 *     audit.h         whether the channels' books balance
 *     outlook.h       whether anything more is to come
 *     state.h         the state that these share */
#ifndef SLUICE_FRONT_DISPATCHER_H
#define SLUICE_FRONT_DISPATCHER_H

#include "front/state.h"

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
