/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A memory system for tests of what waits for memory: every answer is pending, and each kind of
 * request takes as many cycles as the test says. The bytes are DRAM's. Keeps what was handed in,
 * and fails the test where a request is handed in while it is under way, or an access touches no
 * byte of its line, or bytes beyond it. */
#ifndef SLUICE_TESTS_SLOW_MEMORY_H
#define SLUICE_TESTS_SLOW_MEMORY_H

#include "mem/mem.h"

#define SLOW_REQUESTS 4096u

/* What requests take, in cycles; 0 where the test does not say. */
struct slow_cycles {
    uint32_t access[MEM_REQUESTER_KINDS];
    uint32_t sync[MEM_SYNC_STEP + 1];
};

/* A request, as it was handed in. */
struct slow_request {
    uint64_t cycle;
    bool is_sync;
    struct mem_request request;
};

struct slow_memory {
    struct mem_system base;
    struct slow_cycles cycles;
    uint32_t count;
    struct slow_request seen[SLOW_REQUESTS];
};

/* For fixture_memory(): with the shortest lines, and with the longest. */
extern const struct mem_ops mem_slow;
extern const struct mem_ops mem_slow_long;

static inline struct slow_memory *slow_memory(struct mem_system *mem)
{
    return (struct slow_memory *)mem;
}

/* The first access of a kind of requester, the first synchronization of a kind that acquires, or
 * does not; NULL where there is none. */
const struct slow_request *slow_find_access(const struct slow_memory *slow,
                                            enum mem_requester_kind kind);
const struct slow_request *slow_find_sync(const struct slow_memory *slow, enum mem_sync sync,
                                          bool acquires);

#endif
