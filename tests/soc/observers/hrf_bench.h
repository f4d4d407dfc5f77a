/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer of races (sim-soc/observers/hrf/) by itself, and events for it that are written by
 * hand: what the aggregator, the front end and wavefronts do. Words are of 8 bytes; one lane
 * accesses each. */
#ifndef SLUICE_TESTS_HRF_BENCH_H
#define SLUICE_TESTS_HRF_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/check.h"
#include "mem/dram.h"
#include "observers/observers.h"
#include "sluice/config.h"
#include "sluice/layouts.h"
#include "sluice/registers.h"

#define DRAM_BYTES SL_MIB(64)
#define WORD       (SL_HEAP_BASE + 0x100)
#define FLAG       (SL_HEAP_BASE + 0x200)
#define RING       (SL_FIRMWARE_BASE + 0x1000)
#define RECORDS    (SL_FIRMWARE_BASE + 0x8000)
#define YIELDS     (SL_FIRMWARE_BASE + 0x10000)
#define BLOCK      0x83000000u
#define NO_GROUP   UINT32_MAX

struct bench {
    struct sl_config config;
    struct sl_layout layout;
    struct dram dram;
    struct sl_races *found;
    const struct race_counters *counters;
    struct observer *observer;
    uint64_t time_ps;
    uint32_t packets; /* put into the ring */
    uint32_t records; /* and completed */
};

/* A wavefront as events tell of it; it is in the context of its number. */
struct wavefront {
    struct obs_wave is;
    uint64_t place;
};

static inline void tell(struct bench *b, struct obs_event event)
{
    b->time_ps += 1000;
    event.time_ps = b->time_ps;
    b->observer->ops->event(b->observer, &event);
}

static inline void set_register(const struct bench *b, enum sl_register which, uint64_t value)
{
    memcpy(dram_at(&b->dram, b->layout.window_base + which), &value, sizeof value);
}

#define SETTINGS 3

/* With settings, the first of which is the model; NULL is none. */
static inline struct bench bench_create_with(const char *const settings[SETTINGS])
{
    struct bench b = {.found = calloc(1, sizeof(struct sl_races))};
    char error[256];

    sl_config_init(&b.config);
    for (int i = 0; i < SETTINGS && settings[i] != NULL; i++) {
        assert_int_equal(sl_config_set(&b.config, settings[i], error, sizeof error), 0);
    }
    assert_int_equal(sl_config_set(&b.config, "dram.size=64 MiB", error, sizeof error), 0);
    assert_int_equal(sl_layout_compute(&b.config, &b.layout), 0);
    b.dram = (struct dram){.bytes = calloc(1, DRAM_BYTES), .size = DRAM_BYTES};
    assert_non_null(b.dram.bytes);
    assert_non_null(b.found);
    set_register(&b, SL_REG_DISPATCH_BASE, RING);
    set_register(&b, SL_REG_COMPLETION_BASE, RECORDS);
    set_register(&b, SL_REG_YIELD_BASE, YIELDS);
    const struct observer_parts parts = {
        .config = &b.config,
        .layout = &b.layout,
        .dram = &b.dram,
        .races = b.found,
        .race_counters = &b.counters,
    };
    assert_int_equal(obs_hrf_create(&parts, &b.observer), 0);
    assert_non_null(b.observer);
    tell(&b, (struct obs_event){.kind = OBS_BEGIN});
    return b;
}

static inline struct bench bench_create(const char *model)
{
    char setting[64];

    snprintf(setting, sizeof setting, "debug.races=%s", model);
    return bench_create_with((const char *const[SETTINGS]){setting});
}

static inline void bench_destroy(struct bench *b)
{
    tell(b, (struct obs_event){.kind = OBS_END});
    assert_int_equal(b->found->out_of_memory, 0);
    b->observer->ops->destroy(b->observer);
    free(b->dram.bytes);
    free(b->found);
}

/* So many races of pairs of instructions have been found. */
static inline void assert_found(const struct bench *b, uint64_t ordinary, uint64_t synchronization)
{
    uint64_t counts[2] = {0, 0};

    for (uint64_t i = 0; i < b->found->count; i++) {
        counts[b->found->races[i].is_synchronization]++;
    }
    assert_int_equal(counts[0], ordinary);
    assert_int_equal(counts[1], synchronization);
}

/* ---- what the aggregator does ---- */

static inline void aggregator(struct bench *b, uint64_t address, bool stores)
{
    tell(b, (struct obs_event){.kind = OBS_ACCESS,
                               .access = {.from = {.kind = MEM_AGG},
                                          .kind = stores ? MEM_STORE : MEM_LOAD,
                                          .scope = SL_SCOPE_DEVICE,
                                          .bytes = 8,
                                          .atomic = true,
                                          .acquire = !stores,
                                          .release = stores,
                                          .writes = stores,
                                          .lanes = 1,
                                          .address = &address}});
}

