/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `moesi` alone, driven request by request, with a look inside. */
#ifndef SLUICE_TESTS_MOESI_BENCH_H
#define SLUICE_TESTS_MOESI_BENCH_H

#include <stdint.h>

#include "events/events.h"
#include "mem/systems/moesi/moesi.h"
#include "sluice/config.h"

/* An address that tests use as line 0; its line number is a multiple of everything that matters. */
#define BENCH_BASE 0x82000000u

struct moesi_bench {
    struct sl_config config;
    struct dram dram;
    struct event_queue event_queue;
    struct stream stream;
    struct moesi *moesi;
};

/* `settings` up to NULL; 64 MiB of DRAM and one compute unit are the default. */
struct moesi_bench *bench_create(const char *const *settings);
void bench_destroy(struct moesi_bench *bench);

#define BENCH(...) bench_create((const char *const[]){__VA_ARGS__, NULL})

/* Requesters by number: the compute units, then the aggregator. */
uint32_t bench_aggregator(const struct moesi_bench *bench);

/* The L1 cache that serves such an access of a requester. */
struct l1 *bench_l1(const struct moesi_bench *bench, uint32_t requester, enum mem_kind kind);

/* One access; checks what holds for every response. */
struct mem_answer bench_access(struct moesi_bench *bench, uint32_t requester, enum mem_kind kind,
                               uint64_t address, uint64_t time_ps);

/* An access to line `line` of the bench, or a fetch from it; returns done - time, in ps. */
uint64_t bench_load(struct moesi_bench *bench, uint32_t requester, uint32_t line, uint64_t time_ps);
uint64_t bench_store(struct moesi_bench *bench, uint32_t requester, uint32_t line,
                     uint64_t time_ps);
uint64_t bench_fetch(struct moesi_bench *bench, uint32_t requester, uint32_t line,
                     uint64_t time_ps);

/* The entry of an address's line in an L1 cache, and in the L2; NULL if there is none. */
const struct l1_line *bench_l1_line(const struct moesi_bench *bench, uint32_t node,
                                    uint64_t address);
const struct l2_line *bench_l2_line(const struct moesi_bench *bench, uint64_t address);

/* One writer or many readers of an address's line, and its directory entry exact. */
void bench_check_line(const struct moesi_bench *bench, uint64_t address);

/* The same for all lines in all caches; nothing is in an L1 cache that is not in the L2. */
void bench_check_all(const struct moesi_bench *bench);

/* The laws of the counters (docs/look-up/memory-moesi.md). */
void bench_check_laws(const struct moesi_bench *bench);

#endif
