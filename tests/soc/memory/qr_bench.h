/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `quickrelease` alone, driven access by access. */
#ifndef SLUICE_TESTS_QR_BENCH_H
#define SLUICE_TESTS_QR_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/systems/quickrelease/quickrelease.h"
#include "soc/memory/memory_bench.h"

/* `settings` up to NULL: two compute units, Table 4.1's latencies, 64 MiB of DRAM by default. */
struct memory_bench *qr_bench_create(const char *const *settings);

/* Checks the laws of the counters and that no access is under way, after settling. */
void qr_bench_destroy(struct memory_bench *bench);

#define QR_BENCH(...) qr_bench_create((const char *const[]){__VA_ARGS__, NULL})

/* Hands in an access to `count` bytes from MEMORY_BASE + at on, which do not leave their line, at a
 * time, up to which simulated time goes on before. A store writes `value` to each; an atomic adds
 * it to each. */
void qr_hand_in(struct memory_bench *bench, struct memory_step *step, uint32_t cu,
                enum mem_kind kind, uint32_t at, uint32_t count, uint8_t value, uint64_t time_ps);

/* The same for one that has a scope. */
void qr_hand_in_atomic(struct memory_bench *bench, struct memory_step *step, uint32_t cu,
                       enum mem_kind kind, uint32_t at, uint8_t value, uint64_t time_ps);

/* A release. */
void qr_hand_in_release(struct memory_bench *bench, struct memory_step *step, uint32_t cu,
                        uint64_t wave, uint64_t time_ps);

/* One access of one byte, at a time; load: returns it. What it took goes to *latency_ps unless that
 * is NULL. */
uint8_t qr_load(struct memory_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                uint64_t *latency_ps);
uint8_t qr_load_acquire(struct memory_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                        uint64_t *latency_ps);
uint64_t qr_store(struct memory_bench *bench, uint32_t cu, uint32_t at, uint8_t value,
                  uint64_t time_ps);
uint64_t qr_release(struct memory_bench *bench, uint32_t cu, uint64_t time_ps);

/* The aggregator stores. */
void qr_written(struct memory_bench *bench, uint32_t at, uint8_t value, uint64_t time_ps);

static inline uint8_t *qr_bench_memory(struct memory_bench *bench, uint32_t at)
{
    return dram_at(&bench->dram, MEMORY_BASE + at);
}

#endif
