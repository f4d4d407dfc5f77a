/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Moves between a wavefront's context and its save area: lines through the compute unit's port, for
 * their time; the bytes go to and from DRAM directly, since nobody else has any business there. */
#ifndef SLUICE_SIMT_CONTEXT_CONTEXT_TRANSFER_H
#define SLUICE_SIMT_CONTEXT_CONTEXT_TRANSFER_H

#include <stddef.h>

#include "simt/unit/unit.h"

/* The wavefront's next move begins in a cycle: MEM_STORE saves, MEM_LOAD restores. */
void transfer_begin(struct wave *wave, enum mem_kind kind, uint64_t cycle);

/* Moves the lines that [address, address + count) is in; with `bytes`, these too. */
void transfer_lines(struct wave *wave, uint64_t address, size_t count);
void transfer_bytes(struct wave *wave, uint64_t address, void *bytes, size_t count);

/* All lines of the move have been handed in. Returns the cycle in which the last one is done, or
 * EVENT_QUEUE_NEVER where it is not known: then `finished` is called when it is. */
uint64_t transfer_end(struct wave *wave, void (*finished)(struct wave *wave, uint64_t cycle));

/* SL_CACHE_LINE_BYTES at a multiple of that on their own. `done` is called with the cycle in which
 * it is done, if that was not known: then EVENT_QUEUE_NEVER is returned, else that cycle. */
uint64_t transfer_one(struct wave *wave, enum mem_kind kind, uint64_t address, uint64_t cycle,
                      const struct mem_client *client);

/* The wavefront of a request of transfer_one(), which is over. */
struct wave *transfer_over(struct mem_request *request);

#endif
