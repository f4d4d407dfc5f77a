/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* How order goes through the front end's rings, which lie in memory of the firmware that is not
 * looked at otherwise. A packet has what the aggregator left when it stored the packet's words; the
 * wavefronts of a packet take that when they are launched, and leave what they did to the record of
 * its completion, which the aggregator takes with its first load of the record. So do those that
 * yield, with the record of their yield and the packet that restarts them. Each entry of a ring has
 * a clock of its own, which goes with the packet or comes with the record: a packet that is late
 * has nothing that the aggregator did after it. */
#include <stdlib.h>

#include "mem/dram.h"
#include "observers/hrf/race_observer.h"
#include "sluice/registers.h"

/* The ring's clock for an address, or NULL where that is not in the ring. */
static struct race_clock **entry_at(const struct hrf *hrf, enum hrf_ring_kind kind,
                                    uint64_t address)
{
    const struct hrf_ring *ring = &hrf->rings[kind];
    const uint64_t *base = dram_at(&hrf->dram, hrf->layout.window_base + ring->base_register);
    const uint64_t entry = (address - *base) / ring->bytes;

    return address >= *base && entry < ring->entries ? &ring->clock[entry] : NULL;
}

/* The clock of an entry goes elsewhere. */
static struct race_clock *move_out(struct race_clock **entry)
{
    struct race_clock *clock = *entry;

    *entry = NULL;
    return clock;
}

static void move_in(struct hrf *hrf, struct race_clock **entry, struct race_clock *clock)
{
    hrf_clock_give(hrf, *entry);
    *entry = clock;
}

/* ---- packets ---- */

static void packet_free(struct hrf *hrf, struct hrf_packet *packet)
{
    hrf_clock_give(hrf, packet->launch);
    hrf_clock_give(hrf, packet->ends);
    free(packet);
}

static void packet_comes(struct hrf *hrf, uint64_t address)
{
    const struct sl_dispatch *told = dram_at(&hrf->dram, address);
    struct race_clock **entry = entry_at(hrf, HRF_PACKETS, address);

    if (entry == NULL) {
        return;
    }
    if (told->kind == SL_DISPATCH_RESTART) {
        struct hrf_wave *wave = hrf_wave_find_away(hrf, told->kernel);
        if (wave != NULL) {
            move_in(hrf, &wave->restart, move_out(entry));
        }
        return;
    }
    struct hrf_packet *packet = malloc(sizeof(*packet));
    if (packet == NULL) {
        hrf->has_failed = true;
        return;
    }
    *packet = (struct hrf_packet){
        .next = hrf->packet,
        .id = told->id,
        .launch = move_out(entry),
        .ends = hrf_clock_take(hrf),
    };
    hrf->packet = packet;
}

/* ---- records ---- */

static void packet_completes(struct hrf *hrf, uint64_t address)
{
    const struct sl_completion *record = dram_at(&hrf->dram, address);
    struct race_clock **entry = entry_at(hrf, HRF_COMPLETIONS, address);
    struct hrf_packet **link = &hrf->packet;

    while (*link != NULL && (*link)->id != record->id) {
        link = &(*link)->next;
    }
    struct hrf_packet *packet = *link;
    if (packet == NULL || entry == NULL) {
        return;
    }
    *link = packet->next;
    move_in(hrf, entry, packet->ends);
    packet->ends = NULL;
    packet_free(hrf, packet);
}

static void wave_yields(struct hrf *hrf, uint64_t address)
{
    const struct sl_yield *record = dram_at(&hrf->dram, address);
    struct race_clock **entry = entry_at(hrf, HRF_YIELDS, address);
    struct hrf_wave *wave = hrf_wave_find(hrf, record->wavefront);
    struct race_clock *clock = hrf_clock_take(hrf);

    if (wave == NULL || entry == NULL || clock == NULL) {
        hrf_clock_give(hrf, clock);
        return;
    }
    wave->block = record->block;
    race_leave(hrf->engine, clock, wave->thread, wave->next_place, SL_SCOPE_DEVICE);
    move_in(hrf, entry, clock);
}

