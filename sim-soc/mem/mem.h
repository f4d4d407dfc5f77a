/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The interface of memory systems (DESIGN section 10).
 *
 * A requester hands in one access to one cache line with its time, and gets back when the access
 * takes effect (its serialization point: only then is the value read or written, so that a
 * compare-and-swap that lost a race fails), when the requester has the answer, and the bytes of the
 * line as that requester sees them at the serialization point. Times are in picoseconds. Requests
 * of one requester come in the order of their times, but for out-of-order core models, which may be
 * late by one reorder window. A memory system keeps no clock of its own.
 *
 * The host's accesses are none of its business: they happen while simulated time stands still. Time
 * and statistics of a graph begin with all caches empty, so that equal runs are equal whatever came
 * before. */
#ifndef SLUICE_MEM_MEM_H
#define SLUICE_MEM_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "mem/dram.h"
#include "obs/map.h"
#include "obs/stream/mem_counters.h"

enum mem_kind { MEM_LOAD, MEM_STORE, MEM_ATOMIC, MEM_FETCH };

/* Requesters are numbered: the compute units from 0, then the aggregator. */
struct mem_request {
    uint64_t time_ps;
    uint64_t address;   /* of the first byte; the access does not cross a line */
    uint32_t requester; /* CU number, or mem->cus for the aggregator */
    enum mem_kind kind;
    uint8_t scope; /* enum sl_scope, of atomics and of accesses that acquire or release */
    bool acquire;
    bool release;
};

struct mem_response {
    uint64_t perform_ps; /* serialization point, not before the request's time */
    uint64_t done_ps;    /* the requester has data or acknowledgement; not before perform_ps */
    uint8_t *bytes;      /* the byte at request.address, valid at perform_ps */
};

struct mem_system;

struct mem_ops {
    const char *name;
    struct mem_system *(*create)(const struct sl_config *config, const struct dram *dram);
    void (*destroy)(struct mem_system *mem);
    /* The time is zero: empties all caches, frees all resources, clears the counters. */
    void (*begin)(struct mem_system *mem);
    struct mem_response (*access)(struct mem_system *mem, const struct mem_request *request);
};

struct mem_system {
    const struct mem_ops *ops;
    uint32_t cus;
    struct mem_map *map; /* NULL where accesses are not counted by structure (mem.matrix) */
    struct mem_counters counters;
};

extern const struct mem_ops mem_flat;
extern const struct mem_ops mem_moesi;

/* The memory system that the configuration names (mem.system). NULL when out of memory. */
struct mem_system *mem_create(const struct sl_config *config, const struct dram *dram);

#endif
