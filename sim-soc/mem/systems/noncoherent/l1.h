/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The L1 data cache of a compute unit that holds bytes of its own, and nobody keeps coherent.
 *
 * Accesses come to it in the order in which they were handed in, so many per cycle. A line has a
 * bit for each byte that is valid, and for each that is dirty. A load hits where its bytes are
 * valid; else the line is fetched, and what comes goes under dirty bytes. What goes to a line that
 * is under way waits for it, and takes its turn behind what was there before: accesses to one line
 * keep their order. There are two ways to write: *through*, to a line that is there as well as to
 * what is below, or *combining*: bytes become dirty, the line is not fetched, and dirty bytes leave
 * when it is replaced, or flushed. What has to be done below, as atomics of a wide scope are, sends
 * the line's dirty bytes first, and the line away.
 *
 * Whoever makes the cache old (an acquire, the invalidation of a line) takes the clean bytes out. A
 * line under way is served to those that wait for it already, and to nobody who comes later. */
#ifndef SLUICE_MEM_SYSTEMS_NONCOHERENT_L1_H
#define SLUICE_MEM_SYSTEMS_NONCOHERENT_L1_H

#include "mem/systems/noncoherent/l1_lines.h"

/* One of a machine. Returns false when out of memory. */
bool noncoherent_l1_create(struct noncoherent_l1 *l1, struct noncoherent *system, uint32_t node,
                           const struct sl_config *config);
void noncoherent_l1_destroy(struct noncoherent_l1 *l1);
void noncoherent_l1_reset(struct noncoherent_l1 *l1);

#endif
