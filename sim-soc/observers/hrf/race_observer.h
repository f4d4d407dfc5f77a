/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The observer that looks for races (debug.races; docs/do/find-races.md): it hands the engine
 * (observers/races/) what happens in the machine, and keeps what the engine finds.
 *
 *     race_observer.c               events: accesses, fences, barriers
 *     race_observer_waves.c         wavefronts and their work-groups as threads, from launch to end
 *     race_observer_dispatcher.c    packets and records: how clocks go between aggregator and
 * wavefronts race_observer_clocks.c        the clocks that these hand around, and packets, which
 * carry some race_observer_found.c         what was found, by pairs of instructions, for the host
 * (recordings/races.h)
 *
 * Addresses in LDS are told the engine one behind the other by compute unit. */
#ifndef SLUICE_OBSERVERS_HRF_RACE_OBSERVER_H
#define SLUICE_OBSERVERS_HRF_RACE_OBSERVER_H

#include "observers/observers.h"
#include "observers/races/races.h"
#include "recordings/races.h"
#include "sluice/layouts.h"
#include "sluice/machine_layout.h"
#include "sluice/memory_map.h"
#include "sluice/registers.h"

#define HRF_LDS_STRIDE SL_KIB(256) /* the most that gpu.lds can be */

/* Clocks are made when there are no free ones. */
struct hrf_clocks {
    struct race_clock **free;
    size_t free_count;
    size_t capacity; /* of `free`: clocks that exist */
};

/* A packet from its way in to its completion record. */
struct hrf_packet {
    struct hrf_packet *next;
    uint32_t id;
    struct race_clock *launch; /* what the aggregator left when it wrote the packet */
    struct race_clock *ends;   /* what its wavefronts left at their ends */
};

/* A work-group while wavefronts of it exist. Barriers alternate between two clocks: nobody comes to
 * the next but one while somebody has still to leave this one. */
struct hrf_group {
    uint64_t instance;
    uint32_t dispatch;
    uint32_t number;
    uint32_t waves;
    uint64_t barriers; /* to which some wavefront has come */
    struct race_clock *barrier[2];
};

struct hrf_wave {
    struct hrf_wave *next; /* of those that are free, or have yielded */
    struct hrf_group *group;
    uint64_t number;
    uint64_t kernel;
    uint64_t block;      /* of the wavefront state pool, where it has yielded */
    uint64_t base_place; /* of the memory instructions since its launch or latest restart */
    uint64_t next_place; /* behind all that it has performed, where others acquire it */
    uint64_t barriers;   /* that it has come to */
    uint32_t dispatch;
    uint32_t thread;
    bool is_leaving;            /* it yields */
    struct race_clock *restart; /* what the aggregator left for it; NULL: nothing */
};

/* One for each entry of a ring, or NULL where none is needed. */
struct hrf_ring {
    enum sl_register base_register;
    uint32_t entries;
    uint32_t bytes; /* of an entry */
    struct race_clock **clock;
};

enum hrf_ring_kind { HRF_PACKETS, HRF_COMPLETIONS, HRF_YIELDS, HRF_RINGS };

struct hrf {
    struct observer base;
    struct race_engine *engine;
    struct sl_layout layout;
    struct dram dram;
    struct sl_races *shared;
    struct hrf_clocks clocks;
    bool has_failed;        /* out of memory */
    bool has_write_buffers; /* between wavefronts and their caches (docs/know/memory-model.md) */

    uint32_t aggregator; /* its thread */
    uint64_t aggregator_place;

    uint32_t contexts;         /* of a compute unit */
    uint32_t context_count;    /* of all */
    struct hrf_wave **waves;   /* by compute unit and context */
    struct hrf_wave *away;     /* those that have yielded */
    struct hrf_wave *unused;   /* not in use */
    struct hrf_group *group;   /* the one that was placed last, while it exists */
    uint64_t group_count;      /* of the run */
    struct hrf_packet *packet; /* the first one that is not complete */
    struct hrf_ring rings[HRF_RINGS];
};

/* ---- race_observer_clocks.c ---- */

/* An empty one; NULL when out of memory, which is noted. */
struct race_clock *hrf_clock_take(struct hrf *hrf);
void hrf_clock_give(struct hrf *hrf, struct race_clock *clock);

/* All of them have been given back. */
void hrf_clocks_destroy(struct hrf *hrf);

/* The packet of a number; NULL: none. */
struct hrf_packet *hrf_packet_find(const struct hrf *hrf, uint32_t id);

/* ---- race_observer_waves.c ---- */

/* A run begins: the wavefronts of the one before are gone. */
void hrf_waves_begin(struct hrf *hrf);
void hrf_waves_destroy(struct hrf *hrf);

/* Events of this kind. */
void hrf_wave_launched(struct hrf *hrf, const struct obs_event *event);
void hrf_wave_restarted(struct hrf *hrf, const struct obs_event *event);
void hrf_wave_yields(struct hrf *hrf, const struct obs_event *event);
void hrf_wave_left(struct hrf *hrf, const struct obs_event *event);

/* All of the wavefront so far is in front of a place: accesses, and also the fences and barriers
 * behind which it may have accessed nothing that is told the engine. */
static inline void hrf_wave_reach(struct hrf_wave *wave, uint64_t place)
{
    wave->next_place = place > wave->next_place ? place : wave->next_place;
}

/* The wavefront that has a context; NULL where memory has run out. */
static inline struct hrf_wave *hrf_wave_of(const struct hrf *hrf, const struct obs_wave *wave)
{
    return hrf->waves[wave->cu * hrf->contexts + wave->context];
}

/* The one of a number that has one. NULL: none. */
struct hrf_wave *hrf_wave_find(struct hrf *hrf, uint64_t number);

/* The one that has yielded with this block of the wavefront state pool. NULL: none. */
struct hrf_wave *hrf_wave_find_away(struct hrf *hrf, uint64_t block);

/* ---- race_observer_dispatcher.c ---- */

/* Returns 0, or -1 when out of memory. */
int hrf_front_create(struct hrf *hrf);
void hrf_front_begin(struct hrf *hrf);
void hrf_front_destroy(struct hrf *hrf);

/* An access of the front end. */
void hrf_front_moves(struct hrf *hrf, const struct obs_access *access);

/* One of the aggregator to a ring. */
void hrf_front_aggregator(struct hrf *hrf, uint64_t address, bool writes, uint64_t time_ps);

/* ---- race_observer_found.c ---- */

/* For race_create(); `context` is the struct hrf. */
void hrf_found(void *context, const struct race_finding *finding);

#endif
