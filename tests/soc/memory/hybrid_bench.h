/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The machine of papers/003 Table 4.1, four compute units of it, driven access by access. */
#ifndef SLUICE_TESTS_HYBRID_BENCH_H
#define SLUICE_TESTS_HYBRID_BENCH_H

#include "isa/isa.h"
#include "soc/memory/memory_bench.h"

#define NS(n)       ((uint64_t)(n)*1000)
#define HYBRID_LINE 128u

#define HYBRID(...)                                                                                \
    memory_create((const char *const[]){"mem.system=hybrid", "gpu.cus=4", "l1d.size=64KiB",        \
                                        "l1d.ways=4", "l1d.line=128", "l2.size=1MiB", "l2.ways=8", \
                                        "l2.line=32", "crossbar.width=32", "dram.channels=8",      \
                                        "dram.bandwidth=160000", __VA_ARGS__ NULL})

static inline struct mem_request hybrid_request(uint16_t cu, enum mem_kind kind, uint32_t line,
                                                uint64_t time_ps)
{
    return memory_request(cu, kind, MEMORY_BASE + (uint64_t)line * HYBRID_LINE, 1, time_ps);
}

/* A whole line. */
static inline struct mem_request hybrid_whole(uint16_t cu, enum mem_kind kind, uint32_t line,
                                              uint64_t time_ps)
{
    struct mem_request request = hybrid_request(cu, kind, line, time_ps);

    request.mask[0] = MEMORY_ALL;
    request.mask[1] = MEMORY_ALL;
    return request;
}

/* So many operations of lanes on the first word of a line. */
static inline struct mem_request hybrid_atomic(uint16_t cu, uint32_t line, uint16_t operations,
                                               uint64_t time_ps)
{
    struct mem_request request = hybrid_request(cu, MEM_ATOMIC, line, time_ps);

    request.atomic = true;
    request.scope = SL_SCOPE_DEVICE;
    request.operations = operations;
    return request;
}

static inline struct mem_request hybrid_sync(uint16_t cu, enum mem_sync sync, bool acquire,
                                             uint64_t time_ps)
{
    return (struct mem_request){.time_ps = time_ps,
                                .from = {MEM_CU, cu},
                                .scope = SL_SCOPE_DEVICE,
                                .sync = (uint8_t)sync,
                                .acquire = acquire};
}

static inline uint64_t hybrid_time(struct memory_bench *b, struct mem_request request)
{
    struct memory_step step = {.bytes = {1}};

    return memory_access(b, &step, request);
}

/* How long a compute unit's load of a line takes. */
static inline uint64_t hybrid_load(struct memory_bench *b, uint16_t cu, uint32_t line,
                                   uint64_t time_ps)
{
    return hybrid_time(b, hybrid_request(cu, MEM_LOAD, line, time_ps));
}

static inline void hybrid_tell(struct memory_bench *b, struct mem_request request)
{
    struct memory_step step = {0};

    assert_int_equal(memory_sync(b, &step, request), 0);
}

static inline void hybrid_acquire(struct memory_bench *b, uint16_t cu, uint64_t time_ps)
{
    hybrid_tell(b, hybrid_sync(cu, MEM_SYNC_FENCE, true, time_ps));
}

/* So many wavefronts of a packet are resident on a compute unit that had none. */
static inline void hybrid_launch(struct memory_bench *b, uint16_t cu, uint32_t waves,
                                 uint64_t time_ps)
{
    for (uint32_t i = 0; i < waves; i++) {
        hybrid_tell(b,
                    hybrid_sync(cu, i == 0 ? MEM_SYNC_PACKET : MEM_SYNC_LAUNCH, i == 0, time_ps));
    }
}

#endif