void hrf_front_moves(struct hrf *hrf, const struct obs_access *access)
{
    switch ((enum obs_move)access->move) {
    case OBS_MOVE_PACKET:
        packet_comes(hrf, access->address[0]);
        break;
    case OBS_MOVE_COMPLETION:
        packet_completes(hrf, access->address[0]);
        break;
    case OBS_MOVE_YIELD:
        wave_yields(hrf, access->address[0]);
        break;
    default:
        break;
    }
}

/* ---- the aggregator's side ---- */

static void stores(struct hrf *hrf, uint64_t address)
{
    struct race_clock **entry = entry_at(hrf, HRF_PACKETS, address);

    if (entry == NULL) {
        return;
    }
    if (*entry == NULL) {
        *entry = hrf_clock_take(hrf);
    }
    if (*entry != NULL) {
        race_leave(hrf->engine, *entry, hrf->aggregator, hrf->aggregator_place, SL_SCOPE_DEVICE);
    }
}

/* What the first load of a record takes, the others have. */
static void loads(struct hrf *hrf, enum hrf_ring_kind kind, uint64_t address, uint64_t time_ps)
{
    struct race_clock **entry = entry_at(hrf, kind, address);

    if (entry != NULL && *entry != NULL) {
        race_take(hrf->engine, *entry, hrf->aggregator, hrf->aggregator_place, SL_SCOPE_DEVICE,
                  time_ps);
        hrf_clock_give(hrf, move_out(entry));
    }
}

void hrf_front_aggregator(struct hrf *hrf, uint64_t address, bool writes, uint64_t time_ps)
{
    if (writes) {
        stores(hrf, address);
    } else {
        loads(hrf, HRF_COMPLETIONS, address, time_ps);
        loads(hrf, HRF_YIELDS, address, time_ps);
    }
}

/* ---- life ---- */

int hrf_front_create(struct hrf *hrf)
{
    static const struct hrf_ring shapes[HRF_RINGS] = {
        [HRF_PACKETS] = {.base_register = SL_REG_DISPATCH_BASE,
                         .entries = SL_DISPATCH_ENTRIES,
                         .bytes = sizeof(struct sl_dispatch)},
        [HRF_COMPLETIONS] = {.base_register = SL_REG_COMPLETION_BASE,
                             .entries = SL_COMPLETION_ENTRIES,
                             .bytes = sizeof(struct sl_completion)},
        [HRF_YIELDS] = {.base_register = SL_REG_YIELD_BASE,
                        .entries = SL_YIELD_ENTRIES,
                        .bytes = sizeof(struct sl_yield)},
    };
    int failed = 0;

    for (int kind = 0; kind < HRF_RINGS; kind++) {
        hrf->rings[kind] = shapes[kind];
        hrf->rings[kind].clock = calloc(shapes[kind].entries, sizeof(hrf->rings[kind].clock[0]));
        failed |= hrf->rings[kind].clock == NULL;
    }
    return failed ? -1 : 0;
}

void hrf_front_begin(struct hrf *hrf)
{
    while (hrf->packet != NULL) {
        struct hrf_packet *packet = hrf->packet;
        hrf->packet = packet->next;
        packet_free(hrf, packet);
    }
    for (int kind = 0; kind < HRF_RINGS; kind++) {
        const struct hrf_ring *ring = &hrf->rings[kind];
        for (uint32_t i = 0; ring->clock != NULL && i < ring->entries; i++) {
            hrf_clock_give(hrf, move_out(&ring->clock[i]));
        }
    }
}

void hrf_front_destroy(struct hrf *hrf)
{
    hrf_front_begin(hrf);
    for (int kind = 0; kind < HRF_RINGS; kind++) {
        free(hrf->rings[kind].clock);
    }
}
