/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Memory system `quickrelease` alone, driven access by access. */
#ifndef SLUICE_TESTS_QR_BENCH_H
#define SLUICE_TESTS_QR_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "mem/quickrelease/quickrelease.h"
#include "obs/stream/events.h"

/* An address that tests use as line 0; its line number is a multiple of everything that matters. */
#define QR_BASE 0x82000000u

struct qr_bench {
    struct sl_config config;
    struct dram dram;
    struct wheel wheel;
    struct stream stream;
    struct mem_system *mem;
    struct quickrelease *qr; /* the same */
};

/* An access of some bytes of one line, or a synchronization. */
struct qr_access {
    struct mem_request request;
    uint8_t bytes[SL_CACHE_LINE_BYTES]; /* that a load has read; a store writes the first of them */
    uint64_t done_ps;                   /* or MEM_PENDING */
    unsigned performed;
};

/* `settings` up to NULL: two compute units, Table 4.1's latencies, 64 MiB of DRAM by default. */
struct qr_bench *qr_bench_create(const char *const *settings);

/* Checks the laws of the counters and that no access is under way, after settling. */
void qr_bench_destroy(struct qr_bench *bench);

#define QR_BENCH(...) qr_bench_create((const char *const[]){__VA_ARGS__, NULL})

/* Hands in an access to `count` bytes from QR_BASE + at on, which do not leave their line, at a
 * time, up to which simulated time goes on before. A store writes `value` to each; an atomic adds
 * it to the first. */
void qr_hand_in(struct qr_bench *bench, struct qr_access *access, uint32_t cu, enum mem_kind kind,
                uint32_t at, uint32_t count, uint8_t value, uint64_t time_ps);

/* The same for one that has a scope. */
void qr_hand_in_atomic(struct qr_bench *bench, struct qr_access *access, uint32_t cu,
                       enum mem_kind kind, uint32_t at, uint8_t value, uint64_t time_ps);

/* A release. */
void qr_hand_in_release(struct qr_bench *bench, struct qr_access *access, uint32_t cu,
                        uint64_t wave, uint64_t time_ps);

/* Simulated time goes on until an access is done. Returns what it has taken. */
uint64_t qr_latency(struct qr_bench *bench, struct qr_access *access);

/* One access of one byte, at a time; load: returns it. What it took goes to *latency_ps unless that
 * is NULL. */
uint8_t qr_load(struct qr_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                uint64_t *latency_ps);
uint8_t qr_load_acquire(struct qr_bench *bench, uint32_t cu, uint32_t at, uint64_t time_ps,
                        uint64_t *latency_ps);
uint64_t qr_store(struct qr_bench *bench, uint32_t cu, uint32_t at, uint8_t value,
                  uint64_t time_ps);
uint64_t qr_release(struct qr_bench *bench, uint32_t cu, uint64_t time_ps);

/* The aggregator stores. */
void qr_written(struct qr_bench *bench, uint32_t at, uint8_t value, uint64_t time_ps);

static inline uint8_t *qr_bench_memory(struct qr_bench *bench, uint32_t at)
{
    return dram_at(&bench->dram, QR_BASE + at);
}

#endif