static inline void move(struct bench *b, enum obs_move what, uint64_t address)
{
    tell(b, (struct obs_event){.kind = OBS_ACCESS,
                               .access = {.from = {.kind = MEM_FRONT},
                                          .move = (uint8_t)what,
                                          .atomic = true,
                                          .lanes = 1,
                                          .address = &address}});
}

/* Stores a packet, which the front end loads at once. Returns its number. */
static inline uint32_t dispatch(struct bench *b, enum sl_dispatch_kind kind, uint64_t kernel)
{
    const uint32_t number = b->packets++;
    const uint64_t address = RING + number * sizeof(struct sl_dispatch);

    *(struct sl_dispatch *)dram_at(&b->dram, address) =
        (struct sl_dispatch){.id = number, .kind = kind, .kernel = kernel};
    aggregator(b, address, true);
    move(b, OBS_MOVE_PACKET, address);
    return number;
}

/* The record of a packet's end comes. Returns its address. */
static inline uint64_t complete(struct bench *b, uint32_t packet)
{
    const uint64_t address = RECORDS + b->records++ * sizeof(struct sl_completion);

    *(struct sl_completion *)dram_at(&b->dram, address) = (struct sl_completion){.id = packet};
    move(b, OBS_MOVE_COMPLETION, address);
    return address;
}

/* ---- what wavefronts do ---- */

static inline struct wavefront launch(struct bench *b, uint32_t number, uint32_t packet,
                                      uint32_t group)
{
    const struct wavefront wave = {.is = {.number = number,
                                          .kernel = 0x1000,
                                          .dispatch = packet,
                                          .context = number,
                                          .group = group,
                                          .cu = 0}};

    tell(b, (struct obs_event){
                .kind = OBS_LAUNCH, .wave = wave.is, .life = {.lanes = 1, .lds_bytes = 1024}});
    return wave;
}

static inline void leave(struct bench *b, const struct wavefront *wave)
{
    tell(b, (struct obs_event){.kind = OBS_LEAVE, .wave = wave->is});
}

/* A plain load or store, or what else `access` says, of a word in a place. */
static inline void access_as(struct bench *b, struct wavefront *wave, uint64_t address,
                             struct obs_access access)
{
    access.from = (struct mem_requester){.kind = MEM_CU};
    access.bytes = 8;
    access.lanes = 1;
    access.address = &address;
    access.place = wave->place++;
    access.pc = 0x80400000 + 4 * access.place;
    tell(b, (struct obs_event){.kind = OBS_ACCESS, .wave = wave->is, .access = access});
}

static inline void load(struct bench *b, struct wavefront *wave, uint64_t address)
{
    access_as(b, wave, address, (struct obs_access){.kind = MEM_LOAD});
}

static inline void store(struct bench *b, struct wavefront *wave, uint64_t address)
{
    access_as(b, wave, address, (struct obs_access){.kind = MEM_STORE, .writes = true});
}

/* A read-modify-write at device scope that acquires, or releases. */
static const struct obs_access acquires = {
    .kind = MEM_ATOMIC, .scope = SL_SCOPE_DEVICE, .atomic = true, .acquire = true, .writes = true};
static const struct obs_access releases = {
    .kind = MEM_ATOMIC, .scope = SL_SCOPE_DEVICE, .atomic = true, .release = true, .writes = true};

static inline void barrier(struct bench *b, struct wavefront *wave, bool arrives)
{
    tell(b, (struct obs_event){.kind = OBS_SYNC,
                               .wave = wave->is,
                               .sync = {.from = {.kind = MEM_CU},
                                        .sync = MEM_SYNC_BARRIER,
                                        .scope = SL_SCOPE_WORKGROUP,
                                        .acquire = !arrives,
                                        .release = arrives,
                                        .place = wave->place}});
}

static inline void fence(struct bench *b, struct wavefront *wave, bool acquire, bool release)
{
    tell(b, (struct obs_event){.kind = OBS_SYNC,
                               .wave = wave->is,
                               .sync = {.from = {.kind = MEM_CU},
                                        .sync = MEM_SYNC_FENCE,
                                        .scope = SL_SCOPE_DEVICE,
                                        .acquire = acquire,
                                        .release = release,
                                        .place = wave->place}});
}

/* Two wavefronts of one packet. */
struct two {
    struct bench b;
    struct wavefront first;
    struct wavefront second;
};

static inline struct two two_create_in(const struct bench *b)
{
    struct two t = {.b = *b};
    const uint32_t packet = dispatch(&t.b, SL_DISPATCH_CHANNEL, 0);

    t.first = launch(&t.b, 0, packet, NO_GROUP);
    t.second = launch(&t.b, 1, packet, NO_GROUP);
    return t;
}

static inline struct two two_create(void)
{
    const struct bench b = bench_create("hrf-direct");

    return two_create_in(&b);
}

#endif
