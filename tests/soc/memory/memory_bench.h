/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* A memory system that holds bytes of its own, alone, driven access by access. */
#ifndef SLUICE_TESTS_MEMORY_BENCH_H
#define SLUICE_TESTS_MEMORY_BENCH_H

#include "events/events.h"
#include "mem/mem.h"
#include "sluice/config.h"

#define MEMORY_BASE 0x82000000u /* line 0; its number is a multiple of everything that matters */
#define MEMORY_ALL  UINT64_MAX

struct memory_bench {
    struct sl_config config;
    struct dram dram;
    struct event_queue event_queue;
    struct stream stream;
    struct mem_system *mem;
};

/* An access or synchronization of a compute unit, and what becomes of it. A load leaves the line's
 * bytes in `bytes`; a store has them there; an update adds them to what it leaves there. */
struct memory_step {
    struct mem_request request;
    struct memory_bench *bench;
    bool is_sync;
    unsigned performed;
    uint64_t done_ps; /* or MEM_PENDING */
    uint8_t bytes[MEM_LINE_MAX];
};

/* `settings` up to NULL; one compute unit is the default. */
struct memory_bench *memory_create(const char *const *settings);
void memory_destroy(struct memory_bench *bench);

/* An access of a compute unit to bytes of a line, of which the first 64 are in the mask. */
static inline struct mem_request memory_request(uint16_t cu, enum mem_kind kind, uint64_t address,
                                                uint64_t mask, uint64_t time_ps)
{
    return (struct mem_request){.time_ps = time_ps,
                                .address = address,
                                .from = {MEM_CU, cu},
                                .kind = (uint8_t)kind,
                                .lines = 1,
                                .operations = 1,
                                .lanes = 1,
                                .wave = 1,
                                .mask = {mask}};
}

/* Hands an access in at its time, up to which all runs; the step is under way. */
void memory_begin(struct memory_bench *bench, struct memory_step *step, struct mem_request request);

/* Hands it in, and runs until it is done. Returns how long that took. */
uint64_t memory_access(struct memory_bench *bench, struct memory_step *step,
                       struct mem_request request);

/* The same for synchronization. */
void memory_begin_sync(struct memory_bench *bench, struct memory_step *step,
                       struct mem_request request);
uint64_t memory_sync(struct memory_bench *bench, struct memory_step *step,
                     struct mem_request request);

/* Runs until a step is done. Returns how long that took. */
uint64_t memory_finish(struct memory_bench *bench, const struct memory_step *step);

/* The aggregator loads or stores a byte at the present, which is moved to a time. Returns how long
 * that takes. */
uint64_t memory_aggregate(struct memory_bench *bench, enum mem_kind kind, uint32_t line,
                          uint64_t time_ps, uint8_t *value);

/* Byte 0 of a line where all meet. */
uint8_t *memory_byte(const struct memory_bench *bench, uint32_t line);

#endif
